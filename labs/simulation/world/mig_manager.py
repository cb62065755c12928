"""mig-manager: what becomes of a node, and of the Pods on it, when its MIG config is changed while the cluster runs.

It sets `nvidia.com/mig.config.state` to `pending`, and takes the operator's own GPU clients away, the device plugin among
them: nothing is placed on the node meanwhile. It neither drains the node nor moves anybody. Is there still a process on a
GPU of the node, the driver says "In use by another client": the state is `failed`, and the layout stays. Otherwise every
card is cut anew, the plugin starts again and offers the new devices, and the state is `success`. A node that has the
layout already is left alone (mig-parted, deployments/k8s-mig-manager, reconfigure.go).

Switching MIG mode on or off takes a reset of the GPU on Ampere and none from Hopper on (NVIDIA MIG User Guide, "GPU Reset on
Hopper+ GPUs"); mig-manager waits 30 s for it on any card. That a node with a lost card cannot be changed, that clients are
gone after 5 s (mig-manager waits up to 5 min for each), that a change without switching takes 3 s (destroying an instance
takes about one) and that evicted Pods are gone after 1 s (their grace period is 30 s) are assumptions.

A Pod whose container waits for its next start has no process and is not in the way. Its device is gone then, and its
container starts no more.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import simpy

from labs.cluster.node import Node
from labs.cluster.scheduler import Scheduler
from labs.hardware.units import SECOND_US
from labs.simulation.scenario import MigConfig, NodeSpec
from labs.simulation.trace import (
    AllocatableChanged,
    CardHealthy,
    MigConfigSet,
    MigLayoutChanged,
    MigModeSwitched,
    MigStateChanged,
    NodeCordoned,
    NodeUncordoned,
)
from labs.simulation.world.card import Card
from labs.simulation.world.live_pod import LivePod, evict_all
from labs.simulation.world.offer import write_offer
from labs.simulation.world.trace_writer import TraceWriter

PAUSE_US, MAX_PAUSE_US = 5 * SECOND_US, 300 * SECOND_US
MODE_US = 30 * SECOND_US
LAYOUT_US = 3 * SECOND_US
DRAIN_US = SECOND_US
PENDING, SUCCESS, FAILED = "pending", "success", "failed"
OFF = "off"
RESETS = {True: "gpu-reset", False: "no-reset", None: "reset-unknown"}

Steps = Generator[simpy.Event, object, None]


@dataclass(frozen=True, slots=True)
class Layout:
    """A node as it is cut at some time: what it offers then, and what of it processes run on."""

    spec: NodeSpec
    node: Node
    cards: Sequence[Card]


class Operator(Protocol):
    """Whoever runs the device plugin of the nodes as a DaemonSet."""

    def pause(self, node: str) -> None:
        """The node's label `nvidia.com/gpu.deploy.device-plugin` is `paused-for-mig-change`: the DaemonSet leaves it."""

    def is_gone(self, node: str) -> bool:
        """Whether no Pod of the DaemonSet is on the node any more."""

    def resume(self, node: str) -> None:
        """The label is `true` again."""

    def heard(self, node: str) -> simpy.Event | None:
        """What happens when the node, whose kubelet is silent, is heard again; None: it is not silent."""

    def recut(self, node: str, layout: Layout) -> None:
        """The node's cards are cut so now; the next plugin that starts there finds it."""


class MigManager:
    """Changes the layouts of nodes.

    `pods` are all that there are, `retry` places those that wait. With an `operator` the device plugin is a DaemonSet's:
    it is taken away and brought back by the labels of its node, and registers what it then finds.
    """

    def __init__(
        self,
        env: simpy.Environment,
        pods: Mapping[str, LivePod],
        scheduler: Scheduler,
        trace: TraceWriter,
        retry: Callable[[], None],
        operator: Operator | None = None,
    ) -> None:
        self._env = env
        self._pods = pods
        self._scheduler = scheduler
        self._trace = trace
        self._retry = retry
        self._operator = operator

    def watch(self, configs: Sequence[MigConfig], layouts: Sequence[Layout]) -> Steps:
        """Plays the MIG configs of one node; `layouts` are the first one and what each of them asks for."""
        node, present = layouts[0].node, layouts[0]
        for number, (config, wanted) in enumerate(zip(configs, layouts[1:], strict=True), start=1):
            yield self._env.timeout(max(0, config.at_us - int(self._env.now)))
            heard = None if self._operator is None else self._operator.heard(node.name)
            if heard is not None:
                yield heard  # mig-manager's own Pod is on the node
            if config.drain:
                self._drain(node)
                yield self._env.timeout(DRAIN_US)
            profiles = ", ".join(share.profile for share in config.mig) or OFF
            self._trace.write(MigConfigSet(self._trace.now_us, node.name, number, profiles))
            self._state(node, PENDING)
            if _is_cut(present.spec, wanted.spec):
                self._state(node, SUCCESS)
            else:
                present = yield from self._change(node, number, present, wanted)
            if config.drain:
                node.is_cordoned = False
                self._trace.write(NodeUncordoned(self._trace.now_us, node.name))
            self._scheduler.mark_changed(node)
            self._retry()

    def _change(
        self, node: Node, number: int, present: Layout, wanted: Layout
    ) -> Generator[simpy.Event, object, Layout]:
        """Takes the clients away, changes the layout where nothing is in the way, and lets the plugin start again."""
        yield from self._pause(node)
        if _is_free(present):
            for card in present.cards:
                card.gone = True
            mode = None
            if bool(present.spec.mig) is not bool(wanted.spec.mig):
                mode = RESETS[wanted.spec.model.mig_mode_enable_needs_gpu_reset]
                switched = MigModeSwitched(self._trace.now_us, node.name, bool(wanted.spec.mig), mode)
                self._trace.write(switched)
            yield self._env.timeout(LAYOUT_US if mode is None else MODE_US)
        self._resume(node)
        if not _is_free(present):
            for card in present.cards:
                card.gone = False
                if self._operator is None and card.recover():
                    node.mark_healthy(card.number)
                    self._trace.write(CardHealthy(self._trace.now_us, node.name, card.number))
            self._state(node, FAILED, len(_processes(present)))
            if self._operator is None:
                self._allocatable(node)
            return present
        for layout, there in ((present, False), (wanted, True)):
            for card in layout.cards:
                card.is_present, card.gone = there, not there
        self._trace.write(MigLayoutChanged(self._trace.now_us, node.name, number))
        if self._operator is None:
            node.take_layout(wanted.node)
            write_offer(self._trace, wanted.spec, node, wanted.cards)
        else:
            self._operator.recut(node.name, wanted)
        self._state(node, SUCCESS)
        return wanted

    def _pause(self, node: Node) -> Steps:
        """The operator's own GPU clients go away."""
        if self._operator is None:
            node.is_paused = True
            self._scheduler.mark_changed(node)
            self._allocatable(node)
            yield self._env.timeout(PAUSE_US)
            return
        self._operator.pause(node.name)
        given_up_us = int(self._env.now) + MAX_PAUSE_US
        while True:
            yield self._env.timeout(PAUSE_US)
            if self._operator.is_gone(node.name) or self._env.now >= given_up_us:
                return

    def _resume(self, node: Node) -> None:
        if self._operator is None:
            node.is_paused = False
        else:
            self._operator.resume(node.name)

    def _drain(self, node: Node) -> None:
        """Cordons the node and evicts everybody on it."""
        node.is_cordoned = True
        self._scheduler.mark_changed(node)
        self._trace.write(NodeCordoned(self._trace.now_us, node.name))
        evict_all(self._pods, node)

    def _state(self, node: Node, state: str, in_the_way: int | None = None) -> None:
        self._trace.write(MigStateChanged(self._trace.now_us, node.name, state, in_the_way))

    def _allocatable(self, node: Node) -> None:
        for resource, pool in node.pools.items():
            left = 0 if node.is_paused else pool.allocatable
            self._trace.write(AllocatableChanged(self._trace.now_us, node.name, resource, left))


def _is_cut(present: NodeSpec, wanted: NodeSpec) -> bool:
    """Whether the cards have these devices already, in whatever order."""
    return sorted(share.profile for share in present.mig) == sorted(share.profile for share in wanted.mig)


def _processes(layout: Layout) -> frozenset[str]:
    return frozenset(pod for card in layout.cards for pod in card.processes)


def _is_free(layout: Layout) -> bool:
    return not _processes(layout) and not any(card.lost for card in layout.cards)
