"""What a node says when its plugin has started: what it advertises, its devices, and how Pods share each of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from labs.cluster.advertise import Advertisement
from labs.cluster.gpu import PhysicalGpu
from labs.cluster.node import Node
from labs.hardware.catalog import total_memory_bytes
from labs.hardware.units import MIB
from labs.simulation.scenario import NodeSpec
from labs.simulation.trace import Happening
from labs.simulation.world.card import Card

Write = Callable[..., None]
"""Writes a record: `World.record`."""


def tell_offer(write: Write, spec: NodeSpec, node: Node, cards: Sequence[Card]) -> None:
    """Writes down what the node offers of its `cards`, or why nothing."""
    refusal = refusal_of(node.advertisement)
    if refusal is not None:
        write(Happening.NODE_REFUSED, node=node.name, reason=refusal)
    for resource, pool in node.pools.items():
        write(Happening.NODE_ADVERTISED, node=node.name, reason=resource, value=pool.capacity)
    tell_devices(write, spec)
    for card in cards if node.pools else ():
        slots, mechanism = node.slots(card.number), card.mechanism.name
        write(Happening.CARD_OFFERED, node=node.name, gpu=card.number, value=slots, reason=mechanism)


def tell_devices(write: Write, spec: NodeSpec) -> None:
    """Writes down into which MIG devices the node's cards are cut."""
    for device in spec.devices:
        if device.mig is not None:
            write(
                Happening.MIG_DEVICE,
                node=spec.name,
                gpu=device.number,
                slot=device.gpu,
                value=device.usable_bytes,
                reason=device.mig.profile,
            )


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
