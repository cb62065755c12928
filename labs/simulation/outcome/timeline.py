"""A run over time: what every Pod did when, and how busy every card was, a pure function of a scenario and its Trace.

Nothing is rounded or thinned here: the stretches of a Pod follow each other without gaps from its creation to its end,
and the steps of a lane add up to the utilization of the outcome.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from labs.hardware.units import PPM
from labs.simulation.laws import shared_rates, works
from labs.simulation.outcome.moment import BEING_DELETED, PodReplay, PodState, Replay
from labs.simulation.scenario import FaultKind, Job, JobKind, Scenario
from labs.simulation.trace import AllocationFailed, CardBusy, CudaRefused, FaultHit, PodRecord, Record, Trace

LEFT = (*BEING_DELETED, PodState.GONE)
ENDED = (PodState.SUCCEEDED, PodState.FAILED, PodState.REFUSED, *LEFT)
MARKS: dict[type[Record], str] = {
    AllocationFailed: "oom",
    FaultHit: "fault",
    CudaRefused: "no-context",
}


@dataclass(frozen=True, slots=True)
class Stretch:
    """From `start_us` to `end_us` a Pod is in one state and goes at one pace.

    `pace_ppm`: parts per million of its speed alone on a whole card; for a service whose requests come at a rate of
    their own, of its latency alone in its latency now (the share of requests that it answers, where its queue grows). None
    while a Pod has nothing to compute. `device` is the first that it has: its node and the number there; None before it
    has one.
    """

    start_us: int
    end_us: int
    state: PodState
    pace_ppm: int | None
    device: tuple[str, int] | None

    @property
    def works(self) -> bool:
        """Whether a job is at work."""
        return self.state is PodState.RUNNING and bool(self.pace_ppm)


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that happened to a Pod at a moment: "oom", "fault" or "no-context" (CUDA gave it none)."""

    at_us: int
    kind: str


@dataclass(frozen=True, slots=True)
class Row:
    """A Pod over time.

    `end` is what became of it, None where it is still there when the run ends; one that nobody hears of ends when it was
    deleted, with TERMINATING.
    """

    pod: str
    workload: str
    stretches: tuple[Stretch, ...]
    marks: tuple[Mark, ...]
    end: PodState | None
    end_us: int


@dataclass(frozen=True, slots=True)
class Lane:
    """A card, or a MIG device of one, over time.

    From each of `steps` on (µs, ascending) a kernel runs on it for so many parts per million of the time. `gpu` is the
    card's number on its node, `number` the device's, `ordinal` what a person calls it.
    """

    node: str
    number: int
    ordinal: int
    gpu: int
    mig: str | None
    mechanism: str
    steps: tuple[tuple[int, int], ...]
    since_us: int
    until_us: int

    def busy_us(self) -> float:
        """Microseconds with a kernel on it."""
        ends = [*(at for at, _ in self.steps[1:]), self.until_us]
        total = sum(rate * (end - at) for (at, rate), end in zip(self.steps, ends, strict=True))
        return total / PPM


@dataclass(frozen=True, slots=True)
class Timeline:
    """The whole run: a row for each Pod, in the order of the scenario, a lane for each card, the faults (µs, kind)."""

    end_us: int
    rows: tuple[Row, ...]
    lanes: tuple[Lane, ...]
    faults: tuple[tuple[int, FaultKind], ...]


@dataclass(slots=True)
class _Open:
    """A row that is being written."""

    since_us: int
    state: PodState = PodState.PENDING
    pace_ppm: int | None = None
    device: tuple[str, int] | None = None
    stretches: list[Stretch] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)

    def turn_to(
        self, at_us: int, state: PodState, pace_ppm: int | None, device: tuple[str, int] | None
    ) -> None:
        """From `at_us` on the Pod is so; nothing lasts no time."""
        if (state, pace_ppm, device) == (self.state, self.pace_ppm, self.device):
            return
        self.close(at_us)
        self.state, self.pace_ppm, self.device = state, pace_ppm, device

    def close(self, at_us: int) -> None:
        """What it was so far ends; an ended Pod has no more stretches."""
        if at_us > self.since_us and self.state not in ENDED:
            self.stretches.append(Stretch(self.since_us, at_us, self.state, self.pace_ppm, self.device))
        self.since_us = at_us


def timeline(scenario: Scenario, trace: Trace) -> Timeline:
    """The run that wrote `trace`, over time."""
    replay = Replay(scenario)
    rows: dict[str, _Open] = {}
    steps: dict[tuple[str, int], list[tuple[int, int]]] = {}
    alone = {work.job: _latency_alone(work.job) for work in scenario.workloads}
    for record in trace.records:
        replay.see(record)
        if isinstance(record, CardBusy):
            _step(steps.setdefault((record.node, record.gpu), []), record)
        if not isinstance(record, PodRecord):
            continue
        row = rows.setdefault(record.pod, _Open(record.at_us))
        mark = MARKS.get(type(record))
        if mark is not None:
            row.marks.append(Mark(record.at_us, mark))
        pod = replay.pods[record.pod]
        device = (pod.node, pod.gpus[0]) if pod.node is not None and pod.gpus else None
        row.turn_to(record.at_us, pod.state, _pace(pod, alone), device)
    end_us = replay.now_us
    for row in rows.values():
        row.close(end_us)
    order = [pod.name for pod in replay.pods_in_order()]
    return Timeline(
        end_us,
        tuple(_row(replay.pods[name], rows[name], end_us) for name in order),
        tuple(_lanes(replay, steps, end_us)),
        tuple((fault.record.at_us, fault.record.fault) for fault in replay.faults),
    )


def _step(steps: list[tuple[int, int]], record: CardBusy) -> None:
    """A card's share of time with a kernel, from now on; of several at one moment the last counts."""
    if steps and steps[-1][0] == record.at_us:
        steps.pop()
    if not steps or steps[-1][1] != record.busy_ppm:
        steps.append((record.at_us, record.busy_ppm))


def _lanes(
    replay: Replay, steps: Mapping[tuple[str, int], list[tuple[int, int]]], end_us: int
) -> Iterable[Lane]:
    """The cards that were there, with what is known from the start on: nobody has work."""
    for key, card in replay.cards.items():
        if card.since_us is None:
            continue
        device, busy = replay.devices[key], steps.get(key, [])
        until_us = end_us if card.until_us is None else card.until_us
        busy = [step for step in busy if step[0] < until_us or step[0] == card.since_us]
        if not busy or busy[0][0] > card.since_us:
            busy = [(card.since_us, 0), *busy]
        profile = None if device.mig is None else device.mig.profile
        node, number = key
        yield Lane(
            node,
            number,
            replay.scenario.number_in_layout(node, number),
            device.gpu,
            profile,
            card.mechanism,
            tuple(busy),
            card.since_us,
            until_us,
        )


def _row(pod: PodReplay, row: _Open, end_us: int) -> Row:
    ended = None if pod.state not in ENDED else PodState.TERMINATING if pod.state in LEFT else pod.state
    done_us = pod.finished_us if pod.left_us is None else pod.left_us
    return Row(
        pod.name,
        pod.workload.name,
        tuple(row.stretches),
        tuple(row.marks),
        ended,
        end_us if ended is None or done_us is None else done_us,
    )


def _pace(pod: PodReplay, alone: Mapping[Job, int | None]) -> int | None:
    job = pod.workload.job
    if not works(job) or (job.kind is JobKind.IDLE and not pod.speed.rate):
        return None
    if job.rate_per_s is None or not pod.latency_us or not pod.speed.rate:
        return pod.speed.rate
    solo = alone[job]
    return pod.speed.rate if solo is None else min(PPM, round(PPM * solo / pod.latency_us))


def _latency_alone(job: Job) -> int | None:
    """Microseconds that a request takes in the mean with a card to itself."""
    return shared_rates((job,), 0.0).jobs[0].latency_us if job.kind is JobKind.SERVICE else None
