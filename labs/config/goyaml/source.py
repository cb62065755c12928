"""The text as go-yaml v2's reader hands it to its scanner, and the error it stops at (`readerc.go`).

The reader decodes 512 bytes at a time and checks each character, so an invalid byte late in a file is only noticed when
the scanner gets near it: a syntax error earlier in the file is reported first. `Source` keeps those chunk ends.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

CHUNK_BYTES = 512
BYTE_ORDER_MARK = "\ufeff"

_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Source:
    """`text` (with its byte order mark, if it had one), where each chunk ends in it, and the error behind the last.

    `error` is go-yaml's words, without `yaml: `; None where the whole input is readable. Then `text` is all of it;
    else `text` ends where the last readable chunk does.
    """

    text: str
    chunk_ends: tuple[int, ...]
    error: str | None

    @property
    def start(self) -> int:
        """Where the scanner begins: behind the byte order mark."""
        return 1 if self.text.startswith(BYTE_ORDER_MARK) else 0


def from_text(text: str) -> Source:
    """The source of a text that is already decoded; it is judged as its UTF-8 form would be."""
    if text.isascii() and _FORBIDDEN.search(text) is None:
        ends = (*range(CHUNK_BYTES, len(text), CHUNK_BYTES), len(text))
        return Source(text, ends, None)
    return from_bytes(text.encode("utf-8", "surrogatepass"))


def from_bytes(data: bytes) -> Source:
    """The source of raw bytes: UTF-8, or UTF-16 with a byte order mark."""
    if data.startswith(b"\xff\xfe"):
        return _decode(data, _Utf16("little"))
    if data.startswith(b"\xfe\xff"):
        return _decode(data, _Utf16("big"))
    return _decode(data, _Utf8())


class _Utf8:
    """Decodes a chunk of UTF-8; go-yaml names what is wrong with a sequence in its own words."""

    mark = b"\xef\xbb\xbf"

    def __call__(self, chunk: bytes, at_end: bool) -> tuple[str, int, str | None]:
        """The characters of a chunk, how many bytes they took, and the error that stopped it."""
        try:
            return chunk.decode("utf-8"), len(chunk), None
        except UnicodeDecodeError as error:
            good = chunk[: error.start].decode("utf-8")
            return good, error.start, self._problem(chunk[error.start :], at_end)

    @staticmethod
    def _problem(rest: bytes, at_end: bool) -> str | None:
        lead = rest[0]
        width = 2 if lead & 0xE0 == 0xC0 else 3 if lead & 0xF0 == 0xE0 else 4 if lead & 0xF8 == 0xF0 else 0
        if width == 0:
            return "invalid leading UTF-8 octet"
        if width > len(rest):
            return "incomplete UTF-8 octet sequence" if at_end else None
        value = lead & (0x7F >> width)
        for octet in rest[1:width]:
            if octet & 0xC0 != 0x80:
                return "invalid trailing UTF-8 octet"
            value = value << 6 | octet & 0x3F
        if value < {2: 0x80, 3: 0x800, 4: 0x10000}[width]:
            return "invalid length of a UTF-8 sequence"
        return "invalid Unicode character"


class _Utf16:
    """Decodes a chunk of UTF-16."""

    def __init__(self, order: str) -> None:
        self.codec = "utf-16-le" if order == "little" else "utf-16-be"
        self.mark = "\ufeff".encode(self.codec)

    def __call__(self, chunk: bytes, at_end: bool) -> tuple[str, int, str | None]:
        """The characters of a chunk, how many bytes they took, and the error that stopped it."""
        even = len(chunk) // 2 * 2
        text = chunk[:even].decode(self.codec, "surrogatepass")
        lone = _SURROGATE.search(text)
        if lone is None:
            odd = at_end and even != len(chunk)
            return text, even, "incomplete UTF-16 character" if odd else None
        good = text[: lone.start()]
        used = len(good.encode(self.codec))
        if lone.group() >= "\udc00":
            return good, used, "unexpected low surrogate area"
        if len(chunk) - used < 4:
            return good, used, "incomplete UTF-16 surrogate pair" if at_end else None
        return good, used, "expected low surrogate area"


def _decode(data: bytes, decode: _Utf8 | _Utf16) -> Source:
    parts: list[str] = []
    ends: list[int] = []
    length = offset = 0
    if data.startswith(decode.mark):
        parts.append(BYTE_ORDER_MARK)
        length, offset = 1, len(decode.mark)
    chunk_end = CHUNK_BYTES
    while offset < len(data):
        at_end = chunk_end >= len(data)
        part, used, problem = decode(data[offset:chunk_end], at_end)
        bad = _FORBIDDEN.search(part)
        if bad is not None:
            problem = "control characters are not allowed"
        if problem is not None and not problem.startswith("incomplete"):
            return Source("".join(parts), tuple(ends), problem)
        parts.append(part)
        length += len(part)
        ends.append(length)
        if problem is not None:
            return Source("".join(parts), tuple(ends), problem)
        offset += used
        chunk_end = offset + CHUNK_BYTES
    return Source("".join(parts), tuple(ends) or (length,), None)
