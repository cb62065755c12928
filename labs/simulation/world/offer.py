"""What a node says when its plugin has started: what it advertises, its devices, and how Pods share each of them."""

from __future__ import annotations

from collections.abc import Sequence

from labs.cluster.advertise import Advertisement
from labs.cluster.gpu import PhysicalGpu
from labs.cluster.node import Node
from labs.hardware.catalog import total_memory_bytes
from labs.hardware.units import MIB
from labs.simulation.scenario import NodeSpec
from labs.simulation.trace import CardOffered, MigDeviceListed, NodeAdvertised, NodeRefused
from labs.simulation.world.card import Card
from labs.simulation.world.trace_writer import TraceWriter


def write_offer(trace: TraceWriter, spec: NodeSpec, node: Node, cards: Sequence[Card]) -> None:
    """Writes down what the node offers of its `cards`, or why nothing."""
    refusal = refusal_of(node.advertisement)
    if refusal is not None:
        trace.write(NodeRefused(trace.now_us, node.name, refusal))
    for resource, pool in node.pools.items():
        trace.write(NodeAdvertised(trace.now_us, node.name, resource, pool.capacity))
    write_devices(trace, spec)
    for card in cards if node.pools else ():
        slots, mechanism = node.slots(card.number), card.mechanism.name
        trace.write(CardOffered(trace.now_us, node.name, card.number, slots, mechanism))


def write_devices(trace: TraceWriter, spec: NodeSpec) -> None:
    """Writes down into which MIG devices the node's cards are cut."""
    for device in spec.devices:
        if device.mig is not None:
            listed = MigDeviceListed(
                trace.now_us, spec.name, device.number, device.gpu, device.usable_bytes, device.mig.profile
            )
            trace.write(listed)


def refusal_of(advertisement: Advertisement) -> str | None:
    """Why the node offers nothing, in the words of whoever does not start."""
    if advertisement.error is not None or advertisement.registers:
        return advertisement.error
    if advertisement.mps_error is not None:
        return advertisement.mps_error
    waiting = ", ".join(advertisement.mps_without_daemon)
    return f"error waiting for MPS daemon: {waiting}" if waiting else None


def physical_gpu(spec: NodeSpec) -> PhysicalGpu:
    """One of the node's cards, as the plugin finds it."""
    major, _, minor = (spec.model.compute_capability or "0.0").partition(".")
    mig = tuple(share.profile for share in spec.mig) or None
    total_mib = total_memory_bytes(spec.model) // MIB
    return PhysicalGpu(spec.model.name, total_mib, (int(major), int(minor)), mig)


def device_numbers(spec: NodeSpec) -> dict[tuple[int, int | None], int]:
    """Devices by the plugin's indexes. A whole card in MIG mode is, for a CUDA process, the first MIG device of it."""
    numbers: dict[tuple[int, int | None], int] = {}
    for device in spec.devices:
        numbers[device.gpu, device.mig_index] = device.number
        numbers.setdefault((device.gpu, None), device.number)
    return numbers
