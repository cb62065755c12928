"""What holds for every lab of the package and every situation of it, so that adding one is adding its data.

A lab parses, does what it claims, and has its words and its pages in three languages; every control moves
something, up to both ends of its bounds, and the result can be drawn and told.
"""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from labs.library import LANGUAGES, builtin_library
from labs.report.cards.scene import Width, central_scene
from labs.report.result.sentence import sentences
from labs.report.result.text import result_text
from labs.simulation.outcome.moment.moments import moments, snapshot
from labs.simulation.outcome.moment.snapshot import Snapshot
from labs.simulation.outcome.outcome import Outcome
from labs.teaching.scenario_lab.controls import control_values, preset_text, with_change
from labs.teaching.scenario_lab.form import form_states
from labs.teaching.scenario_lab.lab import Control, ControlKind, Lab
from tests.some import some
from tests.unit.report.test_scene import meet, texts
from tests.unit.scenarios import outcome, read

LIBRARY = builtin_library()
LABS = tuple(LIBRARY.labs.values())
DOCS = Path(__file__).parents[3] / "docs"
SITUATIONS = [
    pytest.param(lab, preset.id, id=f"{lab.id}@{preset.id}") for lab in LABS for preset in lab.presets
]
OWN_KEY = re.compile(r"lab\.([a-z0-9-]+-[a-z0-9-]+)\.(.+)")

every_lab = pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.id)
every_situation = pytest.mark.parametrize(("lab", "preset"), SITUATIONS)
every_language = pytest.mark.parametrize("language", LANGUAGES)


def situations(lab: Lab) -> dict[str, str]:
    """All texts that the lab offers: its own, and each preset's."""
    return {"": lab.scenario, **{preset.id: preset_text(lab, preset.id) for preset in lab.presets}}


def last_moment(result: Outcome) -> Snapshot:
    return snapshot(result.scenario, result.trace, moments(result.trace)[-1])


def ends(control: Control) -> tuple[str | bool, ...]:
    """The values at which a control can stand still: all options, both states, both ends."""
    match control.kind:
        case ControlKind.CHOICE:
            return control.options
        case ControlKind.SWITCH:
            return (False, True)
        case _:
            return (str(control.minimum), str(control.maximum))


# The scenarios


@every_situation
def test_every_situation_parses_and_does_what_it_claims(lab: Lab, preset: str) -> None:
    text = preset_text(lab, preset)
    expect = read(text).expect
    assert expect is not None
    assert expect.oom_pods is not None or expect.phases
    assert outcome(text).differences == ()


@every_lab
def test_a_lab_as_first_seen_does_what_it_claims(lab: Lab) -> None:
    assert outcome(lab.scenario).differences == ()


@every_lab
def test_the_first_situation_is_the_lab_as_first_seen(lab: Lab) -> None:
    assert preset_text(lab, lab.presets[0].id) == lab.scenario


@every_lab
def test_every_situation_is_another_one(lab: Lab) -> None:
    runs = [outcome(preset_text(lab, preset.id)).trace_hash for preset in lab.presets]
    assert len(set(runs)) == len(runs)
    assert len({preset.id for preset in lab.presets}) == len(lab.presets)


@every_situation
def test_a_situation_has_the_values_that_it_names(lab: Lab, preset: str) -> None:
    named = next(each for each in lab.presets if each.id == preset).values
    shown = {each.id: each for each in control_values(lab, preset_text(lab, preset))}
    assert {control: shown[control].value for control in named} == {
        control: str(value).lower() if isinstance(value, bool) else str(value)
        for control, value in named.items()
    }


# The controls


@every_lab
def test_every_control_has_its_place_in_some_situation(lab: Lab) -> None:
    found = {
        each.id for text in situations(lab).values() for each in control_values(lab, text) if each.is_present
    }
    assert [control.id for control in lab.controls if control.id not in found] == []
    assert len({control.id for control in lab.controls}) == len(lab.controls)


@every_lab
def test_no_situation_lies_outside_the_bounds_of_a_control(lab: Lab) -> None:
    for text in some(situations(lab).values()):
        for shown, control in some(zip(control_values(lab, text), lab.controls, strict=True)):
            assert (shown.minimum, shown.maximum) == (control.minimum, control.maximum)
            if shown.is_present and control.kind is ControlKind.CHOICE:
                assert shown.value in control.options


@every_situation
def test_every_control_moves_and_its_ends_can_be_run_told_and_drawn(lab: Lab, preset: str) -> None:
    text = preset_text(lab, preset)
    controls = zip(control_values(lab, text), lab.controls, strict=True)
    for control in some(control for shown, control in controls if shown.is_present):
        moved = {with_change(lab, text, control.id, end) for end in ends(control)}
        assert len(moved) == len(ends(control)), control.id
        for changed in moved:
            result = outcome(changed)
            for language in LANGUAGES:
                messages = LIBRARY.messages[language]
                assert all(sentences(result, messages))
                assert result_text(result, last_moment(result), messages)
                assert form_states(lab, changed, messages, LIBRARY.names)[control.id].output


# The words


@every_language
@every_lab
def test_a_lab_has_its_words_in_every_language(lab: Lab, language: str) -> None:
    messages = LIBRARY.messages[language]
    keys = [
        *(f"lab.{lab.id}.{part}" for part in ("title", "caption", "try")),
        *(f"lab.{lab.id}.control.{control.id}" for control in lab.controls),
        *(f"lab.{lab.id}.preset.{preset.id}" for preset in lab.presets),
    ]
    assert [key for key in keys if not messages.has(key)] == []


@every_language
def test_there_are_no_words_for_what_no_lab_has(language: str) -> None:
    known = {
        *(f"lab.{lab.id}.{part}" for lab in LABS for part in ("title", "caption", "try")),
        *(f"lab.{lab.id}.control.{control.id}" for lab in LABS for control in lab.controls),
        *(f"lab.{lab.id}.preset.{preset.id}" for lab in LABS for preset in lab.presets),
    }
    own = {key for key in LIBRARY.messages[language].keys if OWN_KEY.fullmatch(key)}
    assert own - names_of_options() == known


def names_of_options() -> set[str]:
    """The keys under which a lab can name an option of its own: it need not."""
    return {
        f"lab.{lab.id}.option.{control.id}.{option}"
        for lab in LABS
        for control in lab.controls
        for option in control.options
    }


@every_language
def test_an_option_is_called_as_the_lab_calls_it(language: str) -> None:
    messages, lab = LIBRARY.messages[language], LIBRARY.labs["blast-radius"]
    names = dict(form_states(lab, lab.scenario, messages, LIBRARY.names)["kind"].options)
    assert names["card-lost"] == messages.text("lab.blast-radius.option.kind.card-lost") != "card-lost"


@every_language
@every_lab
def test_either_all_options_of_a_control_have_names_of_the_labs_own_or_none(lab: Lab, language: str) -> None:
    messages = LIBRARY.messages[language]
    for control in some(lab.controls):
        named = [messages.has(f"lab.{lab.id}.option.{control.id}.{option}") for option in control.options]
        assert all(named) or not any(named)


@every_language
@every_situation
def test_the_picture_of_a_situation_has_room_for_its_words(lab: Lab, preset: str, language: str) -> None:
    result = outcome(preset_text(lab, preset))
    for width in some(Width):
        scene = central_scene(last_moment(result), LIBRARY.messages[language], width)
        assert [(a.text, b.text) for a, b in combinations(texts(scene), 2) if meet(a, b)] == []


# The pages


@every_language
@every_lab
def test_a_lab_has_a_page_of_its_own_and_a_place_in_the_index(lab: Lab, language: str) -> None:
    folder = DOCS / language / "labs"
    page = (folder / f"{lab.id}.md").read_text("utf-8")
    assert f"```lab\nlab: {lab.id}\n```" in page
    assert "{#what-to-try}" in page
    assert f"]({lab.id}.md)" in (folder / "index.md").read_text("utf-8")


@every_language
@every_lab
def test_a_lab_stands_in_an_article(lab: Lab, language: str) -> None:
    articles = [path.read_text("utf-8") for path in (DOCS / language / "articles").glob("*.md")]
    assert sum(article.count(f"```lab\nlab: {lab.id}\n```") for article in articles) == 1
