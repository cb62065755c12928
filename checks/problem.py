"""What a check reports."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """Something to put right: where (`path` from the root, `line` from 1, 0 for a whole file), what, how."""

    path: str
    line: int
    message: str
    remedy: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.message}\n    {self.remedy}"
