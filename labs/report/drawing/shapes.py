"""The scene: a picture as plain geometry, before anyone decides how it is written down.

Units are those of the picture's view box; y grows downwards. A shape names classes, never colours: what a class looks
like is the style sheet's business (`labs/web/css/labs.css`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Pattern(StrEnum):
    """A filling that tells a mechanism or an outcome without colour."""

    TIME_SLICING = "ts"
    MPS = "mps"
    MIG = "mig"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle; `pattern` fills it instead of its class. `label` is what a pointer over it is told."""

    x: float
    y: float
    width: float
    height: float
    css: str
    radius: float = 0.0
    pattern: Pattern | None = None
    label: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    css: str
    dash: str = ""


@dataclass(frozen=True, slots=True)
class Path:
    """Outlines in SVG's path language, with absolute or relative commands: any number of equal things in one shape."""

    d: str
    css: str


class Anchor(StrEnum):
    """Which point of a text lies at its x."""

    START = "start"
    MIDDLE = "middle"
    END = "end"


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text; y is its baseline."""

    x: float
    y: float
    text: str
    size: float
    css: str = "gl-ink"
    anchor: Anchor = Anchor.START
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Shapes that belong together. Those of one kind and look are written with what they share told once.

    `node` names the node that they show, for a pointer to choose it.
    """

    shapes: tuple[Shape, ...]
    css: str = ""
    node: str = ""


Shape = Rect | Line | Path | Text | Group


@dataclass(frozen=True, slots=True)
class Placed:
    """Shapes that stand in a picture already, and the height that they take from where they were put."""

    shapes: tuple[Shape, ...]
    height: float


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture with its alternative in words: `title` names it, `description` says what it shows."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    title: str
    description: str

    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns in use, in the order of the enumeration."""
        used = _patterns_of(self.shapes)
        return tuple(pattern for pattern in Pattern if pattern in used)


def _patterns_of(shapes: tuple[Shape, ...]) -> set[Pattern]:
    used: set[Pattern] = set()
    for shape in shapes:
        if isinstance(shape, Group):
            used |= _patterns_of(shape.shapes)
        elif isinstance(shape, Rect) and shape.pattern is not None:
            used.add(shape.pattern)
    return used
