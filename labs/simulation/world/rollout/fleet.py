"""The nodes of a rollout and the kubelets on them: how Pods start, crash, fail, end and stay stuck.

Everything is in integer microseconds and in the order of a heap whose ties are broken by the order of arrival.
The timing (1 s until a broken Pod fails or a crashing one is Ready) is that of design.md, not Kubernetes'.
"""

from __future__ import annotations

import bisect
import heapq
from collections.abc import Iterable

from labs.cluster.daemonset import DaemonNode, by_age
from labs.cluster.pod_phase import Phase
from labs.hardware.units import SECOND_US
from labs.simulation.scenario.rollout import (
    NEVER_STARTS,
    Behaviour,
    PluginConfigs,
    PodBehaviour,
    Rollout,
    RolloutEvent,
)
from labs.simulation.trace import (
    DaemonPodBefore,
    DaemonPodCreated,
    DaemonPodDeleted,
    DaemonPodFailed,
    DaemonPodGone,
    DaemonPodNotReady,
    DaemonPodReady,
    DaemonPodScheduled,
    DaemonPodStarted,
    DaemonPodTerminating,
    DaemonPodUnschedulable,
    DaemonPodWaiting,
    PluginCrashed,
    RolloutRecord,
)
from labs.simulation.world.rollout.nodes import FleetNode, FleetPod
from labs.simulation.world.rollout.plugin import Cards, NoCards, PluginSide
from labs.simulation.world.rollout.silence import Silence
from labs.simulation.world.rollout.waits import CRASH_LOOP_BACK_OFF, RESTART_WAITS_US, NodeDue, Step

LETTERS = "bcdfghjklmnpqrstvwxz2456789"  # of the random part of a Pod's name
LONG_AGO_US = 3_600 * SECOND_US
HEALTHY = Behaviour(None, frozenset(), PodBehaviour.HEALTHY)
CONTROLLER, PERSON = "daemonset-controller", "kubectl"  # who asks for a Pod's end
WAITING = {PodBehaviour.INIT_STUCK: "Init:0/1", PodBehaviour.IMAGE_PULL: "ImagePullBackOff"}


Due = tuple[int, int, Step | NodeDue | RolloutEvent, FleetPod | None, int]


class Fleet:
    """All nodes, what is due on them, and the records so far."""

    def __init__(self, rollout: Rollout, cards: Cards | None = None) -> None:
        self.rollout = rollout
        self.now_us = 0
        self.records: list[RolloutRecord] = []
        self.configs = PluginConfigs(rollout.config_maps, rollout.refresh_us)
        tells = cards is not None or rollout.has_configs
        self.plugins = PluginSide(self, self.configs, cards or NoCards(self.configs), tells=tells)
        self.silence = Silence(self)
        self._open = 0  # of what is due: what does not merely repeat
        self.nodes: dict[str, FleetNode] = {}
        self.changed: set[str] = set()  # nodes that have changed since somebody emptied it
        self._order: list[str] = []
        self._views: dict[str, DaemonNode] = {}
        self._due: list[Due] = []
        self._arrivals = 0
        self._pods_made = 0
        self._behaviours: dict[str, list[Behaviour]] = {}
        for behaviour in rollout.behaviours:
            for revision in behaviour.revisions:
                self._behaviours.setdefault(revision, []).append(behaviour)
        for name in rollout.nodes:
            if name not in rollout.absent:
                self.add_node(name)

    # What is due

    def plan(self, at_us: int, what: Step, pod: FleetPod | None = None) -> None:
        """Makes a step due; of what is due at one time the first planned comes first."""
        self._plan(at_us, what, pod)

    def plan_for_node(self, at_us: int, what: NodeDue) -> None:
        """Makes a step of a node due."""
        self._plan(at_us, what, None)

    def plan_action(self, event: RolloutEvent) -> None:
        """Makes what somebody does due."""
        self._plan(event.at_us, event, None)

    def _plan(self, at_us: int, what: Step | NodeDue | RolloutEvent, pod: FleetPod | None) -> None:
        heapq.heappush(self._due, (at_us, self._arrivals, what, pod, pod.life if pod else 0))
        self._arrivals += 1
        self._open += not (isinstance(what, Step) and what.repeats)

    @property
    def is_idle(self) -> bool:
        """Whether nothing is due but what repeats without changing anything."""
        return self._open == 0

    @property
    def next_due_us(self) -> int | None:
        """When the next thing is due."""
        return self._due[0][0] if self._due else None

    def advance(self, until_us: int) -> Iterable[RolloutEvent]:
        """Lets everything due up to then happen, in order; yields the actions, for the caller to do."""
        while self._due and self._due[0][0] <= until_us:
            at_us, _, what, pod, life = heapq.heappop(self._due)
            self.now_us = at_us
            self._open -= not (isinstance(what, Step) and what.repeats)
            if isinstance(what, RolloutEvent):
                yield what
            elif isinstance(what, NodeDue):
                self.silence.step(what)
            elif pod is not None and pod.life == life:
                self._step(what, pod)
        self.now_us = until_us

    def write(self, record: RolloutRecord) -> None:
        """Writes down what happens now."""
        self.records.append(record)

    def moment_of(self, pod: FleetPod) -> tuple[int, str, str]:
        """What every record of a Pod begins with: the time, its node and its name."""
        return self.now_us, pod.node.name, pod.name

    # What the controller sees

    def views(self) -> list[DaemonNode]:
        """All nodes in order of their names."""
        return [self.view(name) for name in self._order]

    def mark_changed(self, node: FleetNode) -> None:
        """The node or a Pod on it has changed."""
        self._views.pop(node.name, None)
        self.changed.add(node.name)

    def view(self, name: str) -> DaemonNode:
        """One node."""
        return self._views.get(name) or self._view(name)

    def _view(self, name: str) -> DaemonNode:
        node = self.nodes[name]
        kept_away = (node.tainted or node.down) and not self.rollout.tolerate_all
        pods = by_age([pod.view() for pod in node.pods])
        view = DaemonNode(name, node.selected and not kept_away, node.selected, pods)
        self._views[name] = view
        return view

    # Nodes

    def add_node(self, name: str) -> None:
        """A node joins; one that is there already stays as it is."""
        if name not in self.nodes:
            self.nodes[name] = FleetNode(name)
            bisect.insort(self._order, name)
            self.changed.add(name)
            self.plugins.follow(self.nodes[name])

    def delete_node(self, name: str) -> None:
        """The Node object goes, and its Pods with it at once (in life PodGC needs up to a minute)."""
        node = self.nodes.pop(name, None)
        if node is not None:
            self._order.remove(name)
            self._views.pop(name, None)
            self.changed.add(name)
            for pod in list(node.pods):
                self.remove(pod)
            self.plugins.leave(name)

    def mark_down(self, node: FleetNode) -> None:
        """The node lifecycle controller sees that its kubelet is silent: NotReady, tainted, its Pods marked not Ready."""
        node.down = node.silent = True
        for pod in node.pods:
            self.set_not_ready(pod)
        self.mark_changed(node)
        self.plugins.follow(node)

    def repair(self, node: FleetNode) -> None:
        """What was wrong with the node is mended; Pods whose own state is stuck stay so until replaced."""
        was_silent, node.tainted = node.silent, False
        self.silence.end(node)
        before = [(pod, self.behaviour(pod).pod) for pod in node.pods]
        node.repaired = True
        self.plugins.follow(node)
        self.plugins.find(node)
        self.plugins.mend(node)
        for pod, behaviour in before:
            if pod.terminating:
                if was_silent:
                    self.plan(self.now_us + self.rollout.termination_us, Step.GONE, pod)
            elif pod.phase is Phase.RUNNING and (was_silent or behaviour is PodBehaviour.NEVER_READY):
                self.plan(self.now_us, Step.START, pod)
            elif (
                was_silent
                or pod.init_failures
                or behaviour is PodBehaviour.PENDING
                or behaviour in NEVER_STARTS
            ):
                if not pod.scheduled:
                    pod.scheduled, pod.mounted_us = True, self.now_us
                    self.write(DaemonPodScheduled(*self.moment_of(pod)))
                self.plan(self.now_us + self.rollout.startup_us, Step.START, pod)
            self.plugins.settle(pod)
        self.mark_changed(node)

    def is_well(self, node: FleetNode) -> bool:
        """Whether nothing is wrong with the node itself; what one of its Pods has stays until that is replaced."""
        fails = not node.repaired and any(
            behaviour.nodes is None or node.name in behaviour.nodes
            for behaviours in self._behaviours.values()
            for behaviour in behaviours
        )
        return not (node.silent or node.tainted or fails or self.plugins.is_mislabelled(node))

    # Pods

    def behaviour(self, pod: FleetPod) -> Behaviour:
        """How a Pod of its revision behaves on its node."""
        if not pod.node.repaired:
            for behaviour in self._behaviours.get(pod.revision, ()):
                if behaviour.nodes is None or pod.node.name in behaviour.nodes:
                    return behaviour
        return HEALTHY

    def create(self, node: FleetNode, revision: str) -> None:
        """A new Pod on the node, and what its kubelet will make of it."""
        pod = self._new_pod(node, revision, self.now_us)
        self.write(DaemonPodCreated(*self.moment_of(pod), revision))
        if self.behaviour(pod).pod is PodBehaviour.PENDING:
            pod.scheduled = False
            self.write(DaemonPodUnschedulable(*self.moment_of(pod)))
        if pod.scheduled and not node.silent:
            self.plan_start(pod)

    def plan_start(self, pod: FleetPod) -> None:
        """Its kubelet mounts a Pod's files and starts it, and what comes of that by its behaviour."""
        pod.mounted_us = self.now_us
        behaviour = self.behaviour(pod).pod
        if behaviour in NEVER_STARTS:
            self.write(DaemonPodWaiting(*self.moment_of(pod), WAITING[behaviour]))
        elif behaviour is PodBehaviour.FAILED:
            self.plan(self.now_us + SECOND_US, Step.FAIL, pod)
        elif behaviour is PodBehaviour.CRASH_LOOP:
            self.plan(self.now_us + SECOND_US, Step.START, pod)
        else:
            self.plan(self.now_us + self.rollout.startup_us, Step.START, pod)

    def create_before(self, node: FleetNode, revision: str, *, broken: bool) -> None:
        """A Pod that ran long before the start."""
        pod = self._new_pod(node, revision, -2 * LONG_AGO_US - self.rollout.min_ready_seconds * SECOND_US)
        pod.phase, pod.stuck, pod.is_up = Phase.RUNNING, broken, True
        pod.ready_since_us = pod.created_us + LONG_AGO_US
        self.write(DaemonPodBefore(*self.moment_of(pod), revision))
        self.plugins.begin(pod, broken=broken)
        if broken:
            self.set_not_ready(pod)

    def _new_pod(self, node: FleetNode, revision: str, created_us: int) -> FleetPod:
        self._pods_made += 1
        name = f"{self.rollout.name}-{_suffix(self._pods_made)}"
        pod = FleetPod(name, node, revision, created_us, self._pods_made, created_us)
        node.pods.append(pod)
        self.mark_changed(node)
        return pod

    def delete(self, pod: FleetPod, by: str, *, force: bool = False) -> None:
        """Somebody asks for the Pod's end.

        A Pod that has ended, was never scheduled or is forced goes at once; on a node whose kubelet is silent it stays
        Terminating.
        """
        self.write(DaemonPodDeleted(*self.moment_of(pod), by))
        if force or not pod.scheduled or pod.phase in (Phase.FAILED, Phase.SUCCEEDED):
            self.remove(pod)
        elif not pod.terminating:
            pod.terminating = True
            pod.is_up = pod.is_up and pod.node.silent
            pod.life += 1
            self.plugins.settle(pod)
            self.mark_changed(pod.node)
            self.write(DaemonPodTerminating(*self.moment_of(pod)))
            if not pod.node.silent:
                self.plan(self.now_us + self.rollout.termination_us, Step.GONE, pod)

    def remove(self, pod: FleetPod) -> None:
        """The Pod object is gone."""
        pod.life += 1
        pod.is_up = False
        self.plugins.settle(pod)
        self.plugins.lose_sight(pod)
        pod.node.pods.remove(pod)
        if pod.node.name in self.nodes:
            self.mark_changed(pod.node)
        self.write(DaemonPodGone(*self.moment_of(pod)))

    def set_not_ready(self, pod: FleetPod) -> None:
        """The Ready condition turns False."""
        if pod.ready_since_us is not None:
            pod.ready_since_us = None
            self.mark_changed(pod.node)
            self.write(DaemonPodNotReady(*self.moment_of(pod)))
            self.plugins.settle(pod)

    def _step(self, step: Step, pod: FleetPod) -> None:
        if step is Step.LOOK:
            self.mark_changed(pod.node)
        elif step is Step.GONE:
            self.remove(pod)
        elif step in (Step.START, Step.AGAIN):
            self._start(pod)
        elif step is Step.READY:
            self.set_ready(pod)
        elif step is Step.SIDECAR:
            self.plugins.start_sidecar(pod)
        elif step is Step.REGISTER:
            self.plugins.read_again(pod)
        elif step is Step.CRASH:
            self._crash(pod)
        elif self.behaviour(pod).pod is PodBehaviour.FAILED:
            pod.phase = Phase.FAILED
            self.mark_changed(pod.node)
            self.write(DaemonPodFailed(*self.moment_of(pod)))
        else:  # repaired before it failed
            self.plan(max(self.now_us, pod.created_us + self.rollout.startup_us), Step.START, pod)

    def _start(self, pod: FleetPod) -> None:
        behaviour = self.behaviour(pod)
        if not pod.is_up and not self.plugins.may_start(pod):
            return
        pod.phase = Phase.RUNNING
        self.mark_changed(pod.node)
        if not pod.is_up:
            pod.is_up = True
            self.write(DaemonPodStarted(*self.moment_of(pod)))
        if pod.stuck or behaviour.pod is PodBehaviour.NEVER_READY or pod.ready_since_us is not None:
            return
        if not behaviour.probe_us:
            self.set_ready(pod)
        elif behaviour.pod is not PodBehaviour.CRASH_LOOP or behaviour.probe_us < behaviour.run_us:
            self.plan(self.now_us + behaviour.probe_us, Step.READY, pod)
        if behaviour.pod is PodBehaviour.CRASH_LOOP:
            self.plan(self.now_us + behaviour.run_us, Step.CRASH, pod)

    def set_ready(self, pod: FleetPod) -> None:
        """The Ready condition turns True."""
        held = pod.stuck or pod.sidecar_is_down
        if not pod.is_up or held or pod.ready_since_us is not None:
            return
        pod.ready_since_us = self.now_us
        self.mark_changed(pod.node)
        self.write(DaemonPodReady(*self.moment_of(pod)))
        self.plugins.settle(pod)
        if self.rollout.min_ready_seconds:
            self.plan(self.now_us + self.rollout.min_ready_seconds * SECOND_US, Step.LOOK, pod)

    def _crash(self, pod: FleetPod) -> None:
        if self.behaviour(pod).pod is not PodBehaviour.CRASH_LOOP:
            return
        self.set_not_ready(pod)
        pod.is_up = False
        self.plugins.settle(pod)
        self.mark_changed(pod.node)
        self.write(PluginCrashed(*self.moment_of(pod), CRASH_LOOP_BACK_OFF))
        wait = RESTART_WAITS_US[min(pod.restarts, len(RESTART_WAITS_US) - 1)]
        pod.restarts += 1
        self.plan(self.now_us + wait, Step.START, pod)


def _suffix(number: int) -> str:
    """Five letters as Kubernetes draws them, another for each of the first 14 million Pods."""
    scrambled = number * 2_654_435_761 % len(LETTERS) ** 5
    letters = []
    for _ in range(5):
        scrambled, digit = divmod(scrambled, len(LETTERS))
        letters.append(LETTERS[digit])
    return "".join(letters)
