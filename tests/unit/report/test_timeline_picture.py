"""The picture of time: laid out in any language and width, bounded, and the same in words."""

from __future__ import annotations

import json
from functools import cache
from itertools import combinations

import pytest

from labs.library import builtin_library
from labs.report.cards.scene import Width, central_scene
from labs.report.drawing.shapes import Path, Rect, Scene
from labs.report.drawing.svg import svg
from labs.report.time.bands import CROWDS_MOST, LANES_MOST, ROWS_MOST
from labs.report.time.picture import TimeView, time_scene, time_view, under_each_other
from labs.report.time.text import time_text
from labs.report.writing.measure import columns
from labs.simulation.outcome.moment.moments import moments, snapshot
from labs.simulation.outcome.outcome import Outcome
from labs.teaching.scenario_lab.controls import preset_text
from tests.some import some
from tests.unit.report.stories import LANGUAGES, messages
from tests.unit.report.test_scene import box, flat, meet, texts
from tests.unit.scenarios import GPU, node, outcome, pods, scenario, service, training

WIDTH = 80
MPS = json.dumps({"version": "v1", "sharing": {"mps": {"resources": [{"name": GPU, "replicas": 5}]}}})
SINGLE = '{"version": "v1", "flags": {"migStrategy": "single"}}'
CUT = {
    "name": "node",
    "gpus": {"model": "a100-40gb", "count": 1, "mig": ["1g.5gb"] * 7},
    "config": SINGLE,
}
LONG = "a-workload-with-quite-a-long-name-for-a-picture"
STORIES = {
    "out of memory": scenario(
        [node(replicas=5)],
        [
            pods("big", memory="38GiB", job=training(iterations=2000)),
            pods("other", 3, arrival={"every": "20s"}, memory="6GiB", onOOM="catch"),
            pods("dies", arrival="1m", memory="6GiB", restartPolicy="Never"),
        ],
    ),
    "crash loop": scenario([node(replicas=2)], [pods("big", memory="38GiB"), pods(LONG, memory="9GiB")]),
    "faults": scenario(
        [node(text=MPS)],
        [pods("a", 4, job=service("50ms", clients=2)), pods("late", arrival="9m58s", memory="1GiB")],
        faults=[{"at": f"{minute}m", "kind": "process", "pod": "a-0"} for minute in range(1, 8)],
    ),
    "mig": scenario([CUT], [pods("a", 9, memory="1GiB", job=service("50ms", clients=1))]),
    "refused": scenario([node(replicas=2)], [pods("a", 2, units=2)]),
    "waves": scenario(
        [node(replicas=30)],
        [
            pods("a", 20, arrival={"every": "40s"}, memory="1GiB", job=training("1s", 200)),
            pods("b", job=service("1s", rate="1/m")),
        ],
        "30m",
    ),
    "crowd": scenario(
        [node(f"n{number}", cards=2, replicas=30) for number in range(9)],
        [pods(f"w{number}", 20, arrival={"every": "3s"}, job=training("1s", 100)) for number in range(30)],
    ),
    "nothing": scenario([node()], [pods("a", arrival="20m")]),
}


@cache
def result(name: str) -> Outcome:
    if name not in STORIES:
        lab_id, _, preset = name.partition("@")
        lab = builtin_library().lab(lab_id)
        return outcome(preset_text(lab, preset) if preset else lab.scenario)
    return outcome(STORIES[name])


@cache
def view(name: str, at_us: int | None = None) -> TimeView:
    found = result(name)
    return time_view(found.scenario, found.trace, moments(found.trace)[-1] if at_us is None else at_us)


NAMES = (*STORIES, "utilization-trap", "utilization-trap@two", "blast-radius", "blast-radius@lost")


@pytest.mark.parametrize("width", list(Width))
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
class TestLayout:
    def test_no_text_touches_another(self, name: str, language: str, width: Width) -> None:
        scene = time_scene(view(name), messages(language), width)
        assert [(a.text, b.text) for a, b in combinations(texts(scene), 2) if meet(a, b)] == []

    def test_everything_is_inside(self, name: str, language: str, width: Width) -> None:
        scene = time_scene(view(name, 100_000_000), messages(language), width)
        assert [
            text.text
            for text in texts(scene)
            if box(text)[0] < 0 or box(text)[2] > scene.width or box(text)[3] > scene.height
        ] == []
        for rect in (shape for shape in flat(scene.shapes) if isinstance(shape, Rect)):
            assert rect.x >= 0
            assert rect.x + rect.width <= scene.width + 0.01
            assert rect.y + rect.height <= scene.height

    def test_all_ids_have_the_prefix(self, name: str, language: str, width: Width) -> None:
        text = svg(time_scene(view(name), messages(language), width), "lab-x")
        assert {part.split('"')[0].startswith("lab-x") for part in text.split(' id="')[1:]} == {True}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_in_a_terminal_it_takes_80_columns(name: str, language: str) -> None:
    lines = time_text(view(name), messages(language)).splitlines()
    assert [line for line in lines if columns(line) > WIDTH] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_both_widths_and_the_terminal_name_the_same_pods(name: str, language: str) -> None:
    wide, narrow = (time_scene(view(name), messages(language), width) for width in Width)
    assert wide.title == narrow.title
    told = view(name).timeline
    shown = time_text(view(name), messages(language))
    if len(told.rows) <= ROWS_MOST:
        for row in told.rows[:10]:
            assert row.pod in wide.description
            assert row.pod in narrow.description
            assert row.pod[:20] in shown


def words(scene: Scene) -> list[str]:
    return [text.text for text in texts(scene)]


def paths(scene: Scene, css: str) -> list[Path]:
    return [shape for shape in flat(scene.shapes) if isinstance(shape, Path) and shape.css == css]


def test_who_is_out_of_memory_has_a_cross_with_the_word() -> None:
    scene = time_scene(view("out of memory"), messages("en"), Width.WIDE)
    assert words(scene).count("OOM") == 3
    assert "OOM, Failed" in words(scene)
    assert len(paths(scene, "gl-mark")) >= 4


def test_who_is_done_has_the_time_beside_the_sign() -> None:
    scene = time_scene(view("utilization-trap@alone"), messages("en"), Width.WIDE)
    assert [
        text for text in words(scene) if text in {"10 min", "20 min", "30 min", "40 min", "50 min"}
    ].count("50 min") == 2  # the job's and the axis's


def test_a_mean_of_many_cards_and_workloads_instead_of_pods_are_told_as_such() -> None:
    found = view("crowd").timeline
    assert len(found.lanes) > LANES_MOST
    scene = time_scene(view("crowd"), messages("en"), Width.WIDE)
    assert "w0 × 20" in words(scene)
    assert "mean of 18" in words(scene)
    assert f"and {30 - CROWDS_MOST + 1} more workloads" in words(scene)
    assert len(svg(scene, "x")) < 400_000


@pytest.mark.parametrize("name", ["waves", "crowd"])
def test_its_size_is_bounded(name: str) -> None:
    for width in some(Width):
        assert len(svg(time_scene(view(name), messages("ja"), width), "x")) < 400_000


def test_the_moment_that_a_reader_looks_at_has_a_line_but_not_the_end() -> None:
    def lines(at_us: int | None) -> int:
        scene = time_scene(view("utilization-trap", at_us), messages("en"), Width.WIDE)
        return svg(scene, "x").count("gl-now")

    assert lines(None) == 0
    assert lines(60_000_000) == 2


def test_the_first_faults_are_named_and_the_rest_counted() -> None:
    scene = time_scene(view("faults"), messages("en"), Width.WIDE)
    assert words(scene).count("process dies") == 2
    assert "5 more faults" in words(scene)


def test_the_assumed_length_of_a_turn_is_marked_as_one() -> None:
    for language, assumption in (("en", "assumption"), ("ja", "仮定"), ("ko", "가정")):
        scene = time_scene(view("utilization-trap"), messages(language), Width.WIDE)
        assert assumption in scene.description
        assert any(assumption in text for text in words(scene))
        assert assumption in time_text(view("utilization-trap"), messages(language))


def test_under_each_other_they_are_one_picture() -> None:
    found = result("blast-radius")
    last = snapshot(found.scenario, found.trace, moments(found.trace)[-1])
    cards = central_scene(last, messages("en"), Width.WIDE)
    both = under_each_other(cards, view("blast-radius"), messages("en"))
    assert both.height > cards.height
    assert cards.description in both.description
    assert [(a.text, b.text) for a, b in combinations(texts(both), 2) if meet(a, b)] == []
    assert all(box(text)[3] <= both.height for text in texts(both))
