"""Scanning what stands before a node: directives, tags, anchors and aliases (`scannerc.go`)."""

from __future__ import annotations

import re

from labs.config.goyaml.cursor import ALPHA_RUN, BLANK_RUN, BLANKZ, Cursor
from labs.config.goyaml.tokens import Mark, Token, TokenKind

_URI = re.compile(r"[0-9A-Za-z_;/?:@&=+$,.!~*'()\[\]-]*")
_HEX_PAIR = re.compile("%([0-9A-Fa-f]{2})")


def scan_directive(cursor: Cursor) -> Token:
    """A `%YAML` or `%TAG` line."""
    start = cursor.mark()
    cursor.pos += 1
    cursor.need(1)
    name = cursor.pass_over(ALPHA_RUN)
    if not name:
        raise cursor.fail(start, "could not find expected directive name")
    if cursor.text[cursor.pos] not in BLANKZ:
        raise cursor.fail(start, "found unexpected non-alphabetical character")
    if name == "YAML":
        kind = TokenKind.VERSION_DIRECTIVE
        value, suffix = _scan_version(cursor, start)
    elif name == "TAG":
        kind = TokenKind.TAG_DIRECTIVE
        value, suffix = _scan_tag_directive(cursor, start)
    else:
        raise cursor.fail(start, "found unknown directive name")
    end = cursor.mark()
    cursor.need(1)
    cursor.to_line_end(start)
    return Token(kind, start, end, value, suffix)


def _scan_version(cursor: Cursor, start: Mark) -> tuple[str, str]:
    cursor.need(1)
    cursor.pass_over(BLANK_RUN)
    major = _scan_version_number(cursor, start)
    if cursor.text[cursor.pos] != ".":
        raise cursor.fail(start, "did not find expected digit or '.' character")
    cursor.pos += 1
    return major, _scan_version_number(cursor, start)


def _scan_version_number(cursor: Cursor, start: Mark) -> str:
    cursor.need(1)
    first = cursor.pos
    while "0" <= cursor.text[cursor.pos] <= "9":
        if cursor.pos - first >= 2:
            raise cursor.fail(start, "found extremely long version number")
        cursor.pos += 1
        cursor.need(1)
    if cursor.pos == first:
        raise cursor.fail(start, "did not find expected version number")
    return str(int(cursor.text[first : cursor.pos]))


def _scan_tag_directive(cursor: Cursor, start: Mark) -> tuple[str, str]:
    cursor.need(1)
    cursor.pass_over(BLANK_RUN)
    handle = _scan_tag_handle(cursor, start, directive=True)
    cursor.need(1)
    if cursor.text[cursor.pos] not in " \t":
        raise cursor.fail(start, "did not find expected whitespace")
    cursor.pass_over(BLANK_RUN)
    prefix = _scan_tag_uri(cursor, "", start)
    cursor.need(1)
    if cursor.text[cursor.pos] not in BLANKZ:
        raise cursor.fail(start, "did not find expected whitespace or line break")
    return handle, prefix


def scan_tag(cursor: Cursor) -> Token:
    """A tag: `!<uri>`, `!handle!suffix` or `!suffix`."""
    start = cursor.mark()
    cursor.need(2)
    if cursor.text[cursor.pos + 1] == "<":
        handle = ""
        cursor.pos += 2
        suffix = _scan_tag_uri(cursor, "", start)
        if cursor.text[cursor.pos] != ">":
            raise cursor.fail(start, "did not find the expected '>'")
        cursor.pos += 1
    else:
        handle = _scan_tag_handle(cursor, start, directive=False)
        if len(handle) > 1 and handle.endswith("!"):
            suffix = _scan_tag_uri(cursor, "", start)
        else:
            suffix = _scan_tag_uri(cursor, handle, start)
            handle = "!"
            if not suffix:
                handle, suffix = "", "!"
    cursor.need(1)
    if cursor.text[cursor.pos] not in BLANKZ:
        raise cursor.fail(start, "did not find expected whitespace or line break")
    return Token(TokenKind.TAG, start, cursor.mark(), handle, suffix)


def _scan_tag_handle(cursor: Cursor, start: Mark, *, directive: bool) -> str:
    cursor.need(1)
    if cursor.text[cursor.pos] != "!":
        raise cursor.fail(start, "did not find expected '!'")
    cursor.pos += 1
    cursor.need(1)
    handle = "!" + cursor.pass_over(ALPHA_RUN)
    if cursor.text[cursor.pos] == "!":
        cursor.pos += 1
        return handle + "!"
    if directive and handle != "!":
        raise cursor.fail(start, "did not find expected '!'")
    return handle


def _scan_tag_uri(cursor: Cursor, head: str, start: Mark) -> str:
    """The rest of a tag; `head` is the handle that turned out to be its beginning."""
    cursor.need(1)
    octets = bytearray(head[1:].encode())
    has_octets = bool(head)
    while True:
        run = cursor.pass_over(_URI)
        octets += run.encode()
        has_octets = has_octets or bool(run)
        if cursor.text[cursor.pos] != "%":
            break
        octets += _scan_uri_escape(cursor, start)
        has_octets = True
        cursor.need(1)
    if not has_octets:
        raise cursor.fail(start, "did not find expected tag URI")
    return octets.decode("utf-8", "replace")


def _scan_uri_escape(cursor: Cursor, start: Mark) -> bytes:
    octets = bytearray()
    width = 1
    while len(octets) < width:
        cursor.need(3)
        match = _HEX_PAIR.match(cursor.text, cursor.pos)
        if match is None:
            raise cursor.fail(start, "did not find URI escaped octet")
        octet = int(match[1], 16)
        if not octets:
            width = _utf8_width(octet)
            if width == 0:
                raise cursor.fail(start, "found an incorrect leading UTF-8 octet")
        elif octet & 0xC0 != 0x80:
            raise cursor.fail(start, "found an incorrect trailing UTF-8 octet")
        octets.append(octet)
        cursor.pos += 3
    return bytes(octets)


def scan_anchor(cursor: Cursor, kind: TokenKind) -> Token:
    """An anchor or an alias, by `kind`."""
    start = cursor.mark()
    cursor.pos += 1
    cursor.need(1)
    name = cursor.pass_over(ALPHA_RUN)
    following = cursor.text[cursor.pos]
    if not name or not (following in BLANKZ or following in "?:,]}%@`"):
        raise cursor.fail(start, "did not find expected alphabetic or numeric character")
    return Token(kind, start, cursor.mark(), name)


def _utf8_width(octet: int) -> int:
    if octet < 0x80:
        return 1
    return 2 if octet & 0xE0 == 0xC0 else 3 if octet & 0xF0 == 0xE0 else 4 if octet & 0xF8 == 0xF0 else 0
