"""What is wrong with a text, where: a key and typed values that `report/` turns into a sentence of a language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong at a place of a text (1-based line and column, in code points).

    `key` names the messages `problem.<key>.what` (what is wrong with which value, what is allowed) and
    `problem.<key>.remedy` (what to do next); `values` fills their placeholders.
    """

    key: str
    line: int
    column: int
    values: Mapping[str, str | int]


class ProblemsError(ValueError):
    """A text that can't be used.

    `problems` holds what is wrong, in the order of the text, and `more` counts what stands after these.
    """

    def __init__(self, problems: tuple[Problem, ...], more: int = 0) -> None:
        super().__init__("; ".join(f"{p.line}:{p.column} {p.key} {dict(p.values)}" for p in problems))
        self.problems = problems
        self.more = more
