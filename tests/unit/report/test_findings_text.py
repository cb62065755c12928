"""A finding for a terminal: the marks stand under what they mean, whatever stands before it."""

from __future__ import annotations

import pytest

from labs.lint.findings.finding import Finding, Fix, Severity
from labs.report.findings.text import finding_text, summary
from labs.report.writing.measure import columns
from labs.report.writing.messages import Messages
from tests.unit.report.found import WORDS, edit, finding, related
from tests.unit.report.stories import LANGUAGES, messages


def shown(one: Finding, **texts: str) -> list[str]:
    sources = {path.replace("_", "."): text for path, text in texts.items()}
    return finding_text(one, messages("en"), WORDS, sources).split("\n")


def marked(source: str, marks: str) -> str:
    """What of a printed source line stands above the marks."""
    first = len(marks) - len(marks.lstrip(" |"))
    wide, found = 0, ""
    for character in source:
        if first <= wide < columns(marks):
            found += character
        wide += columns(character)
    return found


@pytest.mark.parametrize(
    "before",
    [
        "",
        "key: ",
        "  名前: ",
        "이름: ",
        "ﾊﾝｶｸ: ",
        "ｆｕｌｌ: ",
        "# メモ「共有」 값: ",
        "\tkey:\t",
        "e\u0301: ",
        "\x0c: ",
        "\x1c: ",
        "x" * 300,
        "枠" * 200,
    ],
)
@pytest.mark.parametrize("part", ["bad", "悪い値", "나쁜 값"])
def test_the_marks_stand_under_the_part(before: str, part: str) -> None:
    text = f"first: 1\n{before}{part} # rest\n"
    _, source, marks, *_ = shown(finding(text, part), a_yaml=text)
    assert source.startswith("    2 | ")
    assert columns(source) <= 90
    assert marked(source, marks) == part


def test_all_of_it_is_said_in_order() -> None:
    text = "a: 1\nb: 2\n"
    one = finding(text, "b", value="b", fix=Fix(True, (edit(text, "b", "c"),)))
    assert shown(one, a_yaml=text) == [
        'a.yaml:2:1: GL999 a-rule (warning): It is "b"',
        "    2 | b: 2",
        "      | ^",
        "      = help: Write b",
        "      = fix: --fix does this, and the file keeps its meaning",
        "      = more: gpulab explain GL999",
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\x85", ""])
def test_an_unsafe_fix_is_shown_as_the_lines_that_change(end: str) -> None:
    text = f"a: 1{end or chr(10)}b: 枠{end}"
    one = finding(text, "b", fix=Fix(False, (edit(text, "枠", "값  # x"),)))
    assert shown(one, a_yaml=text)[-3:-1] == ["      | - b: 枠", "      | + b: 값  # x"]


def test_a_fix_of_several_places_is_shown_at_each() -> None:
    text = "a: 1\nb: 2\nc: 3\n"
    one = finding(text, "b", fix=Fix(False, (edit(text, "a: 1\n", ""), edit(text, "3", "4\nd: \x1b[5"))))
    assert shown(one, a_yaml=text)[4:-1] == [
        "      = fix: one is offered, but it changes what the file does; decide yourself",
        "      | - a: 1",
        "      | - c: 3",
        "      | + c: 4",
        "      | + d: \ufffd[5",
    ]


def test_a_fix_that_spreads_over_a_whole_file_is_not_shown() -> None:
    text = "a: 1\n" + "x: y\n" * 1_000 + "b: 2\n"
    one = finding(text, "b", fix=Fix(False, (edit(text, "1", "3"), edit(text, "2", "4"))))
    assert [line for line in shown(one, a_yaml=text) if "| +" in line] == []


def test_a_span_over_several_lines_is_marked_to_the_end_of_its_first() -> None:
    text = "a:\n  b: 1\n  c: 2\n"
    _, source, marks, *_ = shown(finding(text, "b: 1\n  c: 2"), a_yaml=text)
    assert (source, marks) == ("    2 |   b: 1", "      |   ^^^^")


@pytest.mark.parametrize("mark", ["\r\n", "\r", "\x85", "\u2028"])
def test_lines_are_counted_as_yaml_counts_them(mark: str) -> None:
    text = mark.join(["a: 1", "名: 2", "c: bad", ""])
    head, source, marks, *_ = shown(finding(text, "bad"), a_yaml=text)
    assert head.startswith("a.yaml:3:4: ")
    assert (source, marks) == ("    3 | c: bad", "      |    ^^^")


@pytest.mark.parametrize("text", ["", "a: 1\n", "a: 1\n\n"])
def test_a_place_on_an_empty_line_has_no_source(text: str) -> None:
    lines = shown(finding(text, ""), a_yaml=text)
    assert lines[0].startswith(f"a.yaml:{text.count(chr(10)) + 1}:1: ")
    assert lines[1].startswith("      = help: ")


def test_a_place_behind_the_last_character_is_marked_there() -> None:
    _, source, marks, *_ = shown(finding("a: 枠", ""), a_yaml="a: 枠")
    assert (source, marks) == ("    1 | a: 枠", "      |      ^")


def test_a_related_place_in_the_file_has_its_note_behind_the_marks() -> None:
    text = "名前: one\nb: two\n"
    lines = shown(finding(text, "two", value="z", related=(related(text, "one"),)), a_yaml=text)
    assert lines[3:5] == ["    1 | 名前: one", '      |       --- Here too: "z"']


def test_a_related_place_in_another_file_has_its_path() -> None:
    text, other = "a: one\n", "b:\n  c: two\n"
    lines = shown(finding(text, "one", related=(related(other, "two", "b.yaml"),)), a_yaml=text, b_yaml=other)
    assert lines[3:6] == ['        b.yaml:2:6: Here too: "x"', "    2 |   c: two", "      |      ---"]


def test_a_file_whose_text_is_not_there_is_named_without_source() -> None:
    lines = shown(finding("a: one\n", "one", related=(related("a: two\n", "two", "gone.yaml"),)))
    assert [line for line in lines if " | " in line] == []
    assert any("gone.yaml:1:4" in line for line in lines)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_summary_counts_by_severity(language: str) -> None:
    words: Messages = messages(language)
    text = "a: 1\n"
    found = [finding(text, "a", severity=each) for each in (Severity.ERROR, Severity.ERROR, Severity.INFO)]
    said = summary(found, 3, words)
    assert all(number in said for number in "321")
    assert summary([], 1, words) != said


def test_a_thousand_findings_in_a_large_file_are_printed_at_once() -> None:
    text = "key: value\n" * 60_000
    one = finding(text + "bad\n", "bad")
    sources = {"a.yaml": text + "bad\n"}
    for _ in range(300):
        finding_text(one, messages("en"), WORDS, sources)
