"""A rollout that has run, to be looked at: what is counted at every time, and the fleet at any, which is made when asked for.

A run may have very many moments and very many nodes, so what is kept of it is bounded: the counts where they change, and
the fleets that were looked at last.
"""

from __future__ import annotations

import bisect
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter

from labs.cluster.daemonset import NOTHING, Status
from labs.simulation.outcome.rollout.metrics import slots_offered
from labs.simulation.outcome.rollout.moments import FleetReader, fleet_moments
from labs.simulation.outcome.rollout.snapshot import FleetSnapshot, is_done_line
from labs.simulation.scenario import Scenario
from labs.simulation.scenario.rollout import FIRST_REVISION, Action, Rollout, RolloutEvent
from labs.simulation.trace import (
    ActionHadNoEffect,
    Answer,
    DaemonPodDeleted,
    KubectlPrinted,
    RolloutEnded,
    RolloutLineChanged,
    RolloutRecord,
    SpecRefused,
    StatusChanged,
    TemplateChanged,
    Trace,
)
from labs.simulation.world.rollout import PERSON

STOPS_MOST = 2_000  # of moments, beside those at which something is done
WEIGHT_KEPT = 100_000  # of fleets that were looked at
WEIGHT_OF_NODE = 20  # a line of events weighs 1


@dataclass(frozen=True, slots=True)
class CountsFrom:
    """What is counted from `at_us` on, until the next change."""

    at_us: int
    status: Status
    revision: str
    is_done: bool


class FleetTimeline:
    """A run. `moments` are the times (µs, ascending from 0) after which the fleet differs.

    `stops` are those to go through one by one: all, or where there are very many an even sample of them, the moments of
    actions, and the last.
    """

    def __init__(self, rollout: Rollout, trace: Trace, scenario: Scenario | None = None) -> None:
        self._rollout, self._trace, self._scenario = rollout, trace, scenario
        self.moments: Sequence[int] = fleet_moments(rollout, trace)
        self.stops = _stops(self.moments, [event.at_us for event in rollout.events])
        self.counts = tuple(_counts(trace.rollout))
        self.is_settled = any(
            isinstance(record, RolloutEnded) and record.is_settled for record in trace.rollout[-1:]
        )
        self._answers = _answers(rollout, trace.rollout)
        self._deletions = _deletions(rollout, trace.rollout)
        self._reader = self._new_reader()
        self._seen: dict[int, FleetSnapshot] = {}  # by the time asked for, the last one last
        self._weight = 0
        self._slots: dict[int, int] = {}

    def _new_reader(self) -> FleetReader:
        return FleetReader(self._rollout, self._trace, self._scenario)

    @property
    def records(self) -> int:
        """How many records the run has."""
        return len(self._trace.rollout) + len(self._trace.records)

    def index(self, at_us: int) -> int:
        """The place in `moments` of the last one up to a time."""
        return max(0, bisect.bisect_right(self.moments, at_us) - 1)

    def stop_from(self, at_us: int, step: int) -> int:
        """The stop that is `step` further than a moment, or back; the first or the last where there is none."""
        place = (
            bisect.bisect_right(self.stops, at_us) - 1 if step > 0 else bisect.bisect_left(self.stops, at_us)
        )
        return self.stops[min(max(place + step, 0), len(self.stops) - 1)]

    def counts_at(self, at_us: int) -> CountsFrom:
        """What is counted right after everything up to and at a time."""
        return self.counts[max(0, bisect.bisect_right(self.counts, at_us, key=attrgetter("at_us")) - 1)]

    def counts_between(self, from_us: int, until_us: int) -> tuple[CountsFrom, ...]:
        """The counts that hold at `from_us`, and those after it and before `until_us`."""
        first = max(0, bisect.bisect_right(self.counts, from_us, key=attrgetter("at_us")) - 1)
        last = bisect.bisect_left(self.counts, until_us, key=attrgetter("at_us"))
        return self.counts[first : max(first + 1, last)]

    def at(self, at_us: int) -> FleetSnapshot:
        """The fleet right after everything that happened up to and at a time."""
        known = self._seen.pop(at_us, None)
        if known is not None:
            self._seen[at_us] = known
            return known
        if at_us < self._reader.at_us:
            self._reader = self._new_reader()
        fleet = self._seen[at_us] = self._reader.at(at_us)
        self._weight += _weight(fleet)
        while self._weight > WEIGHT_KEPT and len(self._seen) > 1:
            self._weight -= _weight(self._seen.pop(next(iter(self._seen))))
        return fleet

    def slots_at(self, at_us: int) -> int:
        """The slots that all nodes offer then."""
        if self._scenario is None:
            return 0
        if at_us not in self._slots:
            self._slots[at_us] = slots_offered(self.at(at_us))
        return self._slots[at_us]

    def answers_to(self, event: RolloutEvent) -> tuple[str, ...]:
        """What kubectl or the API server answered to an action, where they said something."""
        return self._answers.get(event.number or 0, ())

    def deleted_by(self, event: RolloutEvent) -> tuple[str, ...]:
        """The names of the Pods that somebody deleted on the event's nodes."""
        return tuple(
            record.pod
            for record in self._deletions.get(event.at_us, ())
            if event.all_nodes or record.node in event.nodes
        )


def _weight(fleet: FleetSnapshot) -> int:
    return WEIGHT_OF_NODE * len(fleet.nodes) + len(fleet.events)


def _counts(records: Sequence[RolloutRecord]) -> Iterator[CountsFrom]:
    """The counts where they change; of one time the last."""
    status, revision, is_done = NOTHING, FIRST_REVISION, False
    last: CountsFrom | None = None
    for place, record in enumerate(records):
        match record:
            case StatusChanged():
                status = record.status
            case TemplateChanged():
                revision = record.template
            case RolloutLineChanged():
                is_done = is_done_line(record.line)
        if place + 1 < len(records) and records[place + 1].at_us == record.at_us:
            continue
        counts = CountsFrom(record.at_us, status, revision, is_done)
        if last is None or (last.status, last.revision, last.is_done) != (status, revision, is_done):
            yield counts
            last = counts


def _stops(moments: Sequence[int], actions: Collection[int]) -> tuple[int, ...]:
    """All moments, or where there are very many an even sample, those of actions, and the last."""
    if len(moments) <= STOPS_MOST:
        return tuple(moments)
    every = -(-len(moments) // STOPS_MOST)
    done = frozenset(actions)
    last = len(moments) - 1
    return tuple(
        moment
        for place, moment in enumerate(moments)
        if place % every == 0 or place == last or moment in done
    )


def _deletions(rollout: Rollout, records: Sequence[RolloutRecord]) -> dict[int, list[DaemonPodDeleted]]:
    """The Pods that somebody deleted, by the time of an event."""
    times = {event.at_us for event in rollout.events}
    deletions: dict[int, list[DaemonPodDeleted]] = {}
    for record in records:
        if isinstance(record, DaemonPodDeleted) and record.by == PERSON and record.at_us in times:
            deletions.setdefault(record.at_us, []).append(record)
    return deletions


def _answers(rollout: Rollout, records: Sequence[RolloutRecord]) -> dict[int, tuple[str, ...]]:
    """What was answered to events, by their numbers. Of one time the answers stand in the order of the events."""
    by_time: dict[int, deque[Answer | ActionHadNoEffect]] = {}
    for record in records:
        if isinstance(record, Answer | ActionHadNoEffect):
            by_time.setdefault(record.at_us, deque()).append(record)
    answers: dict[int, tuple[str, ...]] = {}
    for number, event in enumerate(rollout.events):
        left = by_time.get(event.at_us, deque())
        own = [
            place
            for place, record in enumerate(left)
            if isinstance(record, ActionHadNoEffect) and record.event == number
        ]
        count = own[-1] + 1 if own else int(bool(left) and _answers_to(event, left[0]))
        taken = [left.popleft() for _ in range(count)]
        answers[number] = tuple(record.words for record in taken if isinstance(record, Answer))
    return answers


def _answers_to(event: RolloutEvent, record: RolloutRecord) -> bool:
    """Whether that is what is said to an event of which something came, or which the API server refuses."""
    if event.action is Action.PATCH:
        return isinstance(record, SpecRefused)
    return event.action is Action.UNDO and isinstance(record, KubectlPrinted)
