"""What a YAML text may cost: each limit holds to the last character, level and node, and says so in its own words."""

from __future__ import annotations

import pytest

from labs.config.goyaml import (
    DecodeError,
    LimitError,
    Limits,
    Position,
    TooManyNodesError,
    YamlStream,
    decode,
    read,
    read_all,
)
from labs.config.goyaml.values import _allowed_alias_ratio

PLENTY = Limits(characters=10_000, depth=50, nodes=10_000)


def limited(**limit: int) -> Limits:
    return Limits(**{"characters": 10_000, "depth": 50, "nodes": 10_000, **limit})


@pytest.mark.parametrize(
    ("text", "limit", "least", "words", "position"),
    [
        ("abcde", "characters", 5, "the text is longer than 4 characters", None),
        ("a: 1", "depth", 1, "nested more than 0 levels deep", Position(1, 1)),
        ("[[[1]]]", "depth", 3, "nested more than 2 levels deep", Position(1, 3)),
        ("a:\n  b:\n    - c\n", "depth", 3, "nested more than 2 levels deep", Position(3, 5)),
        ("[&a [1], [[*a]]]", "depth", 4, "aliases nest more than 3 levels deep", Position(1, 1)),
        ("1", "nodes", 1, "more than 0 values with aliases followed", None),
        ("[1, 2, {a: b}]", "nodes", 6, "more than 5 values with aliases followed", None),
        ("[&a [1, 2], *a]", "nodes", 7, "more than 6 values with aliases followed", None),
        ("[&a [1, 2], *a, &b {c: *a}, *b]", "nodes", 17, "more than 16 values with aliases followed", None),
        ("--- 1\n--- [2]\n--- 3\n", "nodes", 4, "more than 3 values with aliases followed", None),
    ],
)
def test_a_limit_is_the_most_that_is_read(
    text: str, limit: str, least: int, words: str, position: Position | None
) -> None:
    assert read_all(text, limits=limited(**{limit: least}))
    with pytest.raises(LimitError) as caught:
        read_all(text, limits=limited(**{limit: least - 1}))
    assert (caught.value.message, caught.value.position) == (words, position)


def test_a_text_that_was_read_before_keeps_its_limits() -> None:
    text = "[&a [[1]], [*a]]"
    for limits in (PLENTY, limited(depth=3), limited(nodes=7), limited(characters=15)):
        assert read_all(text, limits=PLENTY) == read_all(text, limits=PLENTY)
        if limits != PLENTY:
            with pytest.raises(LimitError):
                read_all(text, limits=limits)
            with pytest.raises(LimitError):
                read(text, limits=limits)


def test_a_text_no_longer_than_a_labs_is_read_once() -> None:
    text = "a: [1, {b: c}]"
    assert read(text) is read(text)
    assert read_all(text)[0] is read(text)
    assert read(text + " " * (10_000 - len(text))) is read(text + " " * (10_000 - len(text)))
    assert read(text + " " * 10_000) is not read(text + " " * 10_000)


def test_nodes_are_not_counted_where_the_stream_is_told_not_to() -> None:
    with pytest.raises(LimitError):
        list(YamlStream("[1, 2]", limited(nodes=2)))
    stream = YamlStream("[1, 2]", limited(nodes=2), counts=False)
    [document] = stream
    problem = stream.problem(document)
    assert problem is not None
    assert problem.message == "more than 2 values with aliases followed"


@pytest.mark.parametrize(
    ("text", "depth", "nodes"),
    [
        ("1", 0, 1),
        ("[]", 1, 1),
        ("[1, 2]", 1, 3),
        ("{a: 1}", 1, 3),
        ("{a: [1]}", 2, 4),
        ("[[[1]]]", 3, 4),
        ("[&a [1], *a]", 2, 6),
        ("{a: &a {b: c}, d: {<<: *a}}", 2, 11),
        ("{a: {<<: {b: c}}}", 2, 6),
    ],
)
def test_a_go_value_takes_so_many_levels_and_nodes(text: str, depth: int, nodes: int) -> None:
    root = read(text)
    assert root is not None
    decode(root, max_depth=depth, max_nodes=nodes)
    with pytest.raises(TooManyNodesError):
        decode(root, max_depth=depth, max_nodes=nodes - 1)
    if depth:
        with pytest.raises(TooManyNodesError):
            decode(root, max_depth=depth - 1, max_nodes=nodes)


@pytest.mark.parametrize(
    ("count", "ratio"),
    [(1, 0.99), (400_000, 0.99), (1_300_000, 0.7675), (2_200_000, 0.545), (4_000_000, 0.10), (9_000_000, 0.10)],
)  # fmt: skip
def test_the_larger_a_document_the_less_of_it_may_be_aliases(count: int, ratio: float) -> None:
    """Source: go-yaml, `decode.go`, `allowedAliasRatio`."""
    assert _allowed_alias_ratio(count) == pytest.approx(ratio, abs=1e-9)


@pytest.mark.parametrize("depth", [10_000])
def test_go_yaml_nests_ten_thousand_levels(depth: int) -> None:
    limits = Limits(depth=2 * depth)
    for text in ("[" * depth + "]" * depth, "- " * depth):
        assert read(text, limits=limits) is not None
    for text in ("[" * (depth + 1) + "]" * (depth + 1), "- " * (depth + 1)):
        with pytest.raises(ValueError, match=f"yaml: exceeded max depth of {depth}"):
            read(text, limits=limits)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{[1]: 2}", "invalid map key: []interface {}{1}"),
        ("a: !!int b", "cannot decode !!str `b` as a !!int"),
        ("a: &a {<<: *a}", "anchor 'a' value contains itself"),
    ],
)
def test_a_tree_without_a_go_value_is_refused_at_its_node(text: str, words: str) -> None:
    document = YamlStream(text, PLENTY).next()
    assert document is not None
    with pytest.raises(DecodeError) as caught:
        decode(document.node, max_depth=50, max_nodes=100)
    assert caught.value.message == words
