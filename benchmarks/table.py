"""Figures as a table for people and as JSON for whoever draws them."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field

Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class Table:
    """A title, columns with a unit in each heading, rows of the same length, and what must be known to read them."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, object]:
        """The table as JSON, its figures unrounded."""
        return {
            "title": self.title,
            "columns": list(self.columns),
            "rows": [list(row) for row in self.rows],
            "notes": list(self.notes),
        }

    def to_text(self) -> str:
        """The table as text: words to the left, figures to the right, notes below."""
        cells = [tuple(shown(cell) for cell in row) for row in self.rows]
        widths = [max(map(len, column)) for column in zip(self.columns, *cells, strict=True)]
        lines = [
            self.title,
            "",
            _line(self.columns, widths),
            _line(["-" * width for width in widths], widths),
        ]
        lines += [_line(row, widths) for row in cells]
        return "\n".join([*lines, "", *self.notes]).rstrip() + "\n"


@dataclass(frozen=True, slots=True)
class Result:
    """What a part of the benchmarks measured: tables, and the single measurements behind their medians by name."""

    tables: tuple[Table, ...]
    samples: dict[str, list[float]] = field(default_factory=dict)

    def to_json(self) -> dict[str, object]:
        """Both, as JSON."""
        return {"tables": [table.to_json() for table in self.tables], "samples": self.samples}


def shown(cell: Cell) -> str:
    """A cell as people read it: three digits that count, thousands apart; nothing known is a dash."""
    if cell is None:
        return "–"
    if isinstance(cell, float):
        return f"{cell:,.0f}" if abs(cell) >= 100 else f"{cell:.3g}"
    return f"{cell:,}" if isinstance(cell, int) else cell


def median(values: Sequence[float]) -> float:
    """The median; not a number where nothing was measured."""
    return statistics.median(values) if values else float("nan")


def percentile(values: Sequence[float], percent: int) -> float:
    """The smallest measured value that `percent` of all do not exceed."""
    ordered = sorted(values)
    return ordered[max(-(-len(ordered) * percent // 100) - 1, 0)]


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = zip(cells, widths, strict=True)
    return "  ".join([first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in rest)]).rstrip()
