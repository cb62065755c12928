"""The YAML tree: every key and value with its place in the text.

Nothing is lost that a reader of the file could ask about: duplicate keys stay in `Mapping.entries` (the loaders take
the last), merge keys stay as written, and a scalar knows both its text and what go-yaml v2 makes of it.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator
from collections.abc import Sequence as AbstractSequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from labs.config.goyaml.positions import LineIndex, Position, Span


class ScalarKind(StrEnum):
    """What go-yaml v2 takes a scalar for (YAML 1.1 forms; `resolve.go`)."""

    NULL = "null"
    BOOL = "bool"
    INT = "int"
    FLOAT = "float"
    STRING = "string"
    TIMESTAMP = "timestamp"


class Segment(NamedTuple):
    """`length` characters of a scalar's content that stand in the file as they are, on one line.

    `line` and `column` are the 1-based place of the first, `source_offset` its 0-based offset in the file.
    """

    content_offset: int
    source_offset: int
    line: int
    column: int
    length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """What all nodes have: where they stand, their tag in full (`""` for none) and their anchor's name.

    A node that an alias brought here stands at its anchor (`span`); `alias` is where the `*name` is.
    """

    span: Span
    tag: str = ""
    anchor: str | None = None
    alias: Span | None = None

    @property
    def place(self) -> Span:
        """Where to point at: the alias where there is one, else the node."""
        return self.alias or self.span


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfReference(Node):
    """An alias inside the very node that its anchor names; no loader takes it. `anchor` is the name."""

    of_mapping: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Scalar(Node):
    """A value without children.

    `text` is the content after unquoting and unfolding, `value` what it resolves to (a timestamp stays its text, as
    go-yaml v2 hands it on), `style` one of `plain single double literal folded`. `segments` say which stretches
    of `text` stand where in the file, so that places inside an embedded config can be told in the outer file.
    """

    text: str
    kind: ScalarKind
    value: bool | int | float | str | None
    style: str
    segments: tuple[Segment, ...] = field(default=(), repr=False, compare=False)

    def outer_offset(self, offset: int) -> tuple[int, Position] | None:
        """Offset and position in the file of a 0-based offset into `text`; None where it stands nowhere."""
        behind = bisect.bisect_right(self.segments, offset, key=lambda each: each.content_offset)
        if not behind:
            return None
        segment = self.segments[behind - 1]
        delta = offset - segment.content_offset
        if delta > segment.length:
            return None
        return segment.source_offset + delta, Position(segment.line, segment.column + delta)

    def outer_position(self, inner: Position) -> Position | None:
        """Where in the file a position inside `text` stands; None where `text` has no such place."""
        offset = LineIndex(self.text).offset(inner)
        place = None if offset is None else self.outer_offset(offset)
        return None if place is None else place[1]

    def outer_span(self, inner: Span) -> Span | None:
        """Where in the file a span inside `text` stands."""
        start, end = self.outer_offset(inner.start_offset), self.outer_offset(inner.end_offset)
        if start is None or end is None:
            return None
        return Span(start[1], end[1], start[0], end[0])


@dataclass(frozen=True, slots=True)
class Entry:
    """One key and its value, in the order of the file."""

    key: Node
    value: Node

    @property
    def name(self) -> str | None:
        """The key's text, or None where the key is no scalar."""
        return self.key.text if isinstance(self.key, Scalar) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mapping(Node):
    """Keys and values as written, duplicates included."""

    entries: tuple[Entry, ...]
    flow: bool = False

    def get(self, name: str) -> Node | None:
        """The value of the last entry with this key; merge keys are not followed (see `merged`)."""
        entry = self.entry(name)
        return None if entry is None else entry.value

    def entry(self, name: str) -> Entry | None:
        """The last entry with this key."""
        return next((entry for entry in reversed(self.entries) if entry.name == name), None)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sequence(Node):
    """A list of nodes."""

    items: tuple[Node, ...]
    flow: bool = False

    def __iter__(self) -> Iterator[Node]:
        return iter(self.items)


def is_merge(key: Node) -> bool:
    """Whether a key is `<<`, as go-yaml v2 recognises it: plain, or tagged `!` or as merge."""
    if not isinstance(key, Scalar) or key.text != "<<":
        return False
    return (key.style == "plain" and key.tag == "") or key.tag in ("!", "tag:yaml.org,2002:merge")


def merged(mapping: Mapping) -> tuple[Entry, ...]:
    """The entries with `<<` replaced by what it brings in, in go-yaml v2's order: of equal keys the last counts.

    An entry that several merges bring in stands once, where it came last, so aliases of aliases do not multiply.
    """
    return _merged(mapping, {})


def _merged(mapping: Mapping, known: dict[int, tuple[Entry, ...]]) -> tuple[Entry, ...]:
    """`merged` of a mapping and all that it merges; `known` are the results so far by the mapping's offset."""
    if not any(is_merge(entry.key) for entry in mapping.entries):
        return mapping.entries
    start = mapping.span.start_offset
    if start not in known:
        entries: dict[int, Entry] = {}
        for entry in mapping.entries:
            for brought in _brought(entry.value, known) if is_merge(entry.key) else (entry,):
                place = brought.key.place.start_offset
                entries.pop(place, None)
                entries[place] = brought
        known[start] = tuple(entries.values())
    return known[start]


def _brought(value: Node, known: dict[int, tuple[Entry, ...]]) -> Iterator[Entry]:
    sources = reversed(value.items) if isinstance(value, Sequence) else (value,)
    for source in sources:
        if isinstance(source, Mapping):
            yield from _merged(source, known)


def find(node: Node | None, path: AbstractSequence[str | int]) -> Node | None:
    """The node at a path of keys and list indexes (negative from the end), or None; of equal keys the last counts."""
    for step in path:
        if isinstance(step, int):
            if not isinstance(node, Sequence) or not -len(node.items) <= step < len(node.items):
                return None
            node = node.items[step]
        else:
            if not isinstance(node, Mapping):
                return None
            hits = [entry.value for entry in merged(node) if entry.name == step]
            if not hits:
                return None
            node = hits[-1]
    return node
