"""What people do to a DaemonSet and to its nodes, and what kubectl and the API server say to it."""

from __future__ import annotations

from dataclasses import dataclass

from labs.cluster.daemonset import History, UndoError, UpdateStrategy, refusal_text, refusals
from labs.simulation.scenario.rollout import Action, NoEffect, Rollout, RolloutEvent
from labs.simulation.trace import (
    ActionHadNoEffect,
    Answer,
    ConfigMapChanged,
    KubectlPrinted,
    NodeChanged,
    SpecRefused,
    StrategyChanged,
    TemplateChanged,
)
from labs.simulation.world.rollout.fleet import PERSON, Fleet
from labs.simulation.world.rollout.no_effect import kubectl_words, no_effect
from labs.simulation.world.rollout.nodes import FleetNode, FleetPod


@dataclass(slots=True)
class KeptDaemonSet:
    """The DaemonSet as the API server keeps it: what of it people change."""

    strategy: UpdateStrategy
    history: History
    generation: int = 1


class Admin:
    """Does what people do to the DaemonSet and to the nodes of its fleet.

    `labels` are those that nodes have, or get as they join.
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
        if event.action is Action.TEMPLATE:
            if not self._change_template(self._kept.history.apply(event.template)):
                self._print(KubectlPrinted, f"daemonset.apps/{self._rollout.name} unchanged")
                self._tell_no_effect(event, NoEffect.UNCHANGED)
        elif event.action is Action.UNDO:
            self._undo(event)
        elif event.action is Action.PATCH:
            self._patch(event)
        elif event.action is Action.CONFIG_MAP:
            self._change_config_map(event)
        elif event.action is Action.ADD_NODE:
            self._add_node(event)
        else:
            return self._do_to_nodes(event)
        return 0

    def _change_config_map(self, event: RolloutEvent) -> None:
        """Somebody writes the ConfigMap that the present template names, if it names one."""
        configs, current, content = self._fleet.configs, self._kept.history.current, event.config_map
        if content is not None and not configs.has_manager(current):
            self._tell_no_effect(event, NoEffect.UNREAD)
        elif content is not None and not configs.change(current, content, self._fleet.now_us):
            self._tell_no_effect(event, NoEffect.UNCHANGED)
        else:
            self._fleet.write(ConfigMapChanged(self._fleet.now_us, current))

    def _add_node(self, event: RolloutEvent) -> None:
        fleet, name = self._fleet, event.nodes[0]
        if name in fleet.nodes:
            self._tell_no_effect(event, NoEffect.NODE_PRESENT, name)
            return
        fleet.add_node(name)
        fleet.write(NodeChanged(fleet.now_us, name, event.action))
        label = self._labels.get(name)
        if label is not None:
            fleet.plugins.label(fleet.nodes[name], label)

    def _do_to_nodes(self, event: RolloutEvent) -> int:
        """Does an action to each of its nodes; how many these are. Of all nodes it is not told where it comes to nothing."""
        fleet, done = self._fleet, False
        reasons: dict[str, NoEffect] = {}
        names = tuple(fleet.nodes) if event.all_nodes else event.nodes
        for name in names:
            node = fleet.nodes.get(name)
            why = NoEffect.NODE_ABSENT if node is None else no_effect(event, node, fleet)
            if why is not None:
                reasons[name] = why
            elif node is not None:
                self.do_to_node(event, node)
                done = True
        if not event.all_nodes:
            for name, why in reasons.items():
                self._tell_no_effect(event, why, name)
        elif not done:
            self._tell_no_effect(event, next(iter(reasons.values()), NoEffect.NODE_ABSENT))
        return len(names)

    def _tell_no_effect(self, event: RolloutEvent, why: NoEffect, node: str | None = None) -> None:
        """Nothing comes of an action (on one of its nodes)."""
        for words in kubectl_words(event, node, why) if node is not None else ():
            self._print(KubectlPrinted, words)
        self._fleet.write(ActionHadNoEffect(self._fleet.now_us, node, why, event.number or 0))

    def _change_template(self, history: History) -> bool:
        """Whether it is another than before."""
        if history == self._kept.history:
            return False
        self._kept.history = history
        self._kept.generation += 1
        self._fleet.write(TemplateChanged(self._fleet.now_us, history.current))
        return True

    def _undo(self, event: RolloutEvent) -> None:
        try:
            history, said = self._kept.history.undo(event.to_revision)
        except UndoError as error:
            self._print(KubectlPrinted, f"error: {error}")
            self._tell_no_effect(event, NoEffect.REFUSED)
            return
        self._print(KubectlPrinted, f"daemonset.apps/{self._rollout.name} {said}")
        if not self._change_template(history):
            self._tell_no_effect(event, NoEffect.UNCHANGED)

    def _patch(self, event: RolloutEvent) -> None:
        old = self._kept.strategy
        new = event.patched(old)
        refused = refusals(new, self._rollout.min_ready_seconds)
        if refused:
            words = refusal_text(self._rollout.name, refused)
            self.error = self.error or words
            self._print(SpecRefused, words)
            self._tell_no_effect(event, NoEffect.REFUSED)
        elif new == old:
            said = f"daemonset.apps/{self._rollout.name} patched (no change)"
            self._print(KubectlPrinted, said)
            self._tell_no_effect(event, NoEffect.UNCHANGED)
        else:
            self._kept.strategy = new
            self._kept.generation += 1
            change = f"maxUnavailable {new.max_unavailable}, maxSurge {new.max_surge}"
            self._fleet.write(StrategyChanged(self._fleet.now_us, change, event.number or 0))

    def _print(self, kind: type[Answer], words: str) -> None:
        self._fleet.write(kind(self._fleet.now_us, words))
        self.printed.append((self._fleet.now_us, words))

    def do_to_node(self, event: RolloutEvent, node: FleetNode) -> None:
        """Does an action to one of its nodes."""
        fleet, action = self._fleet, event.action
        if action is Action.LABEL:
            fleet.plugins.label(node, event.label)
            return
        fleet.write(NodeChanged(fleet.now_us, node.name, action))
        if action is Action.RESTART_KUBELET:
            fleet.plugins.restart_kubelet(node)
        elif action is Action.NOT_READY:
            for pod in node.pods:
                pod.stuck = True
                fleet.set_not_ready(pod)
        elif action is Action.DELETE_POD:
            pods = sorted((pod for pod in node.pods if event.force or not pod.terminating), key=_stuck_first)
            if pods:
                fleet.delete(pods[0], PERSON, force=event.force)
        elif action is Action.DOWN:
            fleet.silence.fall(node)
        elif action is Action.REBOOT:
            fleet.silence.reboot(node)
        elif action is Action.DELETE_NODE:
            fleet.delete_node(node.name)
        elif action is Action.REPAIR:
            fleet.repair(node)
        else:
            node.cordoned = action is Action.CORDON or (node.cordoned and action is not Action.UNCORDON)
            node.selected = action is Action.SELECT or (node.selected and action is not Action.DESELECT)
            fleet.mark_changed(node)
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
