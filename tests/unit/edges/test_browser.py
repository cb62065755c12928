"""The browser's edge: JSON in, JSON out, whatever comes."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labs.browser import RECORD_LIMIT, Respondent, respond
from labs.library import LANGUAGES, builtin_library
from labs.report.writing.markup import escape
from labs.teaching.lab import Limits
from labs.teaching.scenario_lab.answer import TEXT_LIMIT
from labs.teaching.scenario_lab.controls import preset_text, with_change
from tests.unit.scenarios import STORY, outcome

LAB = builtin_library().lab("slots-and-memory")
REGIONS = ["picture", "sentence", "table", "hash", "stale"]


def answer(text: str = STORY, lang: str = "en", **more: Any) -> dict[str, Any]:
    """The response to a request of the lab's element."""
    request: dict[str, Any] = {
        "lab": LAB.id,
        "lang": lang,
        "text": text,
        "changes": [],
        "moment": None,
        "only": None,
    }
    found: dict[str, Any] = json.loads(respond(json.dumps(request | more)))
    return found


# The contract


def test_a_text_is_answered_with_everything_that_a_page_shows() -> None:
    found = answer()
    assert list(found) == ["text", "controls", "ok", "time", "traceHash", "regions"]
    assert (found["ok"], found["text"]) == (True, STORY)
    assert sorted(found["regions"]) == sorted(REGIONS)
    assert found["regions"].pop("stale") == ""
    assert all(isinstance(html, str) and html for html in found["regions"].values())


def test_the_hash_is_that_of_the_terminal() -> None:
    assert {answer(lang=language)["traceHash"] for language in LANGUAGES} == {outcome(STORY).trace_hash}


def test_the_form_comes_with_values_outputs_and_bounds() -> None:
    controls = answer()["controls"]
    assert list(controls) == [control.id for control in LAB.controls]
    assert controls["big"] == {"value": "38", "output": "38 GiB", "disabled": False, "min": "1", "max": "80"}
    assert controls["failRequestsGreaterThanOne"]["checked"] is True
    assert controls["model"]["value"] == "a100-40gb"


def test_a_change_of_a_control_comes_back_in_the_text() -> None:
    found = answer(changes=[{"control": "big", "value": "6"}])
    assert found["text"] == with_change(LAB, STORY, "big", "6")
    assert found["controls"]["big"]["value"] == "6"
    assert found["traceHash"] == outcome(preset_text(LAB, "small")).trace_hash


def test_a_switch_is_changed_by_true_and_false() -> None:
    found = answer(changes=[{"control": "failRequestsGreaterThanOne", "value": False}])
    assert found["controls"]["failRequestsGreaterThanOne"]["checked"] is False


@pytest.mark.parametrize("preset", [preset.id for preset in LAB.presets])
def test_a_preset_replaces_the_whole_text(preset: str) -> None:
    assert answer("whatever: [", changes=[{"preset": preset}])["text"] == preset_text(LAB, preset)


def test_reset_gives_the_labs_own_text() -> None:
    assert answer("whatever: [", changes=[{"reset": True}])["text"] == LAB.scenario


@pytest.mark.parametrize(
    ("moment", "value", "output"),
    [(0, 0, "0 s"), (1, 1, "10 s"), (None, 1, "10 s"), (99, 1, "10 s"), (-5, 0, "0 s")],
)
def test_a_moment_is_one_of_those_there_are(moment: int | None, value: int, output: str) -> None:
    assert answer(moment=moment)["time"] == {"max": 1, "value": value, "output": output, "text": output}


def test_only_the_picture_is_drawn_while_somebody_drags_through_time() -> None:
    found = answer(moment=0, only=["picture", "time"])
    assert list(found["regions"]) == ["picture", "stale"]
    assert found["regions"]["picture"] != answer(moment=1, only=["picture", "time"])["regions"]["picture"]


def test_the_pictures_are_well_formed() -> None:
    ElementTree.fromstring(f"<div>{answer()['regions']['picture']}</div>")


def test_a_refused_node_is_a_result_not_a_problem() -> None:
    found = answer(changes=[{"preset": "refused"}])
    assert found["ok"] is True
    assert "number of replicas must be" in found["regions"]["sentence"]


# Problems


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", ["", "format: 1", "[", "format: 1\nhorizon: never\n"])
def test_problems_stand_where_the_sentence_does_and_the_picture_stays(text: str, language: str) -> None:
    found = answer(text, language)
    assert (found["ok"], found["traceHash"]) == (False, None)
    assert list(found["regions"]) == ["sentence", "stale", "hash"]
    assert "gl-problems" in found["regions"]["sentence"]
    assert all(control["disabled"] for control in found["controls"].values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_beside_problems_the_page_says_that_its_picture_is_an_older_one(language: str) -> None:
    """And it shows no hash, since that would name a run of the text; both are back as soon as a text runs."""
    broken, mended = answer("format: 1", language)["regions"], answer(lang=language)["regions"]
    words = builtin_library().messages[language]
    assert broken["stale"] == escape(words.text("lab.stale"))
    assert broken["hash"] == f"{words.text('result.hash')} <code>–</code>"
    assert (mended["stale"], outcome(STORY).trace_hash in mended["hash"]) == ("", True)


def test_what_a_text_says_is_escaped() -> None:
    sentence = answer("format: 1\nhorizon: <img src=x>\n")["regions"]["sentence"]
    assert "<img" not in sentence
    assert "&lt;img src=x&gt;" in sentence


def test_a_text_that_is_too_long_for_a_page_says_so_soon() -> None:
    found = answer(STORY + "#" * TEXT_LIMIT)
    assert found["ok"] is False
    assert f"{TEXT_LIMIT:,}" in found["regions"]["sentence"]


def test_a_way_out_of_a_text_that_is_too_long() -> None:
    assert answer("#" * TEXT_LIMIT * 2, changes=[{"reset": True}])["ok"] is True


def test_a_run_that_is_too_large_for_a_page_says_so() -> None:
    small = Respondent(builtin_library(), Limits(records=50))
    found = json.loads(small.respond(json.dumps({"lab": LAB.id, "lang": "en", "text": STORY})))
    assert (found["ok"], found["traceHash"]) == (False, None)
    assert "50" in found["regions"]["sentence"]


def test_a_page_takes_no_run_that_a_reader_would_wait_for() -> None:
    """About a second of a slow machine."""
    assert RECORD_LIMIT == 200_000


def test_a_scenario_of_a_page_needs_no_lab() -> None:
    found = answer(lab="scenario")
    assert (found["ok"], found["controls"]) == (True, {})


def test_an_unknown_language_is_answered_in_english() -> None:
    assert answer(lang="tlh")["regions"] == answer(lang="en")["regions"]


# Anything


@pytest.mark.parametrize(
    "request_text",
    [
        "",
        "nonsense",
        "[]",
        "null",
        "7",
        "{}",
        '{"lab": 1}',
        '{"lab": [], "lang": {}, "text": null}',
        '{"lab": "slots-and-memory", "lang": "en", "text": "", "changes": 5}',
        '{"lab": "slots-and-memory", "lang": "en", "text": "", "changes": [{"control": "big"}]}',
        '{"lab": "slots-and-memory", "lang": "en", "text": "", "changes": [{"control": "x", "value": 1}]}',
        '{"lab": "slots-and-memory", "lang": "en", "text": "", "changes": [{"preset": "x"}]}',
        '{"lab": "slots-and-memory", "lang": "en", "text": "", "moment": "soon"}',
        '{"lab": "slots-and-memory", "lang": "en", "text": "", "moment": Infinity}',
        '{"lab": "slots-and-memory", "lang": "en", "text": "", "moment": NaN}',
        '{"lab": "slots-and-memory", "lang": "en", "text": "", "only": 5}',
        '{"lab": "slots-and-memory", "lang": "en", "text": "\\ud800"}',
        '{"lab": "\\ud800", "lang": "\\ud800", "text": "\\u0000"}',
        "[" * 100_000,
    ],
)
def test_any_request_has_an_answer(request_text: str) -> None:
    found = json.loads(respond(request_text))
    assert found["ok"] is False


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=5,
)
CHANGE = st.fixed_dictionaries(
    {},
    optional={"control": st.sampled_from(["big", "model", "x"]), "value": json_values, "preset": json_values},
)


@settings(max_examples=150)
@given(
    st.fixed_dictionaries(
        {},
        optional={
            "lab": st.just(LAB.id) | json_values,
            "lang": st.sampled_from(LANGUAGES) | json_values,
            "text": st.sampled_from([STORY, "", "format: 1"]) | json_values,
            "changes": st.lists(CHANGE, max_size=2) | json_values,
            "moment": json_values,
            "only": json_values,
            "element": json_values,
        },
    )
)
def test_any_json_has_an_answer(request_value: Any) -> None:
    found = json.loads(respond(json.dumps(request_value)))
    assert isinstance(found["ok"], bool)


@settings(max_examples=100)
@given(st.text(max_size=100))
def test_any_text_has_an_answer(text: str) -> None:
    assert isinstance(answer(text)["ok"], bool)
    assert json.loads(respond(text))["ok"] is False


# Links


def test_the_link_to_a_lab_as_it_stands_is_made_and_opened_here() -> None:
    small = with_change(LAB, STORY, "big", "6")
    made = answer(small, only=["link"])
    assert made == {"ok": True, "link": f"lab={LAB.id}&v=1&set.big=6"}
    opened = answer("a draft", changes=[{"link": made["link"]}])
    assert (opened["text"], opened["opened"]) == (small, True)
    assert opened["notice"]
    assert opened["traceHash"] == outcome(small).trace_hash


def test_a_text_that_is_in_no_lab_file_can_be_linked_to() -> None:
    made = answer(STORY, lab="scenario-01234567", only=["link"])
    opened = answer("", lab="scenario-01234567", changes=[{"link": made["link"]}])
    assert (opened["text"], opened["ok"]) == (STORY, True)


@pytest.mark.parametrize("link", ["", "lab=x", None, 5, "lab=slots-and-memory&v=2", "a" * 100_000])
def test_a_link_that_cannot_be_opened_leaves_the_text_and_says_why(link: object) -> None:
    draft = with_change(LAB, STORY, "big", "12")
    found = answer(draft, changes=[{"link": link}])
    assert (found["text"], found["opened"], found["ok"]) == (draft, False, True)
    assert found["notice"]
    assert found["traceHash"] == outcome(draft).trace_hash


def test_what_is_too_long_for_a_link_is_said() -> None:
    made = answer("#" * (TEXT_LIMIT + 1), only=["link"])
    assert (made["ok"], made["link"]) == (False, None)
    assert made["notice"]
