"""What a sharing scenario says, as frozen values: nodes, workloads, seed, horizon, and what the author
expects.

Times are integer microseconds, memory is integer bytes. `scenario_reader.py` makes these values from YAML
and is the only place that judges the text; everything here is already valid.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from labs.hardware.catalog import GpuModel

FORMAT = 1


class JobKind(StrEnum):
    """What a Pod's process does once it has its memory."""

    SERVICE = "service"
    TRAINING = "training"
    IDLE = "idle"


class OnOom(StrEnum):
    """What a process does when CUDA refuses it memory: die, or catch the error and sit there."""

    EXIT = "exit"
    CATCH = "catch"


class RestartPolicy(StrEnum):
    """`spec.restartPolicy` of the workload's Pods, in Kubernetes' spelling."""

    ALWAYS = "Always"
    ON_FAILURE = "OnFailure"
    NEVER = "Never"


@dataclass(frozen=True, slots=True)
class Job:
    """The work of one Pod, as measured when it has a whole GPU to itself.

    `solo_time_us` is the time of one iteration or request alone. `residency` is the share of it in which any
    kernel is on the GPU (what `nvidia-smi` calls GPU-Util), `demand` the share of the GPU's capacity really
    needed (at most the residency). `overlap` is 0 for synchronous work and 1 for work launched far ahead. A
    service has either `rate_per_s` (open arrivals) or `clients` (closed: the next request comes when the
    last is answered); a training job `iterations`.
    """

    kind: JobKind
    solo_time_us: int = 0
    residency: float = 0.0
    demand: float = 0.0
    overlap: float = 0.0
    iterations: int = 0
    rate_per_s: float | None = None
    clients: int = 0


@dataclass(frozen=True, slots=True)
class MemoryStep:
    """From `at_us` after the process starts, it holds `set_bytes` on each of its devices (context not
    counted)."""

    at_us: int
    set_bytes: int


@dataclass(frozen=True, slots=True)
class Workload:
    """`count` equal Pods named `<name>-<i>`, i from 0 (see `pod_names`), created at `arrivals_us`.

    A Pod that gets several cards holds `memory` and `context_bytes` on each of them, not in all, and its job does its
    work on all of them at the speed of the slowest.
    """

    name: str
    arrivals_us: tuple[int, ...]
    request: tuple[tuple[str, int], ...]
    memory: tuple[MemoryStep, ...]
    context_bytes: int
    job: Job
    on_oom: OnOom
    restart_policy: RestartPolicy

    @property
    def count(self) -> int:
        """The number of Pods."""
        return len(self.arrivals_us)

    def pod_names(self) -> tuple[str, ...]:
        """The Pods' names in the order of their arrival: `<name>-0`, `<name>-1`, …"""
        return tuple(f"{self.name}-{index}" for index in range(self.count))


@dataclass(frozen=True, slots=True)
class NodeSpec:
    """A node with `count` equal cards, and the device plugin's own file for it (None: no sharing).

    `config_line` is the 1-based line of the scenario on which the first line of `config` stands (for error
    places).
    """

    name: str
    model: GpuModel
    count: int
    config: str | None
    config_line: int
    usable_bytes: int


@dataclass(frozen=True, slots=True)
class Expectation:
    """A lab's claim about the end: how many Pods had a failed allocation, and the phase of each workload's
    Pods."""

    oom_pods: int | None
    phases: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Scenario:
    """Everything a run is a function of."""

    seed: int
    horizon_us: int
    nodes: tuple[NodeSpec, ...]
    workloads: tuple[Workload, ...]
    expect: Expectation | None
