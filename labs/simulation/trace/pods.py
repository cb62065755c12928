"""Records of the Pods of workloads: where they are, what they hold, how fast they go, and how they end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from labs.simulation.scenario import OnFault
from labs.simulation.trace.record import Record, run_row


@dataclass(frozen=True, slots=True)
class PodRecord(Record):
    """Something about a Pod."""

    row = run_row(pod="pod")

    pod: str


@dataclass(frozen=True, slots=True)
class PodCreated(PodRecord):
    """A Pod is created; `instead_of` names the Pod in whose place it comes, where that is Terminating."""

    kind = "pod-created"
    row = run_row(pod="pod", reason="instead_of")

    instead_of: str | None = None


@dataclass(frozen=True, slots=True)
class PodUnschedulable(PodRecord):
    """The scheduler's message about a Pod: when it comes, and a new one when other things are in the way."""

    kind = "pod-unschedulable"
    row = run_row(pod="pod", reason="message")

    message: str


@dataclass(frozen=True, slots=True)
class BoundPodRecord(PodRecord):
    """Something about a Pod on its node."""

    row = run_row(pod="pod", node="node")

    node: str


@dataclass(frozen=True, slots=True)
class PodScheduled(BoundPodRecord):
    """The Pod is bound to the node."""

    kind = "pod-scheduled"


@dataclass(frozen=True, slots=True)
class AdmissionFailed(BoundPodRecord):
    """The kubelet does not admit the Pod; `message` is its own."""

    kind = "admission-failed"
    row = run_row(pod="pod", node="node", reason="message")

    message: str


@dataclass(frozen=True, slots=True)
class ContainerStarted(BoundPodRecord):
    """The Pod's container starts; it was started again `restarts` times so far."""

    kind = "container-started"
    row = run_row(pod="pod", node="node", value="restarts")

    restarts: int


@dataclass(frozen=True, slots=True)
class FaultHit(BoundPodRecord):
    """The fault of this `number` so far (from 1) hits the Pod's process, which dies of it or catches the error."""

    kind = "fault-hit"
    row = run_row(pod="pod", node="node", value="number", reason="reaction")

    number: int
    reaction: OnFault


@dataclass(frozen=True, slots=True)
class ContainerExited(BoundPodRecord):
    """The Pod's container has ended; its memory is free again."""

    kind = "container-exited"
    row = run_row(pod="pod", node="node", value="exit_code")

    exit_code: int


@dataclass(frozen=True, slots=True)
class BackedOff(BoundPodRecord):
    """The kubelet waits so many microseconds before it starts the container again."""

    kind = "back-off"
    row = run_row(pod="pod", node="node", value="wait_us")

    wait_us: int


@dataclass(frozen=True, slots=True)
class PodSucceeded(BoundPodRecord):
    """The Pod has ended well; its slots are free again."""

    kind = "pod-succeeded"


@dataclass(frozen=True, slots=True)
class PodFailed(BoundPodRecord):
    """The Pod has ended and its container will not be started again; its slots are free again."""

    kind = "pod-failed"


@dataclass(frozen=True, slots=True)
class PodEvicted(BoundPodRecord):
    """The Pod is gone; a new one takes its name and is Pending."""

    kind = "pod-evicted"


@dataclass(frozen=True, slots=True)
class PodTerminating(BoundPodRecord):
    """The Pod is deleted, and its kubelet is silent; its controller makes another."""

    kind = "pod-terminating"


@dataclass(frozen=True, slots=True)
class PodGone(BoundPodRecord):
    """A Pod that was Terminating is gone."""

    kind = "pod-gone"


@dataclass(frozen=True, slots=True)
class PodCardRecord(BoundPodRecord):
    """Something about a Pod and one of its cards."""

    row = run_row(pod="pod", node="node", gpu="gpu")

    gpu: int


@dataclass(frozen=True, slots=True)
class SlotAllocated(PodCardRecord):
    """The Pod holds a slot of the card from now on; `resource` is told beside rollouts only."""

    kind = "slot-allocated"
    row = run_row(pod="pod", node="node", gpu="gpu", slot="slot", reason="resource")

    slot: int
    resource: str | None = None


@dataclass(frozen=True, slots=True)
class ContextAllocated(PodCardRecord):
    """The Pod's process has made its CUDA context on the card."""

    kind = "context-allocated"
    row = run_row(pod="pod", node="node", gpu="gpu", value="size_bytes")

    size_bytes: int


@dataclass(frozen=True, slots=True)
class MemoryAllocated(PodCardRecord):
    """The Pod's data hold so many bytes on the card from now on."""

    kind = "memory-allocated"
    row = run_row(pod="pod", node="node", gpu="gpu", value="size_bytes")

    size_bytes: int


@dataclass(frozen=True, slots=True)
class AllocationFailed(PodCardRecord):
    """The Pod's process asked for `asked_bytes` on the card, for its context or for data, and does not get them."""

    kind = "allocation-failed"
    row = run_row(pod="pod", node="node", gpu="gpu", value="asked_bytes", reason="purpose")

    asked_bytes: int
    purpose: Literal["context", "memory"]


@dataclass(frozen=True, slots=True)
class CudaRefused(PodCardRecord):
    """CUDA's error, which is not about memory: the process gets no context."""

    kind = "cuda-refused"
    row = run_row(pod="pod", node="node", gpu="gpu", reason="error")

    error: str


@dataclass(frozen=True, slots=True)
class SpeedChanged(BoundPodRecord):
    """The Pod's job goes at so many parts per million of its speed alone on a whole GPU from now on."""

    kind = "speed"
    row = run_row(pod="pod", node="node", value="speed_ppm")

    speed_ppm: int


@dataclass(frozen=True, slots=True)
class RequestRateChanged(BoundPodRecord):
    """A service answers so many millionths of a request per second from now on."""

    kind = "requests"
    row = run_row(pod="pod", node="node", value="requests_u")

    requests_u: int


@dataclass(frozen=True, slots=True)
class LatencyChanged(BoundPodRecord):
    """The mean latency of a service from now on; 0: it grows without bound."""

    kind = "latency"
    row = run_row(pod="pod", node="node", value="latency_us")

    latency_us: int


@dataclass(frozen=True, slots=True)
class RequestsAnswered(BoundPodRecord):
    """A service has answered so many requests in the whole run, every one of which was followed."""

    kind = "answered"
    row = run_row(pod="pod", node="node", value="count")

    count: int


@dataclass(frozen=True, slots=True)
class AnsweredLatency(BoundPodRecord):
    """A number about the latencies of these requests."""

    row = run_row(pod="pod", node="node", value="latency_us")

    latency_us: int


@dataclass(frozen=True, slots=True)
class MeanLatency(AnsweredLatency):
    """Their mean."""

    kind = "latency-mean"


@dataclass(frozen=True, slots=True)
class MedianLatency(AnsweredLatency):
    """Half of them waited no longer."""

    kind = "latency-p50"


@dataclass(frozen=True, slots=True)
class P99Latency(AnsweredLatency):
    """99 of 100 of them waited no longer."""

    kind = "latency-p99"
