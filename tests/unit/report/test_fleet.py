"""The picture of a rollout: signs, letters, tickets, what is drawn one by one and what is counted; the reckoning."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
import yaml

from labs.cluster.daemonset.status import Status
from labs.library import LANGUAGES, builtin_library
from labs.report.cards.scene import Width
from labs.report.drawing.shapes import Group, Line, Path, Rect, Shape, Text
from labs.report.fleet.chart import HEIGHT, TOP, ChartedRun, chart_scene
from labs.report.fleet.picture import DRAWN_MOST, FleetFrame, fleet_scene
from labs.report.fleet.state import chosen_node, node_letters, revision_letters, state_of
from labs.report.fleet.text import fleet_text
from labs.report.fleet.tile import detail_text
from labs.report.fleet.words import Moment, sentences
from labs.report.writing.measure import columns
from labs.simulation.outcome.rollout.budget import budget_use
from labs.simulation.outcome.rollout.moments import fleet_moments, fleet_snapshot
from labs.simulation.outcome.rollout.snapshot import FleetSnapshot
from labs.simulation.outcome.rollout.timeline import CountsFrom, FleetTimeline
from labs.simulation.scenario.rollout.reader import read_rollout
from labs.simulation.scenario.rollout.rollout import Rollout
from labs.simulation.world.rollout.world import run_rollout
from labs.teaching.rollout_lab.results import RolloutResults, RolloutSettings

EN = builtin_library().messages["en"]
NEW = {"at": 0, "template": "r2"}


def at(seconds: float, **rollout: Any) -> tuple[Rollout, FleetSnapshot]:
    given = {"nodes": 4, "events": [NEW], **rollout}
    read = read_rollout(yaml.safe_dump({"rollout": given}))
    return read, fleet_snapshot(read, run_rollout(read).trace, round(seconds * 1_000_000))


def bad(pod: str, *nodes: str, **more: Any) -> list[dict[str, Any]]:
    return [{"nodes": list(nodes) or "all", "revisions": ["r2"], "pod": pod, **more}]


def flat(shapes: tuple[Shape, ...]) -> list[Shape]:
    return [
        inner for shape in shapes for inner in (flat(shape.shapes) if isinstance(shape, Group) else [shape])
    ]


def texts(shapes: tuple[Shape, ...]) -> list[str]:
    return [shape.text for shape in flat(shapes) if isinstance(shape, Text)]


@pytest.mark.parametrize("width", list(Width))
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("nodes", [1, 10, 25, DRAWN_MOST])
def test_up_to_sixty_nodes_are_drawn_one_by_one_and_inside_the_picture(
    nodes: int, language: str, width: Width
) -> None:
    rollout, fleet = at(40, nodes=nodes)
    scene = fleet_scene(FleetFrame(rollout, fleet, None), builtin_library().messages[language], width)
    tiles = [shape for shape in scene.shapes if isinstance(shape, Group) and shape.node]
    assert [tile.node for tile in tiles] == [node.name for node in fleet.nodes]
    for shape in flat(scene.shapes):
        if isinstance(shape, Rect):
            assert 0 <= shape.x <= shape.x + shape.width <= scene.width
            assert 0 <= shape.y <= shape.y + shape.height <= scene.height


def test_more_nodes_are_counted_and_only_those_in_trouble_drawn() -> None:
    rollout, fleet = at(500, nodes=100, behaviour=bad("init-stuck", "node-002"))
    scene = fleet_scene(FleetFrame(rollout, fleet, None), EN, Width.WIDE)
    assert [shape.node for shape in scene.shapes if isinstance(shape, Group)] == ["node-002"]
    told = texts(scene.shapes)
    assert {"98", "1"} <= set(told)
    assert any(text.startswith("More than 60 nodes") for text in told)
    assert "node-003" in scene.description


@pytest.mark.parametrize(
    ("rollout", "state", "sign", "detail"),
    [
        ({}, "available", "gl-sign-full", ""),
        ({"behaviour": bad("never-ready")}, "not-ready", "gl-sign-cross", ""),
        ({"behaviour": bad("init-stuck")}, "waiting", "gl-sign-cross", "Init:0/1"),
        ({"behaviour": bad("image-pull")}, "waiting", "gl-sign-cross", "ImagePullBackOff"),
        ({"behaviour": bad("pending")}, "unschedulable", "gl-sign-cross", "Pending"),
        (
            {"behaviour": bad("crash-loop", runSeconds=1, readyAfterSeconds=5)},
            "crash-loop",
            "gl-sign-cross",
            "CrashLoopBackOff",
        ),
        ({"before": [{"nodes": "all", "state": "down"}]}, "node-down", "gl-sign-cross", ""),
        ({"before": [{"nodes": "all", "state": "tainted"}]}, "left-out", "gl-sign-empty", "tainted"),
        ({"before": [{"nodes": "all", "state": "cordoned"}]}, "available", "gl-sign-full", "cordoned"),
    ],
)
def test_a_state_has_a_word_a_shape_and_what_kubectl_says(
    rollout: dict[str, Any], state: str, sign: str, detail: str
) -> None:
    read, fleet = at(90, nodes=1, **rollout)
    assert (state_of(fleet.nodes[0]), detail_text(fleet.nodes[0], EN)) == (state, detail)
    shapes = flat(fleet_scene(FleetFrame(read, fleet, None), EN, Width.WIDE).shapes)
    assert [shape.css for shape in shapes if isinstance(shape, Path)] == [sign]
    assert EN.text(f"fleet.state.{state}") in texts(tuple(shapes))


def test_a_revision_is_a_letter_and_with_surge_a_node_has_two() -> None:
    surge = {"rollingUpdate": {"maxUnavailable": 0, "maxSurge": 1}}
    read, fleet = at(90, updateStrategy=surge, behaviour=bad("never-ready", "node-2"))
    letters = revision_letters(read)
    assert letters == {"r1": "A", "r2": "B"}
    shown = [node_letters(node, letters) for node in fleet.nodes]
    assert shown == [(("B", True),), (("A", False), ("B", True)), (("A", False),), (("A", False),)]


def test_a_revision_that_many_pods_of_a_node_have_is_one_letter() -> None:
    surge = {"rollingUpdate": {"maxUnavailable": 0, "maxSurge": 1}}
    events = [{"at": 0, "template": "r2"}, {"at": 3, "addNode": "node-5"}]
    read, fleet = at(90, updateStrategy=surge, behaviour=bad("failed", "node-5"), events=events)
    assert len(fleet.nodes[4].pods) > 50
    assert node_letters(fleet.nodes[4], revision_letters(read)) == (("B", True),)


def test_of_many_templates_each_has_a_letter_of_its_own() -> None:
    events = [{"at": place, "template": f"r{place + 2}"} for place in range(30)]
    read, _ = at(90, events=events)
    found = list(revision_letters(read).values())
    assert len(set(found)) == len(found) == 31


def test_the_chosen_node_is_framed_and_by_itself_the_one_in_trouble() -> None:
    read, fleet = at(90, behaviour=bad("init-stuck", "node-2"))
    assert [chosen_node(fleet, name).name for name in ("node-3", None, "gone")] == [  # type: ignore[union-attr]
        "node-3",
        "node-2",
        "node-2",
    ]
    scene = fleet_scene(FleetFrame(read, fleet, "node-3"), EN, Width.WIDE)
    framed = [
        shape.node
        for shape in scene.shapes
        if isinstance(shape, Group)
        and any("gl-chosen" in getattr(inner, "css", "") for inner in shape.shapes)
    ]
    assert framed == ["node-3"]


def test_slots_are_tickets_taken_free_or_struck_out() -> None:
    library = builtin_library()
    lab = library.rollouts["half-and-half"]
    run = RolloutResults(RolloutSettings(library.catalog, library.workloads)).of(lab.scenario)
    assert run.course is not None
    away = next(
        found
        for found in map(run.course.at, run.moments)
        if any(one.allocatable < one.capacity for one in found.nodes[0].offers)
    )
    shapes = flat(fleet_scene(FleetFrame(run.rollout, away, None), EN, Width.WIDE).shapes)
    assert any(isinstance(shape, Line) and shape.css == "gl-slot-struck" for shape in shapes)
    assert "0 of 1 slots" in texts(tuple(shapes))
    end = run.course.at(run.moments[-1])
    shapes = flat(fleet_scene(FleetFrame(run.rollout, end, None), EN, Width.WIDE).shapes)
    taken = sum(isinstance(shape, Rect) and shape.css == "gl-slot-taken" for shape in shapes)
    assert taken == sum(offer.requested for node in end.nodes for offer in node.offers)
    assert "10 Pods wait for a slot" in texts(tuple(shapes))


# The course


def test_a_line_of_very_many_jumps_has_no_more_points_than_the_picture_has_room_for() -> None:
    read, _ = at(0, nodes=900, until=9000)
    course = FleetTimeline(read, run_rollout(read).trace)
    scene = chart_scene(ChartedRun(course.counts, (), 0, read.until_us), EN, Width.WIDE)
    available, updated = (shape.d for shape in scene.shapes if isinstance(shape, Path))
    assert len(course.counts) > 1700
    assert max(line.count("H") for line in (available, updated)) < 2 * Width.WIDE.units
    heights = {float(height) for height in re.findall(r"V([0-9.]+)", updated)}
    assert (min(heights), max(heights)) == (TOP, TOP + HEIGHT)


def test_a_jump_there_and_back_in_one_place_is_drawn_as_far_as_it_reaches() -> None:
    status = Status(desired=2, current=2, misscheduled=0, ready=2, updated=2, available=2)
    counts = [
        CountsFrom(0, status, "r1", True),
        CountsFrom(1, replace(status, available=0), "r1", False),
        CountsFrom(2, status, "r1", True),
    ]
    scene = chart_scene(ChartedRun(counts, (), 0, 10**9), EN, Width.WIDE)
    available, _ = (shape.d for shape in scene.shapes if isinstance(shape, Path))
    assert [float(height) for height in re.findall(r"V([0-9.]+)", available)] == [TOP + HEIGHT, TOP, TOP]


# The reckoning


def told(seconds: float, *, rests: bool = True, **rollout: Any) -> str:
    read, fleet = at(seconds, **rollout)
    return " ".join(sentences(Moment(read, fleet, rests), EN))


def test_why_it_stops_is_the_budget_and_who_uses_it() -> None:
    words = told(90, behaviour=bad("never-ready", "node-2"))
    assert words.startswith("The rollout has stopped: 2 of 4 nodes")
    assert "Unavailable: 1 (node-2). Allowed: 1 (maxUnavailable)." in words
    assert "No deadline ends this state" in words


def test_what_the_numbers_hide_is_told() -> None:
    assert "The numbers do not show node-2" in told(90, before=[{"nodes": ["node-2"], "state": "down"}])
    given = {"behaviour": bad("crash-loop", "node-2", runSeconds=20)}
    up = next(seconds for seconds in range(60, 300) if at(seconds, **given)[1].is_done)
    assert "And yet the container crashes again and again on node-2" in told(up, rests=False, **given)
    tainted = told(90, before=[{"nodes": ["node-2"], "state": "tainted"}])
    assert "no longer has a Pod on node-2" in tainted


def test_the_last_node_is_waited_for_and_nothing_is_left_to_replace() -> None:
    words = told(90, behaviour=bad("never-ready", "node-4"))
    assert "No old Pod is left to replace. Missing: node-4" in words


def test_a_rollout_that_nobody_began_is_not_called_done() -> None:
    cordoned = [{"at": 60, "cordon": "node-1"}]
    assert told(90, events=cordoned).startswith("No rollout has begun: 4 of 4 nodes run this template (r1)")
    assert told(5, events=[{"at": 60, "template": "r2"}]).startswith("No rollout has begun")
    assert told(500).startswith("The rollout is done")


def test_on_delete_waits_for_somebody() -> None:
    assert "With OnDelete" in told(90, updateStrategy={"type": "OnDelete"})


@pytest.mark.parametrize("surge", [False, True])
@pytest.mark.parametrize("pod", ["never-ready", "init-stuck", "pending", "image-pull", "failed"])
def test_the_reckoning_agrees_with_the_controller_at_every_moment(pod: str, surge: bool) -> None:
    """From one moment to the next no more available old Pods are touched than the budget had left, and got back."""
    rolling = {"maxUnavailable": 0, "maxSurge": 1} if surge else {"maxUnavailable": 2}
    given = {"nodes": 6, "updateStrategy": {"rollingUpdate": rolling}, "behaviour": bad(pod, "node-3")}
    read, _ = at(0, **given)
    trace = run_rollout(read).trace
    moments = fleet_moments(read, trace)
    for moment, following in pairwise(moments):
        now, then = (fleet_snapshot(read, trace, time_us) for time_us in (moment, following))
        use = budget_use(read, now)
        begun = {node.name for node in use.outdated} - {node.name for node in budget_use(read, then).outdated}
        assert len(begun) <= max(0, use.limit - use.used) + _freed(now, then)


def _freed(now: FleetSnapshot, then: FleetSnapshot) -> int:
    """Nodes that became available in between, each of which frees a place."""
    before = {node.name for node in now.nodes if node.is_available and node.is_updated}
    return len({node.name for node in then.nodes if node.is_available and node.is_updated} - before)


def test_a_budget_that_the_api_server_refuses_changes_nothing() -> None:
    events = [NEW, {"at": 5, "maxSurge": 1}, {"at": 9, "maxUnavailable": 3}]
    told = [at(seconds, events=events)[1].strategy for seconds in (0, 6, 9)]
    assert [(found.max_unavailable, found.max_surge) for found in told] == [(1, 0), (1, 0), (3, 0)]


# The terminal


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("nodes", [1, 10, 100])
def test_in_a_terminal_the_fleet_stands_in_eighty_columns(nodes: int, language: str) -> None:
    read, fleet = at(90, nodes=nodes, behaviour=bad("init-stuck"))
    told = fleet_text(read, fleet, builtin_library().messages[language])
    assert max(columns(line) for line in told.splitlines()) <= 80


def test_a_line_has_letter_shape_and_words() -> None:
    read, fleet = at(90, nodes=3, behaviour=bad("init-stuck", "node-2"))
    assert fleet_text(read, fleet, EN).splitlines()[-3:] == [
        "[B] (*) node-1  available",
        "[B] (x) node-2  cannot start, Init:0/1",
        "[A] (*) node-3  available",
    ]
