"""Of what nothing comes a scenario's answer says where it stands, why, and what to do."""

from __future__ import annotations

import json
from typing import Any

import pytest

from labs.config.own.problem import ProblemsError
from labs.library import LANGUAGES, builtin_library
from labs.report.notes.note_words import note_text
from labs.simulation.outcome.rollout.notes import had_no_effect, rollout_notes
from labs.simulation.scenario.notes import Note
from labs.simulation.scenario.rollout.reader import read_rollout
from labs.simulation.scenario.rollout.rollout import NoEffect
from labs.simulation.world.rollout.world import RolloutEnd, run_rollout
from tests.unit.scenarios import node, outcome, pods, scenario

CARRIED = "version: v1\n"


def played(*events: dict[str, Any], **more: Any) -> tuple[RolloutEnd, tuple[Note, ...]]:
    """A rollout on three nodes, its events one to a line from line 2 on."""
    head = json.dumps({"nodes": 3, "until": 300, **more}).removesuffix("}")
    listed = ",\n".join(json.dumps(each) for each in events)
    rollout = read_rollout(f'{{"rollout": {head}, "events": [\n{listed}]}}}}')
    end = run_rollout(rollout)
    return end, rollout_notes(rollout, end.trace.rollout)


NO_EFFECT: list[tuple[str, list[dict[str, Any]], dict[str, Any]]] = [
    ("late", [{"at": 301, "template": "r2"}], {}),
    ("node-absent", [{"at": 5, "deleteNode": "node-2"}, {"at": 9, "cordon": "node-2"}], {}),
    ("node-absent", [{"at": 5, "deletePod": "node-4"}, {"at": 9, "addNode": "node-4"}], {}),
    ("node-absent", [{"at": 5, "deleteNode": "all"}, {"at": 9, "repair": "all"}], {}),
    ("node-present", [{"at": 5, "addNode": "node-2"}], {}),
    (
        "node-silent",
        [{"at": 5, "restartKubelet": "node-2"}],
        {"before": [{"nodes": ["node-2"], "state": "down"}]},
    ),
    ("no-pod", [{"at": 5, "deselect": "node-2"}, {"at": 60, "deletePod": "node-2"}], {}),
    ("no-pod", [{"at": 5, "deselect": "node-2"}, {"at": 60, "notReady": ["node-2"]}], {}),
    (
        "terminating",
        [{"at": 5, "deletePod": "node-2"}, {"at": 60, "deletePod": "node-2"}],
        {"before": [{"nodes": ["node-2"], "state": "down"}]},
    ),
    ("unchanged", [{"at": 5, "uncordon": "node-2"}], {}),
    ("unchanged", [{"at": 5, "cordon": "node-2"}, {"at": 9, "cordon": "node-2"}], {}),
    ("unchanged", [{"at": 5, "select": "all"}], {}),
    ("unchanged", [{"at": 5, "deselect": "node-2"}, {"at": 9, "deselect": "node-2"}], {}),
    ("unchanged", [{"at": 5, "label": {"nodes": "node-2", "value": ""}}], {}),
    ("unchanged", [{"at": 5, "template": "r1"}], {}),
    ("unchanged", [{"at": 5, "maxUnavailable": 1, "maxSurge": 0}], {}),
    ("unchanged", [{"at": 5, "configMap": {"config": CARRIED}}], {"revisions": {"r1": {"config": CARRIED}}}),
    ("refused", [{"at": 5, "maxSurge": 1}], {}),
    ("refused", [{"at": 5, "undo": True}], {}),
    ("unchanged", [{"at": 5, "undo": 1}], {}),
    ("unread", [{"at": 5, "configMap": {"config": CARRIED}}], {}),
    ("unread", [{"at": 5, "configMap": {"config": CARRIED}}], {"revisions": {"r2": {"config": CARRIED}}}),
    ("unchanged", [{"at": 5, "notReady": ["node-2"]}, {"at": 5.5, "notReady": ["node-2"]}], {}),
    ("well", [{"at": 5, "repair": "node-2"}], {}),
]


@pytest.mark.parametrize(("why", "events", "more"), NO_EFFECT)
def test_nothing_comes_of_an_event_that(why: str, events: list[dict[str, Any]], more: dict[str, Any]) -> None:
    _, notes = played(*events, **more)
    events_only = [note for note in notes if note.event is not None]
    vain = [note for note in events_only if note.why is not NoEffect.LATE or why == "late"]
    place = 2 + max(number for number, each in enumerate(events) if len(events) == 1 or "addNode" not in each)
    assert [(str(note.why), note.line, note.column) for note in vain] == [(why, place, 1)]
    for language in LANGUAGES:
        said = note_text(vain[0], builtin_library().messages[language])
        assert str(place) in said
        assert "{" not in said


@pytest.mark.parametrize(
    "event",
    [
        {"at": 5, "cordon": "node-2"},
        {"at": 5, "deletePod": "node-2"},
        {"at": 5, "template": "r2"},
        {"at": 5, "maxUnavailable": 2},
        {"at": 5, "deleteNode": "all"},
        {"at": 300, "cordon": "node-1"},
    ],
)
def test_an_event_that_does_something_is_not_noted(event: dict[str, Any]) -> None:
    assert played(event)[1] == ()


def test_of_several_nodes_those_are_noted_on_which_nothing_came_of_it() -> None:
    _, notes = played({"at": 5, "cordon": "node-2"}, {"at": 9, "cordon": ["node-1", "node-2", "node-3"]})
    assert [(note.node, note.line) for note in notes] == [("node-2", 3)]
    assert "(node-2)" in note_text(notes[0], builtin_library().messages["en"])


def test_kubectl_says_what_it_says_in_life() -> None:
    end, _ = played(
        {"at": 5, "uncordon": "node-2"},
        {"at": 6, "cordon": "node-2"},
        {"at": 7, "cordon": "node-2"},
        {"at": 8, "deleteNode": "node-3"},
        {"at": 9, "cordon": "node-3"},
        {"at": 10, "template": "r1"},
    )
    assert [words for _, words in end.printed] == [
        "node/node-2 already uncordoned",
        "node/node-2 already cordoned",
        'Error from server (NotFound): nodes "node-3" not found',
        "daemonset.apps/nvidia-device-plugin-daemonset unchanged",
    ]


def test_the_name_of_a_node_that_was_deleted_is_free_again() -> None:
    end, notes = played({"at": 5, "deleteNode": "node-2"}, {"at": 60, "addNode": "node-2"})
    assert notes == ()
    assert (len(end.nodes), end.status.available) == (3, 3)


@pytest.mark.parametrize("key", ["events", "before", "behaviour"])
def test_an_empty_list_of_what_happens_is_an_empty_list(key: str) -> None:
    assert read_rollout(f"rollout: {{nodes: 2, {key}: []}}\n") == read_rollout("rollout: {nodes: 2}\n")


@pytest.mark.parametrize("key", ["faults", "migConfigs"])
def test_so_it_is_in_a_scenario_without_a_rollout(key: str) -> None:
    empty: dict[str, Any] = {key: []}
    assert outcome(scenario([node()], [pods("a")], **empty)).notes == ()


def at_start(text: str) -> list[tuple[str, str, str, int, int]]:
    """What is noted of a rollout's text besides events that were tried: subject, reason, name and place."""
    rollout = read_rollout(text)
    notes = rollout_notes(rollout, run_rollout(rollout).trace.rollout)
    for language in LANGUAGES:
        for note in notes:
            assert str(note.line) in note_text(note, builtin_library().messages[language])
    return [(str(note.subject), str(note.why), note.name, note.line, note.column) for note in notes]


BAD = "pod: never-ready"
CONFIG = "config: 'version: v1'"


@pytest.mark.parametrize(
    ("given", "noted"),
    [
        (f"behaviour: [{{nodes: all, revisions: [r22], {BAD}}}]", ("behaviour", "no-revision", "r22")),
        (f"behaviour: [{{nodes: all, revisions: [r2, r22], {BAD}}}]", None),
        (f"behaviour: [{{nodes: [node-1], revisions: [r1], {BAD}}}]", ("behaviour", "ran-before", "r1")),
        (f"behaviour: [{{nodes: all, revisions: [r1], {BAD}}}]", None),  # by the Pod deleted at 3 s
        (f"behaviour: [{{nodes: [node-2], revisions: [r1, r2], {BAD}}}]", None),
        (f"revisions: {{r7: {{{CONFIG}}}}}", ("revision", "no-revision", "r7")),
        (f"revisions: {{r1: {{{CONFIG}}}, r2: {{{CONFIG}}}}}", None),
        ("before: [{nodes: all, label: big}]", ("label", "no-manager", "big")),
        (f"revisions: {{r2: {{{CONFIG}}}}}, before: [{{nodes: all, label: config}}]", None),
    ],
)
def test_what_has_no_effect_on_the_whole_of_a_rollout_is_noted(
    given: str, noted: tuple[str, str, str] | None
) -> None:
    text = f"rollout:\n  {{nodes: 2, events: [{{at: 3, deletePod: node-2}}, {{at: 60, template: r2}}],\n {given}}}"
    assert [told[:3] for told in at_start(text)] == ([] if noted is None else [noted])
    assert all(line == 3 for *_, line, _ in at_start(text))


def test_a_label_that_nothing_reads_is_noted() -> None:
    event = {"at": 5, "label": {"nodes": "node-2", "value": "big"}}
    assert [str(note.why) for note in played(event)[1]] == ["no-manager"]
    assert played(event, revisions={"r1": {"configs": {"default": CARRIED, "big": CARRIED}}})[1] == ()


@pytest.mark.parametrize(
    ("pod", "refused"),
    [
        ("never-ready, runSeconds: 5", True),
        ("pending, readyAfterSeconds: 5", True),
        ("never-ready, readyAfterSeconds: 5", True),
        ("serves-nothing, runSeconds: 5", True),
        ("serves-nothing, readyAfterSeconds: 5", False),
        ("crash-loop, runSeconds: 5, readyAfterSeconds: 2", False),
    ],
)
def test_a_key_that_means_nothing_to_such_pods_is_refused(pod: str, refused: bool) -> None:
    text = f"rollout: {{nodes: 2, behaviour: [{{nodes: all, revisions: [r2], pod: {pod}}}]}}"
    if not refused:
        assert len(read_rollout(text).behaviours) == 1
        return
    with pytest.raises(ProblemsError) as caught:
        read_rollout(text)
    assert [each.key for each in caught.value.problems] == ["key-not-of-pod"]


def test_force_belongs_to_deleting_a_pod() -> None:
    with pytest.raises(ProblemsError) as caught:
        read_rollout("rollout: {nodes: 2, events: [{at: 5, cordon: node-1, force: true}]}\n")
    assert [(each.key, each.line, each.column) for each in caught.value.problems] == [("force-alone", 1, 61)]


def test_what_comes_after_the_horizon_of_a_run_is_noted() -> None:
    text = """\
format: 1
horizon: 10m
nodes: [{name: n1, gpus: {model: a100-40gb, count: 1}}]
workloads:
  - {name: a, request: {nvidia.com/gpu: 1}}
  - {name: b, request: {nvidia.com/gpu: 1}, arrival: 10m}
  - {name: c, count: 9, request: {nvidia.com/gpu: 1}, arrival: {every: 9m}}
faults:
  - {at: 5m, pod: a-0, kind: process}
  - {at: 11m, pod: a-0, kind: process}
migConfigs:
  - {at: 12m, node: n1, mig: [7g.40gb]}
rollout:
  events:
    - {at: 600, template: r2}
"""
    notes = outcome(text).notes
    assert [(note.line, str(note.subject), note.name) for note in notes] == [
        (6, "workload", "b"),
        (10, "fault", "process"),
        (12, "mig-config", "n1"),
        (15, "event", ""),
    ]
    for language in LANGUAGES:
        for note in notes:
            assert str(note.line) in note_text(note, builtin_library().messages[language])


REFUSED = "version: v2\n"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_config_that_the_plugin_refuses_is_noted_with_its_error(language: str) -> None:
    revisions = {"r1": {"config": CARRIED}, "r2": {"configs": {"a": CARRIED, "b": REFUSED}}}
    changed = {"at": 9, "configMap": {"config": REFUSED}}
    _, notes = played(changed, {"at": 20, "template": "r2"}, revisions=revisions)
    assert [(note.why, note.line, note.name) for note in notes] == [
        (NoEffect.CONFIG_REFUSED, 1, "r2"),
        (NoEffect.CONFIG_REFUSED, 2, ""),
    ]
    messages = builtin_library().messages[language]
    assert all("unknown version: v2" in note_text(note, messages) for note in notes)


def test_a_config_that_is_refused_is_no_event_without_effect() -> None:
    changed = {"at": 9, "configMap": {"config": REFUSED}}
    restarted = {"at": 90, "restartKubelet": "node-2"}
    end, notes = played(changed, restarted, revisions={"r1": {"config": CARRIED}})
    [note] = notes
    assert note.event is not None
    assert not had_no_effect(note.event, notes)
    assert end.status.available == 2  # the plugin that has read it since


def test_a_config_that_is_taken_is_not_noted() -> None:
    _, notes = played({"at": 9, "template": "r2"}, revisions={"r2": {"config": CARRIED}})
    assert notes == ()
