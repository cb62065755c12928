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
from labs.config.goyaml import Mapping, Node, Scalar, Sequence, find, read

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
    "a list is replaced": "a: 1  # first\nb:\n  c: 2\n  d: 3\ne: []\n",
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


VALUES_TO_SET = {
    "nothing": "a:\nb: 1\n",
    "nothing, at the end": "b: 1\na:",
    "nothing and a comment": "a: # none\nb: 1\n",
    "nothing, below a key": "b: 1\nc:\n  a:\n",
    "a list": "a:\n- 1\n- 2\nb: 1\n",
    "a list behind a comment": "a: # two\n- 1\n- 2\nb: 1\n",
    "a map": "a:\n  c: 1\n  d: 2\nb: 1\n",
    "a block of text": "a: |\n  one\n  two\nb: 1\n",
    "an alias": "b: &x 1\na: *x\n",
    "in braces": "{b: 1, a: 2}\n",
}


@pytest.mark.parametrize("written", VALUES_TO_SET)
def test_a_value_that_is_set_is_the_one_that_is_read(written: str) -> None:
    source = VALUES_TO_SET[written]
    root = read(source)
    holder = find(root, ("c",)) or root
    assert isinstance(holder, Mapping)
    edit = set_value(source, holder, "a", "[7]")
    assert edit is not None
    after = read(edited(source, [edit]))
    assert read_value(after, "c", "a") == ["7"] or read_value(after, "a") == ["7"]
    assert read_value(after, "b") == "1"


@pytest.mark.parametrize("source", ["a: &x 1\nb: *x\n", "a: {c: &x 1}\nb: *x\n"])
def test_a_value_that_something_else_refers_to_stays(source: str) -> None:
    root = read(source)
    assert isinstance(root, Mapping)
    assert set_value(source, root, "a", "0") is None


@pytest.mark.parametrize(
    "source",
    [
        "e:\n- 4\n",
        "e:\n  - 4\n",
        "e: &x\n  - 4\n",
        "e: &x\n- 4\nf: *x\n",
        "e:   # four\n    - 4\n",
        "e: [4]\n",
    ],
)
def test_an_item_that_is_added_is_the_last_that_is_read(source: str) -> None:
    items = find(read(source), ("e",))
    assert isinstance(items, Sequence)
    edit = add_item(source, items, "7")
    assert edit is not None
    assert read_value(read(edited(source, [edit])), "e") == ["4", "7"]


def test_nothing_is_added_to_a_list_that_stands_elsewhere() -> None:
    source = "d: &x\n- 4\ne: *x\n"
    items = find(read(source), ("e",))
    assert isinstance(items, Sequence)
    assert add_item(source, items, "7") is None


def read_value(root: Node | None, *path: str) -> str | list[str] | None:
    """The text of the scalar at a path, or of a list's scalars; None where nothing is there."""
    node = find(root, path)
    if isinstance(node, Sequence):
        return [item.text for item in node.items if isinstance(item, Scalar)]
    return node.text if isinstance(node, Scalar) else None
