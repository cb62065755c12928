"""What was done to a cluster while a rollout ran: when, by which command, what came of it, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from labs.report.fleet_deed_words import command_of, deed_key, what_text
from labs.report.messages import Messages
from labs.report.note_words import note_reason
from labs.simulation.notes import Note
from labs.simulation.rollout import Rollout, RolloutEvent
from labs.simulation.rollout_metrics import slots_offered
from labs.simulation.rollout_notes import is_in_vain
from labs.simulation.rollout_snapshot import FleetSnapshot

SAID = ("kubectl-printed", "spec-refused")  # reasons of events that hold what was answered to a deed


@dataclass(frozen=True, slots=True)
class DoneDeed:
    """A deed in words: ``what`` was done, ``effect`` (what came of it before the next), ``why``; ``command`` and ``said`` are
    English and may be empty."""

    at_us: int
    what: str
    command: str
    said: str
    effect: str
    why: str


def done_deeds(
    rollout: Rollout,
    moments: Sequence[int],
    snapshots: Sequence[FleetSnapshot],
    notes: Sequence[Note],
    messages: Messages,
) -> tuple[DoneDeed, ...]:
    """The deeds of a run in the order of time; `notes` tell of which of them nothing came."""
    told = []
    for place, event in enumerate(rollout.events):
        later = rollout.events[place + 1].at_us if place + 1 < len(rollout.events) else None
        before = [found for at, found in zip(moments, snapshots, strict=True) if at < event.at_us]
        after = [
            found
            for at, found in zip(moments, snapshots, strict=True)
            if at >= event.at_us and (later is None or at < later)
        ]
        told.append(
            DoneDeed(
                event.at_us,
                what_text(event, messages),
                command_of(rollout, event),
                _said(event, after),
                messages.text("list.sentences").join(
                    [
                        *_in_vain(event, notes, messages),
                        *(
                            ()
                            if is_in_vain(event, notes)
                            else _effects(event, before[-1] if before else None, after, messages)
                        ),
                    ]
                ),
                _why(event, messages),
            )
        )
    return tuple(told)


def _why(event: RolloutEvent, messages: Messages) -> str:
    return messages.text(f"fleet.deed.{deed_key(event)}.why")


def _said(event: RolloutEvent, after: Sequence[FleetSnapshot]) -> str:
    """What kubectl answered."""
    events = after[0].events if after else ()
    return "\n".join(found.message for found in events if found.at_us == event.at_us and found.reason in SAID)


def _in_vain(event: RolloutEvent, notes: Sequence[Note], messages: Messages) -> Iterator[str]:
    """Why nothing came of it, once for all nodes on which that is so for the same reason."""
    found = [note_reason(note, messages) for note in notes if note.event is event]
    for reason, remedy in dict.fromkeys(found):
        yield from (reason, remedy)


def _effects(
    event: RolloutEvent, before: FleetSnapshot | None, after: Sequence[FleetSnapshot], messages: Messages
) -> Iterator[str]:
    """What came of it: Pods of the DaemonSet, and slots where nodes have cards."""
    yield _effect(event, before, after, messages)
    slots = [slots_offered(found) for found in (before, after[-1] if after else None) if found is not None]
    if len(slots) == 2 and slots[0] != slots[1]:
        yield messages.text("fleet.effect.slots", before=slots[0], after=slots[1])


def _effect(
    event: RolloutEvent, before: FleetSnapshot | None, after: Sequence[FleetSnapshot], messages: Messages
) -> str:
    """What came of it, in numbers."""
    if not after:
        return messages.text("fleet.effect.unshown")
    last = after[-1]
    done = next((found for found in after if found.is_done), None)
    values: dict[str, str | int] = {
        "updated": last.status.updated,
        "desired": last.status.desired,
        "available": last.status.available,
    }
    if before is not None:
        values |= {"before": before.status.updated}
        if before.is_done and last.is_done and before.status == last.status:
            return messages.text("fleet.effect.stays-done")
    if last.is_done and done is not None:
        took = messages.duration(done.at_us - event.at_us)
        return messages.pick("fleet.effect.done", {**values, "took": took})
    if before is not None and before.status == last.status and before.revision == last.revision:
        return messages.pick("fleet.effect.nothing", values)
    if before is not None:
        return messages.pick("fleet.effect.changed", values)
    return messages.pick("fleet.effect.came-to", values)
