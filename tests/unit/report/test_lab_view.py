"""The lab's HTML against the contract with the browser's part: what the script looks for is there."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from labs.report.writing.messages import Messages
from labs.simulation.outcome.moment.moments import snapshot
from labs.teaching.scenario_lab.lab import Control, ControlKind, Lab, Preset
from labs.teaching.scenario_lab.view import ControlState, lab_html
from tests.unit.report.stories import LANGUAGES, messages, play, shared

VOID = {"input", "wbr", "meta", "br", "link"}
LAB = Lab(
    "slots-and-memory",
    shared(),
    (
        Control("model", ControlKind.CHOICE, ("nodes",), options=("a", "b")),
        Control("replicas", ControlKind.INTEGER, ("nodes",), 1, 10),
        Control("failRequestsGreaterThanOne", ControlKind.SWITCH, ("nodes",)),
        Control("big", ControlKind.QUANTITY, ("nodes",), 1, 80, unit="GiB"),
    ),
    (Preset("story", {}), Preset("small", {"big": 6})),
)
STATES = {
    "model": ControlState("model", "b", "B <2>", False, options=(("a", "A"), ("b", "B <2>"))),
    "replicas": ControlState("replicas", "5", "5", False, 1, 10),
    "failRequestsGreaterThanOne": ControlState("failRequestsGreaterThanOne", "true", "true", False),
    "big": ControlState("big", "", "–", True, 1, 80),
}


class Page(HTMLParser):
    """The elements of a fragment: (tag, attributes); fails on tags that do not nest."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def one(self, **wanted: str) -> tuple[str, dict[str, str | None]]:
        names = {name.replace("_", "-"): value for name, value in wanted.items()}
        found = [
            (tag, given)
            for tag, given in self.elements
            if all(given.get(name, "absent") == value for name, value in names.items())
        ]
        assert len(found) == 1, found
        return found[0]


def html(language: str = "en", lab: Lab = LAB, at_us: int | None = None) -> str:
    story = play(shared())
    shown = story.snapshot
    if at_us is not None:
        shown = snapshot(story.outcome.scenario, story.outcome.trace, at_us)
    words: Messages = messages(language)
    return lab_html(lab, story.outcome, shown, story.moments, words, STATES, "lab-x")


@pytest.mark.parametrize("language", LANGUAGES)
class TestContract:
    def test_the_element_carries_the_scripts_words(self, language: str) -> None:
        tag, given = Page(html(language)).one(lab="slots-and-memory")
        assert (tag, given["id"], given["lang"]) == ("gpu-lab", "lab-x", language)
        assert "{percent}" in (given["data-loading"] or "")
        assert all(given[f"data-{word}"] for word in ("failed", "retry", "crashed", "stopped"))

    def test_every_region_is_there_once(self, language: str) -> None:
        page = Page(html(language))
        for region in ("form", "status", "stale", "picture", "time", "sentence", "table", "hash"):
            page.one(data_region=region)

    def test_every_control_has_its_field_and_output(self, language: str) -> None:
        page = Page(html(language))
        labelled = {given["for"] for tag, given in page.elements if tag == "label"}
        for control in LAB.controls:
            _, field = page.one(data_control=control.id)
            page.one(data_output=control.id)
            assert field["id"] in labelled

    def test_no_style_and_no_script(self, language: str) -> None:
        page = Page(html(language))
        assert {tag for tag, _ in page.elements} & {"style", "script"} == set()
        names = {name for _, given in page.elements for name in given}
        assert {name for name in names if name == "style" or name.startswith("on")} == set()

    def test_ids_are_unique(self, language: str) -> None:
        ids = [given["id"] for _, given in Page(html(language)).elements if "id" in given]
        assert len(ids) == len(set(ids))


class TestFields:
    def test_a_slider_has_its_bounds_and_speaks_its_value(self) -> None:
        _, field = Page(html()).one(data_control="replicas")
        wanted = {"type": "range", "min": "1", "max": "10", "step": "1", "value": "5", "aria-valuetext": "5"}
        assert {name: field[name] for name in wanted} == wanted

    def test_a_choice_has_its_names_and_its_value(self) -> None:
        text = html()
        assert '<option value="a">A</option><option value="b" selected>B &lt;2&gt;</option>' in text

    def test_a_switch_is_checked(self) -> None:
        _, field = Page(html()).one(data_control="failRequestsGreaterThanOne")
        assert "checked" in field

    def test_what_is_not_in_the_text_is_disabled(self) -> None:
        _, field = Page(html()).one(data_control="big")
        assert "disabled" in field

    def test_presets_and_reset(self) -> None:
        page = Page(html())
        page.one(data_preset="story")
        page.one(data_preset="small")
        page.one(data_action="reset")


class TestTime:
    def test_the_last_moment_is_shown(self) -> None:
        _, field = Page(html()).one(id="lab-x-time")
        assert (field["max"], field["value"], field["aria-valuetext"]) == ("1", "1", "10 s")

    def test_an_earlier_moment(self) -> None:
        _, field = Page(html(at_us=0)).one(id="lab-x-time")
        assert (field["value"], field["aria-valuetext"]) == ("0", "0 s")


class TestScenarioInAFence:
    def test_a_lab_without_words_has_no_title_and_no_form(self) -> None:
        text = html(lab=Lab("scenario", "format: 1 # </textarea><script>", (), ()))
        page = Page(text)
        assert not [given for _, given in page.elements if given.get("data-region") == "form"]
        assert "gl-title" not in text
        assert "format: 1 # &lt;/textarea&gt;&lt;script&gt;</textarea>" in text
