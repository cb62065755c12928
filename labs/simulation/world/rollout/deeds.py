"""What people do to a DaemonSet and to its nodes, and what kubectl and the API server say to it."""

from __future__ import annotations

from dataclasses import dataclass

from labs.cluster.daemonset import History, UndoError, UpdateStrategy, refusal_text, refusals
from labs.simulation.scenario.rollout import Deed, InVain, Rollout, RolloutEvent
from labs.simulation.trace import RolloutHappening
from labs.simulation.world.rollout.fleet import PERSON, Fleet
from labs.simulation.world.rollout.idle import in_vain, kubectl_words
from labs.simulation.world.rollout.nodes import FleetNode, FleetPod


@dataclass(slots=True)
class KeptDaemonSet:
    """The DaemonSet as the API server keeps it: what of it people change."""

    strategy: UpdateStrategy
    history: History
    generation: int = 1


class Deeds:
    """What is done to the DaemonSet and to the nodes of its fleet; `labels` are those that nodes have, or get as they join.

    `printed` is what kubectl said and when, `error` the first refusal of a changed spec.
    """

    def __init__(self, rollout: Rollout, fleet: Fleet, kept: KeptDaemonSet, labels: dict[str, str]) -> None:
        self._rollout = rollout
        self._fleet = fleet
        self._kept = kept
        self._labels = labels
        self.printed: list[tuple[int, str]] = []
        self.error: str | None = None

    def do(self, event: RolloutEvent) -> int:
        """Does it, or tells that nothing comes of it; how many nodes were looked at for it."""
        if event.deed is Deed.TEMPLATE:
            if not self._change_template(self._kept.history.apply(event.template)):
                self._print(
                    RolloutHappening.KUBECTL_PRINTED, f"daemonset.apps/{self._rollout.name} unchanged"
                )
                self._tell_in_vain(event, InVain.UNCHANGED)
        elif event.deed is Deed.UNDO:
            self._undo(event)
        elif event.deed is Deed.PATCH:
            self._patch(event)
        elif event.deed is Deed.CONFIG_MAP:
            self._change_config_map(event)
        elif event.deed is Deed.ADD_NODE:
            self._add_node(event)
        else:
            return self._do_to_nodes(event)
        return 0

    def _change_config_map(self, event: RolloutEvent) -> None:
        """Somebody writes the ConfigMap that the present template names, if it names one."""
        configs, current, content = self._fleet.configs, self._kept.history.current, event.config_map
        if content is not None and not configs.has_manager(current):
            self._tell_in_vain(event, InVain.UNREAD)
        elif content is not None and not configs.change(current, content, self._fleet.now_us):
            self._tell_in_vain(event, InVain.UNCHANGED)
        else:
            self._fleet.record(RolloutHappening.CONFIG_MAP_CHANGED, reason=current)

    def _add_node(self, event: RolloutEvent) -> None:
        fleet, name = self._fleet, event.nodes[0]
        if name in fleet.nodes:
            self._tell_in_vain(event, InVain.NODE_PRESENT, name)
            return
        fleet.add_node(name)
        fleet.record(RolloutHappening.NODE_CHANGED, node=name, reason=event.deed)
        label = self._labels.get(name)
        if label is not None:
            fleet.plugins.label(fleet.nodes[name], label)

    def _do_to_nodes(self, event: RolloutEvent) -> int:
        """Does a deed to each of its nodes, and says to how many; of all nodes it is not told where it comes to nothing."""
        fleet, done = self._fleet, False
        found: dict[str, InVain] = {}
        names = tuple(fleet.nodes) if event.all_nodes else event.nodes
        for name in names:
            node = fleet.nodes.get(name)
            why = InVain.NODE_ABSENT if node is None else in_vain(event, node, fleet)
            if why is not None:
                found[name] = why
            elif node is not None:
                self.do_to_node(event, node)
                done = True
        if not event.all_nodes:
            for name, why in found.items():
                self._tell_in_vain(event, why, name)
        elif not done:
            self._tell_in_vain(event, next(iter(found.values()), InVain.NODE_ABSENT))
        return len(names)

    def _tell_in_vain(self, event: RolloutEvent, why: InVain, node: str | None = None) -> None:
        """Nothing comes of a deed (on one of its nodes)."""
        for words in kubectl_words(event, node, why) if node is not None else ():
            self._print(RolloutHappening.KUBECTL_PRINTED, words)
        self._fleet.record(RolloutHappening.IN_VAIN, node=node, reason=why, counts=(event.number or 0,))

    def _change_template(self, history: History) -> bool:
        """Whether it is another than before."""
        if history == self._kept.history:
            return False
        self._kept.history = history
        self._kept.generation += 1
        self._fleet.record(RolloutHappening.TEMPLATE_CHANGED, reason=history.current)
        return True

    def _undo(self, event: RolloutEvent) -> None:
        try:
            history, said = self._kept.history.undo(event.to_revision)
        except UndoError as error:
            self._print(RolloutHappening.KUBECTL_PRINTED, f"error: {error}")
            self._tell_in_vain(event, InVain.REFUSED)
            return
        self._print(RolloutHappening.KUBECTL_PRINTED, f"daemonset.apps/{self._rollout.name} {said}")
        if not self._change_template(history):
            self._tell_in_vain(event, InVain.UNCHANGED)

    def _patch(self, event: RolloutEvent) -> None:
        old = self._kept.strategy
        new = event.patched(old)
        found = refusals(new, self._rollout.min_ready_seconds)
        if found:
            words = refusal_text(self._rollout.name, found)
            self.error = self.error or words
            self._print(RolloutHappening.SPEC_REFUSED, words)
            self._tell_in_vain(event, InVain.REFUSED)
        elif new == old:
            said = f"daemonset.apps/{self._rollout.name} patched (no change)"
            self._print(RolloutHappening.KUBECTL_PRINTED, said)
            self._tell_in_vain(event, InVain.UNCHANGED)
        else:
            self._kept.strategy = new
            self._kept.generation += 1
            change = f"maxUnavailable {new.max_unavailable}, maxSurge {new.max_surge}"
            number = (event.number or 0,)
            self._fleet.record(RolloutHappening.STRATEGY_CHANGED, reason=change, counts=number)

    def _print(self, what: RolloutHappening, words: str) -> None:
        self._fleet.record(what, reason=words)
        self.printed.append((self._fleet.now_us, words))

    def do_to_node(self, event: RolloutEvent, node: FleetNode) -> None:
        """Does a deed to one of its nodes."""
        fleet, deed = self._fleet, event.deed
        if deed is Deed.LABEL:
            fleet.plugins.label(node, event.label)
            return
        fleet.record(RolloutHappening.NODE_CHANGED, node=node.name, reason=deed)
        if deed is Deed.RESTART_KUBELET:
            fleet.plugins.restart_kubelet(node)
        elif deed is Deed.NOT_READY:
            for pod in node.pods:
                pod.stuck = True
                fleet.set_not_ready(pod)
        elif deed is Deed.DELETE_POD:
            pods = sorted((pod for pod in node.pods if event.force or not pod.terminating), key=_stuck_first)
            if pods:
                fleet.delete(pods[0], PERSON, force=event.force)
        elif deed is Deed.DOWN:
            fleet.silence.fall(node)
        elif deed is Deed.REBOOT:
            fleet.silence.reboot(node)
        elif deed is Deed.DELETE_NODE:
            fleet.delete_node(node.name)
        elif deed is Deed.REPAIR:
            fleet.repair(node)
        else:
            node.cordoned = deed is Deed.CORDON or (node.cordoned and deed is not Deed.UNCORDON)
            node.selected = deed is Deed.SELECT or (node.selected and deed is not Deed.DESELECT)
            fleet.touch(node)
            fleet.plugins.follow(node)


def labels_before(rollout: Rollout) -> dict[str, str]:
    """The label of each node that has one; of several the last."""
    return {
        name: label.value
        for label in rollout.labels
        for name in (rollout.nodes if label.nodes is None else label.nodes)
    }


def _stuck_first(pod: FleetPod) -> tuple[bool, bool, int]:
    """Of two Pods of a node somebody deletes the one that hangs in Terminating, then one that is not Ready."""
    return not pod.terminating, pod.ready_since_us is not None, pod.number
