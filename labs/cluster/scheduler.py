"""The scheduler: it knows requests and free units, nothing of memory.

A Pod goes to the node with the smallest used share of what it asks for (first resource of the request), ties
by the nodes' order. kube-scheduler's default scores weigh only cpu and memory, so among GPU nodes that are
otherwise equal its choice is open; spreading is what its LeastAllocated strategy does when told to weigh the
resource. Pending Pods are tried again in order of creation whenever units come free.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Sequence

from labs.cluster.node import Node, Request

NO_NODES = (
    "no nodes available to schedule pods"  # kube-scheduler's ErrNoNodesAvailable (pkg/scheduler/scheduler.go)
)


class Scheduler:
    """Finds a node for a request, in O(log nodes) for requests of a single resource."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._nodes = tuple(nodes)
        self._heaps: dict[str, list[tuple[int, int]]] = {}
        self._lacking: dict[tuple[str, int], set[int]] = {}  # orders of the nodes with fewer free units
        self._absent: set[int] = set()
        self._closed: dict[int, str] = {}  # by order, why the node takes no Pod at all
        for node in self._nodes:
            self.mark_changed(node)

    def mark_changed(self, node: Node) -> None:
        """To be called after a node's free units, or whether it takes Pods, changed."""
        (self._absent.discard if node.is_present else self._absent.add)(node.order)
        reason = node.keeps_away if node.is_present else None
        if reason is None:
            self._closed.pop(node.order, None)
        else:
            self._closed[node.order] = reason
        for (resource, units), lacking in self._lacking.items():
            (lacking.add if node.free(resource) < units else lacking.discard)(node.order)
        for resource in node.listed:
            if node.free(resource):
                heapq.heappush(self._heaps.setdefault(resource, []), (node.used_ppm(resource), node.order))

    def choose(self, request: Request) -> Node | None:
        """The node for the request, or None where no node has room.

        Takes nothing.
        """
        if any(len(self._lacking.get(part, ())) == len(self._nodes) for part in request):
            return None
        heap = self._heaps.get(request[0][0], [])
        passed_over: dict[tuple[int, int], None] = {}
        chosen = None
        while heap:
            used, order = heap[0]
            node = self._nodes[order]
            stale = not node.free(request[0][0]) or node.used_ppm(request[0][0]) != used
            if not stale and node.fits(request):
                chosen = node
                break
            heapq.heappop(heap)
            if not stale:
                passed_over[used, order] = None
        for entry in passed_over:
            heapq.heappush(heap, entry)
        return chosen

    def message(self, request: Request) -> str:
        """What the scheduler writes into the Pod's PodScheduled condition when `choose` found no node.

        Reasons stand in the order of their text, as in kube-scheduler's FitError; what it adds about preemption
        is left out.
        """
        absent = len(self._absent)
        if absent == len(self._nodes):
            return NO_NODES
        unasked = absent + len(self._closed)  # kube-scheduler asks nothing more of a node that takes no Pod
        lacking = [(self._count_lacking(resource, units) - unasked, resource) for resource, units in request]
        counted = [f"{count} Insufficient {resource}" for count, resource in lacking if count]
        counted += [f"{count} {reason}" for reason, count in Counter(self._closed.values()).items()]
        reasons = ", ".join(sorted(counted))
        return f"0/{len(self._nodes) - absent} nodes are available: {reasons}."

    def _count_lacking(self, resource: str, units: int) -> int:
        """How many nodes have fewer free units; kept up to date once it was asked for."""
        lacking = self._lacking.get((resource, units))
        if lacking is None:
            lacking = {node.order for node in self._nodes if node.free(resource) < units}
            self._lacking[resource, units] = lacking
        return len(lacking)
