"""Parity: a tree in step passes; each way to fall out of step is reported at its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks import parity
from checks.parity_lock import LOCK, LockError, acknowledge, read_lock, update
from checks.problem import Problem
from tests.checks.trees import docs_tree, line_of, replace, write

KO, EN, JA = "docs/ko/page.md", "docs/en/page.md", "docs/ja/page.md"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Three languages in step, and a lock that knows them."""
    docs_tree(tmp_path)
    update(tmp_path, parity.read_docs(tmp_path))
    return tmp_path


def structural(root: Path) -> list[Problem]:
    """What is reported apart from changed words."""
    update(root, parity.read_docs(root))
    return [problem for problem in parity.check(root) if " changed in " not in problem.message]


def test_a_tree_in_step_passes(tree: Path) -> None:
    assert parity.check(tree) == []


def test_a_missing_page_is_reported(tree: Path) -> None:
    (tree / EN).unlink()
    problem, *_ = structural(tree)
    assert (problem.path, problem.message) == (EN, "the page is missing; it is there in ja and ko")


@pytest.mark.parametrize(
    ("old", "new", "at", "words"),
    [
        (" {#steps}", "", "## ", "has no explicit id"),
        ("{#steps}", "{#순서}", "## ", "is not plain ASCII"),
        ("{#steps}", "{#Steps_1}", "## ", "is not plain ASCII"),
        ("{#steps}", "{#sharing}", "## ", "is used twice"),
        ("{#steps}", "{#other}", "## ", "the headings part ways here: ## {#other}, where ja has ## {#steps}"),
        ("## 순서", "### 순서", "### ", "the headings part ways here: ### {#steps}"),
        ("## 순서 {#steps}", "순서\n---", "순서", "a heading is underlined"),
        (
            "```lab\nlab: slots-and-memory",
            "```lab\nlab: other",
            "```lab",
            "the lab differs from the one in ja",
        ),
        ("version: v1", "version: v2", "```yaml", 'the code block differs from the one in ja: "version: v2"'),
        ("```yaml\n", "```json\n", "```yaml", "the code block differs"),
        ("!!! note", "!!! tip", "## ", 'lacks the admonition "!!! note" that ja has'),
        ("!!! note", "!!! tip", "!!! ", 'has the admonition "!!! tip" that ja lacks'),
        ("| 3 | 4 |\n", "", "## ", 'lacks the table "2 rows, 2 columns" that ja has'),
        ("other.md#part", "other.md#elsewhere", "## ", 'lacks the link "other.md#part"'),
        ("picture.svg", "picture.ko.svg", "## ", 'lacks the image "picture.svg"'),
        ("[^note]\n", "\n", "# ", 'lacks the footnote "note"'),
        ("[^note]\n", "\n", "[^note]:", "nothing refers to footnote [^note]"),
        ("[^note]\n", "[^note][^lost]\n", "[^lost]", "footnote [^lost] has no text"),
        ("{{slots-and-memory.slots}}", "20", "# ", 'lacks the number "{{slots-and-memory.slots}}"'),
        (
            "{{slots-and-memory.slots}}",
            "{{slots-and-memory.slots}} {{slots-and-memory.slots}}",
            "{{",
            'has the number "{{slots-and-memory.slots}}" that ja lacks',
        ),
        ("title: GPU", "name: GPU", "---", 'lacks the front matter key "title"'),
    ],
)
def test_a_defect_is_reported_at_its_place(tree: Path, old: str, new: str, at: str, words: str) -> None:
    replace(tree, KO, old, new)
    if at == "```yaml" and new == "```json\n":
        at = "```json"
    problems = structural(tree)
    found = [problem for problem in problems if words in problem.message]
    assert found, [str(problem) for problem in problems]
    assert (found[0].path, found[0].line) == (KO, line_of(tree, KO, at))


def test_footnotes_stand_in_the_order_in_which_the_page_refers_to_them(tree: Path) -> None:
    for path in (JA, KO, EN):
        replace(tree, path, "[^note]\n", "[^early][^note]\n")
        with (tree / path).open("a", encoding="utf-8") as page:
            page.write("\n[^early]: source\n")
    found = [problem for problem in structural(tree) if "referred to first" in problem.message]
    assert {(problem.path, problem.line) for problem in found} == {
        (path, line_of(tree, path, "[^note]:")) for path in (JA, KO, EN)
    }
    for path in (JA, KO, EN):
        replace(tree, path, "[^early][^note]\n", "[^note][^early]\n")
    assert structural(tree) == []


def test_two_languages_outvote_the_third(tree: Path) -> None:
    replace(tree, JA, "{{slots-and-memory.slots}}", "20")
    assert [problem.path for problem in structural(tree)] == [JA]


def test_blocks_in_another_order_are_reported(tree: Path) -> None:
    for path in (JA, KO, EN):
        (tree / path).write_text(f"{(tree / path).read_text('utf-8')}\n!!! tip\n\n    x\n", "utf-8")
    text = (tree / KO).read_text("utf-8").replace("!!! tip", "!!! x").replace("!!! note", "!!! tip")
    (tree / KO).write_text(text.replace("!!! x", "!!! note"), "utf-8")
    assert any("in another order than" in problem.message for problem in structural(tree))


def test_code_that_never_ends_is_reported(tree: Path) -> None:
    (tree / EN).write_text((tree / EN).read_text("utf-8") + "\n```text\nopen\n", "utf-8")
    assert any("has no end" in problem.message for problem in structural(tree))


def test_comments_in_code_and_localized_addresses_may_differ(tree: Path) -> None:
    replace(tree, KO, "# 설정\n", "# 설정\n# 한 줄 더\n")
    assert structural(tree) == []


def test_a_command_may_ask_for_the_language_of_its_page(tree: Path) -> None:
    for path, language in ((JA, "ja"), (KO, "ko"), (EN, "en")):
        replace(tree, path, "```yaml", f"```sh\ngpulab run x.yaml --lang {language}\n```\n\n```yaml")
    assert structural(tree) == []
    replace(tree, KO, "--lang ko", "--lang ja")
    assert any("the code block differs" in problem.message for problem in structural(tree))


def test_a_hash_inside_quotes_is_no_comment(tree: Path) -> None:
    for path in (JA, KO, EN):
        replace(tree, path, "timeSlicing: {}", 'timeSlicing: "a # b"')
    assert structural(tree) == []
    replace(tree, KO, "a # b", "a # c")
    assert any("the code block differs" in problem.message for problem in structural(tree))


def test_markdown_inside_code_does_not_count(tree: Path) -> None:
    replace(tree, KO, "자리가 늘어선다.", "자리가 `[x](y.md) ![x](y.svg) [^z]` 늘어선다. <!-- [x](z.md) -->")
    assert structural(tree) == []


def test_a_section_changed_in_one_language_is_reported_for_its_siblings(tree: Path) -> None:
    replace(tree, JA, "## 手順", "## 進め方")
    problems = parity.check(tree)
    assert [(problem.path, problem.line) for problem in problems] == [
        (EN, line_of(tree, EN, "{#steps}")),
        (KO, line_of(tree, KO, "{#steps}")),
    ]
    assert problems[0].message == "section #steps changed in ja, not in en"


def test_a_footnotes_words_belong_to_the_section_that_refers_to_it(tree: Path) -> None:
    replace(tree, JA, "[^note]: 枠", "[^note]: 大きな枠")
    assert {problem.message for problem in parity.check(tree)} == {
        "section #sharing changed in ja, not in ko",
        "section #sharing changed in ja, not in en",
    }


def test_a_new_wrapping_of_lines_is_no_change(tree: Path) -> None:
    replace(tree, EN, "There are slots.", "There\nare slots.")
    assert parity.check(tree) == []


def test_a_change_in_all_languages_asks_for_an_update_only(tree: Path) -> None:
    for path, old in ((JA, "手順"), (KO, "순서"), (EN, "Steps")):
        replace(tree, path, f"## {old}", f"## {old} 2")
    assert [problem.message for problem in parity.check(tree)] == ["page.md#steps changed in all languages"]
    assert update(tree, parity.read_docs(tree)) == (1, 0)
    assert parity.check(tree) == []


def test_an_update_does_not_hide_a_change_of_one_language(tree: Path) -> None:
    replace(tree, JA, "## 手順", "## 進め方")
    assert update(tree, parity.read_docs(tree)) == (0, 1)
    assert len(parity.check(tree)) == 2


def test_an_acknowledged_change_is_quiet_and_keeps_its_reason(tree: Path) -> None:
    replace(tree, JA, "## 手順", "## 進め方")
    assert acknowledge(tree, parity.read_docs(tree), "page.md#steps", "a nicer word") == ("ja",)
    assert parity.check(tree) == []
    entry = read_lock(tree)["page.md", "steps"]
    assert (entry.changed, entry.reason) == (("ja",), "a nicer word")


def test_an_acknowledgement_lasts_until_the_next_change(tree: Path) -> None:
    replace(tree, JA, "## 手順", "## 進め方")
    acknowledge(tree, parity.read_docs(tree), "page.md#steps", "a nicer word")
    replace(tree, JA, "## 進め方", "## 段取り")
    assert len(parity.check(tree)) == 2


@pytest.mark.parametrize(
    ("place", "reason", "words"),
    [
        ("page.md#steps", " ", "needs a reason"),
        ("page.md#nowhere", "x", "is no section of all languages"),
        ("page.md#steps", "x", "there is nothing to acknowledge"),
    ],
)
def test_an_acknowledgement_that_makes_no_sense_is_refused(
    tree: Path, place: str, reason: str, words: str
) -> None:
    with pytest.raises(LockError, match=words):
        acknowledge(tree, parity.read_docs(tree), place, reason)


def test_a_new_and_a_removed_section_ask_for_an_update(tree: Path) -> None:
    for path in (JA, KO, EN):
        replace(tree, path, "{#steps}", "{#stages}")
    assert [problem.message for problem in parity.check(tree)] == [
        "page.md#stages is new",
        "page.md#steps is no section of all languages any more",
    ]


def test_the_lock_is_sorted_and_written_the_same_again(tree: Path) -> None:
    write(tree, {f"docs/{language}/a.md": "# A {#a}\n" for language in ("ja", "ko", "en")})
    update(tree, parity.read_docs(tree))
    first = (tree / LOCK).read_text("utf-8")
    update(tree, parity.read_docs(tree))
    assert (tree / LOCK).read_text("utf-8") == first
    tables = [line for line in first.split("\n") if line.startswith("[")]
    assert tables == sorted(tables)
    assert tables[0] == '["a.md"."_top"]'


def test_a_lock_that_cannot_be_read_is_one_problem(tree: Path) -> None:
    (tree / LOCK).write_text("<<<<<<< ours\n", "utf-8")
    problem = parity.check(tree)[-1]
    assert problem.path == LOCK
    assert "cannot be read" in problem.message
