"""Fields of a manifest as those read them who judge it: amounts of Kubernetes, and what is not of a field's type."""

from __future__ import annotations

from fractions import Fraction

import pytest

from labs.config.goyaml import Mapping, Position, read
from labs.config.manifests.fields import (
    Field,
    boolean,
    field,
    fields,
    items,
    mapping,
    mappings,
    quantity,
    text,
)


def of(value: str) -> Field:
    """The field of a manifest that has this value."""
    it = field(read(f"a: {value}\n"), "a")
    assert it is not None
    return it


SUFFIXES = {
    **dict(zip("numkMGTPE", (Fraction(10) ** power for power in (-9, -6, -3, 3, 6, 9, 12, 15, 18)), strict=True)),
    **{f"{letter}i": Fraction(1024) ** power for power, letter in enumerate("KMGTPE", 1)},
    **{f"{e}{power}": Fraction(10) ** power for e in "eE" for power in (0, 1, 9, 10, 99, -1, -99)},
    "e+3": Fraction(1000),
    "": Fraction(1),
}  # fmt: skip


@pytest.mark.parametrize(("suffix", "factor"), SUFFIXES.items())
def test_an_amount_has_a_suffix_or_an_exponent(suffix: str, factor: Fraction) -> None:
    assert of(f"'3{suffix}'").quantity == 3 * factor
    assert of(f"'-1.5{suffix}'").quantity == Fraction(-3, 2) * factor


@pytest.mark.parametrize(
    ("value", "amount"),
    [
        ("5", Fraction(5)),
        ("0", Fraction(0)),
        ("0x10", Fraction(16)),
        ("0.1", Fraction(1, 10)),
        ("1e3", Fraction(1000)),
        ("'+5'", Fraction(5)),
        ("'5.'", Fraction(5)),
        ("'.5'", Fraction(1, 2)),
        ("'" + "0" * 63 + "1'", Fraction(1)),
        ("'" + "0" * 64 + "1'", None),
        ("'.'", None),
        ("''", None),
        ("'1e100'", None),
        ("'1 Gi'", None),
        ("'1gi'", None),
        ("'1ki'", None),
        ("'1K'", None),
        ("'1GiB'", None),
        ("'１'", None),
        (".inf", None),
        (".nan", None),
        ("true", None),
        ("~", None),
        ("[1]", None),
        ("2024-01-02", None),
    ],
)
def test_an_amount_is_exact_or_none(value: str, amount: Fraction | None) -> None:
    assert of(value).quantity == amount


def test_what_is_not_there_is_no_amount() -> None:
    assert quantity(None) is None


@pytest.mark.parametrize(
    ("value", "whole"), [("2", 2), ("'2000m'", 2), ("'1k'", 1000), ("1.5", None), ("'1m'", None), ("a", None)]
)
def test_a_whole_number_may_be_written_as_any_amount(value: str, whole: int | None) -> None:
    assert of(value).whole == whole


@pytest.mark.parametrize(
    ("value", "as_text", "as_bool", "written", "is_null"),
    [
        ("b", "b", None, "b", False),
        ("'5'", "5", None, "5", False),
        ("2024-01-02", "2024-01-02", None, "2024-01-02", False),
        ("5", None, None, "5", False),
        ("yes", None, True, "yes", False),
        ("no", None, False, "no", False),
        ("'yes'", "yes", None, "yes", False),
        ("", None, None, "", True),
        ("~", None, None, "~", True),
        ("''", "", None, "", False),
        ("[b]", None, None, "", False),
        ("{b: c}", None, None, "", False),
    ],
)
def test_a_value_is_what_it_is_written_as(
    value: str, as_text: str | None, as_bool: bool | None, written: str, is_null: bool
) -> None:
    one = of(value)
    assert (one.name, one.text, one.boolean, one.written, one.is_null) == (
        "a", as_text, as_bool, written, is_null,
    )  # fmt: skip
    root = read(f"x: {{a: {value}}}\n")
    assert (text(root, "x", "a"), boolean(root, "x", "a")) == (as_text, as_bool)


@pytest.mark.parametrize(("value", "column"), [("b", 4), ("''", 4), ("~", 1), ("", 1)])
def test_nothing_written_stands_at_its_key(value: str, column: int) -> None:
    one = of(value)
    assert (one.place.start, one.key_place.start) == (Position(1, column), Position(1, 1))


MANIFEST = read(
    """
    a: {b: 1, b: 2, c: 3, <<: {d: 4, c: 5}, [e]: 6}
    list: [{x: 1}, y, [z], {w: 2}]
    twice: 1
    twice: {of: two}
    """
)


def test_of_equal_keys_the_last_counts_and_is_known_to_be_one_of_several() -> None:
    members = fields(MANIFEST, "a")
    assert [(one.name, one.written, one.repeated) for one in members] == [
        ("b", "2", True), ("c", "5", True), ("d", "4", False),
    ]  # fmt: skip
    assert [one.repeated for one in fields(read("{a: 1, b: 2}"))] == [False, False]
    last = field(MANIFEST, "a", "b")
    assert last is not None
    assert (last.written, text(MANIFEST, "twice", "of")) == ("2", "two")


def test_a_path_that_leads_nowhere_gives_nothing() -> None:
    for path in (("x",), ("a", "x"), ("list", "x"), ("a", "b", "x")):
        assert (field(MANIFEST, *path), text(MANIFEST, *path), boolean(MANIFEST, *path)) == (None,) * 3
        assert (fields(MANIFEST, *path), items(MANIFEST, *path), mappings(MANIFEST, *path)) == ((), (), ())
        assert mapping(MANIFEST, *path) is None
    assert (field(None, "a"), fields(None), items(MANIFEST, "a"), mapping(MANIFEST, "list")) == (
        None, (), (), None,
    )  # fmt: skip


def test_a_list_has_items_some_of_them_mappings() -> None:
    assert len(items(MANIFEST, "list")) == 4
    assert [[entry.name for entry in one] for one in mappings(MANIFEST, "list")] == [["x"], ["w"]]
    assert isinstance(mapping(MANIFEST, "a"), Mapping)


def test_a_key_that_is_no_scalar_has_no_name() -> None:
    root = read("[e]: 6")
    assert isinstance(root, Mapping)
    assert Field(root.entries[0].key, root.entries[0].value).name == ""
    assert fields(root) == ()
