"""Cards in MIG mode as pictures and as text: rooms for memory slices, tiles for compute slices, waste that is seen."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import pytest

from labs.library import builtin_library
from labs.report.cards.scene import Width, central_scene
from labs.report.drawing.shapes import Rect
from labs.report.result.sentence import sentences
from labs.report.result.text import picture_text
from labs.report.writing.measure import columns
from labs.simulation.outcome.moment.moments import moments, snapshot
from labs.teaching.scenario_lab.controls import preset_text
from tests.unit.report.stories import LANGUAGES, Story, messages
from tests.unit.report.test_scene import box, flat, meet, rects, texts
from tests.unit.scenarios import node, outcome, pods, scenario, service

MIXED = "{version: v1, flags: {migStrategy: mixed}}"
LAB = builtin_library().lab("pods-on-mig")


def cut(model: str, cards: int, *profiles: str) -> str:
    """Cards cut into MIG devices, a Pod that serves and one that wants too much on the first kind of them."""
    resource = f"nvidia.com/mig-{profiles[0].replace('+', '.')}"
    given = node(text=MIXED)
    given["gpus"] = {"model": model, "count": cards, "mig": list(profiles)}
    asks = {"request": {resource: 1}, "onOOM": "catch"}
    return scenario(
        [given],
        [{**pods("service", job=service(rate="1/s")), **asks}, {**pods("big", 2, memory="300GiB"), **asks}],
    )


@cache
def story(name: str) -> Story:
    """The runs that the picture must hold for."""
    match name:
        case "seven":
            text = cut("a100-80gb", 2, *["1g.10gb"] * 7)
        case "media":
            text = cut("h100-80gb-sxm", 3, "1g.10gb+me", "2g.20gb", "1g.20gb")
        case "four-slices":
            text = cut("rtx-pro-6000-96gb", 1, "1g.24gb+me", "1g.24gb", "2g.48gb")
        case "many":
            text = cut("a100-40gb", 8, "3g.20gb", "2g.10gb", "1g.5gb", "1g.5gb")
        case "refused":
            text = cut("a100-40gb", 1, "3g.20gb", "2g.10gb").replace("mixed", "single")
        case preset:
            text = preset_text(LAB, preset)
    result = outcome(text)
    times = moments(result.trace)
    return Story(result, snapshot(result.scenario, result.trace, times[-1]), times)


PRESETS = tuple(preset.id for preset in LAB.presets)
NAMES = ("seven", "media", "four-slices", "many", "refused", *PRESETS)


@pytest.mark.parametrize("width", list(Width))
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_no_text_touches_another_and_everything_is_inside(name: str, language: str, width: Width) -> None:
    scene = central_scene(story(name).snapshot, messages(language), width)
    assert [(a.text, b.text) for a, b in combinations(texts(scene), 2) if meet(a, b)] == []
    assert [each.text for each in texts(scene) if box(each)[0] < 0 or box(each)[2] > scene.width] == []
    assert all(
        shape.x >= 0 and shape.x + shape.width <= scene.width and shape.y + shape.height <= scene.height
        for shape in flat(scene.shapes)
        if isinstance(shape, Rect)
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_the_text_fits_a_terminal(name: str, language: str) -> None:
    lines = picture_text(story(name).snapshot, messages(language)).split("\n")
    assert [line for line in lines if columns(line) > 80] == []


@pytest.mark.parametrize(
    ("name", "tiles", "wasted"),
    [("quarters", 4, 3), ("sevenths", 7, 1), ("halves", 6, 1), ("mixed", 7, 0), ("whole", 7, 0)],
)
def test_a_wasted_slice_is_dotted(name: str, tiles: int, wasted: int) -> None:
    text = preset_text(LAB, name)
    result = outcome(text)
    last = snapshot(result.scenario, result.trace, moments(result.trace)[-1])
    scene = central_scene(last, messages("en"), Width.WIDE)
    in_legend = 1
    assert len(rects(scene, "gl-tile")) == tiles + in_legend
    assert len(rects(scene, "gl-wasted")) == (wasted + in_legend if wasted else 0)


def test_equal_areas_are_equal_memory() -> None:
    scene = central_scene(story("mixed").snapshot, messages("en"), Width.WIDE)
    areas = {round(rect.width * rect.height) for rect in rects(scene, "gl-block-mig") if rect.label}
    assert len(areas) == 1
    whole = central_scene(story("whole").snapshot, messages("en"), Width.WIDE)
    rooms = [rect for rect in rects(whole, "gl-block-mig") if rect.label]
    insets = (rooms[0].width + 4) * rooms[0].height
    each = next(rect for rect in rects(scene, "gl-block-mig") if rect.label)
    assert insets / ((each.width + 4) * each.height) == pytest.approx(38 / 6, rel=0.01)


def test_what_was_refused_stays_over_its_own_room() -> None:
    scene = central_scene(story("halves").snapshot, messages("en"), Width.WIDE)
    refused = next(rect for rect in rects(scene, "gl-refused") if rect.label)
    others = [rect for rect in rects(scene, "gl-block-mig") if rect.label]
    assert all(refused.x >= rect.x + rect.width or refused.x + refused.width <= rect.x for rect in others)
    assert refused.y < min(rect.y for rect in others)


def test_the_terminal_draws_the_slices() -> None:
    lines = picture_text(story("halves").snapshot, messages("en")).split("\n")
    assert "GPU 0  compute [1 ][1 ][1 ][..][0 ][0 ][0 ]" in lines
    assert "       memory  [1             ][0             ]" in lines
    assert "Wasted on each card: 0 of 8 memory slices, 1 of 7 compute slices" in lines


def test_the_alternative_tells_the_cut_and_the_waste() -> None:
    told = central_scene(story("halves").snapshot, messages("en"), Width.NARROW).description
    assert "3g.20gb (memory slices 0–3, compute slices: 3)" in told
    assert "Wasted on each card: 0 of 8 memory slices, 1 of 7 compute slices." in told


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_fails_alone_is_said_to_hurt_nobody(language: str) -> None:
    result = outcome(LAB.scenario)
    told = messages(language).count("sentence.where.mig", 1, cards="MIG 0")
    assert told in sentences(result, messages(language))


def test_several_that_fail_each_on_its_own_device() -> None:
    told = " ".join(sentences(story("many").outcome, messages("en")))
    assert "Each has a MIG device to itself" in told


def test_on_a_device_that_several_share_nobody_is_said_to_be_unhurt() -> None:
    text = LAB.scenario.replace(
        "    version: v1\n",
        "    version: v1\n      sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 2}]}}\n",
    ).replace("expect: {oom: 1, pods: {big: Running}}", "")
    assert "replicas: 2" in text
    assert "to itself" not in " ".join(sentences(outcome(text), messages("en")))
