"""The `events` of a rollout scenario."""

from __future__ import annotations

from dataclasses import replace

from labs.config.goyaml import Mapping, Node, Scalar
from labs.config.own import Fields, quoted
from labs.simulation.scenario.rollout.config_map_reader import ConfigMapReader
from labs.simulation.scenario.rollout.plugin_config import ConfigMap
from labs.simulation.scenario.rollout.rollout import Action, RolloutEvent
from labs.simulation.scenario.rollout.values import RolloutValues

PATCHED = ("maxUnavailable", "maxSurge")
ON_NODES = tuple(
    action
    for action in Action
    if action
    not in (Action.TEMPLATE, Action.UNDO, Action.PATCH, Action.CONFIG_MAP, Action.ADD_NODE, Action.LABEL)
)
ACTIONS = (*PATCHED, *(action.value for action in Action if action is not Action.PATCH))
KEYS = ("at", "force", *ACTIONS)
MAX_REVISION = 2**31 - 1


class RolloutEventReader:
    """Reads events; `added` are the nodes that join, which later events may name.

    With `closed` only nodes of `nodes` can join, which are not there before they do.
    """

    def __init__(
        self,
        values: RolloutValues,
        nodes: tuple[str, ...],
        maximum: int,
        config_maps: ConfigMapReader,
        *,
        closed: bool = False,
    ) -> None:
        self._values = values
        self._known = set(nodes)
        self._maximum = maximum
        self._config_maps = config_maps
        self._closed = closed
        self.added: tuple[str, ...] = ()

    def read(self, node: Node | None) -> tuple[RolloutEvent, ...]:
        """The events, ascending by time; those of one instant in the order of the text."""
        items = self._values.optional_items(node, "events", self._maximum)
        self._collect_added(items)
        events = [event for item in items if (event := self._event(item)) is not None]
        events.sort(key=lambda event: event.at_us)
        return tuple(replace(event, number=number) for number, event in enumerate(events))

    def _collect_added(self, items: tuple[Node, ...]) -> None:
        for item in items:
            joining = item.get(Action.ADD_NODE) if isinstance(item, Mapping) else None
            if isinstance(joining, Scalar):
                self.added = (*self.added, joining.text)
                if not self._closed:
                    self._known.add(joining.text)

    def _event(self, item: Node) -> RolloutEvent | None:
        fields = Fields(item, self._values.problems, where="events")
        at = self._values.seconds_us(fields.required("at"), "at")
        force_node = fields.optional("force")
        force = self._values.boolean(force_node, "force")
        parts = {name: value for name in ACTIONS if (value := fields.optional(name)) is not None}
        fields.finish(KEYS)
        names = [name for name in parts if name not in PATCHED]
        patch = any(name in PATCHED for name in parts)
        if len(names) + patch != 1:
            if isinstance(item, Mapping):
                self._values.problems.add("one-deed", item, allowed=", ".join(ACTIONS))
            return None
        action = Action.PATCH if patch else Action(names[0])
        if force_node is not None and action is not Action.DELETE_POD:
            self._values.problems.add("force-alone", force_node, deed=action)
        if at is None:
            return None
        event = self._filled(RolloutEvent(at, action), parts, bool(force))
        place = item.place.start
        return None if event is None else replace(event, line=place.line, column=place.column)

    def _filled(self, event: RolloutEvent, parts: dict[str, Node], force: bool) -> RolloutEvent | None:
        at, action, values = event.at_us, event.action, self._values
        if action is Action.PATCH:
            unavailable = values.int_or_percent(parts.get("maxUnavailable"), "maxUnavailable")
            surge = values.int_or_percent(parts.get("maxSurge"), "maxSurge")
            return RolloutEvent(at, action, max_unavailable=unavailable, max_surge=surge)
        node = parts[action]
        if action is Action.TEMPLATE:
            template = values.text(node, action)
            return None if template is None else RolloutEvent(at, action, template=template)
        if action is Action.UNDO:
            if isinstance(node, Scalar) and node.value is True:
                return event
            revision = values.integer(node, action, 0, MAX_REVISION)
            return None if revision is None else RolloutEvent(at, action, to_revision=revision)
        if action is Action.CONFIG_MAP:
            return RolloutEvent(at, action, config_map=self._config_map(node))
        if action is Action.LABEL:
            return self._label(at, node)
        if action is Action.ADD_NODE:
            name = values.name(node, action)
            if name is not None and self._closed:
                values.nodes(node, self._known)
            return None if name is None else RolloutEvent(at, action, nodes=(name,))
        nodes, every = values.nodes(node, self._known)
        return RolloutEvent(at, action, nodes=nodes, all_nodes=every, force=force)

    def _label(self, at_us: int, node: Node) -> RolloutEvent:
        """`{nodes, value}`: what `nvidia.com/device-plugin.config` is from then on; an empty value takes it away."""
        fields = Fields(node, self._values.problems, where="label")
        nodes, every = self._values.nodes(fields.required("nodes"), self._known)
        value = self._values.label(fields.required("value"), "value")
        fields.finish()
        return RolloutEvent(at_us, Action.LABEL, nodes=nodes, all_nodes=every, label=value or None)

    def _config_map(self, node: Node) -> ConfigMap | None:
        if isinstance(node, Mapping):
            fields = Fields(node, self._values.problems, where="configMap")
            content = self._config_maps.read(fields, node)
            if content is None and not fields.optional("config") and not fields.optional("configs"):
                self._values.problems.add("missing-key", node, key="config")
            fields.finish()
            return content
        if not (isinstance(node, Scalar) and node.text == "changed"):
            self._values.problems.add(
                "not-one-of", node, value=quoted(node), key="configMap", allowed="changed, {config: …}"
            )
        return None
