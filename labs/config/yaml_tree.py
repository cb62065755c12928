"""Reading YAML into a tree with a place for every node (``labs.config.yaml_nodes``)."""

from __future__ import annotations

from dataclasses import dataclass

import yaml

from labs.config.go_yaml_scalars import resolve
from labs.config.positions import LineIndex, Position, Span, replace_span
from labs.config.yaml_nodes import (
    Entry,
    Mapping,
    Node,
    Scalar,
    ScalarKind,
    Segment,
    Sequence,
    find,
    is_merge,
    merged,
)

__all__ = [
    "DEFAULT_LIMITS",
    "Entry",
    "LimitError",
    "Limits",
    "Mapping",
    "Node",
    "Position",
    "Scalar",
    "ScalarKind",
    "Segment",
    "Sequence",
    "Span",
    "YamlError",
    "YamlSyntaxError",
    "find",
    "is_merge",
    "merged",
    "read",
    "read_all",
    "replace_span",
]


@dataclass(frozen=True, slots=True)
class Limits:
    """What a text may cost: characters, nesting depth, and nodes after aliases are expanded."""

    characters: int = 4_000_000
    depth: int = 200
    nodes: int = 400_000


DEFAULT_LIMITS = Limits()


class YamlError(ValueError):
    """A text that cannot be read as YAML: ``message`` in go-yaml's words, ``position`` where it was noticed."""

    def __init__(self, message: str, position: Position | None) -> None:
        super().__init__(message)
        self.message = message
        self.position = position


class YamlSyntaxError(YamlError):
    """The text is not YAML as go-yaml v2 reads it."""


class LimitError(YamlError):
    """The text is larger, deeper or more repetitive than ``Limits`` allow."""


def read(text: str, *, limits: Limits = DEFAULT_LIMITS) -> Node | None:
    """The first document; None for an empty stream."""
    documents = read_all(text, limits=limits, first_only=True)
    return documents[0] if documents else None


def read_all(text: str, *, limits: Limits = DEFAULT_LIMITS, first_only: bool = False) -> tuple[Node, ...]:
    """All documents of the stream."""
    index = LineIndex(text)

    def build(node: yaml.nodes.Node) -> Node:
        span = index.span(node.start_mark.index, node.end_mark.index)
        if isinstance(node, yaml.ScalarNode):
            style = {None: "plain", "'": "single", '"': "double", "|": "literal", ">": "folded"}[node.style]
            kind, value = resolve("", node.value) if style == "plain" else (ScalarKind.STRING, node.value)
            return Scalar(span=span, text=node.value, kind=kind, value=value, style=style, segments=())
        if isinstance(node, yaml.SequenceNode):
            return Sequence(span=span, items=tuple(build(item) for item in node.value))
        return Mapping(span=span, entries=tuple(Entry(build(k), build(v)) for k, v in node.value))

    try:
        found = [build(node) for node in yaml.compose_all(text, Loader=yaml.SafeLoader) if node is not None]
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        position = None if mark is None else Position(mark.line + 1, mark.column + 1)
        raise YamlSyntaxError(f"yaml: {error.problem}", position) from None
    return tuple(found[:1] if first_only else found)
