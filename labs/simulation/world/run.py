"""`run`: from a scenario to its Trace, a pure function."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import simpy

from labs.cluster.advertise import Advertisement, advertise
from labs.cluster.gpu import PhysicalGpu
from labs.cluster.node import Node
from labs.cluster.plugged_node import PluggedNode
from labs.config.plugin import DEPLOYER_ENVIRONMENT, Deployer, Loaded, load
from labs.hardware.units import MIB
from labs.simulation.laws import Exclusive, Mechanism, Mig, Mps, Spend, TimeSlicing, freely
from labs.simulation.scenario import Detail, Fault, FaultKind, NodeSpec, Scenario
from labs.simulation.trace import RunEnded, Trace
from labs.simulation.world.card import Card
from labs.simulation.world.faults import OF_A_PROCESS
from labs.simulation.world.gpu_operator import GpuOperator
from labs.simulation.world.mig_manager import Layout
from labs.simulation.world.offer import device_numbers, physical_gpu, write_offer
from labs.simulation.world.plugged_nodes import PluggedNodes, plugged_layouts
from labs.simulation.world.trace_writer import RunTooLargeError, TraceWriter
from labs.simulation.world.world import World

RECORD_LIMIT = 3_000_000
RECORDS_OF_A_POD = 2  # at least: it is created, and placed or not
PROGRESS_STEPS = 200
KEPT_CONFIGS = 64


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
    ConfigTooLargeError, and RunTooLargeError past `record_limit` records.
    """
    _assert_bearable(scenario, record_limit)
    env = simpy.Environment(initial_time=0)
    trace = TraceWriter(env, record_limit)
    layouts = {
        spec.name: [_layout(order, cut, trace.spend) for cut in scenario.layouts(spec)]
        for order, spec in enumerate(scenario.nodes)
    }
    rollout = scenario.rollout
    plugged: dict[str, PluggedNode] = {}
    if rollout is not None:
        plugged, layouts = plugged_layouts(rollout, layouts, trace.spend)
    firsts = [cuts[0] for cuts in layouts.values()]
    for cuts in layouts.values():
        for later in cuts[1:]:
            for card in later.cards:
                card.is_present, card.gone = False, True
    cards = {name: tuple(card for cut in cuts for card in cut.cards) for name, cuts in layouts.items()}
    world = World(env, trace, [first.node for first in firsts], cards, scenario.seed)
    operator = None
    if rollout is not None:
        operator = GpuOperator(env, rollout, PluggedNodes(world, scenario, rollout, plugged, layouts))
    for first in firsts if operator is None else ():
        write_offer(trace, first.spec, first.node, first.cards)
    if scenario.detail is Detail.REQUESTS:
        world.follow_requests()
    for workload in scenario.workloads:
        world.add(workload, scenario.horizon_us)
    for fault in scenario.faults:
        world.add_fault(fault, partial(_aimed, fault, layouts, world), scenario.horizon_us)
    for name, cuts in layouts.items():
        configs = [config for config in scenario.mig_configs if config.node == name]
        world.add_mig_configs(configs, cuts, scenario.horizon_us, operator)
    steps = PROGRESS_STEPS if on_progress is not None or scenario.detail is Detail.REQUESTS else 1
    for step in range(1, steps + 1):
        until = scenario.horizon_us * step // steps
        if until > env.now:
            env.run(until=until)
            world.catch_up()
        if on_progress is not None:
            on_progress(step / steps)
    world.write_answered()
    trace.write(RunEnded(trace.now_us))
    return Trace(tuple(trace.records), operator.records() if operator is not None else ())


def mechanism_of(scenario: Scenario, node: str, number: int) -> Mechanism:
    """How Pods share the device `number` of a node. Raises ConfigTooLargeError, and LookupError where there is none."""
    for order, spec in enumerate(scenario.nodes):
        for cut in scenario.layouts(spec) if spec.name == node else ():
            if any(device.number == number for device in cut.devices):
                cards = _layout(order, cut, freely).cards
                return next(card.mechanism for card in cards if card.number == number)
    raise LookupError(f"{node} has no device {number}")


def _aimed(
    fault: Fault, layouts: Mapping[str, Sequence[Layout]], world: World
) -> tuple[Fault, tuple[Card, ...]]:
    """The fault as it strikes now, with the cards.

    One of the card of a Pod strikes that, wherever it is, or nothing where the Pod has none, or no MIG device where one is
    meant.
    """
    if fault.pod is None or fault.kind in OF_A_PROCESS:
        return fault, _struck(fault, layouts)
    card = world.card_of(fault.pod)
    if card is None:
        return fault, ()
    devices = (device for layout in layouts[card.node] for device in layout.spec.devices)
    device = next(device for device in devices if device.number == card.number)
    mig = device.mig_index if fault.kind is FaultKind.INSTANCE_FAULT else None
    if fault.kind is FaultKind.INSTANCE_FAULT and mig is None:
        return fault, ()
    placed = Fault(fault.at_us, fault.kind, node=card.node, gpu=device.gpu, mig=mig)
    return placed, _struck(placed, layouts)


def _struck(fault: Fault, layouts: Mapping[str, Sequence[Layout]]) -> tuple[Card, ...]:
    """What a fault of a card strikes now: the card, all MIG devices of it, or the one that the fault names."""
    return tuple(
        card
        for layout in layouts.get(fault.node or "", ())
        for device, card in zip(layout.spec.devices, layout.cards, strict=True)
        if card.is_present and device.gpu == fault.gpu and fault.mig in (None, device.mig_index)
    )


def _assert_bearable(scenario: Scenario, record_limit: int) -> None:
    """Raises RunTooLargeError where the Pods that come before the horizon alone take more records: nothing is begun then."""
    arrivals = [
        at_us
        for workload in scenario.workloads
        for at_us in workload.arrivals_us
        if at_us < scenario.horizon_us
    ]
    if len(arrivals) * RECORDS_OF_A_POD > record_limit:
        raise RunTooLargeError(record_limit, sorted(arrivals)[record_limit // RECORDS_OF_A_POD])


def _layout(order: int, spec: NodeSpec, spend: Spend) -> Layout:
    node = _boot(order, spec)
    return Layout(spec, node, _cards(spec, node, spend))


def _boot(order: int, spec: NodeSpec) -> Node:
    """The node with its plugin started on the config, as the chart runs it: its environment has MPS_ROOT."""
    loaded, advertisement = _started(spec.config or "", physical_gpu(spec), spec.count)
    if loaded.limit is not None:
        raise ConfigTooLargeError(spec, loaded.limit)
    return Node(spec.name, order, advertisement, loaded.setting, device_numbers(spec))


@functools.lru_cache(maxsize=KEPT_CONFIGS)
def _started(config: str, gpu: PhysicalGpu, count: int) -> tuple[Loaded, Advertisement]:
    """What the plugin makes of its config, and offers of so many cards.

    Kept, for nodes of a scenario are equal, and so are those of the next one in which a reader has changed something
    else.
    """
    loaded = load(config, env=DEPLOYER_ENVIRONMENT[Deployer.HELM])
    return loaded, advertise(loaded, [gpu] * count)


def _cards(spec: NodeSpec, node: Node, spend: Spend) -> tuple[Card, ...]:
    """What the node's processes run on, each with the law by which they share it."""
    limits = _client_limits(node.advertisement)
    shared, whole = TimeSlicing(spend=spend), Exclusive()
    cards: list[Card] = []
    for device in spec.devices:
        slots = node.slots(device.number)
        mechanism: Mechanism = shared if slots > 1 else whole
        if device.mig is not None:
            mechanism = Mig(device.mig, mechanism, mechanism.name if slots > 1 else Mig.name)
        elif device.label in limits:
            percent = spec.mps_thread_percent or limits[device.label][1]
            mechanism = Mps(percent, most=slots, spend=spend)
        limit = limits[device.label][0] if device.label in limits else None
        cards.append(Card(spec.name, device.number, device.usable_bytes, mechanism, limit))
    return tuple(cards)


def _client_limits(advertisement: Advertisement) -> dict[str, tuple[int, int]]:
    """By a card's index: the bytes and the percentage of threads that the MPS daemon leaves each client."""
    return {
        index: (size * MIB, limit.active_thread_percentage)
        for limit in advertisement.mps
        for index, size in limit.pinned_mib.items()
    }
