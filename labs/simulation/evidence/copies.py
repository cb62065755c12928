"""One workload in n equal copies on a card, under each way of sharing: what comes of it.

What comes of it is kept, so that going through the copies costs nothing twice, and another amount of memory nothing as long
as it fits. The hash of a Trace takes a run of its own, since the Trace tells every byte.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from math import fsum

from labs.cluster.pod_phase import Phase
from labs.hardware.catalog import CONTEXT_MEMORY_BYTES, Catalog
from labs.hardware.units import MIB
from labs.simulation.evidence.copies_scenario import Side
from labs.simulation.outcome import PodOutcome, outcome_of, trace_of
from labs.simulation.outcome.moment import Replay
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
        self._of = functools.lru_cache(maxsize=KEPT)(self._came)
        self._hits = functools.lru_cache(maxsize=KEPT)(self._hit)
        self.trace_hash = functools.lru_cache(maxsize=KEPT)(self._hash)

    def of(self, side: Side) -> Came:
        """What came of the copies. Raises ProblemsError."""
        return self._of(self._plain(side))

    def hit(self, side: Side) -> int:
        """How many of the copies a fault of the first one's kernel hits. Raises ProblemsError."""
        return self._hits(self._plain(side))

    def _plain(self, side: Side) -> Side:
        """The side itself, or where all copies have room, the same with next to no memory, of which as much comes.

        Under MPS of the plugin a client has its share of the card, so that one copy counts as two: so many slots there are.
        """
        at_once = max(2, side.copies) if side.way in ("time-slicing", "mps") else 1
        usable = side.scenario(self._catalog).nodes[0].devices[0].usable_bytes
        needed = at_once * (side.situation.memory_mib * MIB + CONTEXT_MEMORY_BYTES)
        return replace(side, situation=replace(side.situation, memory_mib=1)) if needed <= usable else side

    def _hash(self, side: Side) -> str:
        """The hash of the scenario's Trace. Raises ProblemsError."""
        return trace_of(side.scenario(self._catalog)).hash()

    def _came(self, side: Side) -> Came:
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
        scenario = replace(
            side.scenario(self._catalog),
            horizon_us=BLAST_US,
            faults=(Fault(BLAST_AT_US, FaultKind.ILLEGAL_ACCESS, pod="copy-0"),),
        )
        replay = Replay(scenario)
        replay.see_all(trace_of(scenario).records)
        return len(replay.faults[0].hit) if replay.faults else 0


def _throughput(pod: PodOutcome) -> float:
    return pod.throughput or 0.0


def _waited(pod: PodOutcome, training: bool) -> bool:
    """Whether the Pod got no card at first; one that trains gets it when another is done."""
    return pod.phase is Phase.PENDING or (training and bool(pod.started_at))
