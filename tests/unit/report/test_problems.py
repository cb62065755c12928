from __future__ import annotations

import pytest

from labs.config.own.problem import Problem
from labs.report.writing.measure import columns
from labs.report.writing.problems import problem_text, problems_html, problems_text, source_line
from tests.unit.report.stories import LANGUAGES, messages

SOURCE = "format: 1\nnodes:\n  - {name: ノード, 枠: 5}\n"
PROBLEM = Problem("unknown-key", 3, 17, {"key": "枠", "allowed": "name, gpus, config"})


class TestSourceLine:
    @pytest.mark.parametrize(
        ("source", "line", "column", "shown", "under"),
        [
            ("abc: d", 1, 6, "abc: d", "d"),
            ("ノード: 枠", 1, 6, "ノード: 枠", "枠"),
            ("\tkey: 파드", 1, 7, " key: 파드", "파"),
            ("a", 1, 2, "a", ""),
        ],
    )
    def test_the_caret_stands_under_the_character(
        self, source: str, line: int, column: int, shown: str, under: str
    ) -> None:
        text, caret = source_line(source, line, column)
        assert text == shown
        offset = columns(caret) - 1
        before = ""
        while columns(before) < offset:
            before += text[len(before)]
        assert text[len(before) :].startswith(under)

    def test_a_long_line_is_shown_around_the_place(self) -> None:
        text, caret = source_line("x" * 500 + "HERE" + "y" * 500, 1, 501)
        assert columns(text) <= 72
        assert text[len(caret) - 1 :].startswith("HERE")

    def test_no_such_line(self) -> None:
        assert source_line("a", 7, 1) == ("", "")


class TestText:
    def test_place_reason_line_caret_remedy(self) -> None:
        what, line, caret, remedy = problem_text(PROBLEM, messages("en"), SOURCE, "s.yaml").split("\n")
        assert what.startswith("s.yaml:3:17: ")
        assert "枠" in what
        assert line == "    3 |   - {name: ノード, 枠: 5}"
        assert caret == "      |" + " " * (columns(line[: line.index("枠")]) - 7) + "^"
        assert remedy.startswith("      = ")

    def test_all_problems_are_told(self) -> None:
        assert problems_text([PROBLEM, PROBLEM], messages("ko"), SOURCE, "-").count("-:3:17: ") == 2

    def test_those_that_are_not_told_are_counted(self) -> None:
        said = problems_text([PROBLEM, PROBLEM], messages("en"), SOURCE, "-", more=3)
        assert said.endswith("\n\n3 more follow these.")


class TestHtml:
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_a_list_with_everything_escaped(self, language: str) -> None:
        problem = Problem("unknown-key", 1, 1, {"key": "<img onerror=x>", "allowed": "a"})
        html = problems_html([problem], messages(language), "<img onerror=x>: 1")
        assert "<img" not in html
        assert html.count("&lt;img onerror=x&gt;") >= 2
        assert html.count("<li>") == 1

    def test_those_that_are_not_told_are_counted(self) -> None:
        html = problems_html([PROBLEM, PROBLEM], messages("en"), SOURCE, more=3)
        assert "5 things in the scenario need mending:" in html
        assert "</ol>\n<p>3 more follow these.</p></div>" in html

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_what_a_loader_says_is_english_in_every_language(self, language: str) -> None:
        problem = Problem("yaml", 1, 1, {"detail": "mapping values are <not> allowed"})
        html = problems_html([problem], messages(language))
        assert '<span lang="en">mapping values are &lt;not&gt; allowed</span>' in html
