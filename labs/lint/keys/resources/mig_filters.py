"""What a device filter of a wrong form was probably meant to say."""

from __future__ import annotations

import re
from dataclasses import dataclass

from labs.hardware.catalog import Catalog

_VENDOR = "10DE"
_PAIR = re.compile(r"(?:0x)?([0-9a-f]{4})[:/ -]?(?:0x)?([0-9a-f]{4})", re.IGNORECASE | re.ASCII)
_DEVICE = re.compile(r"(?:0x)?([0-9a-f]{4})", re.IGNORECASE | re.ASCII)
_SEPARATOR = re.compile(r"[\s,;|]+")
_LONGEST = 400
_MOST_IDS = 8


@dataclass(frozen=True, slots=True)
class Meant:
    """The right filters, where they can be told, and the form that was written.

    `form`: `swapped`, `bare` (no `0x`), `spaces`, `device`, `several` (in one string), `model`, or `""` for
    anything else. `certain`: the text says nothing but these ids.
    """

    form: str
    ids: tuple[str, ...] = ()
    certain: bool = False


def meant(text: str, catalog: Catalog) -> Meant:
    """What this filter was meant to say."""
    stripped = text.strip()[:_LONGEST]
    if stripped != text and _full(stripped):
        return Meant("spaces", (stripped,), certain=True)
    text = stripped
    single = _single(text, catalog)
    if single is not None:
        return single
    parts = [part for part in _SEPARATOR.split(text.strip("[]")) if part]
    whole = [_full(part.strip("\"'")) or _id(_single(part.strip("\"'"), catalog)) for part in parts]
    if len(parts) > 1 and all(whole):
        return Meant(
            "several", tuple(dict.fromkeys(filter_text for filter_text in whole if filter_text)), certain=True
        )
    ids = _of_model(text, catalog)
    return Meant("model", ids) if ids else Meant("")


def _single(text: str, catalog: Catalog) -> Meant | None:
    pair = _PAIR.fullmatch(text)
    if pair is not None:
        first, second = pair[1].upper(), pair[2].upper()
        if second == _VENDOR:
            return Meant("bare", (f"0x{first}{second}",), certain=True)
        if first == _VENDOR:
            return Meant("swapped", (f"0x{second}{first}",), certain=True)
        return None
    device = _DEVICE.fullmatch(text)
    known = {pci.device_id.upper() for model in catalog.models for pci in model.pci}
    if device is not None and f"0X{device[1].upper()}" in known:
        return Meant("device", (f"0x{device[1].upper()}{_VENDOR}",), certain=True)
    return None


def _full(text: str) -> str | None:
    """The text, if it is a right filter of NVIDIA's cards."""
    return text if re.fullmatch(r"0[xX][0-9a-fA-F]{4}10[dD][eE]", text) else None


def _id(meaning: Meant | None) -> str | None:
    return None if meaning is None else meaning.ids[0]


def _of_model(text: str, catalog: Catalog) -> tuple[str, ...]:
    """The filters of all boards of the models that a name may mean."""
    if len(text) < 2 or not re.search("[A-Za-z]", text):
        return ()
    filters = [
        f"{pci.device_id}{_VENDOR}"
        for gpu_id in catalog.suggest(text[:80])
        for pci in catalog.get(gpu_id).pci
    ]
    return tuple(dict.fromkeys(filters))[:_MOST_IDS]
