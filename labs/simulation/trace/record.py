"""What every record of a Trace is: a moment, a kind, fields of its own, and a row in which these stand in fixed columns."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import Any, ClassVar

Cell = int | str | tuple[int, ...] | None


def columns(names: tuple[str, ...], **fields: str) -> attrgetter[Any]:
    """What reads a record's row: time, kind, and for each column of `names` the field that fills it, if one does."""
    return attrgetter("at_us", "kind", *(fields.get(name, "nothing") for name in names))


@dataclass(frozen=True, slots=True)
class AnyRecord:
    """One thing that happened, `at_us` microseconds after the start.

    `kind` names it in its row, `names` are the columns of rows after time and kind, `row` reads them.
    """

    kind: ClassVar[str]
    names: ClassVar[tuple[str, ...]]
    row: ClassVar[attrgetter[Any]]
    nothing: ClassVar[None] = None  # in a column that does not apply

    at_us: int

    def to_row(self) -> tuple[Cell, ...]:
        """The record as a row of JSON: time, kind, columns."""
        row: tuple[Cell, ...] = self.row(self)
        return row

    def cells(self) -> dict[str, Cell]:
        """By name what its columns hold, those left out that do not apply."""
        columns = zip(self.names, self.to_row()[2:], strict=True)
        return {name: cell for name, cell in columns if cell is not None}


class Record(AnyRecord):
    """A record of the workloads and their nodes."""

    __slots__ = ()
    names = ("pod", "node", "gpu", "slot", "value", "reason")


class RolloutRecord(AnyRecord):
    """A record of the rollout beside them: of the DaemonSet, its Pods, and what people do."""

    __slots__ = ()
    names = ("node", "pod", "reason", "counts")


def run_row(**fields: str) -> attrgetter[Any]:
    """What reads the row of a `Record`."""
    return columns(Record.names, **fields)


def rollout_row(**fields: str) -> attrgetter[Any]:
    """What reads the row of a `RolloutRecord`."""
    return columns(RolloutRecord.names, **fields)
