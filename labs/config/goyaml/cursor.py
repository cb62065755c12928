"""A place in a YAML text that moves on, together with how much of the text go-yaml's reader has decoded by then."""

from __future__ import annotations

import re

from labs.config.goyaml.source import BYTE_ORDER_MARK, Source
from labs.config.goyaml.tokens import GoYamlError, Mark

BREAKS = "\r\n\x85\u2028\u2029"
BREAKZ = BREAKS + "\0"
BLANKZ = " \t" + BREAKZ
ALPHA_RUN = re.compile("[0-9A-Za-z_-]*")
LINE_REST = re.compile(f"[^{BREAKZ}]*")
BLANK_RUN = re.compile("[ \t]*")
SPACE_RUN = re.compile(" *")
DOCUMENT_INDICATOR = re.compile(f"(?:---|\\.\\.\\.)(?=[{BLANKZ}])")


class Cursor:
    """Walks over a source. `text` ends in NULs, so that looking a few characters ahead is always possible.

    `pos` is a 0-based offset, `line` a 0-based line; `line_start` is the offset at which the line begins. Whoever
    moves on says first, with `need`, how many characters must be decoded: an unreadable byte further on is an error only
    then (see `labs.config.goyaml.source`).
    """

    __slots__ = (
        "_chunks",
        "_end",
        "_filled",
        "_reader_error",
        "_window",
        "line",
        "line_start",
        "pos",
        "text",
    )

    def __init__(self, source: Source) -> None:
        self.text = source.text + "\0" * 8
        self.pos = self.line_start = source.start
        self.line = 0
        self._end = len(source.text)
        self._chunks = list(reversed(source.chunk_ends))
        self._reader_error = source.error
        self._window = self._filled = source.start

    def mark(self) -> Mark:
        """The place where the cursor stands."""
        return Mark(self.pos, self.line, self.pos - self.line_start)

    @property
    def column(self) -> int:
        """The 0-based column."""
        return self.pos - self.line_start

    def need(self, count: int) -> None:
        """Makes sure that `count` characters are decoded from here on, as go-yaml's reader does."""
        if self.pos + count > self._filled:
            self._refill(self.pos, count)

    def _refill(self, position: int, count: int) -> None:
        self._window = position
        while self._filled < position + count:
            if self._chunks:
                self._filled = max(self._chunks.pop(), self._filled)
            elif self._reader_error is not None:
                raise GoYamlError(self._reader_error, self._end)
            else:
                self._filled += 1
                return

    def move(self, target: int, lookahead: int) -> None:
        """Moves on within a line, keeping `lookahead` characters decoded after each step."""
        while target + lookahead > self._filled:
            self._refill(max(self._filled + 1 - lookahead, self.pos), lookahead)
        self.pos = target

    def skip_break(self) -> str:
        """Passes a line break; what it becomes in a scalar."""
        char = self.text[self.pos]
        self.pos += 2 if self.text.startswith("\r\n", self.pos) else 1
        self.line += 1
        self.line_start = self.pos
        return char if char in "\u2028\u2029" else "\n"

    def fail(self, context: Mark, problem: str) -> GoYamlError:
        """A scanner error here; `context` is where the construct began."""
        line = self.line + 1 if self.line else context.line
        return GoYamlError(f"line {line}: {problem}" if line else problem, self.pos)

    def pass_over(self, pattern: re.Pattern[str]) -> str:
        """Moves over what a pattern matches here, and returns it."""
        match = pattern.match(self.text, self.pos)
        assert match is not None
        self.move(match.end(), 1)
        return match.group()

    def skip_stray_mark(self) -> None:
        """Passes one character at the start of a line if the reader's window begins with a byte order mark.

        go-yaml looks for the mark at the start of its buffer rather than at the cursor (`is_bom`).
        """
        if self.pos == self.line_start and self.text[self._window] == BYTE_ORDER_MARK:
            self.pos += 1

    def to_line_end(self, start: Mark) -> None:
        """Passes blanks, a comment and the line break; `start` is where the construct began that must end here."""
        self.pass_over(BLANK_RUN)
        if self.text[self.pos] == "#":
            self.pass_over(LINE_REST)
        if self.text[self.pos] not in BREAKZ:
            raise self.fail(start, "did not find expected comment or line break")
        if self.text[self.pos] != "\0":
            self.need(2)
            self.skip_break()
