"""The rollout labs of the package: each claim holds, every word is there, and a file says what is wrong with it."""

from __future__ import annotations

import pytest

from labs.config.own.problem import ProblemsError
from labs.library import LANGUAGES, builtin_library
from labs.simulation.outcome.rollout import METRICS
from labs.teaching.lab.figure import UnknownMetricError
from labs.teaching.rollout_lab.edits import UNKNOWN_LABEL, has_named_configs, node_names_of
from labs.teaching.rollout_lab.form import menus
from labs.teaching.rollout_lab.lab import FAILING_NODE, FAILURE, FLEET, rollout_text, with_setting
from labs.teaching.rollout_lab.reader import DONE, read_rollout_lab
from labs.teaching.rollout_lab.results import RolloutResults, RolloutSettings
from tests.some import some

LIBRARY = builtin_library()
RESULTS = RolloutResults(RolloutSettings(LIBRARY.catalog, LIBRARY.workloads))
SITUATIONS = [
    (lab.id, preset)
    for lab in LIBRARY.rollouts.values()
    for preset in (None, *(one.id for one in lab.presets))
]


@pytest.mark.parametrize(("lab_id", "preset"), SITUATIONS)
def test_what_a_situation_claims_is_what_comes(lab_id: str, preset: str | None) -> None:
    assert RESULTS.unmet(LIBRARY.rollouts[lab_id], preset) == ""


def test_an_unmet_claim_says_what_came_instead() -> None:
    text = "format: 1\nid: x\nscenario: |\n  rollout: {nodes: 3}\nexpect: {desired: 4, done: false}\n"
    found = RESULTS.unmet(read_rollout_lab(text), None)
    assert found == "expected desired 4, found 3; expected done False, found True"


def test_a_refused_spec_meets_no_claim() -> None:
    strategy = "updateStrategy: {rollingUpdate: {maxUnavailable: 1, maxSurge: 1}}"
    text = f"format: 1\nid: x\nscenario: |\n  rollout: {{nodes: 3, {strategy}}}\nexpect: {{desired: 3}}\n"
    assert RESULTS.unmet(read_rollout_lab(text), None).startswith("the API server refuses it: The DaemonSet")


@pytest.mark.parametrize("lab_id", LIBRARY.rollouts)
def test_every_lab_states_a_claim(lab_id: str) -> None:
    assert LIBRARY.rollouts[lab_id].expect is not None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("lab_id", LIBRARY.rollouts)
def test_every_word_of_a_lab_is_there(lab_id: str, language: str) -> None:
    messages, lab = LIBRARY.messages[language], LIBRARY.rollouts[lab_id]
    keys = [f"rollout-lab.{lab_id}.{part}" for part in ("title", "try", "caption")]
    keys += [f"rollout-lab.{lab_id}.preset.{preset.id}" for preset in lab.presets]
    keys += [f"rollout-lab.control.{control.id}" for control in lab.controls]
    assert [key for key in keys if not messages.has(key)] == []


@pytest.mark.parametrize(("lab_id", "preset"), SITUATIONS)
def test_every_menu_with_a_value_offers_it_and_any_choice_reads_back(lab_id: str, preset: str | None) -> None:
    lab, messages = LIBRARY.rollouts[lab_id], LIBRARY.messages["en"]
    text = rollout_text(lab, preset)
    for menu in some(menu for menu in menus(lab, text, messages) if menu.value is not None):
        assert menu.value in dict(menu.options)
        for option, _ in menu.options:
            changed = with_setting(lab, text, menu.id, option)
            shown = {one.id: one.value for one in menus(lab, changed, messages)}
            assert shown[menu.id] == option, (menu.id, option)


def test_a_label_without_a_config_is_to_choose_where_configs_have_names() -> None:
    for lab in some(LIBRARY.rollouts.values()):
        shown = {menu.id: dict(menu.options) for menu in menus(lab, lab.scenario, LIBRARY.messages["en"])}
        assert (UNKNOWN_LABEL in shown[FAILURE]) == has_named_configs(lab.scenario)
        assert FAILING_NODE in shown


def test_a_number_of_nodes_is_to_choose_where_nodes_are_alike() -> None:
    for lab in LIBRARY.rollouts.values():
        shown = {menu.id: menu.value for menu in menus(lab, lab.scenario, LIBRARY.messages["en"])}
        assert shown[FLEET] == str(len(node_names_of(lab.scenario)))
    half = LIBRARY.rollouts["half-and-half"]
    other = half.scenario.replace("node-03, gpus: {model: a100-40gb", "node-03, gpus: {model: a100-80gb")
    assert {menu.id: menu.value for menu in menus(half, other, LIBRARY.messages["en"])}[FLEET] is None


def test_an_unknown_metric_or_preset_names_those_there_are() -> None:
    lab = LIBRARY.rollouts["ways-out"]
    with pytest.raises(UnknownMetricError) as error:
        RESULTS.metric(lab, None, "slotsOffered")  # it has no cards
    assert "updated" in error.value.known
    with pytest.raises(UnknownMetricError) as error:
        RESULTS.metric(lab, "none", "updated")
    assert "undo" in error.value.known


@pytest.mark.parametrize(
    ("change", "key", "line"),
    [
        ("id: 5", "needs-quotes", 2),
        ("expect: {updatd: 3}", "unknown-key-near", 7),
        ("expect: {updated: many}", "not-a-whole-number", 7),
        ("expect: {done: perhaps}", "not-one-of", 7),
        ("presets: [{id: a, values: {fleet: 5, flet: 6}}]", "unknown-key-near", 7),
        ("presets: [{id: a, acts: 5}]", "wrong-type", 7),
        ("other: 1", "unknown-key", 7),
    ],
)
def test_a_wrong_file_says_what_and_where(change: str, key: str, line: int) -> None:
    name = change.partition(":")[0]
    given = {"format": "1", "id": "x", "scenario": "|\n  rollout:\n    nodes: 3\n    until: 5"}
    lines = [f"{each}: {value}" for each, value in given.items() if each != name]
    lines.insert(1 if name == "id" else len(lines), change)
    with pytest.raises(ProblemsError) as error:
        read_rollout_lab("\n".join(lines) + "\n")
    assert [(problem.key, problem.line) for problem in error.value.problems] == [(key, line)]


@pytest.mark.parametrize(
    ("change", "allowed_keys"),
    [
        ("presets: [{id: a, quiz: 1}]", "id, values, acts, scenario, expect"),
        ("expect: {quiz: 1}", ", ".join((DONE, *METRICS))),
    ],
)
def test_an_unknown_key_names_those_allowed(change: str, allowed_keys: str) -> None:
    text = f"format: 1\nid: x\nscenario: |\n  rollout:\n    nodes: 3\n{change}\n"
    with pytest.raises(ProblemsError) as error:
        read_rollout_lab(text)
    assert [problem.values["allowed"] for problem in error.value.problems] == [allowed_keys]
