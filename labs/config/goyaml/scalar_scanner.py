"""Scanning scalars: block, quoted and plain (`scannerc.go`)."""

from __future__ import annotations

import re

from labs.config.goyaml.cursor import (
    BLANK_RUN,
    BLANKZ,
    BREAKS,
    DOCUMENT_INDICATOR,
    LINE_REST,
    SPACE_RUN,
    Cursor,
)
from labs.config.goyaml.nodes import Segment
from labs.config.goyaml.tokens import Mark, Token, TokenKind

_PLAIN_BLOCK = re.compile(f"(?:[^:{BLANKZ}]|:(?![{BLANKZ}]))+")
_PLAIN_FLOW = re.compile(f"(?:[^:,?\\[\\]{{}}{BLANKZ}]|:(?![{BLANKZ}]))+")
_SINGLE_RUN = re.compile(f"[^'{BLANKZ}]+")
_DOUBLE_RUN = re.compile(f'[^"\\\\{BLANKZ}]+')
_ESCAPES = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r",
    "e": "\x1b", " ": " ", '"': '"', "'": "'", "\\": "\\", "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip
_HEX_ESCAPES = {"x": 2, "u": 4, "U": 8}
_HEX_DIGITS = frozenset("0123456789abcdefABCDEF")


class _Content:
    """Collects a scalar's text together with where its stretches stand in the file."""

    __slots__ = ("length", "parts", "segments")

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.segments: list[Segment] = []
        self.length = 0

    def copied(self, text: str, mark: Mark) -> None:
        """Text that stands in the file as it is, on one line."""
        self.segments.append(Segment(self.length, mark.offset, mark.line + 1, mark.column + 1, len(text)))
        self.made(text)

    def made(self, text: str) -> None:
        """Text that folding or an escape made."""
        self.parts.append(text)
        self.length += len(text)

    def text(self) -> str:
        return "".join(self.parts)


def scan_block_scalar(cursor: Cursor, parent_indent: int, *, literal: bool) -> Token:
    """A `|` or `>` scalar; `parent_indent` is the column of the block it is in, -1 outside of any."""
    start = cursor.mark()
    cursor.pos += 1
    cursor.need(1)
    chomping, increment = _scan_block_header(cursor, start)
    cursor.need(1)
    cursor.to_line_end(start)
    indent = (max(parent_indent, 0) + increment) if increment else 0
    content = _Content()
    breaks: list[str] = []
    indent, end = _scan_block_breaks(cursor, indent, parent_indent, breaks, start)
    cursor.need(1)
    leading_break = ""
    leading_blank = False
    while cursor.column == indent and cursor.text[cursor.pos] != "\0":
        trailing_blank = cursor.text[cursor.pos] in " \t"
        if not literal and not leading_blank and not trailing_blank and leading_break == "\n":
            if not breaks:
                content.made(" ")
        else:
            content.made(leading_break)
        content.made("".join(breaks))
        breaks.clear()
        leading_blank = trailing_blank
        mark = cursor.mark()
        content.copied(cursor.pass_over(LINE_REST), mark)
        cursor.need(2)
        leading_break = cursor.skip_break() if cursor.text[cursor.pos] != "\0" else ""
        indent, end = _scan_block_breaks(cursor, indent, parent_indent, breaks, start)
    if chomping != "-":
        content.made(leading_break)
    if chomping == "+":
        content.made("".join(breaks))
    style = "literal" if literal else "folded"
    return Token(TokenKind.SCALAR, start, end, content.text(), style=style, segments=tuple(content.segments))


def _scan_block_header(cursor: Cursor, start: Mark) -> tuple[str, int]:
    """The chomping and indentation indicators, in either order."""
    chomping, increment = "", 0
    first = cursor.text[cursor.pos]
    if first in "+-":
        chomping = first
        cursor.pos += 1
        cursor.need(1)
        if "0" <= cursor.text[cursor.pos] <= "9":
            increment = _scan_increment(cursor, start)
    elif "0" <= first <= "9":
        increment = _scan_increment(cursor, start)
        cursor.need(1)
        if cursor.text[cursor.pos] in "+-":
            chomping = cursor.text[cursor.pos]
            cursor.pos += 1
    return chomping, increment


def _scan_increment(cursor: Cursor, start: Mark) -> int:
    if cursor.text[cursor.pos] == "0":
        raise cursor.fail(start, "found an indentation indicator equal to 0")
    cursor.pos += 1
    return int(cursor.text[cursor.pos - 1])


def _scan_block_breaks(
    cursor: Cursor, indent: int, parent_indent: int, breaks: list[str], start: Mark
) -> tuple[int, Mark]:
    """Passes indentation and empty lines; the indentation (found out if it was 0) and where the last line began."""
    end = cursor.mark()
    deepest = 0
    while True:
        cursor.need(1)
        spaces = SPACE_RUN.match(cursor.text, cursor.pos)
        if spaces is not None and (indent == 0 or cursor.column < indent):
            stop = spaces.end() if indent == 0 else min(spaces.end(), cursor.line_start + indent)
            cursor.move(stop, 1)
        deepest = max(deepest, cursor.column)
        if (indent == 0 or cursor.column < indent) and cursor.text[cursor.pos] == "\t":
            raise cursor.fail(start, "found a tab character where an indentation space is expected")
        if cursor.text[cursor.pos] not in BREAKS:
            break
        cursor.need(2)
        breaks.append(cursor.skip_break())
        end = cursor.mark()
    return indent or max(deepest, parent_indent + 1, 1), end


def scan_quoted(cursor: Cursor, style: str) -> Token:
    """A `single` or `double` quoted scalar, by `style`."""
    start = cursor.mark()
    cursor.pos += 1
    single = style == "single"
    quote = "'" if single else '"'
    content = _Content()
    while True:
        cursor.need(4)
        if cursor.column == 0 and DOCUMENT_INDICATOR.match(cursor.text, cursor.pos):
            raise cursor.fail(start, "found unexpected document indicator")
        if cursor.text[cursor.pos] == "\0":
            raise cursor.fail(start, "found unexpected end of stream")
        if single:
            _quoted_run_single(cursor, content)
            escaped_break = False
        else:
            escaped_break = _quoted_run_double(cursor, content, start)
        cursor.need(1)
        if cursor.text[cursor.pos] == quote:
            break
        gap = _Gap(cursor, after_break=escaped_break)
        gap.read(cursor, 0, start)
        gap.write(content)
    cursor.pos += 1
    return Token(
        TokenKind.SCALAR,
        start,
        cursor.mark(),
        content.text(),
        style=style,
        segments=tuple(content.segments),
    )


def _quoted_run_single(cursor: Cursor, content: _Content) -> None:
    while True:
        match = _SINGLE_RUN.match(cursor.text, cursor.pos)
        if match is not None:
            content.copied(match.group(), cursor.mark())
            cursor.move(match.end(), 2)
        if not cursor.text.startswith("''", cursor.pos):
            return
        content.copied("'", cursor.mark())
        cursor.pos += 2
        cursor.need(2)


def _quoted_run_double(cursor: Cursor, content: _Content, start: Mark) -> bool:
    """Non-blank content up to a blank, the closing quote or an escaped line break (then True)."""
    while True:
        match = _DOUBLE_RUN.match(cursor.text, cursor.pos)
        if match is not None:
            content.copied(match.group(), cursor.mark())
            cursor.move(match.end(), 2)
        if cursor.text[cursor.pos] != "\\":
            return False
        if cursor.text[cursor.pos + 1] in BREAKS:
            cursor.need(3)
            cursor.pos += 1
            cursor.skip_break()
            cursor.need(2)
            return True
        _scan_escape(cursor, content, start)
        cursor.need(2)


def _scan_escape(cursor: Cursor, content: _Content, start: Mark) -> None:
    mark = cursor.mark()
    char = cursor.text[cursor.pos + 1]
    width = _HEX_ESCAPES.get(char, 0)
    if not width:
        if char not in _ESCAPES:
            raise cursor.fail(start, "found unknown escape character")
        cursor.pos += 2
        _escaped(content, _ESCAPES[char], mark)
        return
    cursor.pos += 2
    cursor.need(width)
    digits = cursor.text[cursor.pos : cursor.pos + width]
    if len(digits) < width or not _HEX_DIGITS.issuperset(digits):
        raise cursor.fail(start, "did not find expected hexdecimal number")
    value = int(digits, 16)
    if 0xD800 <= value <= 0xDFFF or value > 0x10FFFF:
        raise cursor.fail(start, "found invalid Unicode character escape code")
    cursor.pos += width
    _escaped(content, chr(value), mark)


def _escaped(content: _Content, text: str, mark: Mark) -> None:
    """An escape's character: only its beginning has a place in the file."""
    content.copied("", mark)
    content.made(text)


class _Gap:
    """What stands between two words of a scalar: blanks on one line, or line breaks that are folded."""

    __slots__ = ("_blanks", "_first_break", "_mark", "_more_breaks", "after_break")

    def __init__(self, cursor: Cursor, *, after_break: bool) -> None:
        self._mark = cursor.mark()
        self._blanks = ""
        self._first_break = ""
        self._more_breaks: list[str] = []
        self.after_break = after_break

    def read(self, cursor: Cursor, indent: int, start: Mark) -> None:
        """Passes the gap; a tab left of `indent` on a further line is refused."""
        while True:
            char = cursor.text[cursor.pos]
            if char in BREAKS:
                cursor.need(2)
                if self.after_break:
                    self._more_breaks.append(cursor.skip_break())
                else:
                    self._blanks = ""
                    self._first_break = cursor.skip_break()
                    self.after_break = True
                cursor.need(1)
            elif char in " \t":
                run = cursor.pass_over(BLANK_RUN)
                if not self.after_break:
                    self._blanks += run
                elif "\t" in run and cursor.column - len(run) + run.index("\t") < indent:
                    cursor.pos -= len(run) - run.index("\t")
                    raise cursor.fail(start, "found a tab character that violates indentation")
            else:
                return

    def write(self, content: _Content) -> None:
        """Adds what the gap becomes: one break is a space, further ones stay, U+2028 and U+2029 always stay."""
        if not self.after_break:
            if self._blanks:
                content.copied(self._blanks, self._mark)
        elif self._first_break == "\n":
            content.made("".join(self._more_breaks) or " ")
        else:
            content.made(self._first_break + "".join(self._more_breaks))


def scan_plain(cursor: Cursor, indent: int, *, in_flow: bool) -> tuple[Token, bool]:
    """A plain scalar whose further lines are indented by `indent`, and whether line breaks follow it."""
    start = end = cursor.mark()
    run_pattern = _PLAIN_FLOW if in_flow else _PLAIN_BLOCK
    content = _Content()
    gap: _Gap | None = None
    while True:
        cursor.need(4)
        if cursor.column == 0 and DOCUMENT_INDICATOR.match(cursor.text, cursor.pos):
            break
        if cursor.text[cursor.pos] == "#":
            break
        match = run_pattern.match(cursor.text, cursor.pos)
        if match is not None:
            if gap is not None:
                gap.write(content)
                gap = None
            content.copied(match.group(), cursor.mark())
            cursor.move(match.end(), 2)
            end = cursor.mark()
        if cursor.text[cursor.pos] not in BLANKZ or cursor.text[cursor.pos] == "\0":
            break
        cursor.need(1)
        if gap is None:
            gap = _Gap(cursor, after_break=False)
        gap.read(cursor, indent, start)
        if not in_flow and cursor.column < indent:
            break
    segments = tuple(content.segments)
    token = Token(TokenKind.SCALAR, start, end, content.text(), "", "plain", segments)
    return token, gap is not None and gap.after_break
