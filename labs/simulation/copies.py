"""One workload in n equal copies on a card, under each way of sharing: what comes of it.

What comes of it is kept, so that going through the copies costs nothing twice.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from math import fsum

from labs.cluster.pod_phase import Phase
from labs.hardware.catalog import Catalog
from labs.simulation.copies_scenario import Side
from labs.simulation.evaluate import trace_of
from labs.simulation.outcome import PodOutcome
from labs.simulation.outcome_of import outcome_of
from labs.simulation.run import run
from labs.simulation.scenario import Fault, FaultKind, JobKind

KEPT = 640  # of each, of 20 situations
BLAST_US, BLAST_AT_US = 30_000_000, 20_000_000  # a fault, and the end of the run in which it happens


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


class Copies:
    """Runs copies of workloads on the cards of a catalog, and keeps what came of them."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self.of = functools.lru_cache(maxsize=KEPT)(self._came)
        self.hit = functools.lru_cache(maxsize=KEPT)(self._hit)

    def _came(self, side: Side) -> Came:
        """What came of the copies. Raises ProblemsError."""
        scenario = side.scenario(self._catalog)
        outcome = outcome_of(scenario, trace_of(scenario))
        working = [pod for pod in outcome.pods if pod.oom == 0 and pod.throughput]
        done = outcome.metrics.get("completionSeconds")
        cycles = [1 / _throughput(pod) for pod in working]
        training = scenario.workloads[0].job.kind is JobKind.TRAINING
        if training and done:
            per_s = len(working) * scenario.workloads[0].job.iterations / done
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

    def _hit(self, side: Side) -> int:
        """How many of the copies a fault of the first one's kernel hits. Raises ProblemsError."""
        scenario = replace(
            side.scenario(self._catalog),
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
