"""Events of a YAML stream, in go-yaml v2's grammar and with its errors (`parserc.go`).

A state machine, not recursive descent: nesting costs no Python stack, and a token is looked at exactly when go-yaml looks
at it, so that of several errors in a file the same one is reported.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import NamedTuple

from labs.config.goyaml.nodes import Segment
from labs.config.goyaml.scanner import Scanner
from labs.config.goyaml.source import Source
from labs.config.goyaml.tokens import GoYamlError, Mark, Token, TokenKind

T = TokenKind
_DEFAULT_TAGS = {"!": "!", "!!": "tag:yaml.org,2002:"}
_BLOCK_ENDS = frozenset({T.KEY, T.VALUE, T.BLOCK_END})
_DOCUMENT_ENDS = frozenset(
    {T.VERSION_DIRECTIVE, T.TAG_DIRECTIVE, T.DOCUMENT_START, T.DOCUMENT_END, T.STREAM_END}
)
_COLLECTIONS = {
    T.FLOW_SEQUENCE_START: False,
    T.FLOW_MAPPING_START: True,
    T.BLOCK_SEQUENCE_START: False,
    T.BLOCK_MAPPING_START: True,
}
_FLOW_STARTS = frozenset({T.FLOW_SEQUENCE_START, T.FLOW_MAPPING_START})


class EventKind(Enum):
    """The kinds of event."""

    STREAM_END = auto()
    DOCUMENT_START = auto()
    DOCUMENT_END = auto()
    ALIAS = auto()
    SCALAR = auto()
    SEQUENCE_START = auto()
    MAPPING_START = auto()
    COLLECTION_END = auto()


class Event(NamedTuple):
    """One event; `implicit` says that a scalar's kind is to be found out from its text."""

    kind: EventKind
    start: Mark
    end: Mark
    anchor: str | None = None
    tag: str = ""
    value: str = ""
    style: str = "plain"
    implicit: bool = False
    segments: tuple[Segment, ...] = ()


class Parser:
    """Hands out the events of a source (`next_event`) until `STREAM_END`."""

    def __init__(self, source: Source) -> None:
        self._scanner = Scanner(source)
        self._peek = self._scanner.peek
        self._skip = self._scanner.skip
        self._state: Callable[[], Event] = self._stream_start
        self._states: list[Callable[[], Event]] = []
        self._tags: dict[str, str] = {}

    def next_event(self) -> Event:
        """The next event; raises `GoYamlError`."""
        return self._state()

    @staticmethod
    def _fail(problem: str, mark: Mark) -> GoYamlError:
        """A parser error: go-yaml prints the 0-based line, one less than an editor would."""
        return GoYamlError(f"line {mark.line}: {problem}" if mark.line else problem, mark.offset)

    # --- documents

    def _stream_start(self) -> Event:
        self._peek()
        self._skip()
        return self._document_start(implicit=True)

    def _next_document(self) -> Event:
        return self._document_start(implicit=False)

    def _document_start(self, *, implicit: bool) -> Event:
        token = self._peek()
        while not implicit and token.kind is T.DOCUMENT_END:
            self._skip()
            token = self._peek()
        if token.kind is T.STREAM_END:
            self._skip()
            return Event(EventKind.STREAM_END, token.start, token.end)
        bare = implicit and token.kind not in _DOCUMENT_ENDS - {T.DOCUMENT_END}
        start = token.start
        self._process_directives()
        token = self._peek()
        self._states.append(self._document_end)
        if bare:
            self._state = self._block_node
            return Event(EventKind.DOCUMENT_START, start, token.end)
        if token.kind is not T.DOCUMENT_START:
            raise self._fail("did not find expected <document start>", token.start)
        self._state = self._document_content
        self._skip()
        return Event(EventKind.DOCUMENT_START, start, token.end)

    def _process_directives(self) -> None:
        versions = 0
        token = self._peek()
        while token.kind in (T.VERSION_DIRECTIVE, T.TAG_DIRECTIVE):
            if token.kind is T.VERSION_DIRECTIVE:
                if versions:
                    raise self._fail("found duplicate %YAML directive", token.start)
                if (token.value, token.suffix) != ("1", "1"):
                    raise self._fail("found incompatible YAML document", token.start)
                versions += 1
            else:
                if token.value in self._tags:
                    raise self._fail("found duplicate %TAG directive", token.start)
                self._tags[token.value] = token.suffix
            self._skip()
            token = self._peek()
        for handle, prefix in _DEFAULT_TAGS.items():
            self._tags.setdefault(handle, prefix)

    def _document_content(self) -> Event:
        token = self._peek()
        if token.kind in _DOCUMENT_ENDS:
            self._state = self._states.pop()
            return self._empty_scalar(token.start)
        return self._node(block=True)

    def _document_end(self) -> Event:
        token = self._peek()
        end = token.start
        if token.kind is T.DOCUMENT_END:
            end = token.end
            self._skip()
        self._tags.clear()
        self._state = self._next_document
        return Event(EventKind.DOCUMENT_END, token.start, end)

    # --- nodes

    def _block_node(self) -> Event:
        return self._node(block=True)

    def _node(self, *, block: bool, indentless: bool = False) -> Event:
        token = self._peek()
        if token.kind is T.ALIAS:
            self._state = self._states.pop()
            self._skip()
            return Event(EventKind.ALIAS, token.start, token.end, value=token.value)
        start = token.start
        token, anchor, tag, end = self._properties(token)
        if indentless and token.kind is T.BLOCK_ENTRY:
            self._state = self._indentless_sequence_entry
            return Event(EventKind.SEQUENCE_START, start, token.end, anchor, tag, style="block")
        if token.kind is T.SCALAR:
            self._state = self._states.pop()
            self._skip()
            implicit = tag == "!" or (tag == "" and token.style == "plain")
            return Event(
                EventKind.SCALAR,
                start,
                token.end,
                anchor,
                tag,
                token.value,
                token.style,
                implicit,
                token.segments,
            )
        if token.kind in _FLOW_STARTS or (block and token.kind in _COLLECTIONS):
            return self._collection_start(token, start, anchor, tag)
        if anchor or tag:
            self._state = self._states.pop()
            return Event(EventKind.SCALAR, start, end, anchor, tag, implicit=tag == "")
        raise self._fail("did not find expected node content", token.start)

    def _properties(self, token: Token) -> tuple[Token, str | None, str, Mark]:
        """Anchor and tag in either order; the token behind them, and where they end."""
        anchor: str | None = None
        tag_token: Token | None = None
        end = token.start
        for _ in range(2):
            if token.kind is T.ANCHOR and anchor is None:
                anchor = token.value
            elif token.kind is T.TAG and tag_token is None:
                tag_token = token
            else:
                break
            end = token.end
            self._skip()
            token = self._peek()
        if tag_token is None:
            return token, anchor, "", end
        if not tag_token.value:
            return token, anchor, tag_token.suffix, end
        tag = ""
        if tag_token.value in self._tags:
            tag = self._tags[tag_token.value] + tag_token.suffix
        if not tag:
            raise self._fail("found undefined tag handle", tag_token.start)
        return token, anchor, tag, end

    def _collection_start(self, token: Token, start: Mark, anchor: str | None, tag: str) -> Event:
        is_mapping = _COLLECTIONS[token.kind]
        self._state = {
            T.FLOW_SEQUENCE_START: self._flow_sequence_first,
            T.FLOW_MAPPING_START: self._flow_mapping_first,
            T.BLOCK_SEQUENCE_START: self._block_sequence_first,
            T.BLOCK_MAPPING_START: self._block_mapping_first,
        }[token.kind]
        kind = EventKind.MAPPING_START if is_mapping else EventKind.SEQUENCE_START
        style = "flow" if token.kind in _FLOW_STARTS else "block"
        return Event(kind, start, token.end, anchor, tag, style=style)

    def _collection_end(self, token: Token, *, take: bool = True) -> Event:
        self._state = self._states.pop()
        if take:
            self._skip()
        return Event(EventKind.COLLECTION_END, token.start, token.end if take else token.start)

    @staticmethod
    def _empty_scalar(mark: Mark) -> Event:
        return Event(EventKind.SCALAR, mark, mark, implicit=True)

    # --- block collections

    def _block_sequence_first(self) -> Event:
        self._skip()
        return self._block_sequence_entry()

    def _block_sequence_entry(self) -> Event:
        token = self._peek()
        if token.kind is T.BLOCK_ENTRY:
            mark = token.end
            self._skip()
            token = self._peek()
            if token.kind not in (T.BLOCK_ENTRY, T.BLOCK_END):
                self._states.append(self._block_sequence_entry)
                return self._node(block=True)
            self._state = self._block_sequence_entry
            return self._empty_scalar(mark)
        if token.kind is T.BLOCK_END:
            return self._collection_end(token)
        raise self._fail("did not find expected '-' indicator", token.start)

    def _indentless_sequence_entry(self) -> Event:
        token = self._peek()
        if token.kind is not T.BLOCK_ENTRY:
            return self._collection_end(token, take=False)
        mark = token.end
        self._skip()
        token = self._peek()
        if token.kind is not T.BLOCK_ENTRY and token.kind not in _BLOCK_ENDS:
            self._states.append(self._indentless_sequence_entry)
            return self._node(block=True)
        self._state = self._indentless_sequence_entry
        return self._empty_scalar(mark)

    def _block_mapping_first(self) -> Event:
        self._skip()
        return self._block_mapping_key()

    def _block_mapping_key(self) -> Event:
        token = self._peek()
        if token.kind is T.KEY:
            mark = token.end
            self._skip()
            token = self._peek()
            if token.kind not in _BLOCK_ENDS:
                self._states.append(self._block_mapping_value)
                return self._node(block=True, indentless=True)
            self._state = self._block_mapping_value
            return self._empty_scalar(mark)
        if token.kind is T.BLOCK_END:
            return self._collection_end(token)
        raise self._fail("did not find expected key", token.start)

    def _block_mapping_value(self) -> Event:
        token = self._peek()
        mark = token.start
        if token.kind is T.VALUE:
            mark = token.end
            self._skip()
            token = self._peek()
            if token.kind not in _BLOCK_ENDS:
                self._states.append(self._block_mapping_key)
                return self._node(block=True, indentless=True)
        self._state = self._block_mapping_key
        return self._empty_scalar(mark)

    # --- flow collections

    def _flow_sequence_first(self) -> Event:
        self._skip()
        return self._flow_sequence_entry(first=True)

    def _flow_sequence_next(self) -> Event:
        return self._flow_sequence_entry(first=False)

    def _flow_sequence_entry(self, *, first: bool) -> Event:
        token = self._peek()
        if token.kind is not T.FLOW_SEQUENCE_END:
            if not first:
                if token.kind is not T.FLOW_ENTRY:
                    raise self._fail("did not find expected ',' or ']'", token.start)
                self._skip()
                token = self._peek()
            if token.kind is T.KEY:
                self._state = self._pair_key
                self._skip()
                return Event(EventKind.MAPPING_START, token.start, token.end, style="flow")
            if token.kind is not T.FLOW_SEQUENCE_END:
                self._states.append(self._flow_sequence_next)
                return self._node(block=False)
        return self._collection_end(token)

    def _pair_key(self) -> Event:
        """The key of a single pair written inside `[ ]`."""
        token = self._peek()
        if token.kind not in (T.VALUE, T.FLOW_ENTRY, T.FLOW_SEQUENCE_END):
            self._states.append(self._pair_value)
            return self._node(block=False)
        self._skip()
        self._state = self._pair_value
        return self._empty_scalar(token.end)

    def _pair_value(self) -> Event:
        token = self._peek()
        mark = token.start
        if token.kind is T.VALUE:
            self._skip()
            token = self._peek()
            if token.kind not in (T.FLOW_ENTRY, T.FLOW_SEQUENCE_END):
                self._states.append(self._pair_end)
                return self._node(block=False)
        self._state = self._pair_end
        return self._empty_scalar(mark)

    def _pair_end(self) -> Event:
        token = self._peek()
        self._state = self._flow_sequence_next
        return Event(EventKind.COLLECTION_END, token.start, token.start)

    def _flow_mapping_first(self) -> Event:
        self._skip()
        return self._flow_mapping_key(first=True)

    def _flow_mapping_next(self) -> Event:
        return self._flow_mapping_key(first=False)

    def _flow_mapping_key(self, *, first: bool) -> Event:
        token = self._peek()
        if token.kind is not T.FLOW_MAPPING_END:
            if not first:
                if token.kind is not T.FLOW_ENTRY:
                    raise self._fail("did not find expected ',' or '}'", token.start)
                self._skip()
                token = self._peek()
            if token.kind is T.KEY:
                self._skip()
                token = self._peek()
                if token.kind not in (T.VALUE, T.FLOW_ENTRY, T.FLOW_MAPPING_END):
                    self._states.append(self._flow_mapping_value)
                    return self._node(block=False)
                self._state = self._flow_mapping_value
                return self._empty_scalar(token.start)
            if token.kind is not T.FLOW_MAPPING_END:
                self._states.append(self._flow_mapping_empty_value)
                return self._node(block=False)
        return self._collection_end(token)

    def _flow_mapping_value(self) -> Event:
        token = self._peek()
        if token.kind is T.VALUE:
            self._skip()
            token = self._peek()
            if token.kind not in (T.FLOW_ENTRY, T.FLOW_MAPPING_END):
                self._states.append(self._flow_mapping_next)
                return self._node(block=False)
        self._state = self._flow_mapping_next
        return self._empty_scalar(token.start)

    def _flow_mapping_empty_value(self) -> Event:
        self._state = self._flow_mapping_next
        return self._empty_scalar(self._peek().start)
