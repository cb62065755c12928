"""What a node says when its plugin has started: what it advertises, its devices, and how Pods share each of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from labs.cluster.advertise import Advertisement
from labs.cluster.node import Node
from labs.simulation.card import Card
from labs.simulation.scenario import NodeSpec
from labs.simulation.trace import Happening

Write = Callable[..., None]
"""Writes a record: `World.record`."""


def tell_offer(write: Write, spec: NodeSpec, node: Node, cards: Sequence[Card]) -> None:
    """Writes down what the node offers of its `cards`, or why nothing."""
    refusal = _refusal(node.advertisement)
    if refusal is not None:
        write(Happening.NODE_REFUSED, node=node.name, reason=refusal)
    for resource, pool in node.pools.items():
        write(Happening.NODE_ADVERTISED, node=node.name, reason=resource, value=pool.capacity)
    for device in spec.devices:
        if device.mig is not None:
            write(
                Happening.MIG_DEVICE,
                node=node.name,
                gpu=device.number,
                slot=device.gpu,
                value=device.usable_bytes,
                reason=device.mig.profile,
            )
    for card in cards if node.pools else ():
        slots, mechanism = node.slots(card.number), card.mechanism.name
        write(Happening.CARD_OFFERED, node=node.name, gpu=card.number, value=slots, reason=mechanism)


def _refusal(advertisement: Advertisement) -> str | None:
    """Why the node offers nothing, in the words of whoever does not start."""
    if advertisement.error is not None or advertisement.registers:
        return advertisement.error
    if advertisement.mps_error is not None:
        return advertisement.mps_error
    waiting = ", ".join(advertisement.mps_without_daemon)
    return f"error waiting for MPS daemon: {waiting}" if waiting else None
