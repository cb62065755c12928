"""Edits of YAML text: what is taken out goes with its line's end, what is added ends as the text's lines do."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from labs.config.editing import (
    Edit,
    add_item,
    add_member,
    add_under,
    edited,
    lines_behind,
    remove_at,
    remove_flow_item,
    remove_item,
    remove_items_from,
    remove_member,
    set_value,
)
from labs.config.goyaml import Mapping, Sequence, read

TEXT = "a: 1  # first\nb:\n  c: 2\n  d: 3\ne:\n- 4\n- 5\n- 6\n"


def edit_of(source: str, what: str) -> Edit | None:
    root = read(source)
    assert isinstance(root, Mapping)
    items = root.get("e")
    assert isinstance(items, Sequence)
    edits: dict[str, Callable[[], Edit | None]] = {
        "a member goes": lambda: remove_member(source, root, root.entries[0]),
        "a member at a path goes": lambda: remove_at(source, root, ["b", "d"]),
        "an item goes": lambda: remove_item(source, items, items.items[1]),
        "items go": lambda: remove_items_from(source, items, 1),
        "a member comes": lambda: add_member(source, root, "z: 0"),
        "a map comes": lambda: add_under(source, root, "f", "g: 0"),
        "an item comes": lambda: add_item(source, items, "7"),
        "a value is set": lambda: set_value(source, root, "a", "0"),
        "a list is replaced": lambda: set_value(source, root, "e", "[]"),
        "a key is set": lambda: set_value(source, root, "f", "0"),
        "lines come": lambda: lines_behind(source, items.span.end_offset, "f: 0", "g: 0"),
    }
    return edits[what]()


EDITED = {
    "a member goes": "b:\n  c: 2\n  d: 3\ne:\n- 4\n- 5\n- 6\n",
    "a member at a path goes": "a: 1  # first\nb:\n  c: 2\ne:\n- 4\n- 5\n- 6\n",
    "an item goes": "a: 1  # first\nb:\n  c: 2\n  d: 3\ne:\n- 4\n- 6\n",
    "items go": "a: 1  # first\nb:\n  c: 2\n  d: 3\ne:\n- 4\n",
    "a member comes": f"z: 0\n{TEXT}",
    "a map comes": f"f:\n  g: 0\n{TEXT}",
    "an item comes": f"{TEXT}- 7\n",
    "a value is set": TEXT.replace("a: 1", "a: 0"),
    "a list is replaced": "a: 1  # first\nb:\n  c: 2\n  d: 3\ne:\n[]\n",
    "a key is set": TEXT.replace("# first\n", "# first\nf: 0\n"),
    "lines come": f"{TEXT}f: 0\ng: 0\n",
}


@pytest.mark.parametrize("ending", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("what", EDITED)
def test_an_edit_keeps_everything_else_and_the_ends_of_lines(what: str, ending: str) -> None:
    source = TEXT.replace("\n", ending)
    edit = edit_of(source, what)
    assert edit is not None
    assert edited(source, [edit]) == EDITED[what].replace("\n", ending)


@pytest.mark.parametrize(
    ("index", "after"),
    [(0, "e: [5, 6]\n"), (1, "e: [4, 6]\n"), (2, "e: [4, 5]\n")],
)
def test_an_item_in_brackets_goes_with_one_comma(index: int, after: str) -> None:
    source = "e: [4, 5, 6]\n"
    root = read(source)
    assert isinstance(root, Mapping)
    items = root.get("e")
    assert isinstance(items, Sequence)
    edit = remove_flow_item(source, items, index)
    assert edit is not None
    assert edited(source, [edit]) == after


def test_a_line_behind_a_last_one_without_an_end_gets_one() -> None:
    assert edited("a: 1", [lines_behind("a: 1", 4, "b: 2")]) == "a: 1\nb: 2\n"
