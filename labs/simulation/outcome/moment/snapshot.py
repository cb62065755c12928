"""The state of the cluster at one moment, replayed from a Trace: what the pictures draw.

Two views of the same cards: the slots that the scheduler counts, and the memory that the processes hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from labs.cluster.pod_phase import Phase, Reason

SLOTS_LISTED = 64


class PodState(StrEnum):
    """What a person would see of a Pod at that moment (a name for the picture, not a Kubernetes phase)."""

    PENDING = "pending"
    BOUND = "bound"  # Pending on a node whose kubelet has not heard of it
    REFUSED = "refused"  # failed admission
    RUNNING = "running"
    OUT_OF_MEMORY = "out-of-memory"  # Running, but caught its OOM: no progress
    FAULTED = "faulted"  # Running, but a fault broke its CUDA context, or CUDA gives it none: no progress
    BACK_OFF = "back-off"  # Running/CrashLoopBackOff: waits for its next start
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    TERMINATING = "terminating"  # being deleted, and its kubelet is silent
    NEVER_STARTED = "never-started"  # the same, where its kubelet had not heard of it
    GONE = "gone"  # was one of these two


PHASES = {
    PodState.PENDING: (Phase.PENDING, Reason.UNSCHEDULABLE),
    PodState.BOUND: (Phase.PENDING, None),
    PodState.REFUSED: (Phase.FAILED, Reason.UNEXPECTED_ADMISSION_ERROR),
    PodState.RUNNING: (Phase.RUNNING, None),
    PodState.OUT_OF_MEMORY: (Phase.RUNNING, None),
    PodState.FAULTED: (Phase.RUNNING, None),
    PodState.BACK_OFF: (Phase.RUNNING, Reason.CRASH_LOOP_BACK_OFF),
    PodState.SUCCEEDED: (Phase.SUCCEEDED, Reason.COMPLETED),
    PodState.FAILED: (Phase.FAILED, Reason.ERROR),
    PodState.TERMINATING: (Phase.RUNNING, Reason.TERMINATING),
    PodState.NEVER_STARTED: (Phase.PENDING, Reason.TERMINATING),
}
"""What Kubernetes says of a Pod in that state, as long as there is one."""
BEING_DELETED = (PodState.TERMINATING, PodState.NEVER_STARTED)


@dataclass(frozen=True, slots=True)
class Slot:
    """One advertised unit: replica `index` (from 0) of a card; `pod` holds it, or None where it is free."""

    index: int
    pod: str | None


@dataclass(frozen=True, slots=True)
class Block:
    """What one Pod's process holds on a card, in bytes: its CUDA context and its data.

    `found_bytes` of the data it does not need and took because they were free.
    """

    pod: str
    workload: str
    context_bytes: int
    data_bytes: int
    found_bytes: int = 0

    @property
    def held_bytes(self) -> int:
        """All it holds."""
        return self.context_bytes + self.data_bytes


@dataclass(frozen=True, slots=True)
class MemoryRefusal:
    """A Pod that asked this card for memory, was refused, and has not got it since.

    `asked_bytes` of data, or its context.
    """

    pod: str
    workload: str
    asked_bytes: int
    state: PodState


@dataclass(frozen=True, slots=True)
class Hit:
    """A Pod whose process on this card a fault hit, and what has become of the Pod since."""

    pod: str
    state: PodState


@dataclass(frozen=True, slots=True)
class MigPlace:
    """Where a MIG device lies on card `gpu`.

    `size` memory slices from `start` on, and the first `compute` of the compute slices over these.
    """

    gpu: int
    start: int
    size: int
    compute: int


@dataclass(frozen=True, slots=True)
class Slices:
    """What each card of a node is cut from: so many memory and compute slices, `total_bytes` of memory.

    `wasted_memory` and `wasted_compute` are the numbers of those that nobody holds and on which nothing more can be
    created.
    """

    memory: int
    compute: int
    total_bytes: int
    wasted_memory: tuple[int, ...]
    wasted_compute: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CardView:
    """A card at that moment, or a MIG device of one (`mig`: its profile, `place`: where it lies).

    `number` counts from 0 on its node. `mechanism` is "exclusive", "time-slicing", "mps" or "mig". `slot_count` slots are
    allocatable now (of an unhealthy one: were) and `taken` of them held by Pods, which hold `kept` more; `slots` lists the
    first (at most SLOTS_LISTED: there may be millions). `busy_ppm` is the share of time, in parts per million, with a
    kernel on it at the rate of that moment; None where no job of the scenario ever computes. A card that `is_lost` does
    not come back, one that `is_unhealthy` gets no new Pods.
    """

    number: int
    total_bytes: int
    usable_bytes: int
    mechanism: str
    slot_count: int
    taken: int
    slots: tuple[Slot, ...]
    blocks: tuple[Block, ...]  # in the order in which they took memory
    refusals: tuple[MemoryRefusal, ...]  # in the order in which they were refused
    busy_ppm: int | None = None
    mig: str | None = None
    hit: tuple[Hit, ...] = ()  # in the order in which faults hit them
    is_lost: bool = False
    is_unhealthy: bool = False
    place: MigPlace | None = None
    kept: int = 0

    @property
    def held_bytes(self) -> int:
        """Bytes held by all processes."""
        return sum(block.held_bytes for block in self.blocks)

    @property
    def found_bytes(self) -> int:
        """Bytes of these that nobody needs."""
        return sum(block.found_bytes for block in self.blocks)


@dataclass(frozen=True, slots=True)
class NodeView:
    """A node at that moment: its cards or MIG devices, and what it advertises or the error that keeps it from that.

    It has `gpu_count` cards (None: as many as there are `cards`), all cut from `slices` in the same way.
    """

    name: str
    model_name: str
    resources: tuple[tuple[str, int], ...]
    cards: tuple[CardView, ...]
    error: str | None
    gpu_count: int | None = None
    slices: Slices | None = None

    @property
    def is_away(self) -> bool:
        """Whether it lists resources and nothing of them is allocatable, without an unhealthy card: its plugin is away."""
        allocatable = any(units for _, units in self.resources)
        return bool(self.resources) and not allocatable and not any(card.is_unhealthy for card in self.cards)


@dataclass(frozen=True, slots=True)
class PodView:
    """A Pod at that moment.

    `message` is Kubernetes' own text where it waits or was refused.
    """

    name: str
    workload: str
    node: str | None
    gpus: tuple[int, ...]
    state: PodState
    message: str | None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The whole cluster at `at_us`; `pods` in order of creation, only those already created."""

    at_us: int
    nodes: tuple[NodeView, ...]
    pods: tuple[PodView, ...]
