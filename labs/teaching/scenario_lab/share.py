"""A lab as a reader left it, as a link's fragment and back: `lab=<id>&v=1` and what differs from the lab's own text.

    lab=slots-and-memory&v=1&set.big=6&set.replicas=4     controls of the lab's own text
    lab=slots-and-memory&v=1&preset=two&set.replicas=4    controls of a preset's text
    lab=slots-and-memory&v=1&text=q1YqLU4t…               the text itself: deflated, base64url without padding

A link comes from anybody: its size is bounded before and while it is unpacked, a value counts only where its control
takes it unchanged, and what comes out is the text of a scenario, which is read like any other.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Iterator, Mapping
from enum import StrEnum

from labs.teaching.scenario_lab.controls import UnknownControlError, control_values, preset_text, with_change
from labs.teaching.scenario_lab.lab import ControlKind, Lab

VERSION = 1
FRAGMENT_LIMIT = 8_192  # characters: what mail programs, chats and browsers pass on whole
TEXT_LIMIT = 100_000  # bytes of a text, unpacked
_PARTS = re.compile(r"([A-Za-z0-9._-]+)=([A-Za-z0-9._-]*)")
_PLAIN = re.compile(r"[A-Za-z0-9._-]+")
_VERSION = re.compile(r"[1-9][0-9]{0,8}")
_RAW_DEFLATE = -15  # window bits: without zlib's header and checksum
_SET = "set."


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


def link_fragment(lab: Lab, text: str) -> str:
    """The fragment (without #) that shows `text` in the lab. Raises LinkError (TOO_MUCH)."""
    head = f"lab={lab.id}&v={VERSION}"
    for preset, base in _bases(lab):
        settings = _settings(lab, base, text)
        if settings is not None:
            chosen = {"preset": preset} if preset else {}
            return "&".join([head, *(f"{key}={value}" for key, value in {**chosen, **settings}.items())])
    try:
        data = text.encode()
    except UnicodeEncodeError:  # half of a pair, which no file can hold either
        raise LinkError(LinkProblem.TOO_MUCH) from None
    fragment = f"{head}&text={packed(data)}"
    if len(data) > TEXT_LIMIT or len(fragment) > FRAGMENT_LIMIT:
        raise LinkError(LinkProblem.TOO_MUCH)
    return fragment


def text_of_link(lab: Lab, fragment: str) -> str:
    """The text that a fragment (without #) shows in the lab. Raises LinkError for whatever is no such fragment."""
    parts = link_parts(lab.id, fragment)
    if "text" in parts:
        given = parts.pop("text")
        if parts:
            raise LinkError(LinkProblem.BROKEN)
        return unpacked(given)
    return _with_settings(lab, parts)


def link_parts(lab_id: str, fragment: str) -> dict[str, str]:
    """What a fragment says about the lab of that id, by name. Raises LinkError for one of another version or lab."""
    if len(fragment) > FRAGMENT_LIMIT:
        raise LinkError(LinkProblem.TOO_LONG)
    parts = _parts(fragment)
    named, version = parts.pop("lab", ""), parts.pop("v", "")
    if _VERSION.fullmatch(version) and int(version) > VERSION:
        raise LinkError(LinkProblem.NEWER)
    if version != str(VERSION):
        raise LinkError(LinkProblem.BROKEN)
    if named != lab_id:
        raise LinkError(LinkProblem.OTHER_LAB)
    return parts


def _bases(lab: Lab) -> Iterator[tuple[str, str]]:
    """The texts that settings may be told over, by preset; the lab's own has none."""
    if lab.scenario:
        yield "", lab.scenario
    for preset in lab.presets:
        if _PLAIN.fullmatch(preset.id):
            yield preset.id, preset_text(lab, preset.id)


def _settings(lab: Lab, base: str, text: str) -> dict[str, str] | None:
    """The controls that make `text` of `base`, as parts of a link; None where controls alone do not."""
    if base == text:
        return {}
    before = {shown.id: shown for shown in control_values(lab, base)}
    settings: dict[str, str] = {}
    for shown in control_values(lab, text):
        if shown.value == before[shown.id].value:
            continue
        if not (shown.found and _PLAIN.fullmatch(shown.id) and _PLAIN.fullmatch(shown.value)):
            return None
        settings[_SET + shown.id] = shown.value
        base = with_change(lab, base, shown.id, shown.value)
    return settings if base == text else None


def _with_settings(lab: Lab, parts: Mapping[str, str]) -> str:
    settings = dict(parts)
    preset = settings.pop("preset", None)
    try:
        text = lab.scenario if preset is None else preset_text(lab, preset)
        for part, value in settings.items():
            if not part.startswith(_SET):
                raise LinkError(LinkProblem.BROKEN)
            text = _with_setting(lab, text, part.removeprefix(_SET), value)
    except UnknownControlError:
        raise LinkError(LinkProblem.BROKEN) from None
    if not text:
        raise LinkError(LinkProblem.BROKEN)  # a lab that is only a text has no settings
    return text


def _with_setting(lab: Lab, text: str, control_id: str, value: str) -> str:
    """`text` with the control at exactly that value."""
    control = next((control for control in lab.controls if control.id == control_id), None)
    is_switch = control is not None and control.kind is ControlKind.SWITCH
    changed = with_change(lab, text, control_id, value == "true" if is_switch else value)
    shown = next(shown for shown in control_values(lab, changed) if shown.id == control_id)
    if shown.value != value:
        raise LinkError(LinkProblem.BROKEN)
    return changed


def _parts(fragment: str) -> dict[str, str]:
    """The parts of a fragment by name. Raises LinkError."""
    parts: dict[str, str] = {}
    for part in fragment.split("&"):
        found = _PARTS.fullmatch(part)
        if found is None or found[1] in parts:
            raise LinkError(LinkProblem.BROKEN)
        parts[found[1]] = found[2]
    return parts


def packed(data: bytes) -> str:
    """A text for a fragment."""
    packer = zlib.compressobj(9, zlib.DEFLATED, _RAW_DEFLATE)
    return base64.urlsafe_b64encode(packer.compress(data) + packer.flush()).rstrip(b"=").decode()


def unpacked(given: str) -> str:
    """The text of a fragment; never more than TEXT_LIMIT bytes are unpacked of what claims to be one."""
    unpacker = zlib.decompressobj(_RAW_DEFLATE)
    try:
        data = unpacker.decompress(
            base64.b64decode(given + "=" * (-len(given) % 4), altchars=b"-_", validate=True), TEXT_LIMIT + 1
        )
        if len(data) > TEXT_LIMIT:
            raise LinkError(LinkProblem.TOO_LONG)
        text = data.decode()
    except (binascii.Error, zlib.error, UnicodeDecodeError):
        raise LinkError(LinkProblem.BROKEN) from None
    if not unpacker.eof or unpacker.unused_data:
        raise LinkError(LinkProblem.BROKEN)
    return text
