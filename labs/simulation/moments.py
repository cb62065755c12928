"""Snapshots of a run: the cluster at one moment, and the moments at which a picture of it changes."""

from __future__ import annotations

from labs.hardware.memory import total_memory_bytes
from labs.simulation.mechanism import works
from labs.simulation.replay import CardReplay, Replay
from labs.simulation.scenario import Device, NodeSpec, Scenario
from labs.simulation.snapshot import (
    SLOTS_LISTED,
    Block,
    Card,
    Hit,
    NodeView,
    PodView,
    Refusal,
    Slot,
    Snapshot,
)
from labs.simulation.trace import Happening, Trace

MOMENTS_LIMIT = 200
UNSEEN = (Happening.SPEED, Happening.REQUESTS, Happening.LATENCY, Happening.CARD_BUSY, Happening.END)


def moments(trace: Trace) -> tuple[int, ...]:
    """The times (microseconds, ascending) after which the picture differs from before; at most MOMENTS_LIMIT
    of them.

    Where there are more, they are thinned evenly; the first and the last stay.
    """
    times = sorted({0, *(record.at_us for record in trace.records if record.what not in UNSEEN)})
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
    )
    computes = any(works(workload.job) for workload in scenario.workloads)
    return Snapshot(at_us, tuple(_node(replay, spec, computes) for spec in scenario.nodes), pods)


def _node(replay: Replay, spec: NodeSpec, computes: bool) -> NodeView:
    resources = tuple(replay.resources[spec.name])
    cards = tuple(
        _card(replay, spec, device, replay.cards[spec.name, device.number], computes)
        for device in spec.devices
    )
    return NodeView(
        spec.name, spec.model.name, resources, cards, replay.errors.get(spec.name), gpu_count=spec.count
    )


def _card(replay: Replay, spec: NodeSpec, device: Device, card: CardReplay, computes: bool) -> Card:
    listed = min(card.slots, SLOTS_LISTED)
    return Card(
        number=device.number,
        total_bytes=total_memory_bytes(spec.model) if device.mig is None else device.usable_bytes,
        usable_bytes=device.usable_bytes,
        mig=None if device.mig is None else device.mig.profile,
        mechanism=card.mechanism,
        slot_count=card.slots,
        taken=len(card.owners),
        slots=tuple(Slot(index, card.owners.get(index)) for index in range(listed)),
        blocks=tuple(
            Block(name, replay.pods[name].workload.name, context, data)
            for name, (context, data) in card.holdings.items()
            if context or data
        ),
        refusals=tuple(
            Refusal(name, replay.pods[name].workload.name, asked, replay.pods[name].state)
            for name, asked in card.refused.items()
        ),
        busy_ppm=card.busy.rate if computes else None,
        hit=tuple(Hit(name, replay.pods[name].state) for name in card.hit),
        is_lost=card.is_lost,
    )
