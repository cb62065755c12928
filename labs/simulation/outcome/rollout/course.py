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
from labs.simulation.scenario.rollout import FIRST_REVISION, Deed, Rollout, RolloutEvent
from labs.simulation.trace import SETTLED, RolloutHappening, RolloutRecord, Trace
from labs.simulation.world.rollout import PERSON

STOPS_MOST = 2_000  # of moments, beside those at which something is done
WEIGHT_KEPT = 100_000  # of fleets that were looked at
WEIGHT_OF_NODE = 20  # a line of events weighs 1
ANSWERS = (RolloutHappening.KUBECTL_PRINTED, RolloutHappening.SPEC_REFUSED)


@dataclass(frozen=True, slots=True)
class Beat:
    """What is counted from `at_us` on, until the next beat."""

    at_us: int
    status: Status
    revision: str
    is_done: bool


class FleetCourse:
    """A run. `moments` are the times (µs, ascending from 0) after which the fleet differs.

    `stops` are those to go through one by one: all, or of very many every so manieth, what is done and the last.
    """

    def __init__(self, rollout: Rollout, trace: Trace, scenario: Scenario | None = None) -> None:
        self._rollout, self._trace, self._scenario = rollout, trace, scenario
        self.moments: Sequence[int] = fleet_moments(rollout, trace)
        self.stops = _stops(self.moments, [event.at_us for event in rollout.events])
        self.beats = tuple(_beats(trace.rollout))
        self.is_settled = any(
            record.what is RolloutHappening.END and record.reason == SETTLED for record in trace.rollout[-1:]
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
        found = (
            bisect.bisect_right(self.stops, at_us) - 1 if step > 0 else bisect.bisect_left(self.stops, at_us)
        )
        return self.stops[min(max(found + step, 0), len(self.stops) - 1)]

    def beat(self, at_us: int) -> Beat:
        """What is counted right after everything up to and at a time."""
        return self.beats[max(0, bisect.bisect_right(self.beats, at_us, key=attrgetter("at_us")) - 1)]

    def beats_between(self, from_us: int, until_us: int) -> tuple[Beat, ...]:
        """The beat that counts at `from_us`, and those after it and before `until_us`."""
        first = max(0, bisect.bisect_right(self.beats, from_us, key=attrgetter("at_us")) - 1)
        last = bisect.bisect_left(self.beats, until_us, key=attrgetter("at_us"))
        return self.beats[first : max(first + 1, last)]

    def at(self, at_us: int) -> FleetSnapshot:
        """The fleet right after everything that happened up to and at a time."""
        known = self._seen.pop(at_us, None)
        if known is not None:
            self._seen[at_us] = known
            return known
        if at_us < self._reader.at_us:
            self._reader = self._new_reader()
        found = self._seen[at_us] = self._reader.at(at_us)
        self._weight += _weight(found)
        while self._weight > WEIGHT_KEPT and len(self._seen) > 1:
            self._weight -= _weight(self._seen.pop(next(iter(self._seen))))
        return found

    def slots_at(self, at_us: int) -> int:
        """The slots that all nodes offer then."""
        if self._scenario is None:
            return 0
        if at_us not in self._slots:
            self._slots[at_us] = slots_offered(self.at(at_us))
        return self._slots[at_us]

    def answers_to(self, event: RolloutEvent) -> tuple[str, ...]:
        """What kubectl or the API server answered to a deed, where they said something."""
        return self._answers.get(event.number or 0, ())

    def deleted_by(self, event: RolloutEvent) -> tuple[str, ...]:
        """The names of the Pods that somebody deleted on the event's nodes."""
        return tuple(
            record.pod or ""
            for record in self._deletions.get(event.at_us, ())
            if event.all_nodes or record.node in event.nodes
        )


def _weight(fleet: FleetSnapshot) -> int:
    return WEIGHT_OF_NODE * len(fleet.nodes) + len(fleet.events)


def _beats(records: Sequence[RolloutRecord]) -> Iterator[Beat]:
    """The counts where they change; of one time the last."""
    status, revision, is_done = NOTHING, FIRST_REVISION, False
    told: Beat | None = None
    for place, record in enumerate(records):
        if record.what is RolloutHappening.STATUS and record.counts is not None:
            status = Status(*record.counts[:6])
        elif record.what is RolloutHappening.TEMPLATE_CHANGED:
            revision = record.reason or ""
        elif record.what is RolloutHappening.ROLLOUT_STATUS:
            is_done = is_done_line(record.reason or "")
        if place + 1 < len(records) and records[place + 1].at_us == record.at_us:
            continue
        found = Beat(record.at_us, status, revision, is_done)
        if told is None or (told.status, told.revision, told.is_done) != (status, revision, is_done):
            yield found
            told = found


def _stops(moments: Sequence[int], deeds: Collection[int]) -> tuple[int, ...]:
    """Of many moments every so manieth, those of deeds, and the last."""
    if len(moments) <= STOPS_MOST:
        return tuple(moments)
    every = -(-len(moments) // STOPS_MOST)
    done = frozenset(deeds)
    last = len(moments) - 1
    return tuple(
        moment
        for place, moment in enumerate(moments)
        if place % every == 0 or place == last or moment in done
    )


def _deletions(rollout: Rollout, records: Sequence[RolloutRecord]) -> dict[int, list[RolloutRecord]]:
    """The Pods that somebody deleted, by the time of an event."""
    times = {event.at_us for event in rollout.events}
    found: dict[int, list[RolloutRecord]] = {}
    for record in records:
        by_person = record.what is RolloutHappening.POD_DELETED and record.reason == PERSON
        if by_person and record.at_us in times:
            found.setdefault(record.at_us, []).append(record)
    return found


def _answers(rollout: Rollout, records: Sequence[RolloutRecord]) -> dict[int, tuple[str, ...]]:
    """What was answered to events, by their numbers. Of one time the answers stand in the order of the events."""
    by_time: dict[int, deque[RolloutRecord]] = {}
    for record in records:
        if record.what in (*ANSWERS, RolloutHappening.IN_VAIN):
            by_time.setdefault(record.at_us, deque()).append(record)
    found: dict[int, tuple[str, ...]] = {}
    for number, event in enumerate(rollout.events):
        left = by_time.get(event.at_us, deque())
        told = [place for place, record in enumerate(left) if _is_in_vain(record, number)]
        count = told[-1] + 1 if told else int(bool(left) and _answers_to(event, left[0]))
        taken = [left.popleft() for _ in range(count)]
        found[number] = tuple(record.reason or "" for record in taken if record.what in ANSWERS)
    return found


def _is_in_vain(record: RolloutRecord, number: int) -> bool:
    return record.what is RolloutHappening.IN_VAIN and record.counts == (number,)


def _answers_to(event: RolloutEvent, record: RolloutRecord) -> bool:
    """Whether that is what is said to an event of which something came, or which the API server refuses."""
    if event.deed is Deed.PATCH:
        return record.what is RolloutHappening.SPEC_REFUSED
    return event.deed is Deed.UNDO and record.what is RolloutHappening.KUBECTL_PRINTED
