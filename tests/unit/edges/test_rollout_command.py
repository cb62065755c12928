"""`gpulab rollout`: exit codes, the JSON, what a person sees, and wrong usage."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from labs.cli import main
from labs.library import LANGUAGES, builtin_library
from labs.simulation.scenario.rollout.rollout import Rollout
from labs.simulation.world.rollout.world import RolloutEnd, run_rollout

HALTED = """\
rollout:
  nodes: 5
  behaviour: [{nodes: [node-3], revisions: [r2], pod: never-ready}]
  events: [{at: 0, template: r2}]
"""
REFUSED = "rollout: {nodes: 2, updateStrategy: {rollingUpdate: {maxSurge: 1}}}\n"
ON_DELETE = "rollout: {nodes: 2, updateStrategy: {type: OnDelete}, events: [{at: 0, template: r2}]}\n"
Gpulab = Callable[..., tuple[int, str, str]]


@pytest.fixture
def rollout(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Gpulab:
    """Runs `gpulab rollout` on a scenario: (exit code, standard output, standard error)."""

    def run(scenario: str, *options: str, lang: str = "en") -> tuple[int, str, str]:
        path = tmp_path / "rollout.yaml"
        path.write_text(scenario, "utf-8")
        code = main(["rollout", str(path), "--lang", lang, *options])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def test_a_halted_rollout_is_fine_and_its_json_is_that_of_the_design(rollout: Gpulab) -> None:
    code, out, err = rollout(HALTED, "--format", "json")
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert list(found) == ["traceHash", "status", "rolloutStatus", "nodes", "error"]
    assert found["status"]["updated"] == 3
    assert found["error"] is None
    stuck = found["nodes"]["node-3"]
    assert stuck["shouldRun"]
    assert [(pod["revision"], pod["ready"]) for pod in stuck["pods"]] == [("r2", False)]


def test_a_refused_spec_is_code_1_with_the_words_of_the_api_server(rollout: Gpulab) -> None:
    code, out, _ = rollout(REFUSED, "--format", "json")
    assert code == 1
    assert "maxSurge: Invalid value" in json.loads(out)["error"]
    code, out, _ = rollout(REFUSED)
    assert code == 1
    assert "may not be set when maxUnavailable is non-zero" in out


def test_a_budget_refused_on_the_way_is_code_1_too(rollout: Gpulab) -> None:
    changed = HALTED.replace("r2}]\n", "r2}, {at: 60, maxUnavailable: 0}]\n")
    code, out, _ = rollout(changed, "--format", "json")
    found = json.loads(out)
    assert (code, found["status"]["updated"]) == (1, 3)
    assert "cannot be 0 when maxSurge is 0" in found["error"]
    code, out, _ = rollout(changed)
    assert "    60s  The DaemonSet" in out


def test_on_delete_has_no_rollout_status(rollout: Gpulab) -> None:
    code, out, _ = rollout(ON_DELETE, "--format", "json")
    line = json.loads(out)["rolloutStatus"]
    assert (code, line) == (0, "error: rollout status is only available for RollingUpdate strategy type")
    assert "OnDelete" in rollout(ON_DELETE, lang="ko")[1]


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [("en", "The rollout has stopped"), ("ja", "ロールアウトは止まっています"), ("ko", "롤아웃이 멈췄다")],
)
def test_a_person_sees_kubectl_and_a_sentence_in_their_language(
    rollout: Gpulab, lang: str, sentence: str
) -> None:
    code, out, _ = rollout(HALTED, lang=lang)
    assert code == 0
    assert "3 out of 5 new pods have been updated..." in out
    assert "NAME                             DESIRED   CURRENT   READY   UP-TO-DATE   AVAILABLE" in out
    assert sentence in out


@pytest.mark.parametrize(
    ("until", "updated", "sentence"), [("3", 1, "still happening"), ("1m", 3, "has stopped")]
)
def test_until_shows_a_moment(rollout: Gpulab, until: str, updated: int, sentence: str) -> None:
    _, out, _ = rollout(HALTED, "--until", until, "--format", "json")
    assert json.loads(out)["status"]["updated"] == updated
    assert sentence in rollout(HALTED, "--until", until)[1]


def test_large_fleets_are_cut_in_text_only(rollout: Gpulab) -> None:
    large = HALTED.replace("nodes: 5", "nodes: 200").replace("[node-3]", "all")
    assert "... 140 more" in rollout(large)[1]
    assert len(json.loads(rollout(large, "--format", "json")[1])["nodes"]) == 200


@pytest.mark.parametrize(
    ("scenario", "options", "words"),
    [
        (HALTED, ["--until", "soon"], "--until soon"),
        (HALTED.replace("never-ready", "late"), [], "3:"),
        ("rollout: [", [], "not YAML"),
    ],
)
def test_wrong_usage_and_scenarios_that_cannot_run_are_code_2(
    rollout: Gpulab, scenario: str, options: list[str], words: str
) -> None:
    code, out, err = rollout(scenario, *options)
    assert (code, out) == (2, "")
    assert words in err


def test_a_rollout_that_is_too_large_is_code_2(rollout: Gpulab, monkeypatch: pytest.MonkeyPatch) -> None:
    def limited(given: Rollout) -> RolloutEnd:
        return run_rollout(given, visit_limit=20)

    monkeypatch.setattr("labs.commands.rollout.rollout.run_rollout", limited)
    code, out, err = rollout(HALTED)
    assert (code, out) == (2, "")
    assert "after 20 steps" in err


BESIDE = """\
format: 1
horizon: 10m
nodes:
  - {name: n1, gpus: {model: a100-40gb, count: 1}}
  - {name: n2, gpus: {model: a100-40gb, count: 1}}
workloads:
  - {name: w, count: 3, request: {nvidia.com/gpu: 1}, job: {kind: idle}}
rollout:
  revisions: {r2: {config: "{version: v1, sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 5}]}}}"}}
  behaviour: [{nodes: [n2], revisions: [r2], pod: init-stuck}]
  events: [{at: 3, template: r2}]
"""


def test_beside_nodes_the_json_has_what_each_node_offers_and_runs(rollout: Gpulab) -> None:
    code, out, err = rollout(BESIDE, "--format", "json")
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert found["status"]["updated"] == 2
    assert (found["nodes"]["n1"]["capacity"], found["nodes"]["n1"]["config"]) == ({"nvidia.com/gpu": 5}, "r2")
    stuck = found["nodes"]["n2"]
    assert (stuck["capacity"], stuck["allocatable"], stuck["requested"]) == (
        {"nvidia.com/gpu": 0},
        {"nvidia.com/gpu": 0},
        {"nvidia.com/gpu": 1},
    )
    assert [pod["phase"] for pod in stuck["workloadPods"]] == ["Running"]
    early = json.loads(rollout(BESIDE, "--format", "json", "--until", "4")[1])
    assert [(pod["name"], pod["phase"]) for pod in early["waitingPods"]] == [("w-2", "Pending")]
    assert early["status"]["updated"] == 0


def test_beside_nodes_a_person_sees_capacity_and_allocatable(rollout: Gpulab) -> None:
    _, out, _ = rollout(BESIDE)
    capacity = "CAPACITY(GPU):.status.capacity.nvidia\\.com/gpu"
    assert f"{capacity},ALLOCATABLE(GPU):.status.allocatable.nvidia\\.com/gpu'\n" in out
    assert "NAME   READY   CORDONED   CAPACITY(GPU)   ALLOCATABLE(GPU)\n" in out
    assert (
        "\nn1     True    <none>     5               5\nn2     True    <none>     0               0\n" in out
    )
    assert "\nw-1    Running   <none>   n2\n" in out
    assert "The rollout has stopped" in out


@pytest.mark.parametrize("strategy", ["{rollingUpdate: {maxSurge: 1}}", "{type: Recreate}"])
def test_beside_nodes_a_refused_spec_is_code_1_for_run_and_rollout_alike(
    rollout: Gpulab, capsys: pytest.CaptureFixture[str], tmp_path: Path, strategy: str
) -> None:
    refused = BESIDE.replace("  events:", f"  updateStrategy: {strategy}\n  events:")
    code, out, _ = rollout(refused, "--format", "json")
    words = json.loads(out)["error"]
    assert (code, words.startswith('The DaemonSet "')) == (1, True)
    path = tmp_path / "refused.yaml"
    path.write_text(refused, "utf-8")
    for form in ("json", "text", "html", "svg"):
        assert main(["run", str(path), "--format", form, "--lang", "en"]) == 1
        out, err = capsys.readouterr()
        if form == "json":
            assert (json.loads(out)["error"], json.loads(out)["pods"]) == (words, [])
        else:
            assert words in (out if form == "text" else err)


def test_a_change_refused_on_the_way_is_code_1_for_run_and_rollout_alike(
    rollout: Gpulab, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    changed = BESIDE.replace("template: r2}]", "template: r2}, {at: 70, maxSurge: 1}]")
    assert changed != BESIDE
    code, out, _ = rollout(changed, "--format", "json")
    assert (code, json.loads(out)["notes"][0]["code"]) == (1, "refused")
    path = tmp_path / "refused.yaml"
    path.write_text(changed, "utf-8")
    assert main(["run", str(path), "--format", "json", "--lang", "en"]) == 1
    answer = json.loads(capsys.readouterr()[0])
    assert answer["rollout"]["error"] == json.loads(out)["error"]
    assert main(["run", str(path), "--format", "text", "--lang", "en"]) == 1
    told = " ".join(capsys.readouterr()[0].split())
    assert "may not be set when maxUnavailable is non-zero" in told


def test_what_kubectl_says_is_in_the_json_too(rollout: Gpulab) -> None:
    code, out, _ = rollout("rollout: {nodes: 2, events: [{at: 5, undo: true}]}", "--format", "json")
    found = json.loads(out)
    assert (code, found["error"]) == (0, None)
    assert found["printed"] == [{"at": 5.0, "words": "error: no last revision to roll back to"}]
    assert [(note["code"], note["at"]) for note in found["notes"]] == [("refused", 5.0)]


@pytest.mark.parametrize("scenario", [HALTED, BESIDE])
def test_watch_prints_what_changes_and_ends_with_the_last_line(rollout: Gpulab, scenario: str) -> None:
    code, out, err = rollout(scenario, "--watch")
    lines = [line for line in out.splitlines() if "rollout to finish" in line]
    assert (code, err, out) == (0, "", rollout(scenario, "--watch")[1])
    last = "3 out of 5" if scenario is HALTED else "1 of 2 updated pods are available"
    assert last in lines[-1]
    assert len(lines) == len(set(lines))
    rows = [json.loads(line) for line in rollout(scenario, "--watch", "--format", "json")[1].splitlines()]
    assert [row["at"] for row in rows] == sorted(row["at"] for row in rows)
    assert [row["reason"] for row in rows if row["what"] == "rollout-status"][-1].endswith(lines[-1][-40:])
    until = rollout(scenario, "--watch", "--until", "4")[1]
    assert set(until.splitlines()) < set(out.splitlines())


def test_watch_gives_what_kubectl_answers_word_for_word(rollout: Gpulab) -> None:
    told = (
        "rollout: {nodes: 2, events: [{at: 20, undo: 7}, {at: 30, cordon: node-1}, {at: 40, cordon: node-1}]}"
    )
    lines = [line.split("  ")[-1] for line in rollout(told, "--watch")[1].splitlines() if " # " in line]
    assert lines == [
        "# error: unable to find specified revision 7 in history",
        "# cordon node-1",
        "# node/node-1 already cordoned",
    ]


@pytest.mark.parametrize("options", [(), ("--watch",), ("--until", "1"), ("--format", "json")])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_fleet_whose_nodes_have_all_gone_is_told_too(
    rollout: Gpulab, lang: str, options: tuple[str, ...]
) -> None:
    gone = "rollout: {nodes: 2, events: [{at: 5, deleteNode: [node-1, node-2]}]}\n"
    code, out, err = rollout(gone, *options, lang=lang)
    assert (code, err) == (0, "")
    assert "successfully rolled out" in out


@pytest.mark.parametrize("nothing", ["", " null", " ~"])
@pytest.mark.parametrize("beside", ["nodes: []", "workloads: []", "horizon: 10m"])
def test_no_rollout_beside_nodes_is_said_to_be_missing(rollout: Gpulab, beside: str, nothing: str) -> None:
    code, out, err = rollout(f"format: 1\n{beside}\nrollout:{nothing}\n")
    assert (code, out) == (2, "")
    assert "There is no rollout in this scenario" in err


NO_EFFECT = "rollout:\n  nodes: 2\n  until: 300\n  events:\n    - {at: 10, uncordon: node-1}\n    - {at: 400, undo: true}\n"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_nothing_came_of_is_told_with_its_place_in_every_form(rollout: Gpulab, lang: str) -> None:
    code, out, _ = rollout(NO_EFFECT, "--format", "json", lang=lang)
    notes = json.loads(out)["notes"]
    assert code == 0
    assert [(note["line"], note["column"], note["code"]) for note in notes] == [
        (5, 7, "unchanged"),
        (6, 7, "late"),
    ]
    assert all(note["what"] and note["message"] and note["help"] for note in notes)
    told = [notes[0]["help"], notes[1]["help"]]
    assert all(words in rollout(NO_EFFECT, lang=lang)[1] for words in told)
    assert all(words in rollout(NO_EFFECT, "--watch", lang=lang)[1] for words in told)
    lines = rollout(NO_EFFECT, "--watch", "--format", "json", lang=lang)[1].splitlines()
    assert [json.loads(line)["help"] for line in lines[-2:]] == told


def test_a_later_end_given_in_the_terminal_lets_late_events_happen(rollout: Gpulab) -> None:
    _, out, _ = rollout(NO_EFFECT, "--until", "500", "--format", "json")
    assert [note["code"] for note in json.loads(out)["notes"]] == ["unchanged", "refused"]


EMPTY = "rollout: {nodes: 2, events: [{at: 10, deleteNode: all}]}\n"
EMPTY_BESIDE = """\
format: 1
horizon: 10m
nodes: [{name: a, gpus: {model: a100-40gb, count: 1}}, {name: b, gpus: {model: a100-40gb, count: 1}}]
workloads: [{name: w, request: {nvidia.com/gpu: 1}}]
rollout: {events: [{at: 10, deleteNode: all}]}
"""


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("scenario", [EMPTY, EMPTY_BESIDE])
def test_a_fleet_without_nodes_is_said_to_be_one(rollout: Gpulab, scenario: str, lang: str) -> None:
    words = builtin_library().messages[lang]
    code, out, _ = rollout(scenario, lang=lang)
    assert code == 0
    assert words.text("fleet.sentence.empty") in out
    assert "(0)" not in out
    assert "\nNo resources found in gpu-operator namespace.\n\n$ kubectl get nodes -o custom-columns=" in out
    assert "\nNAME   READY   CORDONED\n\n" in out
