"""The nodes of a fleet on which nothing goes on, so that a sync costs by what happens and not by the fleet's size.

Such a node should run the DaemonSet and has one Pod. Either that runs and is available: until something touches the node
a sync can only take it as the next to replace, and only where its Pod is old. Or it is new and not available, and there is
nothing to do but wait: for its kubelet, or, where it Failed, until it may be deleted.
"""

from __future__ import annotations

import bisect
import heapq
import random
from collections.abc import Iterable

from labs.cluster.daemonset import BackOff, DaemonNode, DaemonPod, DaemonSetSpec, Status
from labs.cluster.pod_phase import Phase


class QuietNodes:
    """Names of quiet nodes by what their Pod is; valid for one spec, and for one generation of it."""

    def __init__(self) -> None:
        self._new: set[str] = set()
        self._old: list[str] = []  # sorted
        self._waiting: dict[str, bool] = {}  # those whose Pod is not available: whether it is Ready
        self._waiting_ready = 0
        self._held: list[tuple[int, str]] = []  # a heap: when the Failed Pod of a node may be deleted

    def forget(self, names: Iterable[str]) -> None:
        """These nodes have changed, or are gone."""
        for name in names:
            self._new.discard(name)
            place = bisect.bisect_left(self._old, name)
            if place < len(self._old) and self._old[place] == name:
                del self._old[place]
            self._waiting_ready -= self._waiting.pop(name, False)

    def woken(self, now_us: int) -> set[str]:
        """The nodes whose Failed Pod may be deleted by now, once each; some may have changed since."""
        names: set[str] = set()
        while self._held and self._held[0][0] <= now_us:
            names.add(heapq.heappop(self._held)[1])
        return names

    def settle(self, node: DaemonNode, spec: DaemonSetSpec, back_off: BackOff | None, now_us: int) -> bool:
        """Takes the node if it is quiet; whether it is."""
        if not node.should_run or len(node.pods) != 1:
            return False
        pod, is_new = node.pods[0], node.pods[0].revision == spec.revision
        if not pod.available(spec.min_ready_us, now_us):
            return is_new and self._wait(node, pod, spec, back_off, now_us)
        if pod.terminating or pod.phase is not Phase.RUNNING:
            return False
        if is_new:
            self._new.add(node.name)
        else:
            bisect.insort(self._old, node.name)
        return True

    def _wait(
        self, node: DaemonNode, pod: DaemonPod, spec: DaemonSetSpec, back_off: BackOff | None, now_us: int
    ) -> bool:
        """Takes the node if nothing can be done about its new Pod yet."""
        if not pod.lives:
            is_held = back_off is not None and back_off.holds(now_us) and not spec.strategy.allows_surge
            if pod.phase is not Phase.FAILED or back_off is None or not is_held:
                return False
            heapq.heappush(self._held, (back_off.since_us + back_off.wait_us, node.name))
        self._waiting[node.name] = pod.ready
        self._waiting_ready += pod.ready
        return True

    def next_to_replace(self, count: int, order: random.Random | None) -> list[str]:
        """As many quiet nodes with an old Pod as a sync can take: the first by name, or drawn."""
        if order is None:
            return self._old[:count]
        return order.sample(self._old, min(count, len(self._old)))

    def status(self, *, without: int = 0) -> Status:
        """What quiet nodes add to the status; `without` of those with an old Pod left out."""
        available = len(self._new) + len(self._old) - without
        every = available + len(self._waiting)
        return Status(
            desired=every,
            current=every,
            misscheduled=0,
            ready=available + self._waiting_ready,
            updated=len(self._new) + len(self._waiting),
            available=available,
        )
