"""A run to be looked at: its true end however many moments it has, the counts at every time, a bounded memory."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from labs.library import builtin_library
from labs.report.fleet.words import sentences
from labs.simulation.outcome.rollout import timeline as fleet_timeline
from labs.simulation.outcome.rollout.moments import fleet_moments, fleet_snapshot
from labs.simulation.outcome.rollout.timeline import STOPS_MOST, FleetTimeline
from labs.simulation.scenario.rollout.reader import read_rollout
from labs.simulation.world.rollout.world import run_rollout
from labs.teaching.rollout_lab.regions import MomentView
from labs.teaching.rollout_lab.results import RolloutResults, RolloutRun, RolloutSettings

EN = builtin_library().messages["en"]
MANY_PODS = """\
format: 1
horizon: 30m
nodes:
  - {name: n1, gpus: {model: a100-40gb, count: 1}}
  - {name: n2, gpus: {model: a100-40gb, count: 1}}
workloads:
  - name: w
    count: 1100
    arrival: {every: 1s}
    request: {nvidia.com/gpu: 1}
    job: {kind: training, soloTime: 100ms, iterations: 2}
rollout: {events: [{at: 1500, template: r2}]}
"""


def course_of(**rollout: Any) -> FleetTimeline:
    found = read_rollout(yaml.safe_dump({"rollout": {"events": [{"at": 0, "template": "r2"}], **rollout}}))
    return FleetTimeline(found, run_rollout(found).trace)


def ran(text: str) -> tuple[RolloutRun, FleetTimeline]:
    library = builtin_library()
    run = RolloutResults(RolloutSettings(library.catalog, library.workloads)).of(text)
    assert run.course is not None
    return run, run.course


def test_of_very_many_moments_the_end_is_the_true_one() -> None:
    run, course = ran(MANY_PODS)
    assert len(course.moments) > STOPS_MOST
    assert run.end is not None
    assert (run.end.revision, run.end.is_done, run.metrics["updated"]) == ("r2", True, 2)
    assert run.last_s > 1500
    told = sentences(MomentView(run, course, course.moments[-1]).moment, EN)
    assert told[0] == "The rollout is done: 2 of 2 nodes have the newest template (r2), and 2 are available."


def test_a_rollout_of_more_moments_than_are_gone_through_finishes_as_in_the_terminal() -> None:
    course = course_of(nodes=1100, until=9000)
    end = course.at(course.moments[-1])
    assert len(course.moments) > STOPS_MOST
    assert (end.is_done, end.status.updated) == (True, 1100)
    assert course.counts[-1].status == end.status


def test_of_very_many_moments_a_thinned_row_is_gone_through_with_what_is_done_and_the_end() -> None:
    _, course = ran(MANY_PODS)
    assert len(course.stops) <= STOPS_MOST + 2
    assert {0, 1_500_000_000, course.moments[-1]} <= set(course.stops) <= set(course.moments)
    seen = [0]
    while (following := course.stop_from(seen[-1], 1)) != seen[-1]:
        seen.append(following)
    assert tuple(seen) == course.stops
    assert course.stop_from(course.stops[5], -1) == course.stops[4]
    assert course.stop_from(course.stops[5] + 1, -1) == course.stops[5]
    assert course.stop_from(0, -1) == 0


def test_of_few_moments_each_is_gone_through() -> None:
    course = course_of(nodes=3)
    assert course.stops == tuple(course.moments)


def test_any_moment_is_what_a_run_read_from_the_start_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fleet_timeline, "WEIGHT_KEPT", 100)  # a fleet or two
    given = {"nodes": 4, "behaviour": [{"nodes": ["node-2"], "revisions": ["r2"], "pod": "failed"}]}
    found = read_rollout(yaml.safe_dump({"rollout": {**given, "events": [{"at": 0, "template": "r2"}]}}))
    trace = run_rollout(found).trace
    course = FleetTimeline(found, trace)
    moments = fleet_moments(found, trace)
    for at_us in (*moments, *reversed(moments), moments[3] + 1):
        assert course.at(at_us) == fleet_snapshot(found, trace, at_us)
        status = fleet_snapshot(found, trace, at_us).status
        assert (course.counts_at(at_us).status, course.counts_at(at_us).is_done) == (
            status,
            course.at(at_us).is_done,
        )
        assert sum(1 for _ in course._seen) <= 2


def test_counts_between_two_times_begin_with_those_that_hold_then() -> None:
    course = course_of(nodes=3)
    times = [counted.at_us for counted in course.counts]
    between = course.counts_between(times[1] + 1, times[3])
    assert [counted.at_us for counted in between] == times[1:3]
    assert course.counts_between(times[-1] + 5, times[-1] + 6) == course.counts[-1:]


def test_what_was_answered_is_told_of_the_event_that_it_answers() -> None:
    events = [
        {"at": 5, "undo": True},
        {"at": 5, "maxSurge": 1},
        {"at": 5, "cordon": "node-1"},
        {"at": 6, "cordon": ["node-1", "node-2"]},
        {"at": 6, "undo": 7},
    ]
    found = read_rollout(yaml.safe_dump({"rollout": {"nodes": 2, "events": events}}))
    course = FleetTimeline(found, run_rollout(found).trace)
    said = [course.answers_to(event) for event in found.events]
    assert [len(words) for words in said] == [1, 1, 0, 1, 1]
    assert said[0] == ("error: no last revision to roll back to",)
    assert "may not be set when maxUnavailable" in said[1][0]
    assert said[3] == ("node/node-1 already cordoned",)
    assert "unable to find specified revision 7" in said[4][0]


def test_runs_are_kept_as_far_as_they_are_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("labs.teaching.rollout_lab.results.RECORDS_KEPT", 150)
    library = builtin_library()
    results = RolloutResults(RolloutSettings(library.catalog, library.workloads))
    texts = [f"rollout: {{nodes: 9, events: [{{at: {at}, template: r2}}]}}" for at in range(3)]
    runs = [results.of(text) for text in texts]
    assert results.of(texts[2]) is runs[2]
    assert results.of(texts[0]) is not runs[0]
