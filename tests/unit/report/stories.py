"""Small runs for the tests of the report, told by hand: a Trace from a scenario's text without the simulator.

`play` hands out slots least-used card first and lets every Pod ask for its context and then for its memory, in order of
arrival. It knows no time but the arrivals, which is all that a report needs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from labs.hardware.catalog import builtin_catalog
from labs.library import builtin_library
from labs.report.writing.messages import Messages
from labs.simulation.outcome.moment.moments import moments, snapshot
from labs.simulation.outcome.moment.snapshot import Snapshot
from labs.simulation.outcome.outcome import Outcome
from labs.simulation.outcome.totals import outcome_of
from labs.simulation.scenario.reader import read_scenario
from labs.simulation.scenario.scenario import OnOom, RestartPolicy, Scenario, Workload
from labs.simulation.trace import (
    AdmissionFailed,
    AllocationFailed,
    BackedOff,
    CardOffered,
    ContainerExited,
    ContainerStarted,
    ContextAllocated,
    MemoryAllocated,
    NodeAdvertised,
    NodeRefused,
    PodCreated,
    PodFailed,
    PodScheduled,
    PodUnschedulable,
    Record,
    RunEnded,
    SlotAllocated,
    Trace,
)

LANGUAGES = ("en", "ja", "ko")
RESOURCE = "nvidia.com/gpu"
TOO_MANY = (
    "Pod was rejected: Allocate failed due to rpc error: code = Unknown desc = invalid allocation request for "
    '"nvidia.com/gpu": invalid request: maximum request size for shared resources is 1; found 2, which is unexpected'
)


@cache
def messages(language: str) -> Messages:
    """The package's sentences in a language."""
    return builtin_library().messages[language]


@dataclass(frozen=True, slots=True)
class Story:
    """A run and its last moment."""

    outcome: Outcome
    snapshot: Snapshot
    moments: tuple[int, ...]


def shared(
    *,
    model: str = "a100-40gb",
    cards: int = 4,
    nodes: int = 1,
    big: str = "38GiB",
    others: str = "6GiB",
    count: int = 19,
    request: int = 1,
    on_oom: str = "catch",
    policy: str = "Always",
    job: str = "{kind: idle}",
) -> str:
    """The text of the article's scenario, or of one like it."""
    listed = "\n".join(
        f"  - {{name: gpu-node-{n + 1}, gpus: {{model: {model}, count: {cards}}}}}" for n in range(nodes)
    )
    return f"""format: 1
horizon: 10m
nodes:
{listed}
workloads:
  - {{name: big, request: {{nvidia.com/gpu: 1}}, memory: {big}, job: {job}, onOOM: {on_oom}, restartPolicy: {policy}}}
  - name: notebook
    count: {count}
    arrival: 10s
    request: {{nvidia.com/gpu: {request}}}
    memory: {others}
    job: {job}
    onOOM: {on_oom}
    restartPolicy: {policy}
"""


def play(text: str, replicas: int = 5, *, error: str | None = None, refuse_many: bool = False) -> Story:
    """The run of a scenario in which every card has `replicas` slots, or every node the plugin's `error`."""
    scenario = read_scenario(text, builtin_catalog())
    player = _Player(scenario, replicas, refuse_many)
    for node in scenario.nodes:
        if error is not None:
            player.add(NodeRefused(0, node.name, error))
        else:
            count = replicas * node.count
            player.add(NodeAdvertised(0, node.name, RESOURCE, count))
            how = "time-slicing" if replicas > 1 else "exclusive"
            for gpu in range(node.count):
                player.add(CardOffered(0, node.name, gpu, replicas, how))
    for workload in scenario.workloads:
        for name, at in zip(workload.pod_names(), workload.arrivals_us, strict=True):
            player.arrive(workload, name, at, error is not None)
    player.add(RunEnded(scenario.horizon_us))
    trace = Trace(tuple(player.records))
    times = moments(trace)
    return Story(outcome_of(scenario, trace), snapshot(scenario, trace, times[-1]), times)


@dataclass(slots=True)
class _Player:
    scenario: Scenario
    replicas: int
    refuse_many: bool
    records: list[Record] = field(default_factory=list)
    taken: dict[tuple[str, int], int] = field(default_factory=dict)
    held: dict[tuple[str, int], int] = field(default_factory=dict)

    def add(self, record: Record) -> None:
        self.records.append(record)

    def arrive(self, workload: Workload, pod: str, at: int, no_slots: bool) -> None:
        self.add(PodCreated(at, pod))
        units = dict(workload.request)[RESOURCE]
        node = None if no_slots else self._node_with_room(units)
        if node is None:
            nodes = len(self.scenario.nodes)
            reason = f"0/{nodes} nodes are available: {nodes} Insufficient {RESOURCE}."
            self.add(PodUnschedulable(at, pod, reason))
            return
        self.add(PodScheduled(at, pod, node))
        if units > 1 and self.refuse_many:
            self.add(AdmissionFailed(at, pod, node, TOO_MANY))
            return
        cards = [self._take(pod, node, at) for _ in range(units)]
        self._start(workload, pod, node, list(dict.fromkeys(cards)), at)

    def _node_with_room(self, units: int) -> str | None:
        for node in self.scenario.nodes:
            taken = sum(self.taken.get((node.name, gpu), 0) for gpu in range(node.count))
            if taken + units <= self.replicas * node.count:
                return node.name
        return None

    def _take(self, pod: str, node: str, at: int) -> int:
        count = next(spec.count for spec in self.scenario.nodes if spec.name == node)
        gpu = min(range(count), key=lambda gpu: (self.taken.get((node, gpu), 0), gpu))
        slot = self.taken.get((node, gpu), 0)
        self.taken[node, gpu] = slot + 1
        self.add(SlotAllocated(at, pod, node, gpu, slot))
        return gpu

    def _start(self, workload: Workload, pod: str, node: str, cards: list[int], at: int) -> None:
        usable = next(spec.usable_bytes for spec in self.scenario.nodes if spec.name == node)
        self.add(ContainerStarted(at, pod, node, 0))
        for gpu in cards:
            parts: tuple[tuple[Literal["context", "memory"], int], ...] = (
                ("context", workload.context_bytes),
                ("memory", workload.memory[0].needs_bytes),
            )
            for part, asked in parts:
                if self.held.get((node, gpu), 0) + asked > usable:
                    self.add(AllocationFailed(at, pod, node, gpu, asked, part))
                    self._fail(workload, pod, node, gpu, at, part)
                    return
                self.held[node, gpu] = self.held.get((node, gpu), 0) + asked
                allocated = ContextAllocated if part == "context" else MemoryAllocated
                self.add(allocated(at, pod, node, gpu, asked))

    def _fail(self, workload: Workload, pod: str, node: str, gpu: int, at: int, part: str) -> None:
        if workload.on_oom is OnOom.CATCH:
            return
        self.add(ContainerExited(at, pod, node, 1))
        if part == "memory":
            self.held[node, gpu] -= workload.context_bytes
        if workload.restart_policy is RestartPolicy.NEVER:
            self.add(PodFailed(at, pod, node))
        else:
            self.add(BackedOff(at, pod, node, 10_000_000))
