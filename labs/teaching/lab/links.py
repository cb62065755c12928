"""Links to a lab as a reader left it: a fragment of named parts, `lab=<id>&v=1&<name>=<value>…`, and back.

What the parts say is each kind's own. A link comes from anybody: its size is bounded before and while it is unpacked.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from labs.report.writing import Messages

VERSION = 1
FRAGMENT_LIMIT = 8_192  # characters: what mail programs, chats and browsers pass on whole
TEXT_LIMIT = 100_000  # bytes of a text, unpacked
_PARTS = re.compile(r"([A-Za-z0-9._-]+)=([A-Za-z0-9._-]*)")
_VERSION = re.compile(r"[1-9][0-9]{0,8}")
_RAW_DEFLATE = -15  # window bits: without zlib's header and checksum


class LinkProblem(StrEnum):
    """Why a link can't be made or opened; the words are the message `share.<problem>`."""

    BROKEN = "broken"  # not what a lab's link looks like, or cut off
    TOO_LONG = "too-long"  # longer than FRAGMENT_LIMIT, or than TEXT_LIMIT once unpacked
    NEWER = "newer"  # made by a later version of this format
    OTHER_LAB = "other-lab"  # of a lab that is not the one asked for
    TOO_MUCH = "too-much"  # the text does not fit in a link


class LinkError(ValueError):
    """A link that can't be made or opened, for the reason `problem`."""

    def __init__(self, problem: LinkProblem) -> None:
        super().__init__(problem.value)
        self.problem = problem


def fragment_of(lab_id: str, parts: Mapping[str, str]) -> str:
    """The fragment (without #) of these parts, which are packed or plain already. Raises LinkError (TOO_MUCH)."""
    fragment = "&".join(f"{name}={value}" for name, value in {"lab": lab_id, "v": VERSION, **parts}.items())
    if len(fragment) > FRAGMENT_LIMIT:
        raise LinkError(LinkProblem.TOO_MUCH)
    return fragment


def link_parts(lab_id: str, fragment: str) -> dict[str, str]:
    """What a fragment says about the lab of that id, by name. Raises LinkError for one of another version or lab."""
    if len(fragment) > FRAGMENT_LIMIT:
        raise LinkError(LinkProblem.TOO_LONG)
    parts: dict[str, str] = {}
    for part in fragment.split("&"):
        match = _PARTS.fullmatch(part)
        if match is None or match[1] in parts:
            raise LinkError(LinkProblem.BROKEN)
        parts[match[1]] = match[2]
    named, version = parts.pop("lab", ""), parts.pop("v", "")
    if _VERSION.fullmatch(version) and int(version) > VERSION:
        raise LinkError(LinkProblem.NEWER)
    if version != str(VERSION):
        raise LinkError(LinkProblem.BROKEN)
    if named != lab_id:
        raise LinkError(LinkProblem.OTHER_LAB)
    return parts


def packed_text(text: str) -> str:
    """A text of at most TEXT_LIMIT bytes for a fragment. Raises LinkError (TOO_MUCH)."""
    try:
        data = text.encode()
    except UnicodeEncodeError:  # half of a pair, which no file can hold either
        raise LinkError(LinkProblem.TOO_MUCH) from None
    if len(data) > TEXT_LIMIT:
        raise LinkError(LinkProblem.TOO_MUCH)
    return packed(data)


def packed(data: bytes) -> str:
    """Bytes for a fragment: deflated, base64url without padding."""
    packer = zlib.compressobj(9, zlib.DEFLATED, _RAW_DEFLATE)
    return base64.urlsafe_b64encode(packer.compress(data) + packer.flush()).rstrip(b"=").decode()


def unpacked(value: str) -> str:
    """The text of a fragment's part. Raises LinkError.

    Never more than TEXT_LIMIT bytes are unpacked of what claims to be one.
    """
    unpacker = zlib.decompressobj(_RAW_DEFLATE)
    try:
        data = unpacker.decompress(
            base64.b64decode(value + "=" * (-len(value) % 4), altchars=b"-_", validate=True), TEXT_LIMIT + 1
        )
        if len(data) > TEXT_LIMIT:
            raise LinkError(LinkProblem.TOO_LONG)
        text = data.decode()
    except (binascii.Error, zlib.error, UnicodeDecodeError):
        raise LinkError(LinkProblem.BROKEN) from None
    if not unpacker.eof or unpacker.unused_data:
        raise LinkError(LinkProblem.BROKEN)
    return text


def link_answer(link: Callable[[], str], words: str, messages: Messages) -> dict[str, Any]:
    """The answer to who asks for a link: the link, or why there is none, by the message `<words>.<problem>`."""
    try:
        return {"ok": True, "link": link()}
    except LinkError as error:
        return {"ok": False, "link": None, "notice": messages.text(f"{words}.{error.problem}")}
