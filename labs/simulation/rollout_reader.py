"""From the YAML of a rollout scenario (design.md "A rollout scenario") to a `Rollout`, or every problem in it."""

from __future__ import annotations

import re

from labs.cluster.daemonset_spec import (
    DEFAULT_MAX_SURGE,
    DEFAULT_MAX_UNAVAILABLE,
    ROLLING_UPDATE,
    IntOrPercent,
    UpdateStrategy,
)
from labs.config.fields import Fields, Problems, quoted
from labs.config.own_text import read_document
from labs.config.problem import Problem, ProblemsError
from labs.config.yaml_nodes import Mapping, Node, Scalar, merged
from labs.simulation.rollout import (
    SECOND_US,
    Before,
    Behaviour,
    PodBehaviour,
    Rollout,
)
from labs.simulation.rollout_event_reader import RolloutEventReader
from labs.simulation.rollout_values import RolloutValues
from labs.simulation.scenario_reader import MAX_NODES, SCENARIO_LIMITS

FORMAT = 1
DEFAULT_NAME = "nvidia-device-plugin-daemonset"
DEFAULT_STARTUP_US, DEFAULT_TERMINATION_US = 5 * SECOND_US, 2 * SECOND_US
SHORTEST_UNTIL_US, UNTIL_AFTER_LAST_US = 600 * SECOND_US, 300 * SECOND_US
MAX_EVENTS, MAX_ENTRIES = 1_000, 1_000
OLDEST_MINOR, COUNTING_MINOR = 21, 31  # of Kubernetes 1: maxSurge came; unavailable old Pods count
TOP = ("format", "rollout")
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
)
VERSION = re.compile(r"v?1\.([0-9]{1,3})(\.[0-9]{1,3})?")
INT32 = 2**31 - 1


def read_rollout(text: str) -> Rollout:
    """Reads the scenario.

    Raises ProblemsError with every problem found (one only where the text is not a single YAML document).
    """
    root = read_document(text, limits=SCENARIO_LIMITS)
    if root is None:
        raise ProblemsError((Problem("empty-rollout", 1, 1, {}),))
    return _RolloutReader().read(root)


def node_names(count: int) -> tuple[str, ...]:
    """node-1 to node-N, zero-padded to the width of N."""
    width = len(str(count))
    return tuple(f"node-{number:0{width}d}" for number in range(1, count + 1))


class _RolloutReader:
    def __init__(self) -> None:
        self._problems = Problems()
        self._values = RolloutValues(self._problems)

    def read(self, root: Node) -> Rollout:
        top = Fields(root, self._problems, where="scenario")
        self._values.version(top.optional("format"), FORMAT)
        node = top.required("rollout")
        top.finish(TOP, reserved=("nodes", "workloads", "seed", "horizon", "expect"))
        fields = Fields(node, self._problems, where="rollout")
        names = self._nodes(fields.required("nodes"))
        name = self._values.name(fields.optional("name"), "name")
        strategy = self._strategy(fields.optional("updateStrategy"))
        min_ready = self._values.integer(fields.optional("minReadySeconds"), "minReadySeconds", -INT32, INT32)
        tolerate = self._values.boolean(fields.optional("tolerateAll"), "tolerateAll")
        startup = self._values.seconds_us(fields.optional("startupSeconds"), "startupSeconds")
        termination = self._values.seconds_us(fields.optional("terminationSeconds"), "terminationSeconds")
        counting = self._counts_unavailable_old(fields.optional("kubernetes"))
        seed = self._order(fields.optional("order"))
        until = self._values.seconds_us(fields.optional("until"), "until")
        self._revisions(fields.optional("revisions"))
        events_reader = RolloutEventReader(self._values, names, MAX_EVENTS)
        events = events_reader.read(fields.optional("events"))
        before = self._before(fields.optional("before"), names)
        behaviours = self._behaviours(fields.optional("behaviour"), (*names, *events_reader.added))
        fields.finish(KEYS)
        self._problems.raise_if_any()
        last = max((event.at_us for event in events), default=0)
        return Rollout(
            name=name or DEFAULT_NAME,
            nodes=names,
            strategy=strategy,
            min_ready_seconds=min_ready or 0,
            tolerate_all=bool(tolerate),
            startup_us=DEFAULT_STARTUP_US if startup is None else startup,
            termination_us=DEFAULT_TERMINATION_US if termination is None else termination,
            counts_unavailable_old=counting,
            order_seed=seed,
            until_us=max(SHORTEST_UNTIL_US, last + UNTIL_AFTER_LAST_US) if until is None else until,
            before=before,
            behaviours=behaviours,
            events=events,
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
        fields.finish(("type", "rollingUpdate"))
        unavailable: IntOrPercent | None = None
        surge: IntOrPercent | None = None
        if rolling is not None:
            inner = Fields(rolling, self._problems, where="rollingUpdate")
            unavailable = self._values.int_or_percent(inner.optional("maxUnavailable"), "maxUnavailable")
            surge = self._values.int_or_percent(inner.optional("maxSurge"), "maxSurge")
            inner.finish(("maxUnavailable", "maxSurge"))
        return UpdateStrategy(
            kind or ROLLING_UPDATE,
            DEFAULT_MAX_UNAVAILABLE if unavailable is None else unavailable,
            DEFAULT_MAX_SURGE if surge is None else surge,
            rolling is not None,
        )

    def _counts_unavailable_old(self, node: Node | None) -> bool:
        """Whether the version given has the fix of kubernetes#123233 (v1.31)."""
        if node is None or (isinstance(node, Scalar) and node.text == "newest"):
            return True
        found = VERSION.fullmatch(node.text) if isinstance(node, Scalar) else None
        if found is None or int(found[1]) < OLDEST_MINOR:
            self._problems.add("bad-kubernetes", node, value=quoted(node), oldest=f"v1.{OLDEST_MINOR}")
            return True
        return int(found[1]) >= COUNTING_MINOR

    def _order(self, node: Node | None) -> int | None:
        if node is None or (isinstance(node, Scalar) and node.text == "name"):
            return None
        if not isinstance(node, Mapping):
            self._problems.add("not-one-of", node, value=quoted(node), key="order", allowed="name, {seed: 1}")
            return None
        fields = Fields(node, self._problems, where="order")
        seed = self._values.integer(fields.required("seed"), "seed", 0, 2**53 - 1)
        fields.finish(("seed",))
        return seed

    def _revisions(self, node: Node | None) -> None:
        """Checks the form: what a revision's config advertises is not part of the rollout alone."""
        if node is None:
            return
        Fields(node, self._problems, where="revisions")
        for entry in merged(node) if isinstance(node, Mapping) else ():
            fields = Fields(entry.value, self._problems, where=entry.name or "revisions")
            self._values.text(fields.optional("config"), "config")
            fields.finish(("config",))

    def _before(
        self, node: Node | None, known: tuple[str, ...]
    ) -> tuple[tuple[Before, frozenset[str] | None], ...]:
        found: list[tuple[Before, frozenset[str] | None]] = []
        for item in self._values.items(node, "before", MAX_ENTRIES):
            fields = Fields(item, self._problems, where="before")
            nodes, every = self._values.nodes(fields.required("nodes"), known)
            state = self._values.one_of(fields.required("state"), "state", tuple(Before))
            fields.finish(("nodes", "state"))
            if state is not None:
                found.append((Before(state), None if every else frozenset(nodes)))
        return tuple(found)

    def _behaviours(self, node: Node | None, known: tuple[str, ...]) -> tuple[Behaviour, ...]:
        found: list[Behaviour] = []
        kinds = tuple(kind for kind in PodBehaviour if kind is not PodBehaviour.HEALTHY)
        for item in self._values.items(node, "behaviour", MAX_ENTRIES):
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
            probe = self._values.seconds_us(fields.optional("readyAfterSeconds"), "readyAfterSeconds")
            fields.finish(("nodes", "revisions", "pod", "runSeconds", "readyAfterSeconds"))
            if pod is not None:
                named = frozenset(revision for revision in revisions if revision is not None)
                on = None if every else frozenset(nodes)
                found.append(Behaviour(on, named, PodBehaviour(pod), run or 0, probe or 0))
        return tuple(found)
