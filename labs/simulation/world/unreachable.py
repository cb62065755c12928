"""Pods of workloads on nodes whose kubelet is silent: who waits, who is evicted, what stays Terminating, what a reboot ends.

While a kubelet is silent nobody hears of what its Pods do: they run on, a Pod bound to it does not start, one that ends is
not seen to have ended. Once the node is tainted `unreachable:NoExecute`, the taint eviction controller deletes a Pod after
its `tolerationSeconds` (300, from the admission plugin DefaultTolerationSeconds). The Pod object stays, Terminating, until
the kubelet confirms its end or somebody deletes it by force; the Pod's controller does not wait for that and makes another.

A reboot ends every process. The kubelet that comes up admits its Pods anew, before any device plugin has registered: each is
refused (devicesToAllocate in Kubernetes `pkg/kubelet/cm/devicemanager/manager.go`, "scenario 3 (node reboot)";
kubernetes#125579), phase Failed, and is not tried again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Mapping
from functools import partial

import simpy

from labs.cluster.node import Node
from labs.simulation.trace import PodTerminating
from labs.simulation.world.live_pod import LivePod, evict
from labs.simulation.world.trace_writer import TraceWriter

KILLED_EXIT_CODE = (
    137  # SIGKILL: what the kubelet says of a container that went with a reboot (ContainerStatusUnknown)
)


class Unreachable:
    """The silent nodes of a world; `pods` are all that there are by name, `replace` makes another Pod for one that goes."""

    def __init__(
        self,
        env: simpy.Environment,
        pods: Mapping[str, LivePod],
        trace: TraceWriter,
        replace: Callable[[LivePod], None],
    ) -> None:
        self._env = env
        self._pods = pods
        self._trace = trace
        self._replace = replace
        self._heard: dict[str, simpy.Event] = {}
        self._tainted: Counter[str] = Counter()  # how often so far

    def heard(self, node: str) -> simpy.Event | None:
        """What happens when a silent node's kubelet is heard again, or its Node object goes; None: it is not silent."""
        return self._heard.get(node)

    def wait(self, pod: LivePod) -> Generator[simpy.Event, object, None]:
        """Waits while the kubelet of the Pod's node is silent."""
        assert pod.node is not None
        event = self._heard.get(pod.node.name)
        if event is not None:
            yield event

    def fall_silent(self, node: Node) -> None:
        """Nobody hears of the kubelet any more."""
        self._heard[node.name] = self._env.event()

    def hear(self, node: Node) -> None:
        """The kubelet is heard again: it ends the Pods that are Terminating, and looks at all others."""
        self._tainted[node.name] += 1
        event = self._heard.pop(node.name, None)
        if event is None:
            return
        event.succeed()
        for pod in self._on(node):
            if pod.is_left:
                evict(pod)

    def power_off(self, node: Node) -> None:
        """Every process on the node ends."""
        for pod in self._on(node):
            pod.is_cut_off = True
            evict(pod, KILLED_EXIT_CODE)

    def taint(self, node: Node) -> None:
        """The node is unreachable: whoever is on it goes after its time, unless the kubelet is heard before."""
        times = self._tainted[node.name]
        for pod in self._on(node):
            alarm = self._env.timeout(pod.workload.tolerates_us)
            alarm.callbacks.append(partial(self._evict, pod, node, times))

    def _evict(self, pod: LivePod, node: Node, times: int, _: simpy.Event) -> None:
        is_there = self._pods.get(pod.name) is pod and pod.allocation is not None and not pod.evicted
        if is_there and self._tainted[node.name] == times:
            self._trace.write(PodTerminating(self._trace.now_us, pod.name, node.name))
            pod.evicted = pod.is_left = True
            self._replace(pod)

    def _on(self, node: Node) -> list[LivePod]:
        return [pod for pod in self._pods.values() if pod.node is node and pod.allocation is not None]
