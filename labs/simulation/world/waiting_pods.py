"""The scheduler's queue: who waits for a place, who gets one when something has changed, and why the others wait on."""

from __future__ import annotations

import heapq
import re
from collections import deque
from itertools import count

from labs.cluster.scheduler import Scheduler
from labs.simulation.trace import PodScheduled, PodUnschedulable
from labs.simulation.world.live_pod import LivePod
from labs.simulation.world.trace_writer import TraceWriter

FOLLOWED = 100  # Pods that wait for the same


class WaitingPods:
    """Pods in the queue of `scheduler`."""

    def __init__(self, scheduler: Scheduler, trace: TraceWriter) -> None:
        self._scheduler = scheduler
        self._trace = trace
        self._waiting: dict[tuple[tuple[str, int], ...], deque[LivePod]] = {}
        self._messages: dict[
            tuple[tuple[str, int], ...], str
        ] = {}  # why those wait, where it is the same of all
        self._created: dict[str, int] = {}
        self._order = count()

    def add(self, pod: LivePod) -> None:
        """A Pod has been created: it is bound to a node, or waits and is told why."""
        self._created[pod.name] = next(self._order)
        if not self._try_to_place(pod):
            self._tell_waits(pod)
            self._waiting.setdefault(pod.workload.request, deque()).append(pod)

    def _try_to_place(self, pod: LivePod) -> bool:
        node = self._scheduler.choose(pod.workload.request)
        if node is None:
            return False
        pod.node, pod.allocation = node, node.allocate(pod.workload.request)
        self._scheduler.mark_changed(node)
        self._trace.write(PodScheduled(self._trace.now_us, pod.name, node.name))
        pod.placed.succeed()
        return True

    def retry(self) -> None:
        """Tries waiting Pods in order of creation.

        Once a request does not fit, no equal one behind it does.
        """
        heads = [(self._created[queue[0].name], request) for request, queue in self._waiting.items()]
        heapq.heapify(heads)
        while heads:
            _, request = heapq.heappop(heads)
            queue = self._waiting[request]
            if not self._try_to_place(queue[0]):
                continue
            queue.popleft()
            if queue:
                heapq.heappush(heads, (self._created[queue[0].name], request))
            else:
                del self._waiting[request]

    def retry_anew(self) -> None:
        """Tries waiting Pods, and tells of those that still wait why, where that has changed.

        Where more than FOLLOWED Pods wait for the same, other numbers in the same reasons are not told: they change with
        every node.
        """
        self.retry()
        for request, queue in self._waiting.items():
            message, before = self._scheduler.message(request), self._messages.get(request)
            if message == before or (
                before and len(queue) > FOLLOWED and _reasons(message) == _reasons(before)
            ):
                continue
            self._messages[request] = message
            for pod in queue:
                self._tell_why(pod, message)

    def _tell_waits(self, pod: LivePod) -> None:
        """Tells why a Pod waits that has just come."""
        message = self._scheduler.message(pod.workload.request)
        if self._messages.setdefault(pod.workload.request, message) != message:
            self._messages[pod.workload.request] = ""  # not the same of all any more
        self._tell_why(pod, message)

    def _tell_why(self, pod: LivePod, message: str) -> None:
        if message != pod.message:
            pod.message = message
            self._trace.write(PodUnschedulable(self._trace.now_us, pod.name, message))


def _reasons(message: str) -> str:
    """A message of the scheduler without its numbers."""
    return re.sub(r"[0-9]+", "", message)
