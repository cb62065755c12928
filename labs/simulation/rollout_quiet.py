"""The nodes of a fleet on which nothing goes on, so that a sync costs by what happens and not by the fleet's size.

Such a node should run the DaemonSet and has one Pod, which runs and is available. Until something touches the node
a sync can only take it as the next to replace, and only where its Pod is old.
"""

from __future__ import annotations

import bisect
import random
from collections.abc import Iterable

from labs.cluster.daemonset import DaemonNode, DaemonSetSpec, Status
from labs.cluster.pod_phase import Phase


class QuietNodes:
    """Names of quiet nodes by whether their Pod is new; valid for one revision."""

    def __init__(self) -> None:
        self._new: set[str] = set()
        self._old: list[str] = []  # sorted

    def forget(self, names: Iterable[str]) -> None:
        """These nodes have changed, or are gone."""
        for name in names:
            self._new.discard(name)
            place = bisect.bisect_left(self._old, name)
            if place < len(self._old) and self._old[place] == name:
                del self._old[place]

    def settle(self, node: DaemonNode, spec: DaemonSetSpec, now_us: int) -> bool:
        """Takes the node if it is quiet; whether it is."""
        if not node.should_run or len(node.pods) != 1:
            return False
        pod = node.pods[0]
        if pod.terminating or pod.phase is not Phase.RUNNING or not pod.available(spec.min_ready_us, now_us):
            return False
        if pod.revision == spec.revision:
            self._new.add(node.name)
        else:
            bisect.insort(self._old, node.name)
        return True

    def next_to_replace(self, count: int, order: random.Random | None) -> list[str]:
        """As many quiet nodes with an old Pod as a sync can take: the first by name, or drawn."""
        if order is None:
            return self._old[:count]
        return order.sample(self._old, min(count, len(self._old)))

    def status(self, *, without: int = 0) -> Status:
        """What quiet nodes add to the status; `without` of those with an old Pod left out."""
        new, every = len(self._new), len(self._new) + len(self._old) - without
        return Status(desired=every, current=every, misscheduled=0, ready=every, updated=new, available=every)
