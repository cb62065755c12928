"""What was done to a cluster while a rollout ran: when, by which commands, what came of it, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from labs.report.fleet.commands import commands_of
from labs.report.notes import action_key, note_reason, what_text
from labs.report.writing import Messages
from labs.simulation.outcome.rollout import CountsFrom, FleetTimeline, had_no_effect
from labs.simulation.scenario import Note
from labs.simulation.scenario.rollout import Rollout, RolloutEvent


@dataclass(frozen=True, slots=True)
class DoneAction:
    """An action in words: `what` was done, `effect` (what came of it before the next), `why`.

    `commands` and `said` are English and may be empty.
    """

    at_us: int
    what: str
    commands: tuple[str, ...]
    said: str
    effect: str
    why: str


@dataclass(frozen=True, slots=True)
class _Span:
    """What was counted before an action (None: it comes first) and from it to the next, or to the end, which is not in it."""

    before: CountsFrom | None
    after: Sequence[CountsFrom]
    from_us: int
    until_us: int


def done_actions(
    rollout: Rollout, course: FleetTimeline, notes: Sequence[Note], messages: Messages
) -> tuple[DoneAction, ...]:
    """The actions of a run in the order of time; `notes` tell of which of them nothing came."""
    actions = []
    for place, event in enumerate(rollout.events):
        effects = list(_no_effects(event, notes, messages))
        if not had_no_effect(event, notes):
            effects += _effects(_span(rollout, place, course), course, messages)
        actions.append(
            DoneAction(
                event.at_us,
                what_text(event, messages),
                commands_of(rollout, event, course.deleted_by(event)),
                "\n".join(course.answers_to(event)),
                messages.text("list.sentences").join(effects),
                _why(event, messages),
            )
        )
    return tuple(actions)


def _span(rollout: Rollout, place: int, course: FleetTimeline) -> _Span:
    """What was counted before an event, and until something is done at a later time."""
    at_us = rollout.events[place].at_us
    end_us = rollout.until_us + 1
    later_us = next((event.at_us for event in rollout.events[place + 1 :] if event.at_us > at_us), end_us)
    until_us = max(at_us + 1, min(later_us, end_us))
    before = course.counts_at(at_us - 1) if at_us else None
    return _Span(before, course.counts_between(at_us, until_us), at_us, until_us)


def _why(event: RolloutEvent, messages: Messages) -> str:
    return messages.text(f"fleet.deed.{action_key(event)}.why")


def _no_effects(event: RolloutEvent, notes: Sequence[Note], messages: Messages) -> Iterator[str]:
    """Why nothing came of it, once for all nodes on which that is so for the same reason."""
    reasons = [note_reason(note, messages) for note in notes if note.event is event]
    for reason, remedy in dict.fromkeys(reasons):
        yield from (reason, remedy)


def _effects(span: _Span, course: FleetTimeline, messages: Messages) -> Iterator[str]:
    """What came of it: Pods of the DaemonSet, and slots where nodes have cards."""
    yield _effect(span, messages)
    if span.before is None:
        return
    before, after = course.slots_at(span.from_us - 1), course.slots_at(span.until_us - 1)
    if before != after:
        yield messages.text("fleet.effect.slots", before=before, after=after)


def _effect(span: _Span, messages: Messages) -> str:
    """What came of it, in numbers."""
    before, last = span.before, span.after[-1]
    done = next((counted for counted in span.after if counted.is_done), None)
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
        took = messages.duration(max(0, done.at_us - span.from_us))
        return messages.pick("fleet.effect.done", {**values, "took": took})
    if before is not None and before.status == last.status and before.revision == last.revision:
        return messages.pick("fleet.effect.nothing", values)
    if before is not None:
        return messages.pick("fleet.effect.changed", values)
    return messages.pick("fleet.effect.came-to", values)
