"""Planner labs at the edges: the fence in Markdown, and the browser's requests."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown import Markdown

from labs.browser import respond
from labs.config.mig_parted.fit import fits
from labs.config.mig_parted.loader import load
from labs.hardware.catalog import builtin_catalog
from labs.library import LANGUAGES, builtin_library
from labs.markdown import LabExtension, LabMarkdownError
from labs.teaching.planner_lab.cut import MOST_STEPS, plannable

FENCE = "```planner\nplanner: small-first\n```\n"
CATALOG = builtin_catalog()
CARDS = [model for model in CATALOG.models if plannable(model)]
EXTENSION = LabExtension()
THREE_THREE_ONE = "a100-40gb:3g.20gb_3g.20gb_1g.5gb"
SMALL_FIRST = "a100-40gb:1g.5gb_1g.5gb_2g.10gb_3g.20gb"
LARGE_FIRST = "a100-40gb:3g.20gb_2g.10gb_1g.5gb_1g.5gb"
each_language = pytest.mark.parametrize("language", LANGUAGES)


def render(text: str, language: str = "en") -> str:
    EXTENSION.setConfig("language", language)
    EXTENSION.setConfig("source", "docs/page.md")
    return Markdown(extensions=[EXTENSION, "fenced_code"]).convert(text)


def answer(cut: str = "", *changes: dict[str, Any], **asked: Any) -> dict[str, Any]:
    request = {"kind": "plan", "lab": "mig-planner", "lang": "en", "cut": cut, "changes": changes, **asked}
    found: dict[str, Any] = json.loads(respond(json.dumps(request)))
    return found


def words(html: str) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", html))).strip()


def output(told: dict[str, Any], kind: str) -> str:
    """A text to copy."""
    found = re.search(rf'<code id="mig-planner-{kind}">(.*?)</code>', told["regions"]["outputs"], re.DOTALL)
    assert found is not None
    return unescape(found[1])


# The fence


@each_language
def test_a_fence_is_a_whole_result(language: str) -> None:
    html = render(f"before\n\n{FENCE}\nafter", language)
    assert html.startswith("<p>before</p>\n<gpu-planner")
    assert html.endswith("</gpu-planner>\n<p>after</p>")
    told = answer("", {"preset": "small-first"}, lang=language)["regions"]
    for name in (
        "summary",
        "steps",
        "palette",
        "picture",
        "slices",
        "order",
        "outputs",
        "command",
        "presets",
    ):
        assert re.search(rf'data-region="{name}"[^>]*>{re.escape(told[name])}<', html), name
    assert "style=" not in html


def test_a_fence_may_name_a_card() -> None:
    assert 'data-cut="a30-24gb:2g.12gb_1g.6gb_1g.6gb"' in render(
        "```planner\nplanner: balanced\ncard: a30-24gb\n```\n"
    )


@pytest.mark.parametrize(
    "body",
    ["planner: none", "", "planner: balanced", "planner: ones\ncard: no", "planner: ones\ncard: t4-16gb"],
)
def test_a_fence_that_places_nothing_fails_the_page(body: str) -> None:
    with pytest.raises(
        LabMarkdownError, match=r"docs/page\.md:2:1: a planner fence has the line planner: LIST"
    ):
        render(f"```planner\n{body}\n```\n")


def test_cards_that_lack_a_figure_are_not_to_choose_and_said() -> None:
    html = render(FENCE)
    select = re.search(r'<select[^>]*data-field="card"[^>]*>(.*?)</select>', html)
    assert select is not None
    assert re.findall(r'value="([^"]+)"', select[1]) == [model.id for model in CARDS]
    assert "A100-SXM-64GB (its MIG profiles)" in html
    assert "RTX PRO 5000 Blackwell (where its profiles may start)" in html


# The two lessons, and what else a list comes to


def test_three_three_one_fails_for_its_memory_slices() -> None:
    told = answer(THREE_THREE_ONE)["regions"]
    assert words(told["summary"]) == (
        "Step 3, 1g.5gb, is refused: Insufficient Resources. All of them hold 9 memory slices and the card has 8. "
        "No order and no start helps. The compute slices would do (7 of 7); the memory slices do not."
    )
    assert "compute slices 7 7 6 1 memory slices 9, too many 8 8 0" in words(told["slices"])
    assert "From 0–3: in the way are 3g.20gb 0:4 From 4–6: in the way are 3g.20gb 4:4" in words(told["steps"])
    assert "tries every order, and none works." in words(told["order"])
    assert "nothing to take along" in words(told["outputs"])
    assert told["picture"].count("<svg") == 1
    assert told["picture"].count("-refused)") == 7 + 1  # each place of a 1g, and the legend


def test_small_first_fails_where_large_first_works() -> None:
    small, large = answer(SMALL_FIRST)["regions"], answer(LARGE_FIRST)["regions"]
    assert words(small["summary"]).startswith(
        "Step 4, 3g.20gb, is refused: Insufficient Resources. nvidia-smi creates"
    )
    assert "mig-parted tries every order and finds one that works." in words(small["summary"])
    assert "From 0: in the way are 2g.10gb 0:2 From 4: in the way are 1g.5gb 4:1, 1g.5gb 6:1" in words(
        small["steps"]
    )
    assert "This list has 12 orders. All of it is created in 3 of them." in words(small["order"])
    assert small["order"].count("<svg") == 1  # the order that works
    assert words(large["summary"]) == "All 4 fit. Nothing more fits."
    assert "<svg" not in large["order"]
    taken = answer(SMALL_FIRST, {"take": True})
    assert (taken["cut"], taken["regions"]["summary"]) == (LARGE_FIRST, large["summary"])


def test_what_is_wasted_is_told_in_numbers_and_rooms() -> None:
    told = answer("a100-40gb:1g.10gb_1g.10gb_1g.10gb_1g.10gb")["regions"]
    assert (
        "Wasted, since nothing more can be created on them: 0 of the memory slices, 3 of the compute slices."
        in words(told["summary"])
    )
    assert told["picture"].count('class="gl-wasted"') == 3 + 1
    assert "compute slices 4 7 4 3" in words(told["slices"])


def test_free_counts_are_those_of_nvidia_smi() -> None:
    # facts: observed on an A100, empty and after 4g, 2g
    for cut, counts in (
        ("a100-40gb:", [7, 1, 4, 3, 2, 1, 1]),
        ("a100-40gb:4g.20gb", [3, 1, 2, 1, 1, 0, 0]),
        ("a100-40gb:4g.20gb_2g.10gb", [1, 1, 1, 0, 0, 0, 0]),
    ):
        told = re.findall(r'class="gl-fits">(.*?)</span>', answer(cut)["regions"]["palette"])
        shown = [0 if one.startswith("None fits") else int(one.split()[0]) for one in told]
        assert shown == counts, cut


def test_a_profile_that_does_not_fit_says_what_would_have_to_go() -> None:
    told = words(answer(SMALL_FIRST)["regions"]["palette"])
    assert (
        "3g.20gb None fits, though enough slices are free, since they do not lie together: 2g.10gb 0:2"
        in told
    )
    assert "7g.40gb None fits: 1g.5gb 6:1, 1g.5gb 4:1, 2g.10gb 0:2 would have to go." in told


def test_a_start_that_is_never_legal_is_told() -> None:
    told = answer("a100-40gb:3g.20gb.at2")["regions"]
    assert words(told["summary"]).startswith("Step 1, 3g.20gb, is refused: Invalid placement.")
    assert "3g.20gb never starts at 2, not even on an empty card. Its starts: 0, 4." in words(told["steps"])


def test_steps_behind_a_refused_one_are_not_tried() -> None:
    told = answer(THREE_THREE_ONE + "_1g.5gb")["regions"]
    assert told["steps"].count("gl-step-untried") == 1


# Texts to take along


@pytest.mark.parametrize("model", CARDS, ids=lambda model: model.id)
@pytest.mark.parametrize("preset", ["small-first", "large-first", "balanced", "ones"])
def test_the_config_is_one_that_mig_parted_loads_and_that_fits(model: Any, preset: str) -> None:
    told = answer(f"{model.id}:", {"preset": preset})
    if not told.get("ok"):
        return  # a card without such profiles
    loaded = load(output(told, "config"))
    assert loaded.spec is not None, loaded.error
    [entry] = loaded.spec.configs["planned"]
    assert fits(entry.mig_devices or {}, model) is True
    wanted = told["cut"].partition(":")[2].split("_")
    assert sum((entry.mig_devices or {}).values()) == len(wanted)


def test_commands_create_in_an_order_that_works_at_the_starts_asked_for() -> None:
    assert "mig -i 0 -cgi 9,14,19,19 -C" in output(answer(SMALL_FIRST), "smi")
    assert "-cgi 19:0,19:1,14:2,9 -C" in output(
        answer("a100-40gb:1g.5gb.at0_1g.5gb.at1_2g.10gb.at2_3g.20gb"), "smi"
    )
    assert "-cgi 5:0,15:6,19:4,19:5 -C" in output(answer("a100-40gb:4g.20gb_1g.10gb_1g.5gb_1g.5gb"), "smi")


def test_resources_are_those_of_the_device_plugin() -> None:
    mixed = answer("a100-40gb:3g.20gb_1g.5gb.me")
    assert "nvidia.com/mig-3g.20gb: 1" in output(mixed, "mixed")
    assert "nvidia.com/mig-1g.5gb.me: 1" in output(mixed, "mixed")
    assert "more than one MIG device type present on node" in mixed["regions"]["outputs"]
    seven = answer("", {"preset": "ones"})
    assert output(seven, "single") == "resources:\n  limits:\n    nvidia.com/gpu: 1\n"
    assert "The card offers nvidia.com/gpu: 7." in words(seven["regions"]["outputs"])


def test_the_command_says_the_same_in_a_terminal() -> None:
    assert (
        answer(SMALL_FIRST)["regions"]["command"]
        == "gpulab mig place --gpu a100-40gb 1g.5gb 1g.5gb 2g.10gb 3g.20gb"
    )
    assert answer("a100-40gb:3g.20gb.at0")["regions"]["command"].endswith(" 3g.20gb --at 0")
    assert answer("a100-40gb:")["regions"]["command"] == "gpulab mig profiles --gpu a100-40gb"


# Requests


def test_the_focus_goes_with_the_step() -> None:
    assert answer(SMALL_FIRST, {"up": 3})["focus"] == "mig-planner-up-2"
    assert answer(SMALL_FIRST, {"up": 3}, {"up": 3})["focus"] == "mig-planner-up-1"
    assert answer(SMALL_FIRST, {"remove": 3})["focus"] is None


def test_a_link_shows_the_list_and_a_broken_one_changes_nothing() -> None:
    link = answer(SMALL_FIRST, only=["link"])["link"]
    assert link == "lab=mig-planner&v=1&card=a100-40gb&cut=1g.5gb_1g.5gb_2g.10gb_3g.20gb"
    opened = answer(THREE_THREE_ONE, {"link": link})
    assert (opened["cut"], opened["opened"]) == (SMALL_FIRST, True)
    broken = answer(THREE_THREE_ONE, {"link": link + "_<b>"})
    assert (broken["cut"], broken["opened"]) == (THREE_THREE_ONE, False)
    assert broken["notice"].startswith("This link is damaged")


def test_a_draft_that_no_longer_reads_gives_the_first_list() -> None:
    assert answer("gone:9g")["cut"] == SMALL_FIRST


def test_a_full_list_says_so() -> None:
    told = answer("a100-40gb:", *[{"add": "1g.5gb"}] * 40)
    assert told["notice"] == f"A list takes {MOST_STEPS} steps here, no more."


anything = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=60, deadline=None)
@given(asked=st.fixed_dictionaries({"lab": anything, "lang": anything, "cut": anything, "changes": anything}))
def test_whatever_is_asked_is_answered_with_json(asked: dict[str, Any]) -> None:
    assert isinstance(json.loads(respond(json.dumps({"kind": "plan", **asked}))), dict)


@each_language
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_no_list_breaks_an_answer_and_all_of_it_is_markup(language: str, data: st.DataObject) -> None:
    model = data.draw(st.sampled_from(CARDS))
    names = [profile.name.replace("+", ".") for profile in model.mig_profiles]
    steps = data.draw(st.lists(st.sampled_from(names), max_size=MOST_STEPS))
    told = answer(f"{model.id}:{'_'.join(steps)}", lang=language)
    assert told["ok"] is True
    for name, html in told["regions"].items():
        assert html.count("<") == html.count(">"), name


def test_what_a_request_quotes_is_escaped() -> None:
    evil = '"><script>alert(1)</script>'
    told = answer(SMALL_FIRST, element=evil)
    assert "<script" not in json.dumps(told["regions"])
    assert builtin_library().messages["en"].has("planner.title")
