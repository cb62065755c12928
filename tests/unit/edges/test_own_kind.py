"""A kind of lab of one's own is one entry: every edge has it, and none knows it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import markdown
import pytest

from labs.browser import Respondent
from labs.library import LANGUAGES, Library, builtin_library
from labs.markdown import LabExtension, LabMarkdownError
from labs.report.writing import Messages, escape, html
from labs.teaching.kinds import KINDS, KindEntry
from labs.teaching.lab import (
    Choice,
    CommandRun,
    Data,
    FenceError,
    Figure,
    LabKind,
    Limits,
    Page,
    Placed,
    Printed,
    Request,
    UnknownMetricError,
    unknown_preset,
)
from tests.unit.edges.conftest import Command


@dataclass(frozen=True, slots=True)
class Counter:
    """Cards, and the slots of each."""

    id: str
    cards: int
    slots: int


class CounterLabs(LabKind):
    """Labs in which a reader counts slots."""

    def __init__(self, data: Data, limits: Limits) -> None:
        del limits
        self._labs: Mapping[str, Counter] = data.of("counter")

    @staticmethod
    def read(text: str) -> Counter:
        lab_id, cards, slots = text.split()
        return Counter(lab_id, int(cards), int(slots))

    def place(self, lines: Sequence[str], page: Page) -> Placed:
        lab = self._labs.get(lines[0].removeprefix("counter: "))
        if lab is None:
            raise FenceError.at(1, f"known: {', '.join(self._labs)}")
        total = page.messages.number(lab.cards * lab.slots)
        return Placed(lab.id, html('<gpu-counter lab="{}">{}</gpu-counter>', escape(lab.id), escape(total)))

    def answer(self, request: Request) -> dict[str, Any]:
        more = sum(int(change["add"]) for change in request.changes)
        return {"ok": True, "slots": int(request.said("slots", "0")) + more}

    def trials(self) -> Sequence[Mapping[str, Any]]:
        return [{"lab": lab_id, "slots": 1} for lab_id in self._labs]

    @property
    def ids(self) -> Sequence[str]:
        return tuple(self._labs)

    def figure(self, lab_id: str, preset: str | None, metric: str, messages: Messages) -> Figure:
        if preset is not None or metric != "slots":
            raise UnknownMetricError(preset or metric, ["slots"])
        value = self._labs[lab_id].cards * self._labs[lab_id].slots
        return Figure(value, f"{messages.number(value)} slots")

    def show(self, choice: Choice) -> Printed:
        if choice.preset is not None:
            raise unknown_preset(choice.preset, ["none"], choice.messages)
        lab = self._labs[choice.lab]
        return Printed(f"{choice.title}: {lab.cards} x {lab.slots}\n")

    def run(self, choice: Choice) -> Printed | CommandRun:
        lab = self._labs[choice.lab]
        return Printed(f"{lab.cards * lab.slots}\n", ("counted",), is_bad_news=lab.slots > 100)


OWN = KindEntry(
    name="counter",
    room=f"{__name__}:CounterLabs",
    request="count",
    element="gpu-counter",
    words="counter-lab",
    folder="counters",
    style="counter.css",
)
FENCE = "```counter\ncounter: cards\n```\n"


@pytest.fixture
def library(tmp_path: Path) -> Library:
    """The package's data, a kind more, and a folder with two labs of it."""
    folder = tmp_path / "counters"
    folder.mkdir()
    (folder / "cards.yaml").write_text("cards 3 4\n", "utf-8")
    (folder / "many.yaml").write_text("many 2 101\n", "utf-8")
    return builtin_library((*KINDS, OWN)).overlaid(tmp_path)


def rendered(text: str, library: Library) -> str:
    return markdown.markdown(text, extensions=[LabExtension(library)])


def test_its_labs_are_in_the_library_from_a_folder_of_data(library: Library) -> None:
    assert library.of("counter") == {"cards": Counter("cards", 3, 4), "many": Counter("many", 2, 101)}
    assert builtin_library((*KINDS, OWN)).of("counter") == {}
    assert library.of("lab") == builtin_library().labs


def test_its_fence_places_it_on_a_page(library: Library) -> None:
    assert rendered(FENCE, library) == '<gpu-counter lab="cards">12</gpu-counter>'


def test_prose_refers_to_its_figures(library: Library) -> None:
    words = '<p>All <data class="gl-computed" value="12">12 slots</data>.</p>'
    assert rendered("All {{cards.slots}}.", library) == words


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (FENCE.replace("cards", "none"), "<markdown>:2:1: known: cards, many"),
        ("> " + FENCE, "<markdown>:1:1: a lab fence stands at the beginning of its line"),
        ("{{cards.oom}}", "<markdown>:1:1: {{cards.oom}}: cards has no 'oom'; known: slots"),
        (f"{FENCE}\n{FENCE}", "<markdown>:5:1: cards stands on this page already, on line 1"),
    ],
)
def test_what_is_wrong_with_it_has_its_place(text: str, said: str, library: Library) -> None:
    with pytest.raises(LabMarkdownError) as caught:
        rendered(text, library)
    assert str(caught.value).startswith(said)


def test_the_ids_of_all_kinds_are_offered_for_an_unknown_one(library: Library) -> None:
    with pytest.raises(LabMarkdownError) as caught:
        rendered("{{none.slots}}", library)
    assert str(caught.value).endswith(", cards, many")
    assert "known: before-sharing, " in str(caught.value)


def test_a_request_of_its_script_is_answered(library: Library) -> None:
    request = {"kind": "count", "lab": "cards", "lang": "ko", "slots": 4, "changes": [{"add": 1}, {"add": 2}]}
    assert json.loads(Respondent(library).respond(json.dumps(request))) == {"ok": True, "slots": 7}


def test_what_its_request_may_be_wrong_in_is_an_answer(library: Library) -> None:
    request = {"kind": "count", "lab": "cards", "changes": [{"subtract": 1}]}
    answer = json.loads(Respondent(library).respond(json.dumps(request)))
    assert answer == {"ok": False, "error": "KeyError: 'add'"}


def test_the_packed_runtime_is_tried_with_it_in_every_language(library: Library) -> None:
    own = [trial for trial in Respondent(library).trial_requests() if trial.get("kind") == "count"]
    assert own == [
        {"kind": "count", "lab": lab, "slots": 1, "lang": language}
        for lab in ("cards", "many")
        for language in LANGUAGES
    ]


@pytest.fixture
def gpulab(command: Command, library: Library, monkeypatch: pytest.MonkeyPatch) -> Command:
    """`gpulab` with that library."""
    monkeypatch.setattr("labs.cli.builtin_library", lambda: library)
    return command


def test_a_terminal_lists_its_labs_after_the_others(gpulab: Command) -> None:
    rows = gpulab("lab", "list", "--format", "json").json
    assert rows[-2:] == [{"id": "cards", "title": "cards"}, {"id": "many", "title": "many"}]
    assert rows[0]["title"] != rows[0]["id"]


def test_a_terminal_shows_and_runs_it(gpulab: Command) -> None:
    assert gpulab("lab", "show", "cards") == (0, "cards: 3 x 4\n", "")
    assert gpulab("lab", "run", "cards") == (0, "12\n", "counted\n")
    assert gpulab("lab", "run", "many") == (1, "202\n", "counted\n")


def test_a_choice_that_it_refuses_is_wrong_usage(gpulab: Command) -> None:
    ran = gpulab("lab", "show", "cards", "--preset", "small")
    assert (ran.code, ran.err) == (2, "This lab has no preset small. Known: none.\n")


@pytest.mark.parametrize(
    ("starting", "rooms"),
    [
        ("from labs.library import builtin_library; builtin_library()", set()),
        ("import labs.browser", {"scenario_lab"}),
        (
            'from labs.browser import respond; respond(\'{"kind": "plan", "lab": "x", "cut": ""}\')',
            {"scenario_lab", "planner_lab"},
        ),
    ],
)
def test_a_room_is_loaded_when_a_lab_of_it_is_asked_for(starting: str, rooms: set[str]) -> None:
    script = f"{starting}\nimport sys; print(*(name for name in sys.modules if name.endswith('_lab')))"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert {name.removeprefix("labs.teaching.") for name in ran.stdout.split()} == rooms


@pytest.mark.parametrize("entry", KINDS, ids=lambda entry: entry.name)
def test_every_kind_of_the_package_is_where_its_entry_says(entry: KindEntry) -> None:
    assert LabKind in entry.load().__mro__
    web = Path(__file__).parents[3] / "labs" / "web"
    named = {entry.script, *([entry.style] if entry.style else [])}
    assert named <= {path.name for path in web.rglob("*") if "node_modules" not in path.parts}
