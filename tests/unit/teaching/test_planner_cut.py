"""The state of a planner lab: texts that mean it, what a reader does to it, and links, all of them bounded."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.hardware.catalog import builtin_catalog
from labs.teaching.lab.links import FRAGMENT_LIMIT, LinkError, LinkProblem
from labs.teaching.planner_lab.cut import (
    MOST_STEPS,
    PRESETS,
    Cut,
    Step,
    UnreadableCutError,
    changed,
    plannable,
    preset,
    read_cut,
)
from labs.teaching.planner_lab.link import cut_of_link, planner_link

CATALOG = builtin_catalog()
CARDS = [model for model in CATALOG.models if plannable(model)]
SMALL = "a100-40gb:1g.5gb_1g.5gb_2g.10gb_3g.20gb"


def after(text: str, *changes: dict[str, Any]) -> str:
    return changed(read_cut(text, CATALOG), changes, CATALOG)[0].text


@st.composite
def cuts(draw: st.DrawFn) -> Cut:
    model = draw(st.sampled_from(CARDS))
    names = st.sampled_from([profile.name for profile in model.mig_profiles])
    steps = st.builds(Step, names, st.none() | st.integers(0, 9))
    return Cut(model, tuple(draw(st.lists(steps, max_size=MOST_STEPS))))


@given(cut=cuts())
def test_every_cut_comes_back_from_its_text_and_from_its_link(cut: Cut) -> None:
    assert read_cut(cut.text, CATALOG) == cut
    link = planner_link("mig-planner", cut)
    assert len(link) < FRAGMENT_LIMIT
    assert cut_of_link("mig-planner", link, CATALOG) == cut


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a100-40gb",
        "no-card:",
        "t4-16gb:",
        "rtx-pro-5000-48gb:",
        "a100-40gb:9g.5gb",
        "a100-40gb:1g.5gb_",
        "a100-40gb:1g.5gb.at12",
        "a100-40gb:1g.5gb.at\u0663",
        "a100-40gb:" + "_".join(["1g.5gb"] * (MOST_STEPS + 1)),
        "a100-40gb:" + "x" * 10_000,
    ],
)
def test_a_text_that_is_no_cut_is_refused(text: str) -> None:
    with pytest.raises(UnreadableCutError):
        read_cut(text, CATALOG)


@pytest.mark.parametrize(
    ("fragment", "problem"),
    [
        ("lab=mig-planner&v=1&card=a100-40gb", LinkProblem.BROKEN),
        ("lab=mig-planner&v=1&card=a100-40gb&cut=8g.5gb", LinkProblem.BROKEN),
        ("lab=mig-planner&v=1&card=no&cut=", LinkProblem.BROKEN),
        ("lab=mig-planner&v=1&card=a100-40gb&cut=&more=1", LinkProblem.BROKEN),
        ("lab=mig-planner&v=2&card=a100-40gb&cut=", LinkProblem.NEWER),
        ("lab=other&v=1&card=a100-40gb&cut=", LinkProblem.OTHER_LAB),
        ("lab=mig-planner&v=1&card=a100-40gb&cut=" + "a" * FRAGMENT_LIMIT, LinkProblem.TOO_LONG),
    ],
)
def test_a_link_that_is_none_says_why(fragment: str, problem: LinkProblem) -> None:
    with pytest.raises(LinkError) as caught:
        cut_of_link("mig-planner", fragment, CATALOG)
    assert caught.value.problem is problem


def test_presets_are_there_where_the_card_has_their_profiles() -> None:
    offered = {model.id: [name for name in PRESETS if preset(model, name)] for model in CARDS}
    assert offered["a100-40gb"] == ["three-three-one", "small-first", "large-first", "ones"]
    assert offered["a30-24gb"] == offered["rtx-pro-6000-96gb"] == ["balanced", "ones"]
    seven = preset(CATALOG.get("h100-80gb-sxm"), "ones")
    assert seven is not None
    assert [step.profile for step in seven.steps] == ["1g.10gb"] * 7


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ([{"add": "1g.5gb+me"}], SMALL + "_1g.5gb.me"),
        ([{"add": "1g.5gb+me", "before": 0}], "a100-40gb:1g.5gb.me_1g.5gb_1g.5gb_2g.10gb_3g.20gb"),
        ([{"add": "1g.5gb+me", "before": 3}], "a100-40gb:1g.5gb_1g.5gb_2g.10gb_1g.5gb.me_3g.20gb"),
        ([{"add": "1g.5gb+me", "before": 4}], SMALL + "_1g.5gb.me"),
        ([{"up": 3}], "a100-40gb:1g.5gb_1g.5gb_3g.20gb_2g.10gb"),
        ([{"down": 2}], "a100-40gb:1g.5gb_1g.5gb_3g.20gb_2g.10gb"),
        ([{"up": 0}], SMALL),
        ([{"down": 3}], SMALL),
        ([{"remove": 2}], "a100-40gb:1g.5gb_1g.5gb_3g.20gb"),
        ([{"start": 1, "value": "0"}], "a100-40gb:1g.5gb_1g.5gb.at0_2g.10gb_3g.20gb"),
        ([{"start": 1, "value": "0"}, {"start": 1, "value": ""}], SMALL),
        ([{"take": True}], "a100-40gb:3g.20gb_2g.10gb_1g.5gb_1g.5gb"),
        ([{"clear": True}], "a100-40gb:"),
        ([{"show": True}], SMALL),
        ([{"preset": "three-three-one"}], "a100-40gb:3g.20gb_3g.20gb_1g.5gb"),
        ([{"card": True, "value": "h100-80gb-sxm"}], "h100-80gb-sxm:1g.10gb_1g.10gb_2g.20gb_3g.40gb"),
        ([{"card": True, "value": "a30-24gb"}], "a30-24gb:1g.6gb_1g.6gb_2g.12gb"),
        ([{"cut": "a30-24gb:4g.24gb"}], "a30-24gb:4g.24gb"),
    ],
)
def test_a_change_does_what_its_button_says(changes: list[dict[str, Any]], text: str) -> None:
    assert after(SMALL, *changes) == text


def test_places_are_those_that_the_reader_saw() -> None:
    assert after(SMALL, {"up": 3}, {"up": 3}, {"up": 3}) == "a100-40gb:3g.20gb_1g.5gb_1g.5gb_2g.10gb"
    assert after(SMALL, {"remove": 0}, {"remove": 0}) == "a100-40gb:1g.5gb_2g.10gb_3g.20gb"
    assert after(SMALL, {"up": 3}, {"add": "4g.20gb", "before": 3}) == (
        "a100-40gb:1g.5gb_1g.5gb_4g.20gb_3g.20gb_2g.10gb"
    )
    assert (
        after(SMALL, {"remove": 2}, {"add": "4g.20gb", "before": 2})
        == "a100-40gb:1g.5gb_1g.5gb_3g.20gb_4g.20gb"
    )
    assert after(SMALL, {"remove": 0}, {"remove": 1}) == "a100-40gb:2g.10gb_3g.20gb"


def test_a_layout_that_needs_starts_is_taken_with_them() -> None:
    text = after("a100-40gb:4g.20gb_1g.10gb_1g.5gb_1g.5gb", {"take": True})
    assert text == "a100-40gb:4g.20gb.at0_1g.10gb.at6_1g.5gb.at4_1g.5gb.at5"


def test_a_list_is_bounded() -> None:
    assert len(read_cut(after(SMALL, *[{"add": "1g.5gb"}] * 40), CATALOG).steps) == MOST_STEPS
    assert len(read_cut(after(SMALL, *[{"add": "1g.5gb", "before": 0}] * 40), CATALOG).steps) == MOST_STEPS


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"add": "9g"},
        {"preset": "no"},
        {"preset": "balanced"},
        {"cut": "no"},
        {"up": "x"},
        {"card": True},
        {"x": 1},
    ],
)
def test_what_is_no_change_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        after(SMALL, change)
