"""Reading a format of our own: bounds hold to the last value, every problem has its place, and reading goes on."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from labs.config.goyaml import Node, find, read
from labs.config.own import Fields, Problem, Problems, ProblemsError, Values, nearest, quoted

Read = Callable[[Values, Node | None], object]


def value_of(text: str) -> Node | None:
    return find(read(f"k: {text}\n"), ["k"])


def noted(problems: Problems) -> list[Problem]:
    try:
        problems.raise_if_any()
    except ProblemsError as error:
        return list(error.problems)
    return []


def asked(take: Read, text: str) -> tuple[object, list[Problem]]:
    problems = Problems()
    return take(Values(problems), value_of(text)), noted(problems)


def at_value(code: str, /, **values: str | int) -> list[Problem]:
    return [Problem(code, 1, 4, values)]


def out_of_range(value: str, minimum: str, maximum: str) -> list[Problem]:
    return at_value("out-of-range", value=value, key="k", minimum=minimum, maximum=maximum)


READERS: dict[str, Read] = {
    "text": lambda values, node: values.text(node, "k"),
    "word": lambda values, node: values.one_of(node, "k", ("a", "b")),
    "integer": lambda values, node: values.integer(node, "k", 2, 5),
    "duration": lambda values, node: values.duration_us(node, "k", 2_000, 5_000, "2ms", "5ms"),
    "bytes": lambda values, node: values.bytes(node, "k", 2048, "2Ki"),
    "rate": lambda values, node: values.rate(node, "k", 5),
    "share": lambda values, node: values.share(node, "k", Fraction(1, 4), Fraction(1, 2)),
    "cores": lambda values, node: values.cores(node, "k", Fraction(1, 2), 4),
    "version": lambda values, node: values.version(node, 1),
    "items": lambda values, node: [quoted(item) for item in values.items(node, "k", 2)],
    "items, if any": lambda values, node: [quoted(item) for item in values.optional_items(node, "k", 2)],
}


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("text", "a", "a"), ("text", "'5'", "5"), ("text", "2024-01-02", "2024-01-02"), ("text", "''", ""),
        ("word", "a", "a"), ("word", "b", "b"),
        ("integer", "2", 2), ("integer", "5", 5),
        ("duration", "2ms", 2_000), ("duration", "5ms", 5_000),
        ("bytes", "0", 0), ("bytes", "2Ki", 2048), ("bytes", "'7'", 7),
        ("rate", "5/s", 5), ("rate", "1/d", Fraction(1, 86_400)),
        ("share", "25%", Fraction(1, 4)), ("share", "0.5", Fraction(1, 2)),
        ("cores", "500m", Fraction(1, 2)), ("cores", "4", 4),
        ("version", "1", None),
        ("items", "[a]", ["a"]), ("items", "[a, b]", ["a", "b"]),
        ("items, if any", "[]", []), ("items, if any", "[a, b]", ["a", "b"]),
    ],
)  # fmt: skip
def test_a_value_within_its_bounds_is_taken(kind: str, text: str, value: object) -> None:
    assert asked(READERS[kind], text) == (value, [])


WHOLE: dict[str, str | int] = {"key": "k", "minimum": 2, "maximum": 5}


@pytest.mark.parametrize(
    ("kind", "text", "problems"),
    [
        ("text", "5", at_value("needs-quotes", value="5", key="k")),
        ("text", "yes", at_value("needs-quotes", value="yes", key="k")),
        ("text", "~", at_value("wrong-type", value="null", key="k", expected="string")),
        ("text", "[a]", at_value("wrong-type", value="[…]", key="k", expected="string")),
        ("word", "c", at_value("not-one-of", value="c", key="k", allowed="a, b")),
        ("word", "[a]", at_value("not-one-of", value="[…]", key="k", allowed="a, b")),
        ("integer", "1", out_of_range("1", "2", "5")),
        ("integer", "6", out_of_range("6", "2", "5")),
        ("integer", "3.0", at_value("not-a-whole-number", value="3.0", **WHOLE)),
        ("integer", "'3'", at_value("not-a-whole-number", value="3", **WHOLE)),
        ("integer", "yes", at_value("not-a-whole-number", value="yes", **WHOLE)),
        ("integer", "{a: 3}", at_value("not-a-whole-number", value="{…}", **WHOLE)),
        ("duration", "1.999ms", out_of_range("1.999ms", "2ms", "5ms")),
        ("duration", "5.001ms", out_of_range("5.001ms", "2ms", "5ms")),
        ("duration", "5", at_value("bad-duration", value="5", key="k")),
        ("bytes", "2049", out_of_range("2049", "0", "2Ki")),
        ("bytes", "two", at_value("bad-quantity", value="two", key="k")),
        ("rate", "0/s", out_of_range("0/s", "> 0/s", "5/s")),
        ("rate", "5.1/s", out_of_range("5.1/s", "> 0/s", "5/s")),
        ("rate", "5", at_value("bad-rate", value="5", key="k")),
        ("share", "24%", out_of_range("24%", "0.25", "0.5")),
        ("share", "51%", out_of_range("51%", "0.25", "0.5")),
        ("share", "[a]", at_value("bad-share", value="[…]", key="k")),
        ("cores", "499m", out_of_range("499m", "0.5", "4")),
        ("cores", "4001m", out_of_range("4001m", "0.5", "4")),
        ("cores", "4 m", at_value("bad-cores", value="4 m", key="k")),
        ("version", "2", at_value("unknown-format", value="2", known=1)),
        ("version", "'1'", at_value("unknown-format", value="1", known=1)),
        ("version", "1.0", at_value("unknown-format", value="1.0", known=1)),
        ("version", "yes", at_value("unknown-format", value="yes", known=1)),
        ("version", "[1]", at_value("unknown-format", value="[…]", known=1)),
        ("items", "a", at_value("wrong-type", value="a", expected="list", key="k")),
        ("items", "[]", at_value("list-length", key="k", found=0, maximum=2)),
        ("items", "[a, b, c]", at_value("list-length", key="k", found=3, maximum=2)),
        ("items, if any", "[a, b, c]", at_value("list-length", key="k", found=3, maximum=2)),
    ],
)
def test_a_value_of_another_form_is_a_problem_and_nothing(
    kind: str, text: str, problems: list[Problem]
) -> None:
    assert asked(READERS[kind], text) == ([] if kind.startswith("items") else None, problems)


@pytest.mark.parametrize("kind", READERS)
def test_a_value_that_is_not_there_is_nothing_and_no_problem(kind: str) -> None:
    problems = Problems()
    assert READERS[kind](Values(problems), None) == ([] if kind.startswith("items") else None)
    assert (problems.count, noted(problems)) == (0, [])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a", "a"), ("''", '""'), ("~", "null"), ("", "null"), ("5.0", "5.0"), ("[a]", "[…]"), ("{a: b}", "{…}"),
        ("x" * 80, "x" * 80), ("x" * 81, "x" * 80 + "…"),
    ],
)  # fmt: skip
def test_a_message_quotes_up_to_eighty_characters(text: str, shown: str) -> None:
    node = value_of(text)
    assert node is not None
    assert quoted(node) == shown


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("replicas", "replicas"), ("REPLICAS", "replicas"), ("replica", "replicas"), ("time-slicing", "timeSlicing"),
        ("time_slicing", "timeSlicing"), ("timeslicing" + "x" * 200, ""), ("other", ""), ("", ""),
    ],
)  # fmt: skip
def test_the_nearest_name_is_one_that_looks_alike(name: str, near: str) -> None:
    assert nearest(name, ("replicas", "timeSlicing")) == near


def read_fields(text: str, *names: str, **finish: tuple[str, ...]) -> tuple[list[str | None], list[Problem]]:
    """Asks a map for keys, the first of which it must have; what they are, and the problems."""
    problems = Problems()
    fields = Fields(read(text), problems, where="top")
    nodes = [fields.required(name) if name == names[0] else fields.optional(name) for name in names]
    fields.finish(**finish)
    return [None if node is None else quoted(node) for node in nodes], noted(problems)


def problem(code: str, line: int, column: int, /, **values: str | int) -> Problem:
    return Problem(code, line, column, values)


@pytest.mark.parametrize(
    ("text", "values", "problems"),
    [
        ("{name: a, size: 5}", ["a", "5"], []),
        ("{name: a, size: ~}", ["a", None], []),
        ("{size: 5}", [None, "5"], [problem("missing-key", 1, 1, key="name")]),
        ("{name: ~}", [None, None], [problem("missing-key", 1, 1, key="name")]),
        ("{name: a, name: b}", ["b", None], [problem("duplicate-key", 1, 11, key="name")]),
        ("{<<: {name: a}, name: b}", ["b", None], []),
        ("{<<: {name: a}}", ["a", None], []),
        (
            "{name: a, [b]: c}", ["a", None],
            [problem("wrong-type", 1, 11, value="[…]", expected="string", key="top")],
        ),
        (
            "{nam: a, other: b}", [None, None],
            [
                problem("unknown-key-near", 1, 2, key="nam", allowed="name, size", near="name"),
                problem("unknown-key", 1, 10, key="other", allowed="name, size"),
            ],
        ),
        ("[a]", [None, None], [problem("wrong-type", 1, 1, value="[…]", expected="map", key="top")]),
    ],
)  # fmt: skip
def test_a_map_is_read_key_by_key(text: str, values: list[str | None], problems: list[Problem]) -> None:
    assert read_fields(text, "name", "size") == (values, problems)


def test_a_map_that_is_not_there_has_no_keys_and_no_problem() -> None:
    assert read_fields("", "name", "size") == ([None, None], [])


def test_keys_may_be_allowed_in_another_order_or_kept_for_later() -> None:
    text = "{name: a, size: 5, later: 1, xyz: 2}"
    assert read_fields(text, "name", allowed=("size", "name"), reserved=("later",)) == (
        ["a"], [problem("reserved-key", 1, 20, key="later"), problem("unknown-key", 1, 30, key="xyz", allowed="size, name")],
    )  # fmt: skip


def test_a_near_key_is_looked_for_fifty_times_and_a_hundred_problems_are_kept() -> None:
    text = "name: a\n" + "".join(f"sizes{index}: 5\n" for index in range(130))
    problems = Problems()
    fields = Fields(read(text), problems)
    fields.required("name")
    fields.optional("size")
    assert fields.key("sizes7") is not None
    assert fields.key("nothing") is None
    fields.finish()

    with pytest.raises(ProblemsError) as caught:
        problems.raise_if_any()

    assert problems.count == 130
    assert (len(caught.value.problems), caught.value.more) == (100, 30)
    assert [one.key for one in caught.value.problems] == ["unknown-key-near"] * 50 + ["unknown-key"] * 50
    assert [one.line for one in caught.value.problems] == list(range(2, 102))
