"""One workload in n equal copies on a card, under each way of sharing: the scenario of each, and what comes of it.

A scenario is written as a text, which a person can take along and run elsewhere with the same Trace; what comes of it is
kept by its text, so that going through the copies costs nothing twice.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import fsum

from labs.cluster.pod_phase import Phase
from labs.hardware.catalog import Catalog
from labs.simulation.copies_layout import CopiesLayout
from labs.simulation.evaluate import evaluate
from labs.simulation.outcome import Outcome, PodOutcome
from labs.simulation.outcome_of import outcome_of
from labs.simulation.run import run
from labs.simulation.scenario import Fault, FaultKind, Job, JobKind
from labs.simulation.workloads import Workloads

WAYS = ("exclusive", "time-slicing", "mps", "mig")
KEPT = 640  # outcomes, of 20 situations
WORK_US = 600_000_000  # that a training job has to do: ten minutes alone
ROUNDS = 12  # so many times longer than alone a training job may take
SERVICE_US, REQUESTS = 600_000_000, 1_000  # a service is watched for ten minutes, or so many requests
BLAST_US, BLAST_AT_US = 30_000_000, 20_000_000  # a fault, and the end of the run in which it happens
DAY_US = 86_400_000_000
SECOND_US = 1_000_000


@dataclass(frozen=True, slots=True)
class Situation:
    """A job (`use`: its name in the library, which then stands in the scenario), the card, what each copy holds in MiB, and
    whether MPS clients have the share of the threads that the device plugin gives them, or a memory limit only."""

    job: Job
    use: str | None
    card: str
    memory_mib: int
    capped: bool

    @property
    def iterations(self) -> int:
        """That a training job has to do; 0 for a service."""
        if self.job.kind is not JobKind.TRAINING:
            return 0
        return max(1, round(WORK_US / self.job.solo_time_us))

    @property
    def horizon_us(self) -> int:
        """How long a run is, in whole seconds."""
        if self.iterations:
            whole = ROUNDS * self.iterations * self.job.solo_time_us
        else:
            whole = max(SERVICE_US, REQUESTS * self.job.solo_time_us)
        return min(100 * DAY_US, -(-whole // SECOND_US) * SECOND_US)


@dataclass(frozen=True, slots=True)
class Came:
    """What came of some copies: how many work, wait for a card, or are out of memory, and by how they work

    `cycle_s` seconds per request or iteration of a copy, `done_s` seconds until the last training job was done, `per_s`
    requests or iterations of all together, `slowdown` against the card alone, `busy` the share of the time with a kernel on
    what they work on. None where nobody works, or is not done. `error`: why the node offers nothing.
    """

    trace_hash: str
    working: int
    waiting: int
    out_of_memory: int
    cycle_s: float | None
    done_s: float | None
    per_s: float
    slowdown: float | None
    busy: float
    error: str | None


def scenario_text(way: str, copies: int, situation: Situation, layout: CopiesLayout | None) -> str:
    """The scenario. Under exclusive use there is one card; MIG needs a layout."""
    mig = f", mig: [{', '.join(layout.devices)}]" if way == "mig" and layout is not None else ""
    lines = [
        "format: 1",
        "seed: 1",
        f"horizon: {situation.horizon_us // SECOND_US}s",
        "nodes:",
        "  - name: gpu-node-1",
        f"    gpus: {{model: {situation.card}, count: 1{mig}}}",
        *_config(way, copies, situation.capped),
        "workloads:",
        "  - name: copy",
        f"    count: {copies}",
        "    request: {nvidia.com/gpu: 1}",
        f"    memory: {situation.memory_mib}MiB",
        f"    job: {{{_job(situation)}}}",
        "    onOOM: catch",
    ]
    return "\n".join(lines) + "\n"


def _config(way: str, copies: int, capped: bool) -> list[str]:
    """The device plugin's own file, and what takes the place of the threads that it leaves an MPS client."""
    if way == "exclusive":
        return []
    begin = ["    config: |", "      version: v1"]
    if way == "mig":
        return [*begin, "      flags:", "        migStrategy: single"]
    threads = [] if way != "mps" or capped else ["    mps: {activeThreadPercentage: 100}"]
    return [
        *threads,
        *begin,
        "      sharing:",
        f"        {'mps' if way == 'mps' else 'timeSlicing'}:",
        "          failRequestsGreaterThanOne: true",
        "          resources:",
        "            - name: nvidia.com/gpu",
        f"              replicas: {max(2, copies)}",
    ]


def _job(situation: Situation) -> str:
    job = situation.job
    if situation.use is not None:
        parts = [f"use: {situation.use}"]
    else:
        solo = f"{job.solo_time_us}us"
        parts = [f"kind: {job.kind}", f"soloTime: {solo}", f"residency: {job.residency:g}"]
        parts += [f"demand: {job.demand:g}", f"overlap: {job.overlap:g}"]
    return ", ".join([*parts, *([f"iterations: {situation.iterations}"] if situation.iterations else [])])


class Copies:
    """Runs copies of workloads on the cards of a catalog, and keeps what came of them by their text."""

    def __init__(self, catalog: Catalog, workloads: Callable[[], Workloads]) -> None:
        self._catalog, self._workloads = catalog, workloads
        self._outcome = functools.lru_cache(maxsize=KEPT)(self._evaluated)
        self.of = functools.lru_cache(maxsize=KEPT)(self._came)
        self.hit = functools.lru_cache(maxsize=KEPT)(self._hit)

    def _evaluated(self, text: str) -> Outcome:
        return evaluate(text, self._catalog, workloads=self._workloads)

    def _came(self, text: str) -> Came:
        """What came of the copies in a scenario of `scenario_text`. Raises ProblemsError."""
        outcome = self._outcome(text)
        working = [pod for pod in outcome.pods if pod.oom == 0 and pod.throughput]
        done = outcome.metrics.get("completionSeconds")
        cycles = [1 / _throughput(pod) for pod in working]
        training = outcome.scenario.workloads[0].job.kind is JobKind.TRAINING
        if training and done:
            per_s = len(working) * outcome.scenario.workloads[0].job.iterations / done
        else:
            per_s = fsum(_throughput(pod) for pod in working)
        slowdowns = [pod.slowdown for pod in working if pod.slowdown is not None]
        return Came(
            trace_hash=outcome.trace_hash,
            working=len(working),
            waiting=sum(_waited(pod, training) for pod in outcome.pods),
            out_of_memory=sum(pod.oom > 0 for pod in outcome.pods),
            cycle_s=max(cycles, default=None),
            done_s=done,
            per_s=per_s,
            slowdown=max(slowdowns, default=None),
            busy=outcome.metrics.get("workingUtilization", 0.0),
            error=next((node.error for node in outcome.nodes if node.error is not None), None),
        )

    def _hit(self, text: str) -> int:
        """How many of the copies a fault of the first one's kernel hits. Raises ProblemsError."""
        scenario = replace(
            self._outcome(text).scenario,
            horizon_us=BLAST_US,
            faults=(Fault(BLAST_AT_US, FaultKind.ILLEGAL_ACCESS, pod="copy-0"),),
        )
        faults = outcome_of(scenario, run(scenario)).faults
        return len(faults[0].hit) if faults else 0


def _throughput(pod: PodOutcome) -> float:
    return pod.throughput or 0.0


def _waited(pod: PodOutcome, training: bool) -> bool:
    """Whether the Pod got no card at first; one that trains gets it when another is done."""
    return pod.phase is Phase.PENDING or (training and bool(pod.started_at))
