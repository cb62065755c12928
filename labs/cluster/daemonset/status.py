"""The status that the DaemonSet controller writes, and what `kubectl rollout status` makes of it.

Sources: Kubernetes `pkg/controller/daemon/daemon_controller.go` (updateDaemonSetStatus) and kubectl's DaemonSetStatusViewer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

from labs.cluster.daemonset.pods import DaemonNode, DaemonSetSpec, by_age
from labs.cluster.daemonset.spec import UpdateStrategy


@dataclass(frozen=True, slots=True)
class Status:
    """The numbers of `status`, by the names that this project's JSON has."""

    desired: int
    current: int
    misscheduled: int
    ready: int
    updated: int
    available: int

    @property
    def unavailable(self) -> int:
        """`numberUnavailable`."""
        return self.desired - self.available

    def plus(self, other: Status) -> Status:
        """The numbers of two sets of nodes together."""
        return Status(
            self.desired + other.desired,
            self.current + other.current,
            self.misscheduled + other.misscheduled,
            self.ready + other.ready,
            self.updated + other.updated,
            self.available + other.available,
        )

    def to_json(self) -> dict[str, int]:
        """The numbers by name."""
        return {
            "desired": self.desired,
            "current": self.current,
            "misscheduled": self.misscheduled,
            "ready": self.ready,
            "updated": self.updated,
            "available": self.available,
            "unavailable": self.unavailable,
        }


NOTHING = Status(desired=0, current=0, misscheduled=0, ready=0, updated=0, available=0)


def status(nodes: Sequence[DaemonNode], spec: DaemonSetSpec, now_us: int) -> Status:
    """What updateDaemonSetStatus writes: on each node the oldest scheduled Pod decides."""
    wanted = [node for node in nodes if node.should_run]
    deciding = [by_age(node.pods)[0] for node in wanted if node.pods]
    return Status(
        desired=len(wanted),
        current=len(deciding),
        misscheduled=sum(1 for node in nodes if not node.should_run and node.pods),
        ready=sum(map(attrgetter("ready"), deciding)),
        updated=sum(1 for pod in deciding if pod.revision == spec.revision),
        available=sum(1 for pod in deciding if pod.available(spec.min_ready_us, now_us)),
    )


def rollout_status(
    name: str, strategy: UpdateStrategy, status: Status, generation: int = 1, observed_generation: int = 1
) -> tuple[str, bool]:
    """The line of `kubectl rollout status`, and whether it ends there (DaemonSetStatusViewer)."""
    if not strategy.rolls:
        return "error: rollout status is only available for RollingUpdate strategy type", True
    if generation > observed_generation:
        return "Waiting for daemon set spec update to be observed...", False
    waiting = f'Waiting for daemon set "{name}" rollout to finish: '
    if status.updated < status.desired:
        return f"{waiting}{status.updated} out of {status.desired} new pods have been updated...", False
    if status.available < status.desired:
        return f"{waiting}{status.available} of {status.desired} updated pods are available...", False
    return f'daemon set "{name}" successfully rolled out', True
