"""The name of a MIG profile as mig-parted reads it: `1g.5gb`, `1c.3g.20gb`, `1g.5gb+me`, `1g.24gb-me`.

Only the form is judged; whether a card has the profile is asked when a config is applied. Source: NVIDIA/go-nvlib,
`pkg/nvlib/device/mig_profile.go` as mig-parted v0.15.0 vendors it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from labs.config.gojson import GoError

GO_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""What `unicode.IsSpace` takes for white space, so that `strings.TrimSpace` trims it."""

_ATOI = re.compile("[+-]?[0-9]+", re.ASCII)
_ATTRIBUTE = re.compile("[A-Za-z0-9.]*", re.ASCII)
_INT64 = 1 << 63


@dataclass(frozen=True, slots=True)
class ProfileName:
    """A profile's name taken apart: compute slices of the compute instance and of the GPU instance, GB, attributes.

    `attributes` are sorted; `without` tells the `-me` of a profile that lacks them from the `+me` of one that has.
    """

    compute_instance_slices: int
    compute_slices: int
    memory_gb: int
    attributes: tuple[str, ...] = ()
    without: bool = False

    @property
    def gpu_instance(self) -> ProfileName:
        """The profile of the GPU instance that a compute instance of this profile lives in."""
        return ProfileName(
            self.compute_slices, self.compute_slices, self.memory_gb, self.attributes, self.without
        )

    def __str__(self) -> str:
        """The name as NVIDIA's tools spell it; mig-parted compares configs by this spelling."""
        own = self.compute_instance_slices
        part = "" if own == self.compute_slices else f"{own}c."
        suffix = ("-" if self.without else "+") + ",".join(self.attributes) if self.attributes else ""
        return f"{part}{self.compute_slices}g.{self.memory_gb}gb{suffix}"


def parse_profile(text: str) -> ProfileName:
    """The name taken apart; raises `GoError` in the loader's words."""
    if text == "":
        raise GoError("profile is the empty string")
    if "+" in text and "-" in text:
        raise GoError(f"profile '{text}' contains both '+/-' attributes")
    without = "-" in text
    fields, sign, attributes = text.partition("-" if without else "+")
    try:
        numbers = _fields(fields)
    except GoError as error:
        raise GoError(f"cannot parse fields of '{text}': {error}") from None
    if not sign:
        return ProfileName(*numbers)
    try:
        return ProfileName(*numbers, _attributes(attributes), without)
    except GoError as error:
        raise GoError(f"cannot parse attributes of '{text}': {error}") from None


def _fields(text: str) -> tuple[int, int, int]:
    parts = text.split(".", 2)
    if len(parts) == 3:
        return _field(parts[0], "c"), _field(parts[1], "g"), _field(parts[2], "gb")
    if len(parts) == 2:
        slices = _field(parts[0], "g")
        return slices, slices, _field(parts[1], "gb")
    raise GoError("parsed wrong number of fields, expected 2 or 3")


def _field(text: str, unit: str) -> int:
    if text.strip(GO_SPACE) != text:
        raise GoError(f"leading or trailing spaces on '%d{unit}'")
    if not text.endswith(unit):
        raise GoError(f"missing '{unit}' from '%d{unit}'")
    digits = text.removesuffix(unit)
    significant = digits.lstrip("+-").lstrip("0")
    if _ATOI.fullmatch(digits) is None or len(significant) > 19:
        raise GoError(f"malformed number in '%d{unit}'")
    value = int(digits)
    if not -_INT64 <= value < _INT64:
        raise GoError(f"malformed number in '%d{unit}'")
    return value


def _attributes(text: str) -> tuple[str, ...]:
    seen: set[str] = set()
    for attribute in text.split(","):
        problem = _attribute_problem(attribute, seen)
        if problem is not None:
            raise GoError(problem)
        seen.add(attribute)
    return tuple(sorted(seen))


def _attribute_problem(attribute: str, seen: set[str]) -> str | None:
    if attribute in seen:
        return "non unique attribute in list"
    if attribute == "":
        return "empty attribute in list"
    if attribute.strip(GO_SPACE) != attribute:
        return "leading or trailing spaces in attribute"
    if "0" <= attribute[0] <= "9":
        return "attribute begins with a number"
    if attribute.startswith(".") or attribute.endswith("."):
        return "attribute begins/ends with a dot"
    if _ATTRIBUTE.fullmatch(attribute) is None:
        return "non alpha-numeric character or digit in attribute"
    return None
