"""Edits give a file that means what they say; where they would not, there is none."""

from __future__ import annotations

import pytest

from labs.config.yaml_nodes import Mapping, find
from labs.config.yaml_tree import read, replace_span
from labs.lint.edits import add_member, add_under, rename


def root_of(text: str) -> Mapping:
    root = read(text)
    assert isinstance(root, Mapping)
    return root


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("b: 1\n", "a: 0\nb: 1\n"),
        ("{b: 1}\n", "{a: 0, b: 1}\n"),
        ("a:\nb: 1\n", None),
        ("b: 1\nA: 2\n", None),
        ('"a": 2\nb: 1\n', None),
    ],
)
def test_a_member_is_added_where_its_key_is_not_there_in_any_spelling(text: str, mended: str | None) -> None:
    edit = add_member(text, root_of(text), "a: 0")
    assert (None if edit is None else replace_span(text, edit.span, edit.text)) == mended


def test_no_member_is_added_below_a_key_where_it_is_there_with_nothing_in_it() -> None:
    text = "flags:\n  mpsRoot:\n  x: 1\n"
    assert add_under(text, root_of(text), "flags", "mpsRoot: /run/nvidia/mps") is None


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("m:\n  bad: 1\n", "m:\n  good: 1\n"),
        ("m:\n  'bad': 1\n", "m:\n  'good': 1\n"),
        ("m: {bad: 1}\n", "m: {good: 1}\n"),
        ("m:\n  bad: 1\n  good: 2\n", None),
        ("m:\n  bad: 1\n  bad: 2\n", None),
        ("m:\n  ? |\n    bad\n  : 1\n", None),
    ],
)
def test_a_key_is_renamed_in_its_quotes_where_no_other_key_would_count_then(
    text: str, mended: str | None
) -> None:
    holder = find(root_of(text), ("m",))
    assert isinstance(holder, Mapping)
    edit = rename(holder, holder.entries[0].key, "good")
    assert (None if edit is None else replace_span(text, edit.span, edit.text)) == mended
