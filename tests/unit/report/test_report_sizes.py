"""What a report costs grows with what it tells of, not with the square of it.

Counted are calls, of this package and of what it calls, so a busy machine changes nothing.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from labs.library import builtin_library
from labs.report.cards.scene import Width, central_scene
from labs.report.drawing.svg import svg_file
from labs.report.result.document import html_document
from labs.report.result.html import result_regions
from labs.report.result.text import result_text
from labs.simulation.outcome.moment.moments import moments, snapshot
from labs.simulation.outcome.moment.snapshot import Snapshot
from labs.simulation.outcome.outcome import Outcome
from tests.unit.scenarios import config, node, outcome, pods, scenario, service

MESSAGES = builtin_library().messages["en"]
Render = Callable[[Outcome, Snapshot], object]
RENDERERS: dict[str, Render] = {
    "text": lambda result, last: result_text(result, last, MESSAGES),
    "json": lambda result, last: result.to_json(),
    "svg": lambda result, last: svg_file(central_scene(last, MESSAGES, Width.WIDE), ""),
    "html": lambda result, last: html_document(result, last, MESSAGES, ""),
    "regions": lambda result, last: result_regions(result, last, MESSAGES, "lab"),
}
MANY = 100_000


def same(count: int, **more: Any) -> str:
    return scenario([node(replicas=MANY)], [pods("a", count, memory="6GiB", **more)], horizon="30m")


SCENARIOS: dict[str, Callable[[int], str]] = {
    "caught": lambda count: same(count, onOOM="catch"),
    "crashing": lambda count: same(count),
    "failed": lambda count: same(count, restartPolicy="Never"),
    "pending": lambda count: scenario([node()], [pods("a", count)]),
    "refused": lambda count: scenario(
        [node(text=config(MANY, fail_greater_than_one=True))], [pods("a", count, units=2)]
    ),
    "at work": lambda count: scenario(
        [node(f"n{number}", replicas=2) for number in range(count // 2)],
        [pods("a", count, memory="1GiB", job=service(clients=1))],
    ),
    "each of its own": lambda count: scenario(
        [node(replicas=MANY)], [pods(f"a{number}", memory="6GiB", onOOM="catch") for number in range(count)]
    ),
    "nodes": lambda count: scenario([node(f"n{number}") for number in range(count)], [pods("a")]),
}


@functools.cache
def ran(build: Callable[[int], str], count: int) -> tuple[Outcome, Snapshot]:
    result = outcome(build(count))
    return result, snapshot(result.scenario, result.trace, moments(result.trace)[-1])


def calls(render: Render, result: Outcome, last: Snapshot) -> int:
    counted = 0

    def count(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        render(result, last)
    finally:
        sys.setprofile(before)
    return counted


@pytest.mark.parametrize("build", SCENARIOS.values(), ids=SCENARIOS.keys())
@pytest.mark.parametrize("render", RENDERERS.values(), ids=RENDERERS.keys())
def test_four_times_as_much_costs_at_most_about_four_times_as_much(
    render: Render, build: Callable[[int], str]
) -> None:
    fewer, more = calls(render, *ran(build, 100)), calls(render, *ran(build, 400))
    assert more < 5 * fewer
