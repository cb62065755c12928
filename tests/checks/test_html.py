"""Markup: where a text may become `Html`, and what a template is."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks import html
from tests.checks.trees import write

PLACE = "labs/report/result/html.py"


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("shown = Html(text)\n", "a text is called Html"),
        ("shown = markup.Html(text)\n", "a text is called Html"),
        ("shown = cast('Html', text)\n", "a text is called Html"),
        ("shown = cast(Html, text)\n", "a text is called Html"),
        ("shown = html(f'<b>{text}</b>')\n", "a template that is no literal"),
        ("shown = html(template, part)\n", "a template that is no literal"),
        ("shown = html('<b>{}</b>{}', part)\n", "1 parts for 2 places"),
        ("shown = join(parts, gap)\n", "what joins parts is no literal"),
        ("shown = join(parts, between=gap)\n", "what joins parts is no literal"),
        ("shown = html('<b>{{}}</b>', part)\n", "1 parts for 0 places"),
    ],
)
def test_what_the_type_checker_cannot_see_is_reported(tmp_path: Path, source: str, words: str) -> None:
    write(tmp_path, {PLACE: source})
    assert [(each.path, each.line, each.message) for each in html.check(tmp_path)] == [(PLACE, 1, words)]


@pytest.mark.parametrize(
    "source",
    [
        "shown = html('<b>{}</b>', escape(text))\n",
        "shown = html('{}{}', *parts)\n",
        "shown = join(parts, ', ')\n",
        "shown = words.html('key')\n",
    ],
)
def test_templates_with_their_parts_pass(tmp_path: Path, source: str) -> None:
    write(tmp_path, {PLACE: source})
    assert html.check(tmp_path) == []


def test_markup_itself_makes_html(tmp_path: Path) -> None:
    write(tmp_path, {html.MARKUP: "def escape(text): return Html(text)\n"})
    assert html.check(tmp_path) == []
