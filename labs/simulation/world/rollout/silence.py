"""Nodes whose kubelet falls silent: what the API server makes of that, and when, and what a reboot does to the plugins.

Nothing starts, stops or is told on such a node, but what runs goes on running. After `node-monitor-grace-period` (40 s, from
v1.32 on 50 s: kubernetes#126287) the node lifecycle controller calls it NotReady, taints it `unreachable` (NoSchedule and
NoExecute) and marks its Pods not Ready; the grace is counted from the moment at which the kubelet falls silent.

A reboot ends every container; nobody is told before. What comes back is the kubelet (it knows no device before a plugin
registers) and, in the same Pod, the plugin: its init container runs again and reads what the volume, mounted anew, holds.
That a node is back after `rebootSeconds` (120) is this world's timing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from labs.cluster.pod_phase import Phase
from labs.simulation.scenario.rollout import Rollout
from labs.simulation.trace import DaemonPodStopped, NodeBooted, NodeUnreachable
from labs.simulation.world.rollout.nodes import FleetNode, FleetPod
from labs.simulation.world.rollout.plugin import Kubelets, PluginSide
from labs.simulation.world.rollout.waits import NodeDue, NodeStep


class NodesOfKubelets(Kubelets, Protocol):
    """The kubelets with their nodes, and what the API server makes of them."""

    @property
    def rollout(self) -> Rollout:
        """The scenario."""

    @property
    def nodes(self) -> Mapping[str, FleetNode]:
        """The nodes that there are, by name."""

    @property
    def plugins(self) -> PluginSide:
        """The plugins in the Pods."""

    def plan_for_node(self, at_us: int, what: NodeDue) -> None:
        """Makes a step of a node due."""

    def plan_start(self, pod: FleetPod) -> None:
        """A kubelet mounts a Pod's files and starts it."""

    def mark_down(self, node: FleetNode) -> None:
        """The node is NotReady, and tainted."""

    def remove(self, pod: FleetPod) -> None:
        """The Pod object is gone."""


class Silence:
    """The silent nodes of a fleet."""

    def __init__(self, fleet: NodesOfKubelets) -> None:
        self._fleet = fleet

    def fall(self, node: FleetNode) -> None:
        """The kubelet falls silent; what it was about to do it does not do."""
        fleet = self._fleet
        node.silent = True
        node.silences += 1
        for pod in node.pods:
            pod.life += 1
        fleet.plan_for_node(fleet.now_us + fleet.rollout.grace_us, self._due(node, NodeStep.UNREACHABLE))
        fleet.plugins.follow(node)

    def reboot(self, node: FleetNode) -> None:
        """The node goes down and comes up again, silent or not before."""
        fleet = self._fleet
        if not node.silent:
            self.fall(node)
        node.reboots = True
        for pod in node.pods:
            pod.is_up = pod.serves = False
        node.orphans.clear()
        fleet.plugins.power_off(node)
        fleet.plan_for_node(fleet.now_us + fleet.rollout.reboot_us, self._due(node, NodeStep.BOOTED))

    def end(self, node: FleetNode) -> None:
        """The kubelet is heard again."""
        node.silent = node.down = node.reboots = False
        node.silences += 1

    def step(self, due: NodeDue) -> None:
        """What was due happens, unless the node has gone or was heard of since."""
        node = self._fleet.nodes.get(due.node)
        if node is None or node.silences != due.silence:
            return
        if due.step is NodeStep.UNREACHABLE:
            self._fleet.write(NodeUnreachable(self._fleet.now_us, node.name))
            self._fleet.mark_down(node)
        else:
            self._boot(node)

    def _due(self, node: FleetNode, step: NodeStep) -> NodeDue:
        return NodeDue(step, node.name, node.silences)

    def _boot(self, node: FleetNode) -> None:
        fleet = self._fleet
        self.end(node)
        fleet.write(NodeBooted(fleet.now_us, node.name))
        fleet.plugins.boot(node)
        for pod in list(node.pods):
            if pod.terminating:
                fleet.remove(pod)
            elif pod.scheduled and pod.phase is not Phase.FAILED:
                self._start_again(pod)
        fleet.mark_changed(node)

    def _start_again(self, pod: FleetPod) -> None:
        fleet = self._fleet
        fleet.set_not_ready(pod)
        pod.phase, pod.mounted_us = Phase.PENDING, fleet.now_us
        pod.sidecar_is_down = False
        pod.init_failures = pod.restarts = 0  # the kubelet keeps back-offs in memory
        fleet.write(DaemonPodStopped(*fleet.moment_of(pod)))
        fleet.plan_start(pod)
