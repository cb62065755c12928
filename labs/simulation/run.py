"""`run`: from a scenario to its Trace, a pure function."""

from __future__ import annotations

from collections.abc import Callable

from labs.cluster.advertise import advertise
from labs.cluster.gpu import PhysicalGpu
from labs.cluster.node import Node
from labs.config.device_plugin import load
from labs.config.plugin_flags import DEPLOYER_ENVIRONMENT, Deployer
from labs.hardware.memory import total_memory_bytes
from labs.simulation.card import Card
from labs.simulation.exclusive import Exclusive
from labs.simulation.scenario import NodeSpec, Scenario
from labs.simulation.time_slicing import TimeSlicing
from labs.simulation.trace import Happening, Trace
from labs.simulation.world import World

RECORD_LIMIT = 3_000_000
PROGRESS_STEPS = 200
MIB = 1024 * 1024


class UnsupportedSharingError(ValueError):
    """The node's config loads, but asks for a mechanism that runs do not simulate."""

    def __init__(self, node: NodeSpec, strategy: str) -> None:
        super().__init__(f"node {node.name}: {strategy}")
        self.node = node
        self.strategy = strategy


class ConfigTooLargeError(ValueError):
    """The node's config is beyond the limits within which the plugin's loader is imitated."""

    def __init__(self, node: NodeSpec, detail: str) -> None:
        super().__init__(f"node {node.name}: {detail}")
        self.node = node
        self.detail = detail


def run(
    scenario: Scenario,
    *,
    record_limit: int = RECORD_LIMIT,
    on_progress: Callable[[float], None] | None = None,
) -> Trace:
    """Runs the scenario to its horizon and returns everything that happened.

    `on_progress` is called with the fraction (0 to 1) of simulated time that has passed. Raises
    UnsupportedSharingError for a node whose config sets up MPS, ConfigTooLargeError, and RunTooLargeError past `record_limit`
    records.
    """
    nodes = [_boot(order, spec) for order, spec in enumerate(scenario.nodes)]
    cards = {spec.name: _cards(spec, node) for spec, node in zip(scenario.nodes, nodes, strict=True)}
    world = World(nodes, cards, record_limit=record_limit)
    for node in nodes:
        if node.advertisement.error is not None:
            world.record(Happening.NODE_REFUSED, node=node.name, reason=node.advertisement.error)
        for resource, pool in node.pools.items():
            world.record(Happening.NODE_ADVERTISED, node=node.name, reason=resource, value=pool.capacity)
        for card in cards[node.name] if node.pools else ():
            slots, mechanism = node.slots(card.number), card.mechanism.name
            world.record(
                Happening.CARD_OFFERED, node=node.name, gpu=card.number, value=slots, reason=mechanism
            )
    for workload in scenario.workloads:
        world.add(workload)
    for step in range(1, PROGRESS_STEPS + 1):
        until = scenario.horizon_us * step // PROGRESS_STEPS
        if until > world.env.now:
            world.env.run(until=until)
        if on_progress is not None:
            on_progress(step / PROGRESS_STEPS)
    world.record(Happening.END)
    return Trace(tuple(world.records))


def _boot(order: int, spec: NodeSpec) -> Node:
    """The node with its plugin started on the config, as the chart runs it: its environment has MPS_ROOT."""
    loaded = load(spec.config or "", env=DEPLOYER_ENVIRONMENT[Deployer.HELM])
    if loaded.limit is not None:
        raise ConfigTooLargeError(spec, loaded.limit)
    if loaded.strategy == "mps":
        raise UnsupportedSharingError(spec, "mps")
    total_mib = total_memory_bytes(spec.model) // MIB
    major, _, minor = (spec.model.compute_capability or "0.0").partition(".")
    gpu = PhysicalGpu(spec.model.name, total_mib, (int(major), int(minor)))
    advertisement = advertise(loaded, [gpu] * spec.count)
    return Node(spec.name, order, advertisement, loaded.setting)


def _cards(spec: NodeSpec, node: Node) -> tuple[Card, ...]:
    """The node's cards: one that is offered several times is shared by time-slicing."""
    shared, whole = TimeSlicing(), Exclusive()
    return tuple(
        Card(spec.name, number, spec.usable_bytes, shared if node.slots(number) > 1 else whole)
        for number in range(spec.count)
    )
