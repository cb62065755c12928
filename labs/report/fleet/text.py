"""The picture of a rollout in a terminal: a line for each node, ASCII in its shapes; many nodes are counted.

`[B]` is the letter of a Pod's template, `(o)` on its way, `(x)` in trouble, `( )` nothing there; available says `(*)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from labs.report.fleet.picture import DRAWN_MOST, legend_text
from labs.report.fleet.state import SIGNS, Sign, node_letters, revision_letters, state_of
from labs.report.fleet.tile import detail_text, offer_text, pods_text
from labs.report.fleet.words import group_texts, state_text
from labs.report.writing import Messages, columns, cut, pad, wrap
from labs.simulation.outcome.rollout import FleetNodeView, FleetSnapshot
from labs.simulation.scenario.rollout import Rollout

WIDTH = 80
MARKS: Mapping[Sign, str] = {Sign.FULL: "(*)", Sign.HALF: "(o)", Sign.CROSS: "(x)", Sign.EMPTY: "( )"}


def fleet_text(rollout: Rollout, fleet: FleetSnapshot, messages: Messages) -> str:
    """The fleet at the moment of the snapshot."""
    letters = revision_letters(rollout)
    title = messages.count("fleet.title", len(fleet.nodes), time=messages.duration(fleet.at_us))
    lines = [title, *wrap(legend_text(fleet, letters, messages), WIDTH)]
    if len(fleet.nodes) > DRAWN_MOST:
        lines += [
            line for sentence in group_texts(fleet, letters, messages) for line in wrap(sentence, WIDTH)
        ]
    else:
        lines += _lines(fleet, letters, messages)
    return "\n".join(line.rstrip() for line in lines)


def _lines(fleet: FleetSnapshot, letters: Mapping[str, str], messages: Messages) -> Iterator[str]:
    name = max((columns(node.name) for node in fleet.nodes), default=0) + 2
    badges = max((len(_badges(node, letters)) for node in fleet.nodes), default=0) + 1
    for node in fleet.nodes:
        head = f"{pad(_badges(node, letters), badges)}{MARKS[SIGNS[state_of(node)]]} {pad(node.name, name)}"
        parts = [state_text(node, messages), detail_text(node, messages)]
        parts += [offer_text(offer, messages, with_name=len(node.offers) > 1) for offer in node.offers]
        parts += [pods_text(node.workload_pods, messages)] if node.workload_pods else []
        yield cut(head + messages.text("list.comma").join(part for part in parts if part), WIDTH)


def _badges(node: FleetNodeView, letters: Mapping[str, str]) -> str:
    return "".join(f"[{letter}]" for letter, _ in node_letters(node, letters))
