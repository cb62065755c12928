"""What came of a run: all that a report says, a pure function of the scenario and its Trace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from labs.cluster.pod_phase import Phase, Reason
from labs.hardware.units import MIB
from labs.simulation.outcome.rollout import FleetSnapshot, rollout_json
from labs.simulation.scenario import Fault, Note, Scenario
from labs.simulation.trace import Health, Trace

CardKey = tuple[str, int]
"""A card: its node and its number there."""


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds.

    Percentiles are None where the run was fluid (rates, not single requests).
    """

    mean: float | None
    p50: float | None = None
    p99: float | None = None


@dataclass(frozen=True, slots=True)
class CardUse:
    """A card on which a Pod has, or had to its end, `slots` slots.

    What it holds there at the end of the run, `found_bytes` of it without need, because they were free.
    """

    card: CardKey
    slots: int
    context_bytes: int
    data_bytes: int
    found_bytes: int = 0

    @property
    def held_bytes(self) -> int:
        """All it holds."""
        return self.context_bytes + self.data_bytes


@dataclass(frozen=True, slots=True)
class PodOutcome:
    """One Pod at the end: the JSON of `gpulab run` (seconds, per second, milliseconds), and where its memory is.

    `cards` are in order, `peak_bytes` is the most that it held on all of them together, `refused_on` the card that
    refused it memory last. One that `is_broken` is Running with a CUDA context that a fault broke, or without one;
    `cuda_error` is what it got last when it asked for one. It does the work of a Pod left behind, `instead_of` the first.
    """

    name: str
    workload: str
    node: str | None
    device: str | None
    phase: Phase
    reason: Reason | None
    message: str | None
    oom: int
    started_at: float | None
    finished_at: float | None
    slowdown: float | None
    throughput: float | None
    latency: Latency | None
    solo_throughput: float | None
    solo_latency_ms: float | None
    restarts: int
    cards: tuple[CardUse, ...]
    peak_bytes: int
    refused_on: CardKey | None
    faults: int = 0  # that hit it
    cuda_error: str | None = None
    is_broken: bool = False
    needs_bytes: int | None = None  # of data, on all its cards together, where it may take more than that
    instead_of: str | None = None

    @property
    def falls_behind(self) -> bool:
        """Whether it answers requests that, for a while at least, come faster than it can: then there is no mean."""
        return self.latency is not None and self.latency.mean is None

    def to_json(self) -> dict[str, Any]:
        """The Pod as in `pods` of the JSON."""
        latency = self.latency
        return {
            "name": self.name,
            "workload": self.workload,
            "node": self.node,
            "device": self.device,
            "phase": str(self.phase),
            "reason": None if self.reason is None else str(self.reason),
            "message": self.message,
            "oom": self.oom,
            "startedAt": self.started_at,
            "finishedAt": self.finished_at,
            "slowdown": self.slowdown,
            "throughput": self.throughput,
            "latency": {
                "mean": latency.mean if latency else None,
                "p50": latency.p50 if latency else None,
                "p99": latency.p99 if latency else None,
            },
            "solo": {"throughput": self.solo_throughput, "latency": self.solo_latency_ms},
            **({} if self.needs_bytes is None else {"memory": self._memory_json(self.needs_bytes)}),
        }

    def _memory_json(self, needs_bytes: int) -> dict[str, float]:
        """What it needs, held at most and took at the end because it was free, in MiB, on all its cards together."""
        found_bytes = sum(use.found_bytes for use in self.cards)
        sizes = {"needsMiB": needs_bytes, "peakMiB": self.peak_bytes, "foundMiB": found_bytes}
        return {key: round(size / MIB, 3) for key, size in sizes.items()}


@dataclass(frozen=True, slots=True)
class GpuOutcome:
    """One card over the run, or a MIG device of one.

    With how many `slots` it was offered last (0: not at all), how many of these are `allocatable` at the end, by which
    `mechanism` Pods share it, `utilization` as NVML means it (share of time with a kernel on it), failed allocations.

    `index` counts the node's devices. For a MIG device `mig` is its profile; `gpu` is the card.
    One that a change of the MIG layout made or took away, or that joined or left with its node, was there for `lived` of the
    run, `until` so many seconds.
    `health`: what the device plugin holds of it at the end.
    For `worked` (0 to 1) of the time that it was there, some Pod had its job on it.
    """

    node: str
    index: int
    slots: int
    mechanism: str
    utilization: float
    peak_memory_mib: float
    oom: int
    gpu: int = 0
    mig: str | None = None
    lived: float = 1.0
    until: float | None = None
    worked: float = 0.0
    allocatable: int = 0
    health: Health = Health.HEALTHY


@dataclass(frozen=True, slots=True)
class FaultOutcome:
    """A fault that happened, and the names of the Pods that it `hit`, in the order in which it did."""

    fault: Fault
    hit: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The fault as in `faults` of the JSON."""
        fault = self.fault
        return {
            "at": fault.at_us / 1_000_000,
            "kind": str(fault.kind),
            "pod": fault.pod,
            "node": fault.node,
            "gpu": fault.gpu,
            "mig": fault.mig,
            "hit": list(self.hit),
        }


@dataclass(frozen=True, slots=True)
class NodeOutcome:
    """What a node advertised, or the loader's or plugin's error that kept it from advertising."""

    name: str
    resources: tuple[tuple[str, int], ...]
    error: str | None
    mig_state: str | None = None


@dataclass(frozen=True, slots=True)
class MigConfigOutcome:
    """What came of a MIG config.

    The node's `state` for it in the end, when it got that (None: still pending), how many processes were in the way, how
    many Pods were evicted for it, how MIG mode was switched (None: not).
    """

    node: str
    profiles: tuple[str, ...]
    at_us: int
    state: str
    ended_us: int | None
    in_the_way: int
    evicted: int
    mode: str | None

    def to_json(self) -> dict[str, Any]:
        """The change as in `migConfigs` of the JSON."""
        return {
            "at": self.at_us / 1_000_000,
            "node": self.node,
            "mig": list(self.profiles),
            "state": self.state,
            "endedAt": None if self.ended_us is None else self.ended_us / 1_000_000,
            "processesInTheWay": self.in_the_way,
            "evicted": self.evicted,
            "modeChange": self.mode,
        }


@dataclass(frozen=True, slots=True)
class ExpectedError:
    """How far off a mechanism's predictions are known to be, in percent, and on what that rests.

    English sentences with the sources and with what they do not cover (pages say it in their own language).
    """

    mechanism: str
    percent: float
    basis: str


@dataclass(frozen=True, slots=True)
class Difference:
    """One unmet expectation: what (`oom` or `pods.<workload>`), expected and actual.

    In words of the scenario.
    """

    what: str
    expected: str
    actual: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a run.

    `metrics` has the keys of `labs/simulation/outcome/metrics.py`, in a fixed order.
    """

    scenario: Scenario
    trace: Trace
    trace_hash: str
    pods: tuple[PodOutcome, ...]
    gpus: tuple[GpuOutcome, ...]
    nodes: tuple[NodeOutcome, ...]
    metrics: Mapping[str, float]
    expected_errors: tuple[ExpectedError, ...]
    differences: tuple[Difference, ...] | None  # None: the scenario expects nothing
    faults: tuple[FaultOutcome, ...] = ()
    mig_configs: tuple[MigConfigOutcome, ...] = ()
    rollout: FleetSnapshot | None = None  # the fleet at the end, where its plugin is rolled out
    notes: tuple[Note, ...] = ()  # what nothing came of

    def to_json(self) -> dict[str, Any]:
        """The JSON of `gpulab run --format json` (design.md, "run")."""
        return {
            "traceHash": self.trace_hash,
            "pods": [
                {**pod.to_json(), **({"faults": pod.faults} if self.scenario.faults else {})}
                for pod in self.pods
            ],
            "gpus": [
                {
                    "node": gpu.node,
                    "index": gpu.gpu,
                    **({} if gpu.mig is None else {"mig": gpu.mig}),
                    "utilization": gpu.utilization,
                    "peakMemoryMiB": gpu.peak_memory_mib,
                    "oom": gpu.oom,
                    **({} if gpu.until is None else {"until": gpu.until}),
                    **({"health": str(gpu.health)} if self.scenario.faults else {}),
                }
                for gpu in self.gpus
            ],
            "nodes": [
                {
                    "name": node.name,
                    "resources": dict(node.resources),
                    "error": node.error,
                    **({"migState": node.mig_state} if self.scenario.mig_configs else {}),
                }
                for node in self.nodes
            ],
            "metrics": dict(self.metrics),
            "expectedError": {
                error.mechanism: {"percent": error.percent, "basis": error.basis}
                for error in self.expected_errors
            },
            "expectation": self._expectation_json(),
            **({"faults": [fault.to_json() for fault in self.faults]} if self.scenario.faults else {}),
            **(
                {"migConfigs": [config.to_json() for config in self.mig_configs]}
                if self.scenario.mig_configs
                else {}
            ),
            **(
                {"rollout": rollout_json(self.rollout, self.trace, beside=True)}
                if self.rollout is not None
                else {}
            ),
        }

    def _expectation_json(self) -> dict[str, Any] | None:
        if self.differences is None:
            return None
        differences = [
            {"what": difference.what, "expected": difference.expected, "found": difference.actual}
            for difference in self.differences
        ]
        return {"met": not differences, "differences": differences}
