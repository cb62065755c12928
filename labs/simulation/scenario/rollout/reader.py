"""From the YAML of a rollout scenario (design.md "A rollout scenario") to a `Rollout`, or every problem in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from labs.cluster.daemonset import (
    DEFAULT_MAX_SURGE,
    DEFAULT_MAX_UNAVAILABLE,
    OLDEST,
    ROLLING_UPDATE,
    IntOrPercent,
    UpdateStrategy,
    counts_unavailable_old,
)
from labs.cluster.node_lifecycle import grace_seconds
from labs.config.goyaml import Mapping, Node, Scalar, ScalarKind, merged
from labs.config.own import Fields, Problem, Problems, ProblemsError, quoted, read_document
from labs.hardware.units import SECOND_US
from labs.simulation.scenario.rollout.config_map_reader import ConfigMapReader, refuse_mps
from labs.simulation.scenario.rollout.event_reader import RolloutEventReader
from labs.simulation.scenario.rollout.limits import MAX_NODES, SCENARIO_LIMITS
from labs.simulation.scenario.rollout.plugin_config import ConfigMap
from labs.simulation.scenario.rollout.rollout import (
    DEFAULT_REBOOT_US,
    DEFAULT_REFRESH_US,
    DEFAULT_STATUS_PERIOD_US,
    Action,
    Before,
    Behaviour,
    NodeLabel,
    PodBehaviour,
    Rollout,
    RolloutEvent,
)
from labs.simulation.scenario.rollout.values import RolloutValues

FORMAT = 1
NEWEST = "newest"  # version of Kubernetes
DEFAULT_NAME = "nvidia-device-plugin-daemonset"
DEFAULT_STARTUP_US, DEFAULT_TERMINATION_US = 5 * SECOND_US, 2 * SECOND_US
SHORTEST_UNTIL_US, UNTIL_AFTER_LAST_US = 600 * SECOND_US, 300 * SECOND_US
MAX_EVENTS, MAX_ENTRIES = 1_000, 1_000
OF_SHARING = ("nodes", "workloads", "horizon")  # what a rollout stands beside in one scenario
KEYS = (
    "name",
    "nodes",
    "updateStrategy",
    "minReadySeconds",
    "tolerateAll",
    "startupSeconds",
    "terminationSeconds",
    "kubernetes",
    "order",
    "until",
    "revisions",
    "before",
    "behaviour",
    "events",
    "configMapRefreshSeconds",
    "nodeStatusSeconds",
    "rebootSeconds",
)
BEFORE = ("nodes", "state", "label")
BEHAVIOUR = ("nodes", "revisions", "pod", "runSeconds", "readyAfterSeconds")
INT32 = 2**31 - 1
RUNS_FOR_A_WHILE = (PodBehaviour.CRASH_LOOP,)
READY_AFTER_A_WHILE = (PodBehaviour.CRASH_LOOP, PodBehaviour.SERVES_NOTHING)


def read_rollout(text: str) -> Rollout:
    """Reads the scenario.

    Raises ProblemsError with every problem found (one only where the text is not a single YAML document).
    """
    root = read_document(text, limits=SCENARIO_LIMITS)
    if root is None:
        raise ProblemsError((Problem("empty-rollout", 1, 1, {}),))
    members = _members(root)
    if "rollout" not in members and not members.keys().isdisjoint(OF_SHARING):
        raise ProblemsError((Problem("no-rollout", 1, 1, {}),))
    return _RolloutReader(Problems()).read(root)


def is_beside_nodes(text: str) -> bool:
    """Whether the scenario has nodes or workloads of its own, beside a rollout (`rollout: null` is none)."""
    members = _members(read_document(text, limits=SCENARIO_LIMITS))
    return "rollout" in members and not members.keys().isdisjoint(OF_SHARING)


def is_alone(root: Node) -> bool:
    """Whether a scenario is that of a rollout alone, which is no scenario of sharing."""
    members = _members(root)
    return "rollout" in members and members.keys().isdisjoint(OF_SHARING)


def _members(root: Node | None) -> dict[str | None, Node]:
    """The keys of a scenario with their values, but for those that are null."""
    entries = merged(root) if isinstance(root, Mapping) else ()
    return {entry.name: entry.value for entry in entries if not _is_null(entry.value)}


def _is_null(node: Node) -> bool:
    return isinstance(node, Scalar) and node.kind is ScalarKind.NULL


def read_rollout_beside(
    node: Node, problems: Problems, names: tuple[str, ...], horizon_us: int
) -> Rollout | None:
    """Reads `rollout:` of a scenario that has `nodes`, of these names, and ends at `horizon_us`.

    None, and `problems`, where it is wrong.
    """
    return _RolloutReader(problems).read_beside(node, names, horizon_us)


def node_names(count: int) -> tuple[str, ...]:
    """node-1 to node-N, zero-padded to the width of N."""
    width = len(str(count))
    return tuple(f"node-{number:0{width}d}" for number in range(1, count + 1))


def _absent(events: Iterable[RolloutEvent]) -> frozenset[str]:
    """The nodes that somebody adds before anybody deletes them."""
    first: dict[str, Action] = {}
    for event in events:
        for name in event.nodes if event.action in (Action.ADD_NODE, Action.DELETE_NODE) else ():
            first.setdefault(name, event.action)
    return frozenset(name for name, action in first.items() if action is Action.ADD_NODE)


class _RolloutReader:
    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self._values = RolloutValues(self._problems)
        self._config_maps = ConfigMapReader(self._values)

    def read(self, root: Node) -> Rollout:
        top = Fields(root, self._problems, where="scenario")
        self._values.version(top.optional("format"), FORMAT)
        node = top.required("rollout")
        top.finish(reserved=("nodes", "workloads", "seed", "horizon", "expect"))
        fields = Fields(node, self._problems, where="rollout")
        names = self._nodes(fields.required("nodes"))
        until = self._values.seconds_us(fields.optional("until"), "until")
        rollout = self._rollout(fields, names, until)
        fields.finish(KEYS)
        self._problems.raise_if_any()
        return rollout

    def read_beside(self, node: Node, names: tuple[str, ...], horizon_us: int) -> Rollout | None:
        """The rollout on nodes that the scenario has beside it."""
        before = self._problems.count
        fields = Fields(node, self._problems, where="rollout")
        for key, instead in (("nodes", "nodes"), ("until", "horizon")):
            member = fields.optional(key)
            if member is not None:
                self._problems.add("rollout-beside-nodes", member, key=key, instead=instead)
        rollout = self._rollout(fields, names, horizon_us, closed=True)
        fields.finish(KEYS)
        for text in self._config_maps.texts:
            refuse_mps(text, self._problems)
        return replace(rollout, line=node.place.start.line) if self._problems.count == before else None

    def _rollout(
        self, fields: Fields, names: tuple[str, ...], until: int | None, *, closed: bool = False
    ) -> Rollout:
        name = self._values.name(fields.optional("name"), "name")
        strategy = self._strategy(fields.optional("updateStrategy"))
        min_ready = self._values.integer(fields.optional("minReadySeconds"), "minReadySeconds", -INT32, INT32)
        tolerate = self._values.boolean(fields.optional("tolerateAll"), "tolerateAll")
        startup = self._values.seconds_us(fields.optional("startupSeconds"), "startupSeconds")
        termination = self._values.seconds_us(fields.optional("terminationSeconds"), "terminationSeconds")
        version = self._kubernetes(fields.optional("kubernetes"))
        seed = self._order(fields.optional("order"))
        config_maps = self._revisions(fields.optional("revisions"))
        events_reader = RolloutEventReader(self._values, names, MAX_EVENTS, self._config_maps, closed=closed)
        events = events_reader.read(fields.optional("events"))
        before, labels = self._before(fields.optional("before"), names)
        behaviours = self._behaviours(fields.optional("behaviour"), (*names, *events_reader.added))
        refresh_node = fields.optional("configMapRefreshSeconds")
        refresh = self._values.seconds_us(refresh_node, "configMapRefreshSeconds")
        period = self._values.seconds_us(fields.optional("nodeStatusSeconds"), "nodeStatusSeconds")
        reboot = self._values.seconds_us(fields.optional("rebootSeconds"), "rebootSeconds", minimum_us=1)
        last = max((event.at_us for event in events), default=0)
        if until is None:
            until, latest = max(SHORTEST_UNTIL_US, last + UNTIL_AFTER_LAST_US), last
        else:
            latest = until - 1 if closed else until  # a horizon ends before what happens at it
        return Rollout(
            name=name or DEFAULT_NAME,
            nodes=names,
            strategy=strategy,
            min_ready_seconds=min_ready or 0,
            tolerate_all=bool(tolerate),
            startup_us=DEFAULT_STARTUP_US if startup is None else startup,
            termination_us=DEFAULT_TERMINATION_US if termination is None else termination,
            counts_unavailable_old=counts_unavailable_old(version) is not False,
            order_seed=seed,
            until_us=until,
            before=before,
            behaviours=behaviours,
            events=events,
            config_maps=config_maps,
            labels=labels,
            refresh_us=DEFAULT_REFRESH_US if refresh is None else refresh,
            status_period_us=DEFAULT_STATUS_PERIOD_US if period is None else period,
            grace_us=grace_seconds(version) * SECOND_US,
            reboot_us=DEFAULT_REBOOT_US if reboot is None else reboot,
            absent=_absent(events) if closed else frozenset(),
            last_event_us=latest,
        )

    def _nodes(self, node: Node | None) -> tuple[str, ...]:
        count = self._values.integer(node, "nodes", 1, MAX_NODES)
        return node_names(count) if count is not None else ()

    def _strategy(self, node: Node | None) -> UpdateStrategy:
        if node is None:
            return UpdateStrategy()
        fields = Fields(node, self._problems, where="updateStrategy")
        kind = self._values.text(fields.optional("type"), "type")
        rolling = fields.optional("rollingUpdate")
        fields.finish()
        unavailable: IntOrPercent | None = None
        surge: IntOrPercent | None = None
        if rolling is not None:
            inner = Fields(rolling, self._problems, where="rollingUpdate")
            unavailable = self._values.int_or_percent(inner.optional("maxUnavailable"), "maxUnavailable")
            surge = self._values.int_or_percent(inner.optional("maxSurge"), "maxSurge")
            inner.finish()
        return UpdateStrategy(
            kind or ROLLING_UPDATE,
            DEFAULT_MAX_UNAVAILABLE if unavailable is None else unavailable,
            DEFAULT_MAX_SURGE if surge is None else surge,
            rolling is not None,
        )

    def _kubernetes(self, node: Node | None) -> str:
        """The version given, or `newest`."""
        if node is None or (isinstance(node, Scalar) and node.text == NEWEST):
            return NEWEST
        if not isinstance(node, Scalar) or counts_unavailable_old(node.text) is None:
            self._problems.add("bad-kubernetes", node, value=quoted(node), oldest=OLDEST)
            return NEWEST
        return node.text

    def _order(self, node: Node | None) -> int | None:
        if node is None or (isinstance(node, Scalar) and node.text == "name"):
            return None
        if not isinstance(node, Mapping):
            self._problems.add("not-one-of", node, value=quoted(node), key="order", allowed="name, {seed: 1}")
            return None
        fields = Fields(node, self._problems, where="order")
        seed = self._values.integer(fields.required("seed"), "seed", 0, 2**53 - 1)
        fields.finish()
        return seed

    def _revisions(self, node: Node | None) -> tuple[tuple[str, ConfigMap], ...]:
        """The sharing configs that revisions carry."""
        if node is None:
            return ()
        Fields(node, self._problems, where="revisions")
        revisions: list[tuple[str, ConfigMap]] = []
        for entry in merged(node) if isinstance(node, Mapping) else ():
            fields = Fields(entry.value, self._problems, where=entry.name or "revisions")
            content = self._config_maps.read(fields, entry.value)
            fields.finish()
            if content is not None:
                place = entry.key.place.start
                revisions.append((entry.name or "", replace(content, line=place.line, column=place.column)))
        return tuple(revisions)

    def _before(
        self, node: Node | None, known: tuple[str, ...]
    ) -> tuple[tuple[tuple[Before, frozenset[str] | None], ...], tuple[NodeLabel, ...]]:
        states: list[tuple[Before, frozenset[str] | None]] = []
        labels: list[NodeLabel] = []
        for item in self._values.optional_items(node, "before", MAX_ENTRIES):
            fields = Fields(item, self._problems, where="before")
            nodes, every = self._values.nodes(fields.required("nodes"), known)
            label_node = fields.optional("label")
            label = self._values.label(label_node, "label")
            state_node = fields.required("state") if label_node is None else fields.optional("state")
            state = self._values.one_of(state_node, "state", tuple(Before))
            fields.finish(BEFORE)
            named = None if every else frozenset(nodes)
            if state is not None:
                states.append((Before(state), named))
            if label and label_node is not None:
                place = label_node.place.start
                labels.append(NodeLabel(label, named, place.line, place.column))
        return tuple(states), tuple(labels)

    def _behaviours(self, node: Node | None, known: tuple[str, ...]) -> tuple[Behaviour, ...]:
        behaviours: list[Behaviour] = []
        kinds = tuple(kind for kind in PodBehaviour if kind is not PodBehaviour.HEALTHY)
        for item in self._values.optional_items(node, "behaviour", MAX_ENTRIES):
            fields = Fields(item, self._problems, where="behaviour")
            nodes, every = self._values.nodes(fields.required("nodes"), known)
            revisions = [
                self._values.text(entry, "revisions")
                for entry in self._values.items(fields.required("revisions"), "revisions", MAX_EVENTS)
            ]
            pod = self._values.one_of(fields.required("pod"), "pod", kinds)
            run_node = fields.optional("runSeconds")
            run = self._values.seconds_us(run_node, "runSeconds", minimum_us=1)
            if pod == PodBehaviour.CRASH_LOOP and run_node is None and isinstance(item, Mapping):
                self._problems.add("missing-key", item, key="runSeconds")
            probe_node = fields.optional("readyAfterSeconds")
            probe = self._values.seconds_us(probe_node, "readyAfterSeconds")
            self._refuse_key(run_node, "runSeconds", pod, RUNS_FOR_A_WHILE)
            self._refuse_key(probe_node, "readyAfterSeconds", pod, READY_AFTER_A_WHILE)
            fields.finish(BEHAVIOUR)
            if pod is not None:
                named = frozenset(revision for revision in revisions if revision is not None)
                on = None if every else frozenset(nodes)
                place = item.place.start
                behaves = (PodBehaviour(pod), run or 0, probe or 0)
                behaviours.append(Behaviour(on, named, *behaves, place.line, place.column))
        return tuple(behaviours)

    def _refuse_key(
        self, node: Node | None, key: str, pod: str | None, allowed: tuple[PodBehaviour, ...]
    ) -> None:
        """Notes a problem where a key is given that means nothing to Pods that behave so."""
        if node is not None and pod is not None and pod not in allowed:
            self._problems.add("key-not-of-pod", node, key=key, pod=pod, allowed=", ".join(allowed))
