"""The `events` of a rollout scenario."""

from __future__ import annotations

from dataclasses import replace

from labs.config.goyaml import Mapping, Node, Scalar
from labs.config.own import Fields, quoted
from labs.simulation.scenario.rollout.config_map_reader import ConfigMapReader
from labs.simulation.scenario.rollout.plugin_config import ConfigMap
from labs.simulation.scenario.rollout.rollout import Deed, RolloutEvent
from labs.simulation.scenario.rollout.values import RolloutValues

PATCHED = ("maxUnavailable", "maxSurge")
ON_NODES = tuple(
    deed
    for deed in Deed
    if deed not in (Deed.TEMPLATE, Deed.UNDO, Deed.PATCH, Deed.CONFIG_MAP, Deed.ADD_NODE, Deed.LABEL)
)
DEEDS = (*PATCHED, *(deed.value for deed in Deed if deed is not Deed.PATCH))
KEYS = ("at", "force", *DEEDS)
MAX_REVISION = 2**31 - 1


class RolloutEventReader:
    """Reads events; `added` are the nodes that join, which later events may name. With `closed` only nodes of `nodes` can
    join, which are not there before they do."""

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
        found = [event for item in items if (event := self._event(item)) is not None]
        found.sort(key=lambda event: event.at_us)
        return tuple(replace(event, number=number) for number, event in enumerate(found))

    def _collect_added(self, items: tuple[Node, ...]) -> None:
        for item in items:
            joining = item.get(Deed.ADD_NODE) if isinstance(item, Mapping) else None
            if isinstance(joining, Scalar):
                self.added = (*self.added, joining.text)
                if not self._closed:
                    self._known.add(joining.text)

    def _event(self, item: Node) -> RolloutEvent | None:
        fields = Fields(item, self._values.problems, where="events")
        at = self._values.seconds_us(fields.required("at"), "at")
        force_node = fields.optional("force")
        force = self._values.boolean(force_node, "force")
        given = {name: value for name in DEEDS if (value := fields.optional(name)) is not None}
        fields.finish(KEYS)
        names = [name for name in given if name not in PATCHED]
        patch = any(name in PATCHED for name in given)
        if len(names) + patch != 1:
            if isinstance(item, Mapping):
                self._values.problems.add("one-deed", item, allowed=", ".join(DEEDS))
            return None
        deed = Deed.PATCH if patch else Deed(names[0])
        if force_node is not None and deed is not Deed.DELETE_POD:
            self._values.problems.add("force-alone", force_node, deed=deed)
        if at is None:
            return None
        event = self._filled(RolloutEvent(at, deed), given, bool(force))
        place = item.place.start
        return None if event is None else replace(event, line=place.line, column=place.column)

    def _filled(self, event: RolloutEvent, given: dict[str, Node], force: bool) -> RolloutEvent | None:
        at, deed, values = event.at_us, event.deed, self._values
        if deed is Deed.PATCH:
            unavailable = values.int_or_percent(given.get("maxUnavailable"), "maxUnavailable")
            surge = values.int_or_percent(given.get("maxSurge"), "maxSurge")
            return RolloutEvent(at, deed, max_unavailable=unavailable, max_surge=surge)
        node = given[deed]
        if deed is Deed.TEMPLATE:
            template = values.text(node, deed)
            return None if template is None else RolloutEvent(at, deed, template=template)
        if deed is Deed.UNDO:
            if isinstance(node, Scalar) and node.value is True:
                return event
            revision = values.integer(node, deed, 0, MAX_REVISION)
            return None if revision is None else RolloutEvent(at, deed, to_revision=revision)
        if deed is Deed.CONFIG_MAP:
            return RolloutEvent(at, deed, config_map=self._config_map(node))
        if deed is Deed.LABEL:
            return self._label(at, node)
        if deed is Deed.ADD_NODE:
            name = values.name(node, deed)
            if name is not None and self._closed:
                values.nodes(node, self._known)
            return None if name is None else RolloutEvent(at, deed, nodes=(name,))
        nodes, every = values.nodes(node, self._known)
        return RolloutEvent(at, deed, nodes=nodes, all_nodes=every, force=force)

    def _label(self, at_us: int, node: Node) -> RolloutEvent:
        """`{nodes, value}`: what `nvidia.com/device-plugin.config` is from then on; an empty value takes it away."""
        fields = Fields(node, self._values.problems, where="label")
        nodes, every = self._values.nodes(fields.required("nodes"), self._known)
        value = self._values.label(fields.required("value"), "value")
        fields.finish(("nodes", "value"))
        return RolloutEvent(at_us, Deed.LABEL, nodes=nodes, all_nodes=every, label=value or None)

    def _config_map(self, node: Node) -> ConfigMap | None:
        if isinstance(node, Mapping):
            fields = Fields(node, self._values.problems, where="configMap")
            content = self._config_maps.read(fields, node)
            if content is None and not fields.optional("config") and not fields.optional("configs"):
                self._values.problems.add("missing-key", node, key="config")
            fields.finish(("config", "configs"))
            return content
        if not (isinstance(node, Scalar) and node.text == "changed"):
            self._values.problems.add(
                "not-one-of", node, value=quoted(node), key="configMap", allowed="changed, {config: …}"
            )
        return None
