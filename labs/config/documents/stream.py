"""Reading a file document by document, each with the text that its loader would be given."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from labs.config.documents.recognise import Kind, guess, recognise
from labs.config.documents.unread import Unread
from labs.config.goyaml import (
    Composed,
    Limits,
    LineIndex,
    Mapping,
    Node,
    Position,
    Scalar,
    Span,
    YamlError,
    YamlStream,
    YamlSyntaxError,
)

if TYPE_CHECKING:  # few files wrap anything
    from labs.config.wrappers import Kustomization, Release

_BREAK = r"[\n\r\x85\u2028\u2029]"
_MARK = re.compile(
    rf"(?:(?<={_BREAK})|\A)(?:(?P<next>---(?!\S)|%)|\.\.\.(?!\S)[^\n\r\x85\u2028\u2029]*(?:\r\n|{_BREAK}|\Z))"
)
"""Between two documents: what the next one begins with (`---`, a directive), or what ends this one (`...`)."""


@dataclass(frozen=True, slots=True)
class Wrapping:
    """What a document of a kind holds: releases of charts, of a kustomization what it makes and changes.

    `settings` are those of a node, of whose config the document is.
    """

    kind: Kind
    releases: tuple[Release, ...] = ()
    kustomization: Kustomization | None = None
    settings: Mapping | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """One document of a file.

    `content` is what its loader would be given. `text` is what the places in `root` refer to: the file, or, where
    `host` is set, the content of that scalar of the file. `root` is None for an empty document, and for one that is no
    YAML or too large to be walked (`problem`, whose position is one in `text`). `line` is where the document begins in
    the file, `ordinal` its number in the stream, from 0. `key` is its name in `container`. `loadable` says that a
    loader, given `content`, reads this very `root` from it, with these places.

    Values of a chart inside another document have places of the file. What is laid over or under them from another file
    has the place `elsewhere`, which names it. `editable` are the stretches in which edits may be made; None: everywhere.
    `wrapping` is what a document holds as a wrapper, `unread` what it names and nobody reads here. `partial` says of
    values that some of them are not read, `values_from` which ConfigMaps they come from, and where those are named.
    `hashed` says of a ConfigMap that Kustomize makes it under a longer name.
    """

    kind: Kind
    content: str | bytes
    text: str
    root: Node | None
    line: int
    key: str | None = None
    ordinal: int = 0
    problem: YamlError | None = None
    host: Scalar | None = field(default=None, repr=False)
    container: Document | None = field(default=None, repr=False)
    loadable: bool = False
    elsewhere: Span | None = None
    editable: tuple[Span, ...] | None = None
    wrapping: Wrapping | None = field(default=None, repr=False, compare=False)
    release: Release | None = field(default=None, repr=False, compare=False)
    unread: tuple[Unread, ...] = ()
    partial: bool = False
    values_from: tuple[tuple[str, Span], ...] = ()
    hashed: bool = False

    @property
    def called(self) -> str:
        """What is printed of its kind: an object that is known by its content only keeps the name that it has."""
        named = self.root.get("kind") if isinstance(self.root, Mapping) else None
        if self.kind in (Kind.WORKLOAD, Kind.NODE_LABELS) and isinstance(named, Scalar):
            return named.text[:63]
        return str(self.kind)

    @property
    def loaded_root(self) -> Node | None:
        """What a loader that is given `content` reads from it; None where that is not known before it does."""
        return self.root if self.loadable else None

    @property
    def mapping(self) -> Mapping | None:
        """The root, if it is a mapping."""
        return self.root if isinstance(self.root, Mapping) else None

    def place(self, span: Span) -> Span:
        """Where in the file a span of `text` stands; what does not stand there as it is (an escape) is passed over."""
        if self.host is None:
            return span
        start, end = self._outer(span.start_offset), self._outer(span.end_offset)
        return Span(start[1], max(start, end)[1], start[0], max(start, end)[0])

    def position(self, position: Position) -> Position:
        """Where in the file a position in `text` is."""
        if self.host is None:
            return position
        offset = LineIndex(self.text).offset(position)
        return self.host.place.start if offset is None else self._outer(offset)[1]

    def _outer(self, offset: int) -> tuple[int, Position]:
        """Offset and position in the file of an offset into `text`, or of the last place before it that stands there."""
        assert self.host is not None
        behind = bisect.bisect_right(self.host.segments, offset, key=lambda each: each.content_offset)
        if behind:
            segment = self.host.segments[behind - 1]
            moved = min(offset - segment.content_offset, segment.length)
            return segment.source_offset + moved, Position(segment.line, segment.column + moved)
        start = self.host.place
        return start.start_offset, start.start


class Stream:
    """A text to be read document by document; raises `LimitError` where it is larger or deeper than allowed."""

    def __init__(self, content: str | bytes, limits: Limits) -> None:
        self._content = content
        self._yaml = YamlStream(content, limits, counts=False)
        self.text = self._yaml.text
        self._seems = self.text if self._yaml.error is None else _readable(content)

    def first(self, kind: Kind) -> Document:
        """The first document, as one of this kind; the text as a whole is its content."""
        try:
            composed = self._yaml.next()
        except YamlSyntaxError as error:
            return Document(kind, self._content, self.text, None, 1, problem=error)
        if composed is None:
            return Document(kind, self._content, self.text, None, 1)
        return self._document(kind, self._content, composed, 0)

    def documents(self) -> Iterator[Document]:
        """The documents that are not empty; a text that stops being YAML ends with one that has a problem."""
        start = ordinal = 0
        while True:
            try:
                composed = self._yaml.next()
            except YamlSyntaxError as error:
                rest = self._slice(start, len(self.text))
                line = self._yaml.index.position(start).line
                kind = guess(self._seems[start:])
                yield Document(kind, rest, self.text, None, line, ordinal=ordinal, problem=error)
                return
            if composed is None:
                return
            end = self._end(composed.node.place.end_offset)
            kind = recognise(composed.node)
            if kind is not Kind.EMPTY:
                yield self._document(kind, self._slice(start, end), composed, ordinal)
            start, ordinal = end, ordinal + 1

    def _document(self, kind: Kind, content: str | bytes, composed: Composed, ordinal: int) -> Document:
        """A document with its root, unless that cannot be walked along its aliases."""
        line = composed.node.place.start.line
        problem = self._yaml.problem(composed)
        root = composed.node if problem is None else None
        first = ordinal == 0  # the text of a later one is cut out, so that its places are others
        return Document(
            kind, content, self.text, root, line, ordinal=ordinal, problem=problem, loadable=first
        )

    def _end(self, root_end: int) -> int:
        """Where the text of a document ends whose root ends here: before the next one's mark, behind its own."""
        mark = _MARK.search(self.text, root_end)
        if mark is None:
            return len(self.text)
        return mark.start() if mark["next"] else mark.end()

    def _slice(self, start: int, end: int) -> str | bytes:
        """A part of the text; the whole of it as it was given, bytes and all."""
        return self._content if (start, end) == (0, len(self.text)) else self.text[start:end]


def _readable(content: str | bytes) -> str:
    """What can be read of a text with characters that YAML does not allow."""
    return content if isinstance(content, str) else content.decode("utf-8", "replace")
