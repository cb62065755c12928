"""What the DaemonSet controller sees: Pods, nodes and the spec."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from labs.cluster.daemonset.spec import UpdateStrategy
from labs.cluster.pod_phase import Phase


@dataclass(frozen=True, slots=True)
class DaemonPod:
    """A Pod of the DaemonSet as the controller sees it; `ready_since_us` is None while it is not Ready."""

    name: str
    revision: str
    created_us: int
    number: int  # of creation, for Pods created at the same instant
    phase: Phase
    ready_since_us: int | None
    terminating: bool
    scheduled: bool  # it has a nodeName

    @property
    def ready(self) -> bool:
        """The Ready condition."""
        return self.ready_since_us is not None

    @property
    def lives(self) -> bool:
        """Whether it neither ended nor is being deleted: with surge each node is to have one such Pod."""
        return self.phase in (Phase.RUNNING, Phase.PENDING) and not self.terminating

    def available(self, min_ready_us: int, now_us: int) -> bool:
        """Ready for `minReadySeconds`; a Pod that is being deleted can be available."""
        since = self.ready_since_us
        return since is not None and since + min_ready_us <= now_us


@dataclass(frozen=True, slots=True)
class DaemonNode:
    """A node with the DaemonSet's Pods on it, by age (those without a nodeName last)."""

    name: str
    should_run: bool
    may_stay: bool  # should_continue_running: false only where the selector or a NoExecute taint excludes it
    pods: tuple[DaemonPod, ...]


@dataclass(frozen=True, slots=True)
class DaemonSetSpec:
    """What a sync needs of the DaemonSet; `counts_unavailable_old` is that of `labs.cluster.daemonset.releases`."""

    strategy: UpdateStrategy
    revision: str
    min_ready_us: int = 0
    counts_unavailable_old: bool = True


def by_age(pods: Sequence[DaemonPod]) -> tuple[DaemonPod, ...]:
    """Pods with a node first, then the oldest first (podByCreationTimestampAndPhase)."""
    return tuple(sorted(pods, key=lambda pod: (not pod.scheduled, pod.created_us, pod.number)))
