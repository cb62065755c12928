"""The PCI ids of a `device-filter` and which cards they match (mig-parted v0.15.0, `pkg/types/device.go`).

A filter is device and vendor in one number, `0x<DDDD><VVVV>`, and optionally `:0x<subdevice><subvendor>`. What cannot
be parsed is no error of the loader: it matches nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from labs.config.gojson import GoError
from labs.config.goyaml import quote

NVIDIA_VENDOR = 0x10DE

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_UNDERSCORES = re.compile("(?:0[xXbBoO]_?|0_?)?[0-9a-fA-F]+(?:_[0-9a-fA-F]+)*", re.ASCII)
_MAX = (1 << 32) - 1


@dataclass(frozen=True, slots=True)
class DeviceId:
    """A card's PCI ids, each of 16 bits: device and vendor, and those of its board where they are known or asked for."""

    device: int
    vendor: int = NVIDIA_VENDOR
    subsystem: tuple[int, int] | None = None

    def accepts(self, card: DeviceId) -> bool:
        """Whether this, as a filter, matches a card."""
        if (self.device, self.vendor) != (card.device, card.vendor):
            return False
        return self.subsystem is None or self.subsystem == (card.subsystem or (0, 0))


def parse_device_id(text: str) -> DeviceId:
    """The ids of one filter; raises `GoError` in mig-parted's words."""
    parts = text.split(":")
    if len(parts) > 2:
        raise GoError(
            f"invalid DeviceID format '{text}': expected '<devicevendor>' or '<devicevendor>:<subdevicevendor>'"
        )
    try:
        numbers = [_parse_uint32(part) for part in parts]
    except GoError as error:
        raise GoError(f"unable to create DeviceID from string '{text}': {error}") from None
    subsystem = (numbers[1] >> 16, numbers[1] & 0xFFFF) if len(numbers) == 2 else None
    return DeviceId(numbers[0] >> 16, numbers[0] & 0xFFFF, subsystem)


def _parse_uint32(text: str) -> int:
    """`strconv.ParseUint(text, 0, 32)`: the base by prefix, the first thing wrong from the left."""
    digits, base = text, 10
    if text.startswith("0"):
        prefix = text[1:2].lower()
        if len(text) >= 3 and prefix in ("x", "b", "o"):
            digits, base = text[2:], {"x": 16, "b": 2, "o": 8}[prefix]
        else:
            digits, base = text[1:], 8
    if text == "":
        raise GoError(_number_error(text, "invalid syntax"))
    value = 0
    for char in digits:
        if char == "_":
            continue
        digit = _DIGITS.find(char.lower()) if char.isascii() else -1
        if not 0 <= digit < base:
            raise GoError(_number_error(text, "invalid syntax"))
        value = value * base + digit
        if value > _MAX:
            raise GoError(_number_error(text, "value out of range"))
    if "_" in text and _UNDERSCORES.fullmatch(text) is None:
        raise GoError(_number_error(text, "invalid syntax"))
    return value


def _number_error(text: str, why: str) -> str:
    return f"strconv.ParseUint: parsing {quote(text)}: {why}"
