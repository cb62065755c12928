"""Where nodes and the stretches of scalars stand: held against PyYAML, wherever it reads a text as go-yaml does."""

from __future__ import annotations

from collections.abc import Iterator

import yaml

from labs.config.goyaml import LineIndex, Mapping, Node, Scalar, Sequence, YamlError, read
from tests.unit.config.cases import rows

TEXTS = [
    row["yaml"]
    for row in (*rows("go-yaml.jsonl"), *rows("go-yaml-edges.jsonl"))
    if "value" in row and "yaml" in row
]
BYTE_ORDER_MARK = "\ufeff"
Place = tuple[int, int, int]
"""Offset, line and column of one end of a node, all 0-based."""


def pairs(node: Node, other: yaml.Node) -> Iterator[tuple[Node, yaml.Node]]:
    """The nodes of our tree with those of PyYAML's, without aliases and what is not written."""
    if node.alias is not None:
        return
    if node.span.start_offset < node.span.end_offset:
        yield node, other
    if isinstance(node, Mapping) and isinstance(other, yaml.MappingNode):
        for entry, (key, value) in zip(node.entries, other.value, strict=True):
            yield from pairs(entry.key, key)
            yield from pairs(entry.value, value)
    elif isinstance(node, Sequence) and isinstance(other, yaml.SequenceNode):
        for item, value in zip(node.items, other.value, strict=True):
            yield from pairs(item, value)


def ends(node: Node) -> tuple[Place, Place]:
    start, end = node.span.start, node.span.end
    return (
        (node.span.start_offset, start.line - 1, start.column - 1),
        (node.span.end_offset, end.line - 1, end.column - 1),
    )


def pyyaml_ends(node: yaml.Node) -> tuple[Place, Place]:
    start, end = node.start_mark, node.end_mark
    return (start.index, start.line, start.column), (end.index, end.line, end.column)


def is_block(node: Node) -> bool:
    """Whether PyYAML lets the node reach to the token behind it."""
    return isinstance(node, Mapping | Sequence) and not node.flow


def misplaced(text: str) -> list[str]:
    """The nodes of a text that PyYAML sees elsewhere; it must read the text as we do."""
    root, other = read(text), yaml.compose(text)
    assert root is not None
    return [
        f"{text!r}: {ends(node)}, not {pyyaml_ends(its)}"
        for node, its in pairs(root, other)
        if ends(node)[0] != pyyaml_ends(its)[0]
        or (not is_block(node) and ends(node)[1] != pyyaml_ends(its)[1])
    ]


def scalars(node: Node | None) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    for part in node if isinstance(node, Mapping | Sequence) else ():
        if isinstance(part, Node):
            yield from scalars(part)
        else:
            yield from scalars(part.key)
            yield from scalars(part.value)


def lost(text: str) -> list[str]:
    """The segments of a text's scalars that stand elsewhere, and what of a scalar no segment says where it stands.

    Folding makes spaces and breaks; of an escape the segment is empty, and stands at the backslash.
    """
    index = LineIndex(text)
    problems = []
    for scalar in scalars(read(text)):
        placed: set[int] = set()
        for segment in scalar.segments:
            inner = range(segment.content_offset, segment.content_offset + segment.length)
            outer = text[segment.source_offset : segment.source_offset + max(segment.length, 1)]
            if outer != (scalar.text[inner.start : inner.stop] or "\\"):
                problems.append(f"{text!r}: {segment} stands at {outer!r}")
            if index.position(segment.source_offset) != (segment.line, segment.column):
                problems.append(f"{text!r}: {segment} is at {index.position(segment.source_offset)}")
            placed.update(inner or (segment.content_offset,))
        made = {offset for offset, char in enumerate(scalar.text) if char in " \n\u2028\u2029"}
        if set(range(len(scalar.text))) - placed - made:
            problems.append(f"{text!r}: no place for all of {scalar.text!r}")
    return problems


def readable(text: str) -> bool:
    try:
        return read(text) is not None
    except YamlError:
        return False


def means_the_same_to_pyyaml(text: str) -> bool:
    """Whether PyYAML reads the text, takes the same keys and values from it, and counts columns as we do."""
    try:
        other = yaml.compose(text)
    except (yaml.YAMLError, ValueError):
        return False
    return BYTE_ORDER_MARK not in text and outline(read(text)) == pyyaml_outline(other)


def outline(node: Node | None) -> object:
    if isinstance(node, Mapping):
        return [(outline(entry.key), outline(entry.value)) for entry in node]
    if isinstance(node, Sequence):
        return [outline(item) for item in node]
    return node.text if isinstance(node, Scalar) else None


def pyyaml_outline(node: yaml.Node | None) -> object:
    if isinstance(node, yaml.MappingNode):
        return [(pyyaml_outline(key), pyyaml_outline(value)) for key, value in node.value]
    if isinstance(node, yaml.SequenceNode):
        return [pyyaml_outline(item) for item in node.value]
    return None if node is None else node.value


def test_a_node_stands_where_pyyaml_sees_it() -> None:
    texts = [text for text in TEXTS if readable(text) and means_the_same_to_pyyaml(text)]

    assert len(texts) > 500
    assert [problem for text in texts for problem in misplaced(text)] == []


def test_a_scalar_knows_where_all_of_it_stands() -> None:
    texts = [text for text in TEXTS if readable(text)]

    assert len(texts) > 500
    assert [problem for text in texts for problem in lost(text)] == []
