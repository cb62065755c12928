"""Notes on the events of a rollout of which nothing came: those after its end, and those that its Trace tells of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from labs.simulation.notes import Note, Subject
from labs.simulation.rollout import InVain, Rollout, RolloutEvent
from labs.simulation.rollout_trace import RolloutHappening, RolloutRecord


def event_notes(rollout: Rollout, records: Iterable[RolloutRecord]) -> tuple[Note, ...]:
    """Those of a rollout's events, in the order of time."""
    found = [
        _note(rollout, event, InVain.LATE) for event in rollout.events if event.at_us > rollout.last_event_us
    ]
    for record in records:
        if record.what is RolloutHappening.IN_VAIN and record.counts is not None:
            event = rollout.events[record.counts[0]]
            found.append(_note(rollout, event, InVain(record.reason or ""), record.node))
    return tuple(sorted(found, key=lambda note: (note.at_us, note.line, note.column)))


def is_in_vain(event: RolloutEvent, notes: Sequence[Note]) -> bool:
    """Whether nothing at all came of an event, on none of its nodes."""
    told = [note for note in notes if note.event is event]
    nodes = {note.node for note in told}
    return bool(told) and (None in nodes or nodes.issuperset(event.nodes))


def _note(rollout: Rollout, event: RolloutEvent, why: InVain, node: str | None = None) -> Note:
    place = (event.line, event.column)
    return Note(Subject.EVENT, why, *place, event.at_us, rollout.until_us, node=node, event=event)
