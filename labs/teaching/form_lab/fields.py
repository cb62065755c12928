"""The fields of a form lab: what a reader may set, with what it holds at first and within which bounds.

A field's value is a text, as a form has it. A `Group` holds items of equal fields; a form has its number of items under its
own id, and its fields under `<group>.<place>.<field>`, places from 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

ENTRY_LIMIT = 100  # characters
LINES_LIMIT = 20_000


class Measure(StrEnum):
    """What an entry is a text of.

    Amounts are microseconds, events per second, seconds per event, bytes, shares of 1, and the number itself.
    """

    DURATION = "duration"  # 88ms
    RATE = "rate"  # 11.3/s
    PACE = "pace"  # either of both: seconds of one, 88ms or 11.3/s
    MEMORY = "memory"  # 6GiB
    SHARE = "share"  # 0.44 or 44%
    COUNT = "count"  # 12
    NAME = "name"  # any text on one line


@dataclass(frozen=True, slots=True)
class When:
    """A field is shown only while another one, of the same item or of the whole form, has one of these values."""

    field: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some values. Their words: `form-lab.<lab>.option.<field>.<value>`, or what the lab's `name` says."""

    id: str
    options: tuple[str, ...]
    default: str
    further: bool = False
    when: When | None = None


@dataclass(frozen=True, slots=True)
class Slider:
    """A whole number within bounds. Its words: `form-lab.<lab>.output.<field>` with `{n}`, or else the number."""

    id: str
    minimum: int
    maximum: int
    default: int
    further: bool = False
    when: When | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A text on one line, of a measure, its amount within bounds (of the measure; None: none); empty where `optional`."""

    id: str
    measure: Measure
    default: str
    least: Fraction | None = None
    most: Fraction | None = None
    optional: bool = False
    further: bool = False
    when: When | None = None


@dataclass(frozen=True, slots=True)
class Switch:
    """On ("true") or off ("false")."""

    id: str
    default: bool = False
    further: bool = False
    when: When | None = None

    @property
    def text(self) -> str:
        """The default as a form has it."""
        return str(self.default).lower()


@dataclass(frozen=True, slots=True)
class Lines:
    """A text of several lines, such as a config."""

    id: str
    default: str = ""
    rows: int = 8
    further: bool = False
    when: When | None = None


Plain = Choice | Slider | Entry | Switch | Lines


@dataclass(frozen=True, slots=True)
class Group:
    """Items of the same fields, `least` to `most`; `default` has the values of each at first, over the fields' own."""

    id: str
    fields: tuple[Plain, ...]
    most: int
    least: int = 0
    default: tuple[Mapping[str, str], ...] = ({},)
    further: bool = False


Field = Plain | Group


def default_of(field: Plain) -> str:
    """What a field holds at first."""
    if isinstance(field, Switch):
        return field.text
    return str(field.default)
