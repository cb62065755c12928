"""A lab as data: a scenario, the form fields that stand for places in its text, and presets of their values.

The scenario's text is the single state of a lab. A control shows and rewrites one scalar of it (comments and
layout stay), so the form, the YAML and a file for the terminal can never say different things.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from labs.report.result import Picture

INTO_TEXT = "|"  # a path step: from a block scalar into the YAML document that it holds


class ControlKind(StrEnum):
    """How a control is shown and what its scalar looks like in the YAML."""

    CHOICE = "choice"  # one of `options`
    INTEGER = "integer"  # a slider with whole numbers
    QUANTITY = "quantity"  # a slider with a number and a unit: 38 -> 38GiB
    RATE = "rate"  # a slider with a number of events a second: 2 -> 2/s
    SWITCH = "switch"  # true or false


@dataclass(frozen=True, slots=True)
class Control:
    """A form field bound to the scalar at `path` (keys, list indexes, INTO_TEXT).

    The YAML's value is the shown value minus `offset`: "Pods" may stand for "the big one and `count`
    others". Its label is the message `lab.<lab>.control.<id>`.
    """

    id: str
    kind: ControlKind
    path: tuple[str | int, ...]
    minimum: int = 0
    maximum: int = 0
    step: int = 1
    offset: int = 0
    unit: str = ""
    options: tuple[str, ...] = ()
    further: bool = False  # folded away: not what the lab is about


@dataclass(frozen=True, slots=True)
class Preset:
    """Named values for some controls, over the lab's own text or over `scenario`, a text of the preset's own.

    Its label is the message `lab.<lab>.preset.<id>`. `expect` is what the scenario expects then, as YAML of one
    line: each situation makes its own claim. A text of its own may have places that the lab's has not (a sharing
    block): the controls of these are out of use until the preset is chosen.
    """

    id: str
    values: Mapping[str, int | str | bool]
    expect: str | None = None
    scenario: str | None = None


@dataclass(frozen=True, slots=True)
class Lab:
    """A lab over the text of a scenario; its words are the messages `lab.<id>.title`, `.caption`, `.try`.

    `scenario` is the YAML text as a reader first sees it, `picture` what its result is shown with.
    """

    id: str
    scenario: str
    controls: tuple[Control, ...]
    presets: tuple[Preset, ...]
    picture: Picture = Picture.CARDS
