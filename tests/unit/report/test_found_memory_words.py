"""What is said and drawn of memory that nobody needs and somebody took because it was free."""

from __future__ import annotations

import pytest

from labs.library import LANGUAGES, builtin_library
from labs.report.cards.picture_words import description, found_text
from labs.report.cards.scene import Width, central_scene
from labs.report.drawing.shapes import Group, Rect
from labs.report.result.sentence import sentence
from labs.report.result.text import picture_text
from labs.simulation.outcome.moment.moments import snapshot
from labs.simulation.outcome.moment.snapshot import Snapshot
from labs.simulation.outcome.outcome import Outcome
from labs.teaching.scenario_lab.controls import preset_text
from tests.unit.report.stories import messages
from tests.unit.scenarios import GIB, node, outcome, pods, scenario

LAB = builtin_library().lab("slots-and-memory")


def rects(seen: Snapshot, css: str) -> list[Rect]:
    """The rectangles of this class in the central picture, those of the legend last."""
    shapes = central_scene(seen, messages("en"), Width.WIDE).shapes
    flat = [inner for shape in shapes for inner in (shape.shapes if isinstance(shape, Group) else (shape,))]
    return [shape for shape in flat if isinstance(shape, Rect) and shape.css == css]


def last(result: Outcome) -> Snapshot:
    return snapshot(result.scenario, result.trace, result.scenario.horizon_us)


@pytest.fixture(scope="module")
def finds() -> Outcome:
    return outcome(preset_text(LAB, "finds"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sentence_says_how_little_the_holder_needs(finds: Outcome, language: str) -> None:
    size = messages(language).bytes_text(6 * GIB)
    told = messages(language).count("sentence.where.found", 1, size=size)
    assert told in sentence(finds, messages(language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_several_holders_the_sentence_adds_up_what_they_need(language: str) -> None:
    first = pods("a", 4, memory={"needs": "2GiB", "takes": "9GiB"}, contextMemory="1GiB")
    result = outcome(scenario([node(replicas=5)], [first, pods("b", memory="4GiB", onOOM="catch")]))
    size = messages(language).bytes_text(12 * GIB)  # contexts included, as in the sentence before
    assert messages(language).count("sentence.where.found", 4, size=size) in sentence(
        result, messages(language)
    )


def test_where_all_is_needed_nothing_is_said_of_it() -> None:
    result = outcome(LAB.scenario)
    assert found_text(last(result).nodes[0], messages("en")) == ""
    assert rects(last(result), "gl-block-ts gl-found") == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_picture_the_terminal_and_the_words_for_those_who_see_neither_tell_it(
    finds: Outcome, language: str
) -> None:
    seen = last(finds)
    told = found_text(seen.nodes[0], messages(language))
    assert messages(language).bytes_text(seen.nodes[0].cards[0].found_bytes) in told
    assert told in description(seen, messages(language))
    assert "|//-----------" in picture_text(seen, messages(language))


def test_what_is_needed_and_what_is_not_are_drawn_to_scale(finds: Outcome) -> None:
    (block,) = [block for block in last(finds).nodes[0].cards[0].blocks if block.found_bytes]
    needed, found = rects(last(finds), "gl-block-ts")[0], rects(last(finds), "gl-block-ts gl-found")[0]
    ratio = block.found_bytes / (block.data_bytes - block.found_bytes)
    assert found.height / needed.height == pytest.approx(ratio, rel=0.02)
    assert found.y + found.height == pytest.approx(needed.y)
    assert len(rects(last(finds), "gl-block-ts gl-found")) == 2, "the other is the legend's"
