"""Lab files: read whole, or refused with all that is wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.config.own.problem import ProblemsError
from labs.hardware.catalog import builtin_catalog
from labs.library import LANGUAGES, builtin_library
from labs.report.result.picture import Picture
from labs.report.writing.problems import problem_words
from labs.simulation.outcome.metrics import metrics
from labs.teaching.lab.figure import UnknownMetricError
from labs.teaching.scenario_lab.lab import Control, ControlKind, Lab, Preset
from labs.teaching.scenario_lab.reader import read_lab
from labs.teaching.scenario_lab.results import KEPT, Results
from tests.unit.scenarios import STORY, node, outcome, pods, scenario

HEAD = "format: 1\nid: x\nscenario: text\n"


def found(text: str) -> list[tuple[str, str]]:
    with pytest.raises(ProblemsError) as caught:
        read_lab(text)
    for problem in caught.value.problems:
        for language in LANGUAGES:
            assert all(problem_words(problem, builtin_library().messages[language]))
    return [(f"{each.line}:{each.column}", each.key) for each in caught.value.problems]


def test_a_lab_file_in_full() -> None:
    text = """\
format: 1
id: x
scenario: |
  a: 1
controls:
  - {id: a, kind: integer, path: [a, 0, "|", y], minimum: 1, maximum: 9, step: 2, offset: -1, further: true}
  - {id: b, kind: choice, path: [b], options: [one, 2, on]}
presets:
  - {id: p, values: {a: 5, b: one}}
  - {id: q, expect: "{oom: 0}", scenario: "a: 2"}
"""
    assert read_lab(text) == Lab(
        "x",
        "a: 1\n",
        (
            Control(
                "a",
                ControlKind.INTEGER,
                ("a", 0, "|", "y"),
                minimum=1,
                maximum=9,
                step=2,
                offset=-1,
                further=True,
            ),
            Control("b", ControlKind.CHOICE, ("b",), options=("one", "2", "on")),
        ),
        (Preset("p", {"a": 5, "b": "one"}), Preset("q", {}, "{oom: 0}", "a: 2")),
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [("1:1", "missing-key")]),
        ("[", [("1:2", "yaml")]),
        ("- a", [("1:1", "wrong-type")]),
        ("id: x\nscenario: text\n", [("1:1", "missing-key")]),
        ("format: 1\nid: x\nscenario: y\n", [("3:11", "needs-quotes")]),
        (HEAD.replace("1", "2"), [("1:9", "unknown-format")]),
        (HEAD + "control: []\n", [("4:1", "unknown-key-near")]),
        (HEAD + "controls: 5\n", [("4:11", "wrong-type")]),
        (HEAD + "controls: [{id: a, kind: knob, path: [a]}]\n", [("4:26", "not-one-of")]),
        (HEAD + "controls: [{id: a, kind: integer}]\n", [("4:12", "missing-key")]),
        (HEAD + "controls: [{id: a, kind: integer, path: []}]\n", [("4:41", "list-length")]),
        (HEAD + "controls: [{id: a, kind: switch, path: [a], step: x}]\n", [("4:51", "not-a-whole-number")]),
        (HEAD + "presets: [{values: {}}]\n", [("4:11", "missing-key")]),
        (HEAD + "presets: [{id: p, values: {a: 1}}]\n", [("4:28", "unknown-key")]),
        (
            HEAD
            + "controls: [{id: big, kind: switch, path: [a]}]\npresets: [{id: p, values: {bigg: true}}]\n",
            [("5:28", "unknown-key-near")],
        ),
        (
            "format: x\ncontrols: [{}]\n",
            [
                ("1:1", "missing-key"),
                ("1:1", "missing-key"),
                ("1:9", "unknown-format"),
                ("2:12", "missing-key"),
                ("2:12", "missing-key"),
                ("2:12", "missing-key"),
            ],
        ),
    ],
)
def test_all_that_is_wrong_with_a_lab_file(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


@given(st.text(max_size=100))
def test_any_text_is_a_lab_or_has_problems(text: str) -> None:
    with pytest.raises(ProblemsError):
        read_lab(text)


# Results


def test_a_metric_of_a_lab_and_of_its_preset() -> None:
    results = Results(builtin_catalog())
    lab = builtin_library().lab("slots-and-memory")
    assert results.metric(lab, None, "oomPods") == 4
    assert results.metric(lab, "small", "oomPods") == 0


def test_an_unknown_metric_or_preset_says_which_there_are() -> None:
    results = Results(builtin_catalog())
    lab = builtin_library().lab("slots-and-memory")
    with pytest.raises(UnknownMetricError) as metric:
        results.metric(lab, None, "ooms")
    assert "oomPods" in metric.value.known
    with pytest.raises(UnknownMetricError) as preset:
        results.metric(lab, "tiny", "oomPods")
    assert preset.value.known == ("story", "small", "refused", "two", "finds", "agreed")


def test_a_text_is_evaluated_once_while_it_is_kept() -> None:
    results = Results(builtin_catalog())
    first = results.of(STORY)
    for seed in range(KEPT - 1):
        results.of(scenario([node()], [pods("a")], seed=seed))
    assert results.of(STORY) is first
    results.of(scenario([node()], [pods("a")], seed=KEPT))
    assert results.of(STORY) is not first
    assert results.of(STORY).trace_hash == first.trace_hash


def test_a_bounded_result_says_that_the_run_is_too_large() -> None:
    with pytest.raises(ProblemsError) as caught:
        Results(builtin_catalog(), record_limit=10).of(STORY)
    assert [problem.key for problem in caught.value.problems] == ["run-too-large"]


def test_outcomes_are_kept_only_while_their_records_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    results = Results(builtin_catalog())
    texts = [scenario([node()], [pods("a")], seed=seed) for seed in range(3)]
    first, second = results.of(texts[0]), results.of(texts[1])
    monkeypatch.setattr("labs.teaching.scenario_lab.results.RECORDS_KEPT", 2 * len(first.trace.records))
    results.of(texts[2])
    assert results.of(texts[1]) is second
    assert results.of(texts[0]) is not first


def test_every_metric_is_explained() -> None:
    assert metrics.__doc__ is not None
    result = outcome(STORY)
    counted_by_phase = {"pendingPods", "runningPods", "succeededPods", "failedPods", "refusedPods"}
    for key in result.metrics.keys() - counted_by_phase - {"nodes", "crashLoopingPods"}:
        assert f"`{key}`" in metrics.__doc__


@pytest.mark.parametrize("picture", list(Picture))
def test_a_lab_says_which_pictures_it_is_shown_with(picture: Picture) -> None:
    assert read_lab(f"{HEAD}picture: {picture}\n").picture is picture


def test_without_a_word_it_is_shown_with_cards() -> None:
    assert read_lab(HEAD).picture is Picture.CARDS


def test_there_are_no_other_pictures() -> None:
    assert found(f"{HEAD}picture: clock\n") == [("4:10", "not-one-of")]
