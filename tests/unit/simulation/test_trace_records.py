"""The record classes of a Trace: each has a kind of its own, and a row of the fields that it has."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields

import pytest

from labs.cluster.daemonset import Status
from labs.simulation import trace
from labs.simulation.scenario.rollout import NoEffect
from labs.simulation.trace import (
    ActionHadNoEffect,
    AnyRecord,
    ContainerStarted,
    MigModeSwitched,
    Record,
    RolloutEnded,
    RolloutRecord,
    StatusChanged,
    StrategyChanged,
)

KINDS = [
    record
    for record in vars(trace).values()
    if isinstance(record, type) and issubclass(record, AnyRecord) and hasattr(record, "kind")
]
COMPUTED = {ActionHadNoEffect, MigModeSwitched, RolloutEnded, StatusChanged, StrategyChanged}


def sources(record: type[AnyRecord]) -> tuple[str, ...]:
    """The names of what fills the columns of the record's row."""
    return tuple(record.row.__reduce__()[1])


@pytest.mark.parametrize("record", KINDS)
def test_a_row_reads_only_what_the_record_has(record: type[AnyRecord]) -> None:
    assert len(sources(record)) == 2 + len(record.names)
    assert [name for name in sources(record) if not hasattr(record, name)] == []


@pytest.mark.parametrize("record", [record for record in KINDS if record not in COMPUTED])
def test_every_field_stands_in_the_row(record: type[AnyRecord]) -> None:
    assert [field.name for field in fields(record) if field.name not in sources(record)] == []


@pytest.mark.parametrize(
    ("record", "row"),
    [
        (MigModeSwitched(5, "n", True, "no-reset"), [5, "mig-mode", None, "n", None, None, 1, "no-reset"]),
        (StrategyChanged(5, "maxSurge 1", 3), [5, "strategy-changed", None, None, "maxSurge 1", (3,)]),
        (
            ActionHadNoEffect(5, "n", NoEffect.UNCHANGED, 3),
            [5, "in-vain", "n", None, "unchanged", (3,)],
        ),
        (
            StatusChanged(5, Status(6, 5, 1, 4, 3, 2)),
            [5, "status", None, None, None, (6, 5, 1, 4, 3, 2, 4)],
        ),
        (RolloutEnded(5, True), [5, "end", None, None, "settled", None]),
        (RolloutEnded(5, False), [5, "end", None, None, None, None]),
    ],
)
def test_a_row_may_hold_what_is_worked_out_of_the_fields(record: AnyRecord, row: list[object]) -> None:
    assert list(record.to_row()) == row


@pytest.mark.parametrize("family", [Record, RolloutRecord])
def test_no_two_records_of_a_family_have_one_kind(family: type[AnyRecord]) -> None:
    counts = Counter(record.kind for record in KINDS if issubclass(record, family))
    assert len(counts) > 25
    assert [kind for kind, count in counts.items() if count > 1] == []


def test_cells_are_the_columns_that_apply_by_name() -> None:
    assert ContainerStarted(5, "p-0", "n", 2).cells() == {"pod": "p-0", "node": "n", "value": 2}
