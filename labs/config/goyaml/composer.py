"""Builds the tree of `labs.config.goyaml.nodes` from go-yaml's events, without Python recursion."""

from __future__ import annotations

import dataclasses
import sys
from dataclasses import dataclass, field

from labs.config.goyaml.nodes import (
    Entry,
    Mapping,
    Node,
    Scalar,
    Segment,
    SelfReference,
    Sequence,
)
from labs.config.goyaml.parser import Event, EventKind, Parser
from labs.config.goyaml.positions import LineIndex, Span
from labs.config.goyaml.scalars import resolve_event
from labs.config.goyaml.source import Source
from labs.config.goyaml.tokens import GoYamlError


class TooDeepError(ValueError):
    """The tree nests deeper than the caller allows; `offset` is where."""

    def __init__(self, offset: int) -> None:
        super().__init__(f"nested deeper than allowed at offset {offset}")
        self.offset = offset


class TooManyError(ValueError):
    """The stream has more nodes than the caller allows."""


@dataclass(frozen=True, slots=True)
class Composed:
    """A node, and what it comes to with every alias replaced by what it stands for.

    `size` counts nodes, `depth` nested collections; `self_reference` is an alias inside its own anchor, if any.
    """

    node: Node
    size: int = 1
    depth: int = 0
    self_reference: SelfReference | None = None


@dataclass(slots=True)
class _Frame:
    """A collection whose end has not come yet, with the measures of what it holds so far."""

    event: Event
    children: list[Node] = field(default_factory=list)
    size: int = 1
    depth: int = 1
    self_reference: SelfReference | None = None

    def add(self, child: Composed) -> None:
        """Takes a child that is more than a scalar."""
        self.children.append(child.node)
        self.size += child.size
        self.depth = max(self.depth, child.depth + 1)
        self.self_reference = self.self_reference or child.self_reference


class Composer:
    """Reads one document after the other (`next_document`); None when the stream has ended."""

    def __init__(
        self, source: Source, index: LineIndex, max_depth: int, max_nodes: int = sys.maxsize
    ) -> None:
        self._parser = Parser(source)
        self._index = index
        self._start = source.start
        self._max_depth = max_depth
        self._room = max_nodes

    def next_document(self) -> Composed | None:
        """The root of the next document; raises `GoYamlError`, `TooDeepError`, `TooManyError`."""
        if self._parser.next_event().kind is EventKind.STREAM_END:
            return None
        anchors: dict[str, Composed] = {}
        stack: list[_Frame] = []
        too_deep: int | None = None
        while True:
            event = self._parser.next_event()
            self._count(event)
            if event.kind in (EventKind.SEQUENCE_START, EventKind.MAPPING_START):
                stack.append(_Frame(event))
                if event.anchor is not None:
                    anchors[event.anchor] = self._self_reference(event, event.anchor)
                if len(stack) > self._max_depth and too_deep is None:
                    too_deep = event.start.offset
                continue
            if event.kind is EventKind.SCALAR and stack and event.anchor is None:
                stack[-1].children.append(self._scalar(event))
                stack[-1].size += 1
                continue
            composed = self._composed(event, stack, anchors)
            if stack:
                stack[-1].add(composed)
            else:
                break
        if self._parser.next_event().kind is not EventKind.DOCUMENT_END:
            raise AssertionError("a document ends behind its root")
        if too_deep is not None:
            raise TooDeepError(too_deep)
        return composed

    def _count(self, event: Event) -> None:
        """Stops as soon as there are too many nodes: composing those of a dense text takes much longer than its limit."""
        if event.kind is not EventKind.COLLECTION_END:
            self._room -= 1
            if self._room < 0:
                raise TooManyError

    def _composed(self, event: Event, stack: list[_Frame], anchors: dict[str, Composed]) -> Composed:
        if event.kind is EventKind.ALIAS:
            if event.value not in anchors:
                raise GoYamlError(f"unknown anchor '{event.value}' referenced", event.start.offset)
            target = anchors[event.value]
            node = dataclasses.replace(target.node, alias=self._span(event))
            reference = node if isinstance(node, SelfReference) else target.self_reference
            return Composed(node, target.size, target.depth, reference)
        if event.kind is EventKind.SCALAR:
            composed = Composed(self._scalar(event))
            if event.anchor is not None:
                anchors[event.anchor] = composed
            return composed
        frame = stack.pop()
        if len(stack) >= self._max_depth:
            frame.children.clear()  # refused in the end; in a browser, Python breaks when it frees a tree that deep
        composed = self._collection(frame, event)
        anchor = frame.event.anchor
        if anchor is not None and _stands_for(anchors.get(anchor), composed):
            anchors[anchor] = composed
        return composed

    def _self_reference(self, event: Event, anchor: str) -> Composed:
        """What an anchor means as long as its collection has not ended."""
        of_mapping = event.kind is EventKind.MAPPING_START
        return Composed(SelfReference(span=self._span(event), anchor=anchor, of_mapping=of_mapping))

    def _scalar(self, event: Event) -> Scalar:
        kind, value = resolve_event(event.tag, event.value, event.implicit)
        return Scalar(
            span=self._span(event),
            tag=event.tag,
            anchor=event.anchor,
            text=event.value,
            kind=kind,
            value=value,
            style=event.style,
            segments=self._segments(event),
        )

    def _segments(self, event: Event) -> tuple[Segment, ...]:
        """The stretches of a scalar; a byte order mark is a column of the file's, but none of the scanner's."""
        if not self._start:
            return event.segments
        return tuple(
            segment._replace(column=segment.column + self._start) if segment.line == 1 else segment
            for segment in event.segments
        )

    def _collection(self, frame: _Frame, end: Event) -> Composed:
        event, children = frame.event, frame.children
        flow = event.style == "flow"
        stop = end.end.offset if flow else max(event.end.offset, _last_offset(children))
        span = self._index.span(event.start.offset, stop)
        node: Node
        if event.kind is EventKind.SEQUENCE_START:
            node = Sequence(span=span, tag=event.tag, anchor=event.anchor, items=tuple(children), flow=flow)
        else:
            entries = tuple(Entry(children[row], children[row + 1]) for row in range(0, len(children), 2))
            node = Mapping(span=span, tag=event.tag, anchor=event.anchor, entries=entries, flow=flow)
        return Composed(node, frame.size, frame.depth, frame.self_reference)

    def _span(self, event: Event) -> Span:
        return self._index.span(event.start.offset, event.end.offset)


def _last_offset(children: list[Node]) -> int:
    """Where the last child ends, so that a block collection does not reach over the blank lines behind it."""
    return children[-1].place.end_offset if children else 0


def _stands_for(standing: Composed | None, ended: Composed) -> bool:
    """Whether an anchor still means the collection that just ended, or was given anew inside it."""
    if standing is None or not isinstance(standing.node, SelfReference):
        return False
    return standing.node.span.start_offset == ended.node.span.start_offset
