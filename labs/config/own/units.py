"""Durations, memory quantities, rates and shares as people write them: the units of Go and Kubernetes.

Each function takes the text and returns an exact integer, a Fraction or None where the text is not of the
form.
"""

from __future__ import annotations

import re
from fractions import Fraction

_DURATION_PART = re.compile(r"([0-9]+(?:\.[0-9]+)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)")
_DURATION_US = {
    "ns": Fraction(1, 1000),
    "us": Fraction(1),
    "\u00b5s": Fraction(1),
    "\u03bcs": Fraction(1),
    "ms": Fraction(1000),
    "s": Fraction(1_000_000),
    "m": Fraction(60_000_000),
    "h": Fraction(3_600_000_000),
}
_QUANTITY = re.compile(r"([0-9]+(?:\.[0-9]+)?|\.[0-9]+) ?(?:([KMGTPE]i)B?|([kMGTPE])B?|B)?")
_BINARY = {unit: 1024**power for power, unit in enumerate(("Ki", "Mi", "Gi", "Ti", "Pi", "Ei"), start=1)}
_DECIMAL = {unit: 1000**power for power, unit in enumerate(("k", "M", "G", "T", "P", "E"), start=1)}
_RATE = re.compile(r"([0-9]+(?:\.[0-9]+)?|\.[0-9]+) ?/ ?(s|m|h|d)")
_RATE_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_SHARE = re.compile(r"([0-9]+(?:\.[0-9]+)?|\.[0-9]+)( ?%)?")
_CORES = re.compile(r"([0-9]+(?:\.[0-9]+)?|\.[0-9]+)(m?)")
_LONGEST = 40  # characters of any of these texts


def duration_us(text: str) -> int | None:
    """Microseconds of a Go duration (`1h30m`, `88ms`, `0`), rounded half to even."""
    if text == "0":
        return 0
    if not 0 < len(text) <= _LONGEST:
        return None
    parts = list(_DURATION_PART.finditer(text))
    if "".join(part.group() for part in parts) != text:
        return None
    return round(sum((Fraction(part[1]) * _DURATION_US[part[2]] for part in parts), Fraction(0)))


def quantity_bytes(text: str) -> int | None:
    """Bytes of a memory quantity: `6Gi`, `6GiB`, `1.5 GiB`, `500MB`, `1048576`; rounded up, as Kubernetes does."""
    match = _QUANTITY.fullmatch(text) if len(text) <= _LONGEST else None
    if match is None:
        return None
    factor = _BINARY[match[2]] if match[2] else _DECIMAL[match[3]] if match[3] else 1
    return _ceiling(Fraction(match[1]) * factor)


def rate_per_s(text: str) -> Fraction | None:
    """Events per second of `2/s`, `30/m`, `1.5/h`, `10/d`."""
    match = _RATE.fullmatch(text) if len(text) <= _LONGEST else None
    return None if match is None else Fraction(match[1]) / _RATE_SECONDS[match[2]]


def share(text: str) -> Fraction | None:
    """The fraction of `2%` or `0.02`."""
    match = _SHARE.fullmatch(text) if len(text) <= _LONGEST else None
    return None if match is None else Fraction(match[1]) / (100 if match[2] else 1)


def cores(text: str) -> Fraction | None:
    """The cores of `1.5` or `1500m`, as Kubernetes writes CPU."""
    match = _CORES.fullmatch(text) if len(text) <= _LONGEST else None
    return None if match is None else Fraction(match[1]) / (1000 if match[2] else 1)


def _ceiling(value: Fraction) -> int:
    return -(-value.numerator // value.denominator)
