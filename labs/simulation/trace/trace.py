"""The Trace: everything that happened in a run, as flat frozen records in order, and its hash.

A run is deterministic, so the hash names the result: the page, the terminal and the golden files show the
same one.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from enum import StrEnum

from labs.simulation.trace.rollout_trace import RolloutRecord


class Health(StrEnum):
    """What the device plugin holds of a card or MIG device; all but the first two keep new Pods away from it."""

    HEALTHY = "healthy"
    RECOVERED = "recovered"  # was unhealthy, till a plugin started and found it well
    UNHEALTHY = "unhealthy"
    LOST = "lost"  # and so for the rest of the run


class Happening(StrEnum):
    """What a record tells.

    The comment says which fields carry a value besides the time.
    """

    NODE_ADVERTISED = "node-advertised"  # node, reason = resource name, value = count
    NODE_REFUSED = "node-refused"  # node, reason = the plugin's error
    CARD_OFFERED = (
        "card-offered"  # node, gpu, value = its slots, reason = how Pods share it (a mechanism's name)
    )
    MIG_DEVICE = (
        "mig-device"  # node, gpu, slot = the card it is a part of, value = bytes, reason = its profile
    )
    POD_CREATED = (
        "pod-created"  # pod, reason = the Pod in whose place it comes, where that is Terminating (else None)
    )
    POD_UNSCHEDULABLE = (
        "pod-unschedulable"  # pod, reason = the scheduler's message (first; a new one after a MIG config)
    )
    POD_SCHEDULED = "pod-scheduled"  # pod, node
    SLOT_ALLOCATED = "slot-allocated"  # pod, node, gpu, slot, reason = resource name (rollouts only)
    ADMISSION_FAILED = "admission-failed"  # pod, node, reason = the kubelet's message
    CONTAINER_STARTED = "container-started"  # pod, node, value = number of restarts so far
    CONTEXT_ALLOCATED = "context-allocated"  # pod, node, gpu, value = bytes
    MEMORY_ALLOCATED = "memory-allocated"  # pod, node, gpu, value = bytes the Pod's data now holds there
    ALLOCATION_FAILED = (
        "allocation-failed"  # pod, node, gpu, value = bytes asked for, reason = "context" or "memory"
    )
    FAULT = "fault"  # reason = its kind; pod, or node, gpu = its first device, slot = the card, value = the MIG device
    FAULT_HIT = (
        "fault-hit"  # pod, node, value = number of the fault so far (from 1), reason = "exit" or "catch"
    )
    CARD_UNHEALTHY = "card-unhealthy"  # node, gpu, reason = its health; its slots take no new Pod
    CARD_HEALTHY = "card-healthy"  # node, gpu; a plugin has started and found it so
    CAPACITY = (
        "capacity"  # node, reason = resource name, value = count from now on, as the API server sees it
    )
    ALLOCATABLE = "allocatable"  # node, reason = resource name, value = count from now on
    CARD_ALLOCATABLE = (
        "card-allocatable"  # node, gpu, reason = resource name, value = its units there (rollouts only)
    )
    NODE_JOINED = "node-joined"  # node: it was not there before
    NODE_LEFT = "node-left"  # node: its Node object is gone
    MIG_CONFIG = "mig-config"  # node, value = number of its MIG config (from 1), reason = profiles, or "off"
    MIG_STATE = (
        "mig-state"  # node, reason = nvidia.com/mig.config.state, value = processes in the way (failed)
    )
    MIG_MODE = "mig-mode"  # node, value = 1 on, 0 off, reason = "gpu-reset", "no-reset" or "reset-unknown"
    MIG_LAYOUT = (
        "mig-layout"  # node, value = number of the MIG config; its devices are there, the former are gone
    )
    NODE_CORDONED = "node-cordoned"  # node
    NODE_UNCORDONED = "node-uncordoned"  # node
    POD_EVICTED = "pod-evicted"  # pod, node; a new Pod takes its name and is Pending
    POD_TERMINATING = (
        "pod-terminating"  # pod, node: deleted, and its kubelet is silent; its controller makes another
    )
    POD_GONE = "pod-gone"  # pod, node: one that was Terminating
    CUDA_REFUSED = "cuda-refused"  # pod, node, gpu, reason = CUDA's error, which is not about memory
    CONTAINER_EXITED = "container-exited"  # pod, node, value = exit code; its memory is free again
    BACK_OFF = "back-off"  # pod, node, value = microseconds until the next start
    POD_SUCCEEDED = "pod-succeeded"  # pod, node; its slots are free again
    POD_FAILED = "pod-failed"  # pod, node; its slots are free again
    SPEED = "speed"  # pod, node, value = parts per million of its speed alone on a whole GPU
    REQUESTS = "requests"  # pod, node, value = requests per second, in millionths (services)
    LATENCY = (
        "latency"  # pod, node, value = mean latency in microseconds (services; 0: it grows without bound)
    )
    ANSWERED = (
        "answered"  # pod, node, value = requests answered in the whole run (only told request by request)
    )
    LATENCY_MEAN = "latency-mean"  # pod, node, value = microseconds, of these requests
    LATENCY_P50 = "latency-p50"  # pod, node, value = microseconds: half of these waited no longer
    LATENCY_P99 = "latency-p99"  # pod, node, value = microseconds: 99 of 100 of these waited no longer
    CARD_BUSY = "card-busy"  # node, gpu, value = parts per million of time with a kernel on the card
    END = "end"  # the horizon


@dataclass(frozen=True, slots=True)
class Record:
    """One thing that happened, `at_us` microseconds after the start.

    Fields that do not apply are None.
    """

    at_us: int
    what: Happening
    pod: str | None = None
    node: str | None = None
    gpu: int | None = None
    slot: int | None = None
    value: int | None = None
    reason: str | None = None

    def to_row(self) -> list[int | str | None]:
        """The record as a row of JSON, in the order of the fields."""
        return [self.at_us, str(self.what), self.pod, self.node, self.gpu, self.slot, self.value, self.reason]


@dataclass(frozen=True, slots=True)
class Trace:
    """All records of a run, in order: those of the workloads and their nodes, and those of the rollout beside them."""

    records: tuple[Record, ...]
    rollout: tuple[RolloutRecord, ...] = ()

    def canonical_json(self) -> str:
        """One row per record, no spaces, ASCII only: the text that is hashed."""
        rows = [*(record.to_row() for record in self.records), *(record.to_row() for record in self.rollout)]
        return json.dumps(rows, separators=(",", ":"))

    def hash(self) -> str:
        """SHA-256 of the canonical JSON, 64 hexadecimal digits."""
        return hashlib.sha256(self.canonical_json().encode("ascii")).hexdigest()
