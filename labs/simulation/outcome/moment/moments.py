"""Snapshots of a run: the cluster at one moment, and the moments at which a picture of it changes."""

from __future__ import annotations

from labs.hardware.catalog import total_memory_bytes
from labs.hardware.mig import GpuInstance, Layout, place_in_any_order
from labs.hardware.planning import wasted_compute_slices, wasted_memory_slices
from labs.simulation.laws import works
from labs.simulation.outcome.moment.replay import Replay
from labs.simulation.outcome.moment.seen_slots import SeenSlots, seen_slots
from labs.simulation.outcome.moment.snapshot import (
    SLOTS_LISTED,
    Block,
    CardView,
    Hit,
    MemoryRefusal,
    MigPlace,
    NodeView,
    PodState,
    PodView,
    Slices,
    Slot,
    Snapshot,
)
from labs.simulation.scenario import Device, NodeSpec, Scenario
from labs.simulation.trace import (
    AnsweredLatency,
    CardBusy,
    Health,
    LatencyChanged,
    RequestRateChanged,
    RequestsAnswered,
    RunEnded,
    SpeedChanged,
    Trace,
)

MOMENTS_LIMIT = 200
UNHEARD = (PodState.BOUND, PodState.NEVER_STARTED)  # bound to a node, and without a device
UNSEEN = (
    SpeedChanged,
    CardBusy,
    RequestRateChanged,
    LatencyChanged,
    RequestsAnswered,
    AnsweredLatency,
    RunEnded,
)


def moments(trace: Trace) -> tuple[int, ...]:
    """The times (microseconds, ascending) after which the picture differs from before.

    At most MOMENTS_LIMIT.

    Where there are more, they are thinned evenly; the first and the last stay.
    """
    times = sorted({0, *(record.at_us for record in trace.records if not isinstance(record, UNSEEN))})
    if len(times) <= MOMENTS_LIMIT:
        return tuple(times)
    last = len(times) - 1
    return tuple(times[index * last // (MOMENTS_LIMIT - 1)] for index in range(MOMENTS_LIMIT))


def snapshot(scenario: Scenario, trace: Trace, at_us: int) -> Snapshot:
    """The cluster right after everything that happened up to and at `at_us`."""
    replay = Replay(scenario)
    replay.see_all(trace.records, until_us=at_us)
    pods = tuple(
        PodView(pod.name, pod.workload.name, pod.node, pod.gpus, pod.state, pod.message)
        for pod in replay.pods.values()
        if pod.state is not PodState.GONE
    )
    computes = any(works(workload.job) for workload in scenario.workloads)
    return Snapshot(
        at_us,
        tuple(
            _node(replay, replay.layouts[spec.name], computes)
            for spec in scenario.nodes
            if spec.name in replay.present
        ),
        pods,
    )


def _node(replay: Replay, spec: NodeSpec, computes: bool) -> NodeView:
    resources = tuple(replay.resources[spec.name])
    layout, instances = _layout(spec)
    slots = _seen_slots(replay, spec)
    cards = tuple(
        _card(
            replay,
            spec,
            device,
            slots[device.number],
            computes,
            None if device.mig_index is None else _place(device.gpu, instances[device.mig_index]),
        )
        for device in spec.devices
    )
    return NodeView(
        spec.name,
        spec.model.name,
        resources,
        cards,
        replay.errors.get(spec.name),
        gpu_count=spec.count,
        slices=None if layout is None else _slices(layout),
    )


def _layout(spec: NodeSpec) -> tuple[Layout | None, tuple[GpuInstance, ...]]:
    """How each card of the node is cut, and the instance of each of its MIG devices: laid out as mig-parted would."""
    if not spec.mig:
        return None, ()
    attempt = place_in_any_order(Layout.empty(spec.model), [share.profile for share in spec.mig])
    return attempt.layout, tuple(instance for instance in attempt.placements if instance is not None)


def _place(gpu: int, instance: GpuInstance) -> MigPlace:
    return MigPlace(gpu, instance.start, instance.size, instance.profile.compute_slices)


def _slices(layout: Layout) -> Slices:
    return Slices(
        layout.model.memory_slices or 0,
        layout.model.compute_slices or 0,
        total_memory_bytes(layout.model),
        wasted_memory_slices(layout),
        wasted_compute_slices(layout),
    )


def _seen_slots(replay: Replay, spec: NodeSpec) -> dict[int, SeenSlots]:
    """The slots of each of a node's devices."""
    cards = {device.number: replay.cards[spec.name, device.number] for device in spec.devices}
    if replay.scenario.rollout is not None:
        pods = replay.pods.values()
        return seen_slots(cards, [pod for pod in pods if pod.node == spec.name and pod.state in UNHEARD])
    slots = {}
    for number, card in cards.items():
        count = card.slots if card.is_unhealthy else replay.allocatable(spec.name, card)
        takers = {slot: pod for slot, pod in card.owners.items() if slot < count}
        slots[number] = SeenSlots(count, takers, len(card.owners) - len(takers))
    return slots


def _card(
    replay: Replay, spec: NodeSpec, device: Device, slots: SeenSlots, computes: bool, place: MigPlace | None
) -> CardView:
    card = replay.cards[spec.name, device.number]
    listed = min(slots.count, SLOTS_LISTED)
    return CardView(
        number=device.number - spec.first_device,
        total_bytes=total_memory_bytes(spec.model) if device.mig is None else device.usable_bytes,
        usable_bytes=device.usable_bytes,
        mig=None if device.mig is None else device.mig.profile,
        place=place,
        mechanism=card.mechanism,
        slot_count=slots.count,
        taken=len(slots.takers),
        kept=slots.kept,
        slots=tuple(Slot(index, slots.takers.get(index)) for index in range(listed)),
        blocks=tuple(
            Block(
                name,
                replay.pods[name].workload.name,
                context,
                data,
                replay.found_bytes(replay.pods[name], device.number),
            )
            for name, (context, data) in card.holdings.items()
            if context or data
        ),
        refusals=tuple(
            MemoryRefusal(name, replay.pods[name].workload.name, asked, replay.pods[name].state)
            for name, asked in card.refused.items()
        ),
        busy_ppm=card.busy.rate if computes else None,
        hit=tuple(Hit(name, replay.pods[name].state) for name in card.hit),
        is_lost=card.health is Health.LOST,
        is_unhealthy=card.is_unhealthy,
    )
