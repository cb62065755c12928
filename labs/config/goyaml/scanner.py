"""Tokens of a YAML text, cut where go-yaml v2 cuts them, with its errors in its words (`scannerc.go`).

PyYAML's scanner descends from the same design but differs in what it takes and in how it says no, so the loaders'
verdict needs this one. The tests hold it against real go-yaml answers and, on ordinary YAML, against PyYAML.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from labs.config.goyaml.cursor import (
    BLANK_RUN,
    BLANKZ,
    BREAKS,
    DOCUMENT_INDICATOR,
    LINE_REST,
    SPACE_RUN,
    Cursor,
)
from labs.config.goyaml.scalar_scanner import scan_block_scalar, scan_plain, scan_quoted
from labs.config.goyaml.source import Source
from labs.config.goyaml.tags import scan_anchor, scan_directive, scan_tag
from labs.config.goyaml.tokens import Mark, Token, TokenKind

MAX_DEPTH = 10_000
MAX_SIMPLE_KEY = 1024


@dataclass(slots=True)
class _SimpleKey:
    """A place where a key without `?` may have begun."""

    possible: bool
    required: bool
    token_number: int
    mark: Mark


class Scanner:
    """Hands out the tokens of a source, one by one, with one token of lookahead (`peek`, `skip`)."""

    def __init__(self, source: Source) -> None:
        self._at = Cursor(source)
        self._flow_level = 0
        self._indent = -1
        self._indents: list[int] = []
        self._tokens: list[Token] = []
        self._head = 0
        self._tokens_parsed = 0
        self._available = False
        self._started = False
        self._simple_key_allowed = False
        self._simple_keys: list[_SimpleKey] = []
        self._keys_by_token: dict[int, int] = {}
        self._fetchers: dict[str, Callable[[], None]] = {
            "[": lambda: self._fetch_flow_start(TokenKind.FLOW_SEQUENCE_START),
            "{": lambda: self._fetch_flow_start(TokenKind.FLOW_MAPPING_START),
            "]": lambda: self._fetch_flow_end(TokenKind.FLOW_SEQUENCE_END),
            "}": lambda: self._fetch_flow_end(TokenKind.FLOW_MAPPING_END),
            ",": self._fetch_flow_entry,
            "*": lambda: self._fetch_anchor(TokenKind.ALIAS),
            "&": lambda: self._fetch_anchor(TokenKind.ANCHOR),
            "!": self._fetch_tag,
            "'": lambda: self._fetch_quoted("single"),
            '"': lambda: self._fetch_quoted("double"),
        }

    # --- the interface to the parser

    def peek(self) -> Token:
        """The next token, not taken yet."""
        if not self._available:
            self._fetch_more()
        return self._tokens[self._head]

    def skip(self) -> None:
        """Takes the token that `peek` returned."""
        self._available = False
        self._tokens_parsed += 1
        self._head += 1
        if self._head > 256:
            del self._tokens[: self._head]
            self._head = 0

    # --- the token queue

    def _append(self, token: Token, number: int = -1) -> None:
        """Queues a token, or puts it before the one with this number (a number already taken means: at the end)."""
        if number < 0:
            self._tokens.append(token)
        else:
            self._tokens.insert(self._head + number, token)

    def _next_number(self) -> int:
        return self._tokens_parsed + len(self._tokens) - self._head

    def _fetch_more(self) -> None:
        while True:
            if self._head != len(self._tokens):
                index = self._keys_by_token.get(self._tokens_parsed)
                if index is None or not self._is_valid(self._simple_keys[index]):
                    break
            self._fetch_next()
        self._available = True

    def _fetch_next(self) -> None:
        self._at.need(1)
        if not self._started:
            self._start_stream()
            return
        self._to_next_token()
        self._unroll_indent(self._at.column)
        self._at.need(4)
        text, pos = self._at.text, self._at.pos
        char = text[pos]
        if char == "\0":
            self._fetch_stream_end()
            return
        if self._at.column == 0:
            if char == "%":
                self._fetch_directive()
                return
            if char in "-." and DOCUMENT_INDICATOR.match(text, pos):
                self._fetch_document_indicator(
                    TokenKind.DOCUMENT_START if char == "-" else TokenKind.DOCUMENT_END
                )
                return
        following_blank = text[pos + 1] in BLANKZ
        if char == "-" and following_blank:
            self._fetch_block_entry()
        elif char == "?" and (self._flow_level or following_blank):
            self._fetch_key()
        elif char == ":" and (self._flow_level or following_blank):
            self._fetch_value()
        elif char in self._fetchers:
            self._fetchers[char]()
        elif char in "|>" and not self._flow_level:
            self._fetch_block_scalar(literal=char == "|")
        elif char not in BLANKZ and char not in "#|>%@`":
            self._fetch_plain()
        else:
            raise self._at.fail(self._at.mark(), "found character that cannot start any token")

    # --- simple keys and indentation

    def _is_valid(self, key: _SimpleKey) -> bool:
        if not key.possible:
            return False
        if key.mark.line < self._at.line or key.mark.offset + MAX_SIMPLE_KEY < self._at.pos:
            if key.required:
                raise self._at.fail(key.mark, "could not find expected ':'")
            key.possible = False
            return False
        return True

    def _save_simple_key(self) -> None:
        if not self._simple_key_allowed:
            return
        required = self._flow_level == 0 and self._indent == self._at.column
        key = _SimpleKey(True, required, self._next_number(), self._at.mark())
        self._remove_simple_key()
        self._simple_keys[-1] = key
        self._keys_by_token[key.token_number] = len(self._simple_keys) - 1

    def _remove_simple_key(self) -> None:
        key = self._simple_keys[-1]
        if key.possible:
            if key.required:
                raise self._at.fail(key.mark, "could not find expected ':'")
            key.possible = False
            self._keys_by_token.pop(key.token_number, None)

    def _roll_indent(self, column: int, number: int, kind: TokenKind, mark: Mark) -> None:
        if self._flow_level or self._indent >= column:
            return
        self._indents.append(self._indent)
        self._indent = column
        if len(self._indents) > MAX_DEPTH:
            raise self._at.fail(self._simple_keys[-1].mark, f"exceeded max depth of {MAX_DEPTH}")
        self._append(Token(kind, mark, mark), number - self._tokens_parsed if number > -1 else number)

    def _unroll_indent(self, column: int) -> None:
        if self._flow_level:
            return
        while self._indent > column:
            mark = self._at.mark()
            self._append(Token(TokenKind.BLOCK_END, mark, mark))
            self._indent = self._indents.pop()

    # --- one fetcher for each kind of token

    def _start_stream(self) -> None:
        self._simple_keys.append(_SimpleKey(False, False, 0, Mark(0, 0, 0)))
        self._simple_key_allowed = True
        self._started = True
        mark = self._at.mark()
        self._append(Token(TokenKind.STREAM_START, mark, mark))

    def _fetch_stream_end(self) -> None:
        mark = self._at.mark()
        if mark.column:
            self._at.line += 1
            self._at.line_start = self._at.pos
            mark = self._at.mark()
        self._unroll_indent(-1)
        self._remove_simple_key()
        self._simple_key_allowed = False
        self._append(Token(TokenKind.STREAM_END, mark, mark))

    def _reset_line(self) -> None:
        self._unroll_indent(-1)
        self._remove_simple_key()
        self._simple_key_allowed = False

    def _indicator(self, kind: TokenKind, width: int = 1) -> None:
        start = self._at.mark()
        self._at.pos += width
        self._append(Token(kind, start, self._at.mark()))

    def _fetch_document_indicator(self, kind: TokenKind) -> None:
        self._reset_line()
        self._indicator(kind, 3)

    def _fetch_flow_start(self, kind: TokenKind) -> None:
        self._save_simple_key()
        mark = self._at.mark()
        self._simple_keys.append(_SimpleKey(False, False, self._next_number(), mark))
        self._flow_level += 1
        if self._flow_level > MAX_DEPTH:
            raise self._at.fail(mark, f"exceeded max depth of {MAX_DEPTH}")
        self._simple_key_allowed = True
        self._indicator(kind)

    def _fetch_flow_end(self, kind: TokenKind) -> None:
        self._remove_simple_key()
        if self._flow_level:
            self._flow_level -= 1
            self._keys_by_token.pop(self._simple_keys.pop().token_number, None)
        self._simple_key_allowed = False
        self._indicator(kind)

    def _fetch_flow_entry(self) -> None:
        self._remove_simple_key()
        self._simple_key_allowed = True
        self._indicator(TokenKind.FLOW_ENTRY)

    def _fetch_block_entry(self) -> None:
        if not self._flow_level:
            if not self._simple_key_allowed:
                raise self._at.fail(self._at.mark(), "block sequence entries are not allowed in this context")
            self._roll_indent(self._at.column, -1, TokenKind.BLOCK_SEQUENCE_START, self._at.mark())
        self._remove_simple_key()
        self._simple_key_allowed = True
        self._indicator(TokenKind.BLOCK_ENTRY)

    def _fetch_key(self) -> None:
        if not self._flow_level:
            if not self._simple_key_allowed:
                raise self._at.fail(self._at.mark(), "mapping keys are not allowed in this context")
            self._roll_indent(self._at.column, -1, TokenKind.BLOCK_MAPPING_START, self._at.mark())
        self._remove_simple_key()
        self._simple_key_allowed = self._flow_level == 0
        self._indicator(TokenKind.KEY)

    def _fetch_value(self) -> None:
        key = self._simple_keys[-1]
        if self._is_valid(key):
            token = Token(TokenKind.KEY, key.mark, key.mark)
            self._append(token, key.token_number - self._tokens_parsed)
            self._roll_indent(key.mark.column, key.token_number, TokenKind.BLOCK_MAPPING_START, key.mark)
            key.possible = False
            self._keys_by_token.pop(key.token_number, None)
            self._simple_key_allowed = False
        else:
            if not self._flow_level:
                if not self._simple_key_allowed:
                    raise self._at.fail(self._at.mark(), "mapping values are not allowed in this context")
                self._roll_indent(self._at.column, -1, TokenKind.BLOCK_MAPPING_START, self._at.mark())
            self._simple_key_allowed = self._flow_level == 0
        self._indicator(TokenKind.VALUE)

    def _begin_node(self) -> None:
        """A simple key may begin here, and none right behind."""
        self._save_simple_key()
        self._simple_key_allowed = False

    def _fetch_anchor(self, kind: TokenKind) -> None:
        self._begin_node()
        self._append(scan_anchor(self._at, kind))

    def _fetch_tag(self) -> None:
        self._begin_node()
        self._append(scan_tag(self._at))

    def _fetch_block_scalar(self, *, literal: bool) -> None:
        self._remove_simple_key()
        self._simple_key_allowed = True
        self._append(scan_block_scalar(self._at, self._indent, literal=literal))

    def _fetch_quoted(self, style: str) -> None:
        self._begin_node()
        self._append(scan_quoted(self._at, style))

    def _fetch_plain(self) -> None:
        self._begin_node()
        token, ended_lines = scan_plain(self._at, self._indent + 1, in_flow=self._flow_level > 0)
        self._append(token)
        if ended_lines:
            self._simple_key_allowed = True

    def _fetch_directive(self) -> None:
        self._reset_line()
        self._append(scan_directive(self._at))

    # --- between tokens

    def _to_next_token(self) -> None:
        cursor = self._at
        text = cursor.text
        while True:
            cursor.need(1)
            cursor.skip_stray_mark()
            cursor.need(1)
            tabs_too = self._flow_level or not self._simple_key_allowed
            cursor.pass_over(BLANK_RUN if tabs_too else SPACE_RUN)
            if text[cursor.pos] == "#":
                cursor.pass_over(LINE_REST)
            if text[cursor.pos] not in BREAKS:
                return
            cursor.need(2)
            cursor.skip_break()
            if not self._flow_level:
                self._simple_key_allowed = True
