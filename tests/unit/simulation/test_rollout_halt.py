"""Whether a rollout has stopped: containers that crash and Pods that fail again and again take it no further."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from labs.simulation.outcome.rollout.halt import is_halted
from labs.simulation.outcome.rollout.moments import fleet_snapshot
from labs.simulation.scenario.rollout.reader import read_rollout
from labs.simulation.scenario.rollout.rollout import Rollout
from labs.simulation.trace.trace import Trace
from labs.simulation.world.rollout.world import run_rollout

NEW = {"at": 0, "template": "r2"}


def ran(**rollout: Any) -> tuple[Rollout, Trace]:
    found = read_rollout(yaml.safe_dump({"rollout": {"nodes": 5, "events": [NEW], **rollout}}))
    return found, run_rollout(found).trace


def halted(seconds: float, **rollout: Any) -> bool:
    found, trace = ran(**rollout)
    return is_halted(found, fleet_snapshot(found, trace, round(seconds * 1_000_000)))


def bad(pod: str, **more: Any) -> list[dict[str, Any]]:
    return [{"nodes": ["node-3"], "revisions": ["r2"], "pod": pod, **more}]


@pytest.mark.parametrize(
    ("pod", "seconds"),
    [
        ({"pod": "never-ready"}, 24),
        ({"pod": "init-stuck"}, 18),
        ({"pod": "pending"}, 18),
        ({"pod": "failed"}, 19),
        ({"pod": "crash-loop", "runSeconds": 3, "readyAfterSeconds": 5}, 22),
    ],
)
def test_a_rollout_has_stopped_once_the_failure_shows(pod: dict[str, Any], seconds: int) -> None:
    """The Pod of node-3 is created at 17 s; until something is wrong with it, it is on its way."""
    found, trace = ran(behaviour=bad(**pod))
    seen = [is_halted(found, fleet_snapshot(found, trace, at * 1_000_000)) for at in range(120)]
    first = seen.index(True)
    assert first <= seconds
    assert all(seen[first:])
    assert not any(seen[:15])


def test_a_probe_that_takes_its_time_is_waited_for() -> None:
    slow = [{"nodes": "all", "revisions": ["r2"], "pod": "serves-nothing", "readyAfterSeconds": 60}]
    assert not any(halted(seconds, behaviour=slow) for seconds in range(3, 60, 7))


def test_a_container_that_is_available_between_its_crashes_takes_the_rollout_on() -> None:
    slips = [{"nodes": "all", "revisions": ["r2"], "pod": "crash-loop", "runSeconds": 15}]
    assert not any(halted(seconds, behaviour=slips) for seconds in range(3, 500, 11))
    assert halted(300, behaviour=slips, minReadySeconds=20)


def test_what_is_repaired_is_on_its_way_again() -> None:
    for pod in ("init-stuck", "failed"):
        events = [NEW, {"at": 60, "repair": "node-3"}]
        seen = [halted(seconds, behaviour=bad(pod), events=events) for seconds in (59, 60, 61)]
        assert seen == [True, False, False]


def test_a_dead_node_that_holds_the_budget_stops_it() -> None:
    down = [{"nodes": ["node-2"], "state": "down"}]
    assert not halted(0, before=down)
    assert halted(30, before=down)
    assert not halted(30, before=down, updateStrategy={"rollingUpdate": {"maxUnavailable": 2}})


def test_on_delete_and_what_is_done_have_not_stopped() -> None:
    assert not halted(300, updateStrategy={"type": "OnDelete"})
    assert not halted(300)
