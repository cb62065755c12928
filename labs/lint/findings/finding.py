"""Findings: what a rule says about a place, with typed values and at most one fix. Words are `report`'s."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from labs.config.editing import Edit
from labs.config.goyaml import Span

Argument = str | int


class Severity(StrEnum):
    """How bad it is: the node loses its GPUs or Pods never run; it works differently than meant; a hint."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits of the finding's own file, in order and apart from each other.

    A safe fix leaves what the file does as it is, or makes a refused file mean the one thing that it can have meant.
    """

    safe: bool
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that belongs to a finding.

    `note` names the sentence: `rule.<code>.<note>`, filled from the finding's arguments.
    """

    path: str
    span: Span
    note: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule found.

    `span` is a place in the file `path`. The words are the messages `rule.<code>.message` and `rule.<code>.help`, or
    those of a `variant`: `message-<variant>` and, where there is one, `help-<variant>`; each uses those of `arguments`
    that it wants. `document` is the place of its document in the subject. `scenario` is a rollout that shows what is
    found, for the lab of rollouts; empty where there is none.
    """

    code: str
    slug: str
    severity: Severity
    path: str
    span: Span
    arguments: tuple[tuple[str, Argument], ...] = ()
    variant: str = ""
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    document: int = -1
    scenario: str = ""

    @property
    def sort_key(self) -> tuple[int, int, str, int]:
        """Order within a file: by place, then by code."""
        return self.span.start.line, self.span.start.column, self.code, self.span.end_offset
