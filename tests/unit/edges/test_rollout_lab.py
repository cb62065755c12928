"""Rollout labs in Markdown, in the browser's answers, in links and in the terminal: the same text, the same hash."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any
from xml.dom import minidom

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown import Markdown

from labs.browser import respond
from labs.cli import main
from labs.library import LANGUAGES, builtin_library
from labs.markdown import LabExtension, LabMarkdownError
from labs.teaching.lab.links import LinkError
from labs.teaching.rollout_lab.answer import TEXT_LIMIT
from labs.teaching.rollout_lab.lab import rollout_text
from labs.teaching.rollout_lab.link import rollout_link, state_of_link

LIBRARY = builtin_library()
LAB = LIBRARY.rollouts["stops-on-one-node"]
HALF = LIBRARY.rollouts["half-and-half"]
FENCE = "```rollout\nrollout: stops-on-one-node\n```\n"
SITUATIONS = [(lab.id, preset.id) for lab in LIBRARY.rollouts.values() for preset in lab.presets]


def words(html: str) -> str:
    """The text of a piece of HTML."""
    return unescape(re.sub(r"<[^>]*>", "", html))


def render(text: str, language: str = "en") -> str:
    extension = LabExtension()
    extension.setConfig("language", language)
    extension.setConfig("source", "docs/page.md")
    return Markdown(extensions=[extension]).convert(text)


def answer(*changes: dict[str, Any], text: str = LAB.scenario, **asked: Any) -> dict[str, Any]:
    request = {"kind": "rollout", "lab": LAB.id, "lang": "en", "text": text, "changes": changes, **asked}
    found: dict[str, Any] = json.loads(respond(json.dumps(request)))
    return found


def says(found: dict[str, Any], region: str = "sentence") -> str:
    return words(found["regions"][region])


# Markdown


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("lab_id", LIBRARY.rollouts)
def test_a_fence_is_a_whole_figure_whose_pictures_are_told_in_words(lab_id: str, language: str) -> None:
    html = render(f"before\n\n```rollout\nrollout: {lab_id}\n```\n\nafter", language)
    assert html.startswith("<p>before</p>\n<gpu-rollout")
    assert html.endswith("</gpu-rollout>\n<p>after</p>")
    pictures = re.findall(r"<svg.*?</svg>", html, re.DOTALL)
    assert len(pictures) == 4
    for picture in pictures:
        minidom.parseString(picture)
        assert re.search(r"<title[^>]*>[^<]+</title><desc[^>]*>[^<]{20,}</desc>", picture)
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert "style=" not in html


def test_references_are_computed() -> None:
    html = render("{{stops-on-one-node.updated}} {{ways-out@undo.updated}} {{half-and-half.slotsOffered}}")
    assert re.findall(r'value="(\d+)"', html) == ["5", "10", "25"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "```rollout\nrollout: none\n```",
            r"page\.md:2:1: a rollout fence has the line rollout: ID; known: ",
        ),
        ("{{stops-on-one-node.slotsOffered}}", r"page\.md:1:1: .* has no 'slotsOffered'; known: desired"),
        ("{{stops-on-one-node@x.updated}}", r"has no 'x'; known: stops, healthy"),
        (FENCE + "\n" + FENCE, r"page\.md:5:1: stops-on-one-node stands on this page already, on line 1"),
        (" " + FENCE, r"page\.md:1:1: a lab fence stands at the beginning of its line"),
    ],
)
def test_a_wrong_place_is_told(text: str, told: str) -> None:
    with pytest.raises(LabMarkdownError, match=told):
        render(text)


# The page


def test_the_first_answer_is_what_the_site_wrote() -> None:
    html, found = render(FENCE), answer({"show": True})
    for name, region in found["regions"].items():
        assert region in html, name


def test_a_moment_is_the_state_up_to_it() -> None:
    early = answer({"at": 12})
    assert (early["at"], early["last"], early["time"]["output"]) == (12, False, "12 s")
    assert says(early).startswith("The rollout is under way: 2 of 10 nodes")
    assert answer({"at": 12}, {"step": 1})["at"] > 12
    assert answer({"at": 12}, {"step": -1})["at"] < 12
    assert answer({"at": 10**9})["last"]
    assert answer({"at": 3}, {"end": True})["regions"] == answer({"end": True})["regions"]


def test_playing_from_the_start_comes_to_the_end() -> None:
    at: int | None = 0
    seen = []
    while at is not None:
        seen.append(at)
        at = answer({"step": 1}, at=at)["at"]
    assert seen == sorted(set(seen))
    assert len(seen) > 8


@pytest.mark.parametrize(
    ("act", "end"),
    [
        ("repair", "The rollout is done: 10 of 10 nodes"),
        ("roll-forward", "The rollout is done: 10 of 10 nodes have the newest template (r3)"),
        ("undo", "The rollout is done: 10 of 10 nodes have the newest template (r1)"),
        ("restart", "The rollout has stopped: 5 of 10"),
        ("raise-budget", "The rollout has stopped: 10 of 10 nodes have the newest template (r2), and 9"),
        ("deselect", "The rollout is done: 9 of 9"),
        ("delete-node", "The rollout is done: 9 of 9"),
        ("add-node", "The rollout has stopped: 6 of 11"),
        ("delete-pod", "The rollout has stopped: 5 of 10"),
        ("force-delete", "The rollout has stopped: 5 of 10"),
        ("cordon", "The rollout has stopped: 5 of 10"),
    ],
)
def test_an_act_comes_after_what_was_seen_and_time_goes_on(act: str, end: str) -> None:
    before = answer({"show": True})
    acted = answer({"act": act, "node": "node-05"})
    assert acted["plays"]
    assert acted["at"] == before["time"]["value"] + 1
    seen = answer({"at": before["time"]["value"]}, text=acted["text"])
    assert says(seen, "kubectl") == says(before, "kubectl")
    if act != "restart":
        assert says(answer({"end": True}, text=acted["text"])).startswith(end)
    back = answer({"unact": 1}, text=acted["text"])
    assert back["text"] == LAB.scenario


def test_what_was_done_is_told_with_command_effect_and_reason() -> None:
    told = words(answer({"act": "cordon", "node": "node-05"})["regions"]["deeds"])
    assert "kubectl cordon node-05" in told
    assert "Nothing changes: 5 of 10 updated, 9 available." in told
    assert "tolerate the unschedulable taint" in told
    undone = words(answer({"act": "undo"})["regions"]["deeds"])
    assert "kubectl rollout undo -n gpu-operator daemonset/nvidia-device-plugin-daemonset" in undone
    assert "daemonset.apps/nvidia-device-plugin-daemonset rolled back" in undone


def test_a_drift_is_told_by_the_slots() -> None:
    drift = LIBRARY.rollouts["config-drift"]
    told = words(answer({"show": True}, lab=drift.id, text=drift.scenario)["regions"]["deeds"])
    assert "Slots offered before: 6. Afterwards: 10." in told
    assert "Slots offered before: 10. Afterwards: 14." in told


def test_acts_of_any_order_are_listed_by_time_and_taken_back_by_place() -> None:
    late = answer({"act": "cordon", "node": "node-05"})
    early = answer({"at": 5}, {"act": "cordon", "node": "node-01"}, text=late["text"])
    actions = early["regions"]["deeds"]
    assert re.findall(r"take-back-(\d)", actions) == ["0", "2", "1"]
    assert answer({"unact": 2}, text=early["text"])["text"] == late["text"]


def test_a_roll_forward_carries_the_config_on() -> None:
    rolled = answer({"act": "roll-forward"}, lab=HALF.id, text=HALF.scenario)
    assert "r3: {configs: {default:" in rolled["text"]
    end = answer({"end": True}, lab=HALF.id, text=rolled["text"])
    assert says(end).startswith("The rollout has stopped")  # the label still names no config
    mended = answer({"act": "unlabel", "node": "node-05"}, lab=HALF.id, text=rolled["text"])
    assert says(answer({"end": True}, lab=HALF.id, text=mended["text"])).startswith("The rollout is done: 10")


def test_half_a_fleet_offers_other_slots_and_says_so() -> None:
    told = says(answer({"show": True}, lab=HALF.id, text=HALF.scenario))
    assert "5 slots on 4 nodes each, 1 slot on 5 nodes each and 0 slots on 1 node" in told
    assert "10 Pods wait for a slot." in told


@pytest.mark.parametrize("surge", ["1", "25%"])
def test_a_refused_spec_is_told_in_the_words_of_the_api_server(surge: str) -> None:
    told = answer({"control": "maxSurge", "value": surge})
    assert told["traceHash"] is None
    assert "may not be set when maxUnavailable is non-zero" in says(told)
    assert "picture" not in told["regions"]


@pytest.mark.parametrize("text", ["", "a: [", "rollout: {nodes: 0}", "rollout: {evnts: []}", "\0", "é" * 9])
def test_a_text_that_is_no_scenario_is_told_with_its_place(text: str) -> None:
    told = answer({"text": text})
    assert (told["ok"], told["text"]) == (False, text)
    assert "line 1" in says(told)
    for change in ({"act": "undo"}, {"step": 1}, {"unact": 0}, {"control": "failure", "value": "failed"}):
        assert answer(change, text=text)["text"] == text


def test_more_than_a_page_takes_is_told() -> None:
    long = LAB.scenario + "#" * TEXT_LIMIT
    assert answer({"text": long})["ok"] is False
    large = LAB.scenario.replace("nodes: 10", "nodes: 5000").replace(
        "maxUnavailable: 1", "maxUnavailable: 1%"
    )
    assert answer({"text": large})["text"] == large


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"act": "fly"},
        {"at": "soon"},
        {"preset": "none"},
        {"control": "none", "value": "1"},
        {"unact": "x"},
        {"x": 1},
    ],
)
def test_a_change_that_is_none_is_an_error_and_no_exception(change: dict[str, Any]) -> None:
    assert answer(change)["ok"] is False


# Links


@pytest.mark.parametrize(("lab_id", "preset"), SITUATIONS)
def test_a_link_shows_another_reader_the_same(lab_id: str, preset: str) -> None:
    lab = LIBRARY.rollouts[lab_id]
    text = rollout_text(lab, preset)
    for at in (None, 0, 64):
        assert state_of_link(lab, rollout_link(lab, text, at)) == (text, at)
    own = text + "# mine 自分の\n"
    assert state_of_link(lab, rollout_link(lab, own, 7)) == (own, 7)


@pytest.mark.parametrize(
    "fragment",
    [
        "",
        "lab=stops-on-one-node",
        "lab=stops-on-one-node&v=2",
        "lab=ways-out&v=1",
        "lab=stops-on-one-node&v=1&preset=none",
        "lab=stops-on-one-node&v=1&at=-1",
        "lab=stops-on-one-node&v=1&at=99999999999",
        "lab=stops-on-one-node&v=1&text=a",
        "lab=stops-on-one-node&v=1&text=a&preset=surge",
        "lab=stops-on-one-node&v=1&node=x",
        "lab=stops-on-one-node&v=1&at=1&at=2",
        "lab=stops-on-one-node&v=1&text=" + "A" * 9_000,
        "<script>",
    ],
)
def test_a_hostile_link_changes_nothing_and_says_why(fragment: str) -> None:
    told = answer({"link": fragment})
    assert (told["opened"], told["text"]) == (False, LAB.scenario)
    assert told["notice"]


@given(st.text(max_size=80))
def test_any_fragment_is_a_link_or_refused(fragment: str) -> None:
    for given_ in (fragment, f"lab={LAB.id}&v=1&{fragment}"):
        try:
            state_of_link(LAB, given_)
        except LinkError:
            continue


def test_a_reader_text_goes_into_the_page_escaped() -> None:
    name = "rollout: {nodes: 2, events: [{at: 0, template: '<img src=x onerror=alert(1)>'}]}"
    told = answer({"text": name})
    assert "<img" not in json.dumps(told["regions"])
    assert "&lt;img" in told["regions"]["deeds"]


# The terminal


@pytest.mark.parametrize(("lab_id", "preset"), SITUATIONS)
def test_the_terminal_has_the_same_hash(
    lab_id: str, preset: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lab = LIBRARY.rollouts[lab_id]
    file = tmp_path / "rollout.yaml"
    file.write_text(rollout_text(lab, preset), encoding="utf-8")
    main(["rollout", str(file), "--format", "json"])
    by_file = json.loads(capsys.readouterr().out)
    main(["lab", "run", lab_id, "--preset", preset, "--format", "json"])
    assert json.loads(capsys.readouterr().out) == by_file
    page = answer({"preset": preset}, lab=lab_id, text=lab.scenario)
    assert page["traceHash"] == by_file["traceHash"]


def test_the_terminal_lists_shows_and_refuses(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "list"]) == 0
    assert "stops-on-one-node" in capsys.readouterr().out
    assert main(["lab", "show", LAB.id]) == 0
    assert capsys.readouterr().out == LAB.scenario
    for wrong, told in (
        (["--preset", "none"], "undo"),
        (["--format", "html"], "text or json"),
        (["--set", "a=b"], "gpulab lab show ways-out"),
    ):
        assert main(["lab", "run", "ways-out", *wrong, "--lang", "en"]) == 2
        assert told in capsys.readouterr().err
