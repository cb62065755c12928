"""Values laid over each other, as Helm does it, with every node where it stands in the outer file."""

from __future__ import annotations

import bisect
import dataclasses
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from labs.config.goyaml import (
    Entry,
    LimitError,
    Limits,
    Mapping,
    Node,
    Position,
    Scalar,
    ScalarKind,
    Segment,
    Span,
    YamlError,
    YamlStream,
    YamlSyntaxError,
    merged,
)
from labs.config.goyaml import Sequence as ListNode

_STEP = re.compile(r"(?:\\.|[^.\\\[\]])+")
_INT = re.compile(r"-?(?:0|[1-9][0-9]{0,17})", re.ASCII)
MOST_STEPS = 20
"""Keys on the way to a parameter."""


@dataclass(frozen=True, slots=True)
class Layer:
    """Values in places of the outer text. `editable` is the stretch in which edits may be made; None: nowhere.

    `characters` counts what was read a second time, as a text inside a text.
    """

    root: Mapping
    editable: Span | None
    characters: int = 0


@dataclass(frozen=True, slots=True)
class Broken:
    """A text of values that is no YAML; the problem's position is one in the text."""

    host: Scalar
    problem: YamlError


class Lift:
    """Moves nodes that were read from a scalar's content to where they stand in the scalar's own text."""

    def __init__(self, host: Scalar) -> None:
        self._segments = host.segments
        self._starts = [segment.content_offset for segment in host.segments]
        self._before = host.place
        self._literal = host.style == "literal"

    def node(self, node: Node) -> Node:
        """The node with all below it. A text that is not there as it is written can't be edited: its style says so."""
        changes: dict[str, object] = {"span": self.span(node.span)}
        if node.alias is not None:
            changes["alias"] = self.span(node.alias)
        if isinstance(node, Mapping):
            changes["entries"] = tuple(
                Entry(self.node(entry.key), self.node(entry.value)) for entry in node.entries
            )
        elif isinstance(node, ListNode):
            changes["items"] = tuple(self.node(item) for item in node.items)
        elif isinstance(node, Scalar):
            changes["segments"] = tuple(self._pieces(node.segments))
            if node.style == "literal" and not self._literal:
                changes["style"] = "folded"
        return dataclasses.replace(node, **changes)  # type: ignore[arg-type]

    def span(self, span: Span) -> Span:
        """Where a span of the content stands."""
        start, end = self._outer(span.start_offset), self._outer(span.end_offset)
        last = max(start, end)
        return Span(start[1], last[1], start[0], last[0])

    def _outer(self, offset: int) -> tuple[int, Position]:
        behind = bisect.bisect_right(self._starts, offset)
        if not behind:
            return self._before.start_offset, self._before.start
        segment = self._segments[behind - 1]
        moved = min(offset - segment.content_offset, segment.length)
        return segment.source_offset + moved, Position(segment.line, segment.column + moved)

    def _pieces(self, segments: Sequence[Segment]) -> Iterator[Segment]:
        for segment in segments:
            start, end = segment.source_offset, segment.source_offset + segment.length
            at = max(0, bisect.bisect_right(self._starts, start) - 1)
            for outer in self._segments[at:]:
                if outer.content_offset > end:
                    break
                first, last = max(start, outer.content_offset), min(end, outer.content_offset + outer.length)
                if first <= last:
                    moved = first - outer.content_offset
                    yield Segment(
                        segment.content_offset + first - start,
                        outer.source_offset + moved,
                        outer.line,
                        outer.column + moved,
                        last - first,
                    )


def values_of(node: Node | None, limits: Limits) -> Layer | Broken | None:
    """What stands at a key for values: a mapping, or a text of one; None for anything else, and where nothing is written.

    Raises `LimitError` for a text beyond `limits`, with the position in the outer text.
    """
    if isinstance(node, Mapping):
        return Layer(node, node.span if node.alias is None else None)
    if not isinstance(node, Scalar) or node.kind is not ScalarKind.STRING or not node.text.strip():
        return None
    try:
        stream = YamlStream(node.text, limits, counts=False)
        composed = stream.next()
        problem = None if composed is None else stream.problem(composed)
    except YamlSyntaxError as error:
        return Broken(node, error)
    except LimitError as error:
        raise LimitError(error.message, node.place.start) from None
    if isinstance(problem, LimitError):
        raise LimitError(problem.message, node.place.start)
    if problem is not None:
        return Broken(node, problem)
    if composed is None or not isinstance(composed.node, Mapping):
        return None
    root = Lift(node).node(composed.node)
    assert isinstance(root, Mapping)
    literal = node.style == "literal" and node.alias is None
    return Layer(root, node.span if literal else None, len(node.text))


def elsewhere(node: Node, place: Span) -> Node:
    """The node with all below it as what stands in another file and is named here, at this place."""
    if isinstance(node, Mapping):
        entries = tuple(
            Entry(elsewhere(entry.key, place), elsewhere(entry.value, place)) for entry in merged(node)
        )
        return Mapping(span=place, tag=node.tag, entries=entries)
    if isinstance(node, ListNode):
        return ListNode(span=place, tag=node.tag, items=tuple(elsewhere(item, place) for item in node.items))
    if isinstance(node, Scalar):
        return dataclasses.replace(node, span=place, alias=None, anchor=None, style="double", segments=())
    return dataclasses.replace(node, span=place, alias=None, anchor=None)


def over(base: Mapping, top: Mapping) -> Mapping:
    """The one laid over the other as Helm lays values: mappings are merged, all else is replaced, a null takes away."""
    below = {entry.name: entry for entry in merged(base)}
    entries: dict[str | None, Entry] = dict(below)
    for entry in merged(top):
        under = below.get(entry.name)
        if under is not None and _is_null(entry.value):
            entries.pop(entry.name, None)
        elif under is not None and isinstance(under.value, Mapping) and isinstance(entry.value, Mapping):
            entries[entry.name] = Entry(entry.key, over(under.value, entry.value))
        else:
            entries[entry.name] = entry
    return dataclasses.replace(top, entries=tuple(entries.values()))


def _is_null(node: Node) -> bool:
    return isinstance(node, Scalar) and node.kind is ScalarKind.NULL


def at_path(path: Scalar, value: Node, *, typed: bool = True) -> Mapping | None:
    """A parameter as values: a mapping of mappings along the dots of its name. None where it is more than keys.

    With `typed` a text is what Helm's `--set` makes of it: a bool, a number, null.
    """
    steps = [(match.start(), match.end()) for match in _STEP.finditer(path.text)]
    keys = [re.sub(r"\\(.)", r"\1", path.text[start:end]) for start, end in steps]
    if not keys or len(keys) > MOST_STEPS or "[" in path.text or any(end == start for start, end in steps):
        return None
    node = _set_value(value) if typed and isinstance(value, Scalar) else value
    for key, (start, end) in zip(reversed(keys), reversed(steps), strict=True):
        node = Mapping(span=path.span, entries=(Entry(_part(path, start, end, key), node),))
    return node if isinstance(node, Mapping) else None


def along(steps: Sequence[str], place: Span, value: Node) -> Mapping:
    """A value below keys that are written as one word, or in another file."""
    node = value
    for key in reversed(steps):
        node = Mapping(span=place, entries=(Entry(word(key, place), node),))
    assert isinstance(node, Mapping)
    return node


def word(text: str, place: Span) -> Scalar:
    """A string that is not written as such."""
    return Scalar(span=place, text=text, kind=ScalarKind.STRING, value=text, style="double")


def _part(path: Scalar, start: int, end: int, key: str) -> Scalar:
    first, last = path.outer_offset(start), path.outer_offset(end)
    span = path.place if first is None or last is None else Span(first[1], last[1], first[0], last[0])
    return word(key, span)


def _set_value(value: Scalar) -> Scalar:
    text = value.text
    if value.kind is not ScalarKind.STRING:
        return value
    if text in ("true", "false"):
        return dataclasses.replace(value, kind=ScalarKind.BOOL, value=text == "true")
    if text == "null":
        return dataclasses.replace(value, kind=ScalarKind.NULL, value=None)
    if _INT.fullmatch(text):
        return dataclasses.replace(value, kind=ScalarKind.INT, value=int(text))
    return value
