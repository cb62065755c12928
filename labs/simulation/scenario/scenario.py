"""What a sharing scenario says, as frozen values: nodes, workloads, seed, horizon, and what the author expects.

Times are integer microseconds, memory is integer bytes. `reader.py` makes these values from YAML
and is the only place that judges the text; everything here is already valid.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from labs.hardware.catalog import GpuModel
from labs.simulation.scenario.notes import Note
from labs.simulation.scenario.rollout import Rollout

FORMAT = 1
DEFAULT_TOLERATION_US = 300_000_000  # what DefaultTolerationSeconds gives every Pod


class JobKind(StrEnum):
    """What a Pod's process does once it has its memory."""

    SERVICE = "service"
    TRAINING = "training"
    IDLE = "idle"


class OnOom(StrEnum):
    """What a process does when CUDA refuses it memory: die, or catch the error and sit there."""

    EXIT = "exit"
    CATCH = "catch"


class OnFault(StrEnum):
    """What a process does when its CUDA context breaks: die, or catch the error and sit there with a broken context."""

    EXIT = "exit"
    CATCH = "catch"


class FaultKind(StrEnum):
    """What goes wrong; `labs/simulation/world/faults.py` says whom it hits."""

    PROCESS = "process"  # the Pod's process dies of itself
    ILLEGAL_ACCESS = "illegal-access"  # a kernel of the Pod touches memory that is not its own (Xid 31 or 13)
    INSTANCE_FAULT = "instance-fault"  # an error that one MIG device contains
    XID_RESET = "xid-reset"  # an uncontained error (Xid 95), after which the card is reset
    CARD_LOST = "card-lost"  # the card is gone for the rest of the run (Xid 79)


class Detail(StrEnum):
    """How closely services are looked at: by rates that hold between changes, or request by request."""

    RATES = "rates"
    REQUESTS = "requests"


class RestartPolicy(StrEnum):
    """`spec.restartPolicy` of the workload's Pods, in Kubernetes' spelling."""

    ALWAYS = "Always"
    ON_FAILURE = "OnFailure"
    NEVER = "Never"


@dataclass(frozen=True, slots=True)
class Busy:
    """When an idle job computes, now and then.

    Its busy periods take `for_us` alone on a whole card; one begins every `every_us` in the mean, from start to start, while
    nobody else is in the way.
    """

    every_us: int
    for_us: int


@dataclass(frozen=True, slots=True)
class Job:
    """The work of one Pod, as measured when it has a whole GPU to itself.

    `solo_time_us` is the time of one iteration or request alone. `residency` is the share of it in which any
    kernel is on the GPU (what `nvidia-smi` calls GPU-Util), `demand` the share of the GPU's capacity really
    needed (at most the residency). `overlap` is 0 for synchronous work and 1 for work launched far ahead. A
    service has either `rate_per_s` (open arrivals) or `clients` (closed: the next request comes when the
    last is answered); a training job `iterations`. An idle job with `busy` computes in busy periods
    (`busy_periods.py`), whose residency, demand and overlap these are; one without never does. The part of a cycle in
    which no kernel is on the GPU keeps `cpus` cores busy, of which the Pod's limit gives it `cpu_limit` (see
    `cpu_budget.py`; None: nothing is said).
    """

    kind: JobKind
    solo_time_us: int = 0
    residency: float = 0.0
    demand: float = 0.0
    overlap: float = 0.0
    iterations: int = 0
    rate_per_s: float | None = None
    clients: int = 0
    busy: Busy | None = None
    cpus: float | None = None
    cpu_limit: float | None = None

    @property
    def cpu_times(self) -> float:
        """How many times as long its Pod's CPU limit makes the host's part of a cycle; 1 where it does not feel it."""
        if self.cpus is None or self.cpu_limit is None:
            return 1.0
        return max(1.0, self.cpus / self.cpu_limit)


@dataclass(frozen=True, slots=True)
class MemoryStep:
    """From `at_us` after the process starts, it holds so many bytes on each of its devices (context not counted).

    `needs_bytes` are the least with which it can work. Of what else is free its allocator takes what it finds, up to
    `takes_bytes`, or `takes_ppm` parts per million of all that a process may ever have there.
    """

    at_us: int
    needs_bytes: int
    takes_bytes: int = 0
    takes_ppm: int = 0

    def size(self, free: int, room: int) -> int:
        """The bytes that it asks for.

        It could have `free` (its own included) now and `room` with nobody beside it: it takes what it wants as far as
        there is that much, and never less than it needs.
        """
        wanted = max(self.needs_bytes, self.takes_bytes, room * self.takes_ppm // 1_000_000)
        return max(self.needs_bytes, min(wanted, free))

    @property
    def takes_what_it_finds(self) -> bool:
        """Whether it may take more than it needs."""
        return bool(self.takes_bytes or self.takes_ppm)


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
    on_fault: OnFault = OnFault.EXIT
    tolerates_us: int = DEFAULT_TOLERATION_US  # an unreachable node

    @property
    def count(self) -> int:
        """The number of Pods."""
        return len(self.arrivals_us)

    @property
    def needs_bytes(self) -> int | None:
        """The most that a process ever needs on each of its devices; None where it takes that and no more."""
        if not any(step.takes_what_it_finds for step in self.memory):
            return None
        return max(step.needs_bytes for step in self.memory)

    def pod_names(self) -> tuple[str, ...]:
        """The Pods' names in the order of their arrival: `<name>-0`, `<name>-1`, …"""
        return tuple(f"{self.name}-{index}" for index in range(self.count))


@dataclass(frozen=True, slots=True)
class MigShare:
    """A MIG device that each card of a node is cut into.

    Its memory, and how many times less of the card's capacity it has than the whole card (`times_less`, see `mig.py`).
    """

    profile: str
    usable_bytes: int
    times_less: float


@dataclass(frozen=True, slots=True)
class Device:
    """What a Pod can be given: a card, or a MIG device of one. `number` counts a node's devices from 0."""

    number: int
    gpu: int
    mig_index: int | None
    mig: MigShare | None
    usable_bytes: int

    @property
    def label(self) -> str:
        """The plugin's name for it: `0`, or `0:1` for a MIG device."""
        return str(self.gpu) if self.mig_index is None else f"{self.gpu}:{self.mig_index}"


@dataclass(frozen=True, slots=True)
class NodeSpec:
    """A node with `count` equal cards, and the device plugin's own file for it (None: no sharing).

    `config_line` is the 1-based line of the scenario on which the first line of `config` stands (for error
    places). `usable_bytes` are those of a whole card. `mig` are the MIG devices of every card; none: MIG mode is off.
    `mps_thread_percent` takes the place of the percentage of threads that the plugin's MPS daemon gives each client.
    `first_device` is the number of its first device: after a change of its MIG layout the new ones are counted on.
    """

    name: str
    model: GpuModel
    count: int
    config: str | None
    config_line: int
    usable_bytes: int
    mig: tuple[MigShare, ...] = ()
    mps_thread_percent: int | None = None
    first_device: int = 0

    @property
    def devices(self) -> tuple[Device, ...]:
        """What its processes can run on, in the plugin's order: cards, or all MIG devices of all cards."""
        if not self.mig:
            return tuple(
                Device(self.first_device + gpu, gpu, None, None, self.usable_bytes)
                for gpu in range(self.count)
            )
        return tuple(
            Device(self.first_device + gpu * len(self.mig) + index, gpu, index, share, share.usable_bytes)
            for gpu in range(self.count)
            for index, share in enumerate(self.mig)
        )


@dataclass(frozen=True, slots=True)
class Fault:
    """Something goes wrong at `at_us`.

    With a `pod`'s process, or with card `gpu` of a `node` (`mig`: with one MIG device of it, counted from 0 on its card).
    A fault of a card or of a MIG device may name the `pod` instead: it strikes what that has then, the first where it has
    several.
    """

    at_us: int
    kind: FaultKind
    pod: str | None = None
    node: str | None = None
    gpu: int | None = None
    mig: int | None = None


@dataclass(frozen=True, slots=True)
class MigConfig:
    """At `at_us` somebody wants every card of a `node` cut into the devices of `mig` (none: MIG mode off).

    With `drain` they cordon the node and evict its Pods first.
    """

    at_us: int
    node: str
    mig: tuple[MigShare, ...]
    drain: bool = False


@dataclass(frozen=True, slots=True)
class Expectation:
    """A lab's claim about the end.

    How many Pods had a failed allocation, and the phase of each workload's Pods.
    """

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
    faults: tuple[Fault, ...] = ()
    detail: Detail = Detail.RATES
    mig_configs: tuple[MigConfig, ...] = ()
    rollout: Rollout | None = None  # of the device plugin, as a DaemonSet on these nodes
    notes: tuple[Note, ...] = ()  # on what comes after the end, but for events of the rollout

    def layouts(self, node: NodeSpec) -> tuple[NodeSpec, ...]:
        """The node as it is cut at first, and as each of its MIG configs would have it; no two share a device's number."""
        layouts = [node]
        for config in self.mig_configs:
            if config.node == node.name:
                last = layouts[-1]
                first = last.first_device + len(last.devices)
                layouts.append(replace(last, mig=config.mig, first_device=first))
        return tuple(layouts)

    def number_in_layout(self, node: str, device: int) -> int:
        """What a person would call the device of the node: its number from 0 in the MIG layout that has it."""
        if all(config.node != node for config in self.mig_configs):
            return device
        spec = next(spec for spec in self.nodes if spec.name == node)
        return device - max(cut.first_device for cut in self.layouts(spec) if cut.first_device <= device)
