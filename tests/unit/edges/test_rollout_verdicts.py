"""What terminal and page say of the end of a rollout: the same, whatever ends it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from labs.commands.rollout.text import rollout_text
from labs.library import builtin_library
from labs.report.fleet.words import sentences
from labs.simulation.outcome.rollout.moments import fleet_snapshot
from labs.simulation.outcome.rollout.timeline import FleetTimeline
from labs.simulation.scenario.rollout.reader import read_rollout
from labs.simulation.scenario.rollout.rollout import Rollout
from labs.simulation.trace.trace import Trace
from labs.simulation.world.rollout.world import run_rollout
from labs.teaching.rollout_lab.regions import MomentView
from labs.teaching.rollout_lab.results import RolloutRun

_TEXT = (Path(__file__).parents[2] / "cases" / "rollout.yaml").read_text("utf-8")
CASES: list[dict[str, Any]] = yaml.safe_load(_TEXT[: _TEXT.index("\nvalidation_cases:")])
EN = builtin_library().messages["en"]


def ran(rollout: dict[str, Any]) -> tuple[Rollout, Trace]:
    found = read_rollout(yaml.safe_dump({"rollout": rollout}))
    return found, run_rollout(found).trace


def verdicts(rollout: Rollout, trace: Trace) -> tuple[str, str]:
    """What terminal and page say of the end: the words before the numbers."""
    end = fleet_snapshot(rollout, trace, rollout.until_us)
    terminal = rollout_text(rollout, trace, end, EN).rpartition("\n\n")[2]
    course = FleetTimeline(rollout, trace)
    shown = MomentView(RolloutRun(rollout, None, "", course), course, course.moments[-1])
    page = sentences(shown.moment, EN)[0]
    return _verdict(terminal), _verdict(page)


def _verdict(words: str) -> str:
    told = {
        "has stopped": "stopped",
        "has finished": "done",
        "is done": "done",
        "still happening": "goes on",
        "under way": "goes on",
        "With OnDelete": "waits",
        "No rollout has begun": "done",  # as kubectl says of the one before
    }
    return next(verdict for part, verdict in told.items() if part in words)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_terminal_and_page_say_the_same_of_the_end(case: dict[str, Any]) -> None:
    terminal, page = verdicts(*ran(case["rollout"]))
    assert terminal == page


@pytest.mark.parametrize("case", ["T09", "T31b"])
def test_what_is_tried_again_and_again_does_not_keep_a_rollout_going(case: str) -> None:
    rollout, trace = ran(next(one for one in CASES if one["id"] == case)["rollout"])
    assert verdicts(rollout, trace) == ("stopped", "stopped")
    course = FleetTimeline(rollout, trace)
    shown = MomentView(RolloutRun(rollout, None, "", course), course, course.moments[-1])
    told = sentences(shown.moment, EN)
    assert told[-1] == EN.text("fleet.sentence.loops-on")
    assert EN.text("fleet.sentence.stays") not in told
