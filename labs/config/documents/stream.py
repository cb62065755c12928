"""Reading a file document by document, each with the text that its loader would be given."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from labs.config.documents.recognise import Kind, guess, recognise
from labs.config.goyaml import (
    Composed,
    Composer,
    GoYamlError,
    LimitError,
    Limits,
    LineIndex,
    Mapping,
    Node,
    Position,
    Scalar,
    Span,
    TooDeepError,
    YamlError,
    YamlSyntaxError,
    from_bytes,
    from_text,
)

_BREAK = r"[\n\r\x85\u2028\u2029]"
_MARK = re.compile(
    rf"(?:(?<={_BREAK})|\A)(?:(?P<next>---(?!\S)|%)|\.\.\.(?!\S)[^\n\r\x85\u2028\u2029]*(?:\r\n|{_BREAK}|\Z))"
)
"""Between two documents: what the next one begins with (``---``, a directive), or what ends this one (``...``)."""


@dataclass(frozen=True, slots=True)
class Document:
    """One document of a file.

    ``content`` is what its loader would be given. ``text`` is what the places in ``root`` refer to: the file, or, where
    ``host`` is set, the content of that scalar of the file. ``root`` is None for an empty document, and for one that is no
    YAML or too large to be walked (``problem``, whose position is one in ``text``). ``line`` is where the document begins in
    the file, ``ordinal`` its number in the stream, from 0. ``key`` is its name in ``container``. ``loadable`` says that a
    loader, given ``content``, reads this very ``root`` from it, with these places.
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

    @property
    def loaded_root(self) -> Node | None:
        """What a loader that is given ``content`` reads from it; None where that is not known before it does."""
        return self.root if self.loadable else None

    @property
    def mapping(self) -> Mapping | None:
        """The root, if it is a mapping."""
        return self.root if isinstance(self.root, Mapping) else None

    def place(self, span: Span) -> Span:
        """Where in the file a span of ``text`` stands; what does not stand there as it is (an escape) is passed over."""
        if self.host is None:
            return span
        start, end = self._outer(span.start_offset), self._outer(span.end_offset)
        return Span(start[1], max(start, end)[1], start[0], max(start, end)[0])

    def position(self, position: Position) -> Position:
        """Where in the file a position in ``text`` is."""
        if self.host is None:
            return position
        offset = LineIndex(self.text).offset(position)
        return self.host.place.start if offset is None else self._outer(offset)[1]

    def _outer(self, offset: int) -> tuple[int, Position]:
        """Offset and position in the file of an offset into ``text``, or of the last place before it that stands there."""
        assert self.host is not None
        behind = bisect.bisect_right(self.host.segments, offset, key=lambda one: one.content_offset)
        if behind:
            segment = self.host.segments[behind - 1]
            moved = min(offset - segment.content_offset, segment.length)
            return segment.source_offset + moved, Position(segment.line, segment.column + moved)
        start = self.host.place
        return start.start_offset, start.start


class Stream:
    """A text to be read document by document; raises ``LimitError`` where it is larger or deeper than allowed."""

    def __init__(self, content: str | bytes, limits: Limits) -> None:
        if len(content) > limits.characters:
            raise LimitError(f"the text is longer than {limits.characters} characters", None)
        self._content = content
        self._limits = limits
        source = from_text(content) if isinstance(content, str) else from_bytes(content)
        self.text = source.text
        self._seems = source.text if source.error is None else _readable(content)
        self._index = LineIndex(source.text)
        self._composer = Composer(source, self._index, limits.depth)
        self._size = 0

    def first(self, kind: Kind) -> Document:
        """The first document, as one of this kind; the text as a whole is its content."""
        try:
            composed = self._next()
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
                composed = self._next()
            except YamlSyntaxError as error:
                rest = self._slice(start, len(self.text))
                line = self._index.position(start).line
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

    def _next(self) -> Composed | None:
        try:
            return self._composer.next_document()
        except GoYamlError as error:
            position = None if error.offset is None else self._index.position(error.offset)
            raise YamlSyntaxError(f"yaml: {error.message}", position) from None
        except TooDeepError as error:
            position = self._index.position(error.offset)
            raise LimitError(f"nested more than {self._limits.depth} levels deep", position) from None

    def _document(self, kind: Kind, content: str | bytes, composed: Composed, ordinal: int) -> Document:
        """A document with its root, unless that cannot be walked along its aliases."""
        line = composed.node.place.start.line
        problem = self._too_large(composed)
        root = composed.node if problem is None else None
        first = ordinal == 0  # the text of a later one is cut out, so that its places are others
        return Document(
            kind, content, self.text, root, line, ordinal=ordinal, problem=problem, loadable=first
        )

    def _too_large(self, composed: Composed) -> YamlError | None:
        loop = composed.self_reference
        if loop is not None:
            return YamlSyntaxError(f"yaml: anchor '{loop.anchor}' value contains itself", loop.place.start)
        if composed.depth > self._limits.depth:
            return LimitError(f"aliases nest more than {self._limits.depth} levels deep", None)
        if self._size + composed.size > self._limits.nodes:
            return LimitError(f"more than {self._limits.nodes} values with aliases followed", None)
        self._size += composed.size
        return None

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
