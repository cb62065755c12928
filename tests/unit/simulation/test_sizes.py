"""Runs cost by what happens in them: large numbers of one thing do not multiply with those of another.

Counted are lines of this package that are gone through, so a busy machine changes nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, NoReturn

import pytest

from labs.simulation.outcome.moment.replay import Replay
from labs.simulation.scenario.reader import MAX_UNITS
from labs.simulation.world.run import run
from tests.unit.scenarios import node, outcome, pods, read, scenario

MANY = "x.example/y"


def steps(text: str) -> int:
    """Lines of this package's code that a run goes through."""
    counted = 0

    def count(frame: FrameType, event: str, argument: Any) -> Callable[..., Any] | None:
        nonlocal counted
        if "labs" not in frame.f_code.co_filename:
            return None
        counted += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        outcome(text)
    finally:
        sys.settrace(before)
    return counted


def crowd(count: int) -> str:
    """Pods with a byte each on one card."""
    return scenario(
        [node(replicas=10_000)], [{**pods("a", count, memory="1"), "contextMemory": "0"}], horizon="1s"
    )


def pending(count: int) -> str:
    """As many nodes as Pods that fit on none of them."""
    nodes = [{**node(), "name": f"n{number}"} for number in range(count)]
    asked = {**pods("a", count), "request": {"nvidia.com/gpu": 1, MANY: 1}}
    return scenario(nodes, [asked], horizon="1s")


def pending_among_others(count: int) -> str:
    """Pods that find a place and Pods that find none, in turn."""
    nodes = [{**node(), "name": f"n{number}"} for number in range(count)]
    asked = [pods("a", count), {**pods("b", count), "request": {"nvidia.com/gpu": 2}}]
    return scenario(nodes, [{**each, "arrival": {"every": "2us"}} for each in asked], horizon="1s")


def wide(count: int) -> str:
    """One Pod with many slots of many cards."""
    return scenario(
        [node(cards=16, replicas=10_000)], [{**pods("a"), "request": {"nvidia.com/gpu": count}}], horizon="1s"
    )


def wide_and_crashing(count: int) -> str:
    """A Pod with many slots that is started again and again."""
    asked = {**pods("a", memory="80GiB"), "request": {"nvidia.com/gpu": count}}
    return scenario([node(replicas=10_000)], [asked], horizon=f"{count}h")


@pytest.mark.parametrize("build", [crowd, pending, pending_among_others, wide, wide_and_crashing])
def test_four_times_as_many_cost_about_four_times_as_much(build: Callable[[int], str]) -> None:
    fewer, more = steps(build(100)), steps(build(400))
    assert more < 5 * fewer


def test_a_crowd_on_one_card_is_read_without_going_through_it() -> None:
    """What a sum over all who hold memory costs at every step, no line tells; it took seven times as long as the run."""
    crowded = read(crowd(50))
    replay = Replay(crowded)
    replay.see_all(run(crowded).records)
    card = replay.cards["node", 0]
    assert card.peak_bytes == 50

    class Unread(dict[str, list[int]]):
        """Holdings that may be asked for by name only."""

        def values(self) -> NoReturn:
            raise AssertionError("the holdings of all were gone through")

        __iter__ = keys = items = values

    card.holdings = Unread(card.holdings)
    card.hold("a-0", 1, 5)
    card.drop("a-1")
    assert (card.held_bytes, card.peak_bytes) == (53, 54)


def test_a_request_is_bounded_since_every_slot_is_written_down() -> None:
    result = outcome(wide(MAX_UNITS))
    assert len(result.trace.records) > MAX_UNITS
