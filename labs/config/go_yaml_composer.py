"""Builds the tree of ``labs.config.yaml_nodes`` from go-yaml's events, without Python recursion."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field

from labs.config.go_yaml_parser import Event, EventKind, Parser
from labs.config.go_yaml_scalars import resolve_event
from labs.config.go_yaml_source import Source
from labs.config.go_yaml_tokens import GoYamlError
from labs.config.positions import LineIndex, Span
from labs.config.yaml_nodes import Entry, Mapping, Node, Scalar, SelfReference, Sequence


class TooDeepError(ValueError):
    """The tree nests deeper than the caller allows; ``offset`` is where."""

    def __init__(self, offset: int) -> None:
        super().__init__(f"nested deeper than allowed at offset {offset}")
        self.offset = offset


@dataclass(slots=True)
class _Frame:
    """A collection whose end has not come yet."""

    event: Event
    children: list[Node] = field(default_factory=list)


class Composer:
    """Reads one document after the other (``next_document``); None when the stream has ended."""

    def __init__(self, source: Source, index: LineIndex, max_depth: int) -> None:
        self._parser = Parser(source)
        self._index = index
        self._max_depth = max_depth

    def next_document(self) -> Node | None:
        """The root of the next document; raises ``GoYamlError`` and ``TooDeepError``."""
        if self._parser.next_event().kind is EventKind.STREAM_END:
            return None
        anchors: dict[str, Node] = {}
        stack: list[_Frame] = []
        too_deep: int | None = None
        while True:
            event = self._parser.next_event()
            if event.kind in (EventKind.SEQUENCE_START, EventKind.MAPPING_START):
                stack.append(_Frame(event))
                if event.anchor is not None:
                    anchors[event.anchor] = SelfReference(
                        span=self._span(event),
                        anchor=event.anchor,
                        of_mapping=event.kind is EventKind.MAPPING_START,
                    )
                if len(stack) > self._max_depth and too_deep is None:
                    too_deep = event.start.offset
                continue
            node = self._node(event, stack, anchors)
            if stack:
                stack[-1].children.append(node)
            else:
                break
        if self._parser.next_event().kind is not EventKind.DOCUMENT_END:
            raise AssertionError("a document ends behind its root")
        if too_deep is not None:
            raise TooDeepError(too_deep)
        return node

    def _node(self, event: Event, stack: list[_Frame], anchors: dict[str, Node]) -> Node:
        if event.kind is EventKind.ALIAS:
            if event.value not in anchors:
                raise GoYamlError(f"unknown anchor '{event.value}' referenced", event.start.offset)
            return dataclasses.replace(anchors[event.value], alias=self._span(event))
        node: Node
        if event.kind is EventKind.SCALAR:
            node = self._scalar(event)
        else:
            frame = stack.pop()
            node = self._collection(frame, event)
            event = frame.event
        if event.anchor is not None:
            standing = anchors.get(event.anchor)
            if event.kind is EventKind.SCALAR or _stands_for(standing, node):
                anchors[event.anchor] = node
        return node

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
            segments=event.segments,
        )

    def _collection(self, frame: _Frame, end: Event) -> Mapping | Sequence:
        event, children = frame.event, frame.children
        flow = event.style == "flow"
        stop = end.end.offset if flow else max(event.end.offset, _last_offset(children))
        span = self._index.span(event.start.offset, stop)
        if event.kind is EventKind.SEQUENCE_START:
            return Sequence(span=span, tag=event.tag, anchor=event.anchor, items=tuple(children), flow=flow)
        entries = tuple(Entry(children[row], children[row + 1]) for row in range(0, len(children), 2))
        return Mapping(span=span, tag=event.tag, anchor=event.anchor, entries=entries, flow=flow)

    def _span(self, event: Event) -> Span:
        return self._index.span(event.start.offset, event.end.offset)


def _last_offset(children: list[Node]) -> int:
    """Where the last child ends, so that a block collection does not reach over the blank lines behind it."""
    return children[-1].place.end_offset if children else 0


def _stands_for(standing: Node | None, node: Node) -> bool:
    """Whether an anchor still means the collection that just ended, or was given anew inside it."""
    return isinstance(standing, SelfReference) and standing.span.start_offset == node.span.start_offset
