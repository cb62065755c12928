"""The device plugin inside the DaemonSet's Pods: when it reads its config, when it serves, and what its sidecar does.

A plugin reads when its container starts, when config-manager signals it (the node's label names another entry) and when it
sees a new kubelet.sock; never because a ConfigMap has changed. It serves while its container runs and its Pod is Ready. One
exception: the sidecar of a running Pod that finds no config for a new label exits, which takes the Pod's readiness and not
the plugin (NVIDIA/k8s-device-plugin v0.20.0, cmd/config-manager and cmd/nvidia-device-plugin). The init container of
a new Pod fails in the same place: that Pod never starts.

That a plugin registers anew 1 s after its kubelet has restarted is this world's timing.
"""

from __future__ import annotations

from typing import Protocol

from labs.cluster.pod_phase import Phase
from labs.hardware.units import SECOND_US
from labs.simulation.scenario.rollout import Behaviour, PluginConfigs, PodBehaviour, Reading
from labs.simulation.trace import (
    ConfigRead,
    DaemonPodStarted,
    DaemonPodWaiting,
    NodeLabelled,
    PluginCrashed,
    RolloutRecord,
    SidecarCrashed,
)
from labs.simulation.world.rollout.nodes import FleetNode, FleetPod
from labs.simulation.world.rollout.waits import CRASH_LOOP_BACK_OFF, INIT_CRASH_LOOP, RESTART_WAITS_US, Step

REGISTER_AGAIN_US = SECOND_US


class Cards(Protocol):
    """What the plugins offer: the nodes' cards, where the scenario has any."""

    def refusal(self, node: str, reading: Reading) -> str | None:
        """Why a plugin that reads this exits on the node; None: it starts."""

    def serve(self, node: str, pod: str, reading: Reading) -> None:
        """The Pod's plugin registers with the node's kubelet."""

    def stop(self, node: str, pod: str) -> None:
        """The Pod's plugin is gone."""

    def served_before(self, node: str, reading: Reading) -> None:
        """Long before the start a plugin that read this served here."""

    def restart_kubelet(self, node: str) -> None:
        """The node's kubelet has restarted."""

    def power_off(self, node: str) -> None:
        """The node goes down for a reboot."""

    def follow(self, node: FleetNode) -> None:
        """The node is there, and is cordoned, tainted, silent, down as it says."""

    def leave(self, node: str) -> None:
        """The Node object is gone."""


class NoCards:
    """A rollout alone: of a config it is only asked whether it loads."""

    def __init__(self, configs: PluginConfigs) -> None:
        self._configs = configs

    def refusal(self, node: str, reading: Reading) -> str | None:
        """The loader's error."""
        return None if reading.text is None else self._configs.loaded(reading.text).error

    def serve(self, node: str, pod: str, reading: Reading) -> None:
        """Nothing is offered."""

    def stop(self, node: str, pod: str) -> None:
        """Nothing was."""

    def served_before(self, node: str, reading: Reading) -> None:
        """Nothing was."""

    def restart_kubelet(self, node: str) -> None:
        """Nothing was."""

    def power_off(self, node: str) -> None:
        """Nothing was."""

    def follow(self, node: FleetNode) -> None:
        """No workload looks at it."""

    def leave(self, node: str) -> None:
        """No workload looks at it."""


class Kubelets(Protocol):
    """What runs the plugins' Pods."""

    @property
    def now_us(self) -> int:
        """The time."""

    def plan(self, at_us: int, what: Step, pod: FleetPod) -> None:
        """Makes a step of the Pod due."""

    def write(self, record: RolloutRecord) -> None:
        """Writes down what happens now."""

    def moment_of(self, pod: FleetPod) -> tuple[int, str, str]:
        """What every record of a Pod begins with: the time, its node and its name."""

    def mark_changed(self, node: FleetNode) -> None:
        """The node or a Pod on it has changed."""

    def behaviour(self, pod: FleetPod) -> Behaviour:
        """How the Pod behaves on its node."""

    def set_ready(self, pod: FleetPod) -> None:
        """The Pod's Ready condition turns True, if nothing holds it."""

    def set_not_ready(self, pod: FleetPod) -> None:
        """The Pod's Ready condition turns False."""


class PluginSide:
    """The plugins of a fleet; `tells` writes down what each of them reads."""

    def __init__(self, fleet: Kubelets, configs: PluginConfigs, cards: Cards, *, tells: bool) -> None:
        self._fleet = fleet
        self._configs = configs
        self._cards = cards
        self._tells = tells

    # A container starts, or stops

    def may_start(self, pod: FleetPod) -> bool:
        """Lets the Pod's init container choose a config and its plugin read it; False: one of them has exited."""
        reading = self._reading(pod)
        if reading is None:
            if not pod.init_failures:
                self._fleet.write(DaemonPodWaiting(*self._fleet.moment_of(pod), INIT_CRASH_LOOP))
            self._try_again(pod, pod.init_failures)
            pod.init_failures += 1
            return False
        if self._cards.refusal(pod.node.name, reading) is not None:
            self.crash(pod)
            return False
        self._read(pod, reading)
        return True

    def crash(self, pod: FleetPod) -> None:
        """The plugin exits; the kubelet starts its container again after a while."""
        fleet = self._fleet
        pod.is_up, pod.phase = False, Phase.RUNNING
        fleet.set_not_ready(pod)
        fleet.mark_changed(pod.node)
        fleet.write(PluginCrashed(*fleet.moment_of(pod), CRASH_LOOP_BACK_OFF))
        self._try_again(pod, pod.restarts)
        pod.restarts += 1
        self.settle(pod)

    def settle(self, pod: FleetPod) -> None:
        """To be called when the Pod has changed: its plugin serves from now on, or serves no more."""
        if pod.node.silent:
            return  # nobody knows
        is_ready = pod.ready_since_us is not None or pod.sidecar_is_down
        serves_nothing = self._fleet.behaviour(pod).pod is PodBehaviour.SERVES_NOTHING
        wants = pod.is_up and is_ready and not serves_nothing and pod.reading is not None
        if wants and not pod.serves and pod.reading is not None:
            pod.serves = True
            self._cards.serve(pod.node.name, pod.name, pod.reading)
        elif pod.serves and not wants:
            pod.serves = False
            self._cards.stop(pod.node.name, pod.name)

    def lose_sight(self, pod: FleetPod) -> None:
        """The Pod is gone from the API; on a node whose kubelet is silent its plugin may serve on."""
        if pod.serves and pod.node.silent:
            pod.node.orphans.append(pod.name)

    def find(self, node: FleetNode) -> None:
        """The node's kubelet is heard again, and ends what nobody wants any more."""
        for name in node.orphans:
            self._cards.stop(node.name, name)
        node.orphans.clear()

    def begin(self, pod: FleetPod, *, broken: bool) -> None:
        """The Pod ran before the start, before its node got the label that it has.

        Of a broken one nothing is served for long.
        """
        reading = self._configs.reading(pod.revision, None, pod.mounted_us, 0) or self._reading(pod)
        if reading is not None and self._cards.refusal(pod.node.name, reading) is None:
            self._read(pod, reading)
            if broken:
                self._cards.served_before(pod.node.name, reading)
                return
        else:
            self.crash(pod)
        self.settle(pod)
        self.follow_label(pod)

    # What makes a running plugin read again

    def label(self, node: FleetNode, value: str | None) -> None:
        """Somebody labels the node; config-manager sees it at once."""
        node.label = value
        self._fleet.write(NodeLabelled(self._fleet.now_us, node.name, value or ""))
        for pod in node.pods:
            self.follow_label(pod)

    def follow_label(self, pod: FleetPod) -> None:
        """The sidecar of a running Pod looks at the node's label."""
        if not pod.is_up or pod.terminating or pod.node.silent or pod.sidecar_is_down:
            return
        if not self._configs.has_manager(pod.revision):
            return
        reading = self._reading(pod)
        if reading is None:
            self._drop_sidecar(pod)
        elif pod.reading is None or reading.entry != pod.reading.entry:
            self.read_again(pod)

    def _drop_sidecar(self, pod: FleetPod) -> None:
        fleet = self._fleet
        pod.sidecar_is_down = True
        fleet.set_not_ready(pod)
        fleet.write(SidecarCrashed(*fleet.moment_of(pod), CRASH_LOOP_BACK_OFF))
        fleet.plan(fleet.now_us + _wait(pod.restarts), Step.SIDECAR, pod)
        pod.restarts += 1

    def start_sidecar(self, pod: FleetPod) -> None:
        """The sidecar's container starts again."""
        if not pod.is_up or not pod.sidecar_is_down:
            return
        reading = self._reading(pod)
        if reading is None:
            self._drop_sidecar(pod)
            return
        pod.sidecar_is_down = False
        self._fleet.write(DaemonPodStarted(*self._fleet.moment_of(pod)))
        if pod.reading is None or reading.entry != pod.reading.entry:
            self.read_again(pod)
        self._fleet.set_ready(pod)

    def restart_kubelet(self, node: FleetNode) -> None:
        """The node's kubelet restarts: it knows no device before the plugins have seen its new socket."""
        self._cards.restart_kubelet(node.name)
        for pod in node.pods:
            if pod.is_up and not pod.terminating:
                self._fleet.plan(self._fleet.now_us + REGISTER_AGAIN_US, Step.REGISTER, pod)

    def read_again(self, pod: FleetPod) -> None:
        """The running plugin restarts its servers and reads what there is now."""
        if not pod.is_up:
            return
        reading = self._reading(pod)
        if (
            reading is None
        ):  # the label is config-manager's business: the file that it last linked is still there
            reading = pod.reading
        if reading is None:
            return
        if self._cards.refusal(pod.node.name, reading) is not None:
            self.crash(pod)
            return
        if pod.serves:
            pod.serves = False
            self._cards.stop(pod.node.name, pod.name)
        self._read(pod, reading)
        self.settle(pod)

    def _reading(self, pod: FleetPod) -> Reading | None:
        label = pod.node.label
        return self._configs.reading(pod.revision, label, pod.mounted_us, self._fleet.now_us)

    def _read(self, pod: FleetPod, reading: Reading) -> None:
        pod.reading = reading
        if self._tells:
            self._fleet.write(ConfigRead(*self._fleet.moment_of(pod), reading.name))

    def _try_again(self, pod: FleetPod, failures: int) -> None:
        self._fleet.plan(self._fleet.now_us + _wait(failures), Step.AGAIN, pod)

    # Nodes

    def mend(self, node: FleetNode) -> None:
        """A label that names no config is taken away, where that was what was wrong with the node."""
        if self.is_mislabelled(node):
            self.label(node, None)

    def is_mislabelled(self, node: FleetNode) -> bool:
        """Whether the node's label names a config that one of its Pods can't find."""
        return node.label is not None and any(self._reading(pod) is None for pod in node.pods)

    def power_off(self, node: FleetNode) -> None:
        """The node goes down for a reboot."""
        self._cards.power_off(node.name)

    def boot(self, node: FleetNode) -> None:
        """The node's kubelet has started anew, and knows no device."""
        self._cards.restart_kubelet(node.name)
        self._cards.follow(node)

    def follow(self, node: FleetNode) -> None:
        """The node has changed as the scheduler sees it."""
        self._cards.follow(node)

    def leave(self, node: str) -> None:
        """The Node object is gone."""
        self._cards.leave(node)


def _wait(failures: int) -> int:
    return RESTART_WAITS_US[min(failures, len(RESTART_WAITS_US) - 1)]
