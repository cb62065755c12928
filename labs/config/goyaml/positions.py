"""Places in a text, and the edit that replaces one.

Lines and columns are 1-based and count Unicode code points; offsets are 0-based indexes into the `str` that was read.
A line ends where YAML 1.1 ends one: CR LF, CR, LF, U+0085, U+2028 or U+2029.
"""

from __future__ import annotations

import bisect
import re
from typing import NamedTuple

_LINE_BREAK = re.compile("\r\n|[\r\n\x85\u2028\u2029]")


class Position(NamedTuple):
    """A place between two characters: `line` and `column`, both 1-based, in code points."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.line}:{self.column}"


class Span(NamedTuple):
    """A half-open stretch of text; `text[span.start_offset:span.end_offset]` is what it covers."""

    start: Position
    end: Position
    start_offset: int
    end_offset: int


class LineIndex:
    """Turns offsets into positions and back, for one text."""

    __slots__ = ("_length", "_starts")

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in _LINE_BREAK.finditer(text))]
        self._length = len(text)

    def position(self, offset: int) -> Position:
        """The position of a 0-based offset; offsets outside the text are taken as its ends."""
        inside = min(max(offset, 0), self._length)
        row = bisect.bisect_right(self._starts, inside) - 1
        return Position(row + 1, inside - self._starts[row] + 1)

    def offset(self, position: Position) -> int | None:
        """The 0-based offset of a position, or None where the text has no such place."""
        if not 1 <= position.line <= len(self._starts) or position.column < 1:
            return None
        row = position.line - 1
        offset = self._starts[row] + position.column - 1
        line_end = self._starts[row + 1] if row + 1 < len(self._starts) else self._length + 1
        return offset if offset < line_end else None

    def line(self, number: int) -> tuple[int, int] | None:
        """Where a line begins and where the next one does, in offsets; None where the text has no such line."""
        if not 1 <= number <= len(self._starts):
            return None
        return self._starts[number - 1], self._starts[number] if number < len(self._starts) else self._length

    def span(self, start_offset: int, end_offset: int) -> Span:
        """The span between two offsets."""
        return Span(self.position(start_offset), self.position(end_offset), start_offset, end_offset)


def replace_span(text: str, span: Span, new: str) -> str:
    """The text with what `span` covers replaced by `new`; every other character stays as it is."""
    return text[: span.start_offset] + new + text[span.end_offset :]
