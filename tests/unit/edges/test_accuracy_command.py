"""`gpulab accuracy`: the JSON of the design, words in three languages, and files that can't be used."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from labs.cli import main
from labs.hardware.catalog import builtin_catalog
from labs.library import LANGUAGES
from labs.report.evidence.accuracy_words import accuracy_json
from labs.simulation.evidence.accuracy import accuracy as accuracy_of
from labs.simulation.evidence.datasets import builtin_points, builtin_points_text
from labs.simulation.evidence.measurement import MAX_BYTES, Measurement

Ran = tuple[int, str, str]
Run = Callable[..., Ran]
MECHANISM = {"points", "medianAbsPercent", "meanAbsPercent"}
GROUP = {"id", "mechanism", "points", "medianAbsPercent", "meanAbsPercent", "p90AbsPercent", "worst"}


@pytest.fixture
def accuracy(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `gpulab accuracy` in this process: (exit code, standard output, standard error)."""

    def run(*arguments: str) -> Ran:
        code = main(["accuracy", "--lang", "en", *arguments])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def file(tmp_path: Path, text: str) -> str:
    path = tmp_path / "points.jsonl"
    path.write_text(text, "utf-8")
    return str(path)


def test_the_json_is_that_of_the_design(accuracy: Run) -> None:
    code, out, err = accuracy("--format", "json")
    answer = json.loads(out)
    assert (code, err) == (0, "")
    assert all(set(each) == GROUP for each in answer["datasets"])
    assert set(answer["mechanisms"]) == {"time-slicing", "mps", "mig"}
    assert all(set(each) == MECHANISM for each in answer["mechanisms"].values())
    assert answer["utilization"]["medianAbsPoints"] <= 10
    assert answer["skipped"] == []


def test_the_packages_own_file_says_the_same_when_it_is_given(accuracy: Run, tmp_path: Path) -> None:
    text = builtin_points_text()  # a file may be as large as MAX_POINTS figures are
    text += "\n" * (MAX_BYTES - len(text.encode()))
    given = accuracy("--format", "json", "--points", file(tmp_path, text))
    assert given == accuracy("--format", "json")


def test_one_row_that_changes_changes_the_figures(accuracy: Run, tmp_path: Path) -> None:
    text = builtin_points_text().replace("293.14033238394836", "586.0")
    assert text != builtin_points_text()
    _, out, _ = accuracy("--format", "json", "--points", file(tmp_path, text))
    first = json.loads(out)["datasets"][0]
    assert first["worst"]["measured"] == 586.0
    assert first["worst"]["percent"] == pytest.approx(-51.3, abs=0.1)


POINTS = builtin_points()
DATASETS = tuple(dict.fromkeys(point.dataset for point in POINTS))
SAMPLE = 3  # rows of each dataset


@pytest.mark.parametrize("dataset", DATASETS)
def test_whichever_row_changes_a_figure_of_the_summary_changes(dataset: str) -> None:
    """Medians and percentiles stay where a figure moves on its own side of them; the mean does not."""

    def summary(points: Sequence[Measurement]) -> tuple[object, ...]:
        answer = accuracy_json(accuracy_of(points, builtin_catalog()))
        return answer["mechanisms"], answer["utilization"], answer["calibration"]

    mine = [point for point in POINTS if point.dataset == dataset]
    before = summary(mine)
    for number in range(0, len(mine), max(1, len(mine) // SAMPLE)):
        row = mine[number]
        changed = [*mine[:number], replace(row, value=row.value * 1.3), *mine[number + 1 :]]
        assert summary(changed) != before, row


def test_figures_that_can_not_be_predicted_are_told_with_their_line(accuracy: Run, tmp_path: Path) -> None:
    rows = builtin_points_text().splitlines()[:2]
    rows.append(rows[1].replace('"yolos-small"', '"unheard-of"'))
    path = file(tmp_path, "\n".join(rows))
    code, out, _ = accuracy("--points", path)
    assert code == 0
    assert "1 figure is not predicted:" in out
    assert "line 3, D01: no figure with role calibrate tells how fast or how demanding" in out
    _, out, _ = accuracy("--points", path, "--format", "json")
    assert [each["reason"] for each in json.loads(out)["skipped"]] == ["no-calibration"]


def test_nothing_that_can_be_predicted_is_bad_news(accuracy: Run, tmp_path: Path) -> None:
    path = file(tmp_path, builtin_points_text().splitlines()[1])
    code, out, _ = accuracy("--points", path, "--format", "json")
    assert code == 1
    assert json.loads(out)["datasets"] == []


def test_a_line_that_is_no_figure_is_shown_with_what_to_do(accuracy: Run, tmp_path: Path) -> None:
    path = file(tmp_path, builtin_points_text().splitlines()[0] + '\n{"dataset": "D01", "value": -3}\n')
    code, out, err = accuracy("--points", path)
    assert (code, out) == (2, "")
    assert f"{path}:2:1: The key gpu is missing here." in err
    assert f"{path}:2:20: value: -3 is no number from" in err
    assert "Write a plain number above 0" in err


@pytest.mark.parametrize(
    ("content", "told"), [(b"\xff\xfe", "not UTF-8"), (b"\n" * (MAX_BYTES + 1), f"more than {MAX_BYTES:,}")]
)
def test_a_file_that_can_not_be_read(accuracy: Run, tmp_path: Path, content: bytes, told: str) -> None:
    path = tmp_path / "points.jsonl"
    path.write_bytes(content)
    code, _, err = accuracy("--points", str(path))
    assert code == 2
    assert told in err


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_its_words(accuracy: Run, tmp_path: Path, language: str) -> None:
    code, out, _ = accuracy("--lang", language)
    assert code == 0
    assert "github.com/nebuly-ai/nos" in out
    rows = builtin_points_text().splitlines()[:2]
    bad = [
        rows[1].replace('"unit": "ms"', '"unit": "parsec"'),
        rows[1].replace('"time-slicing", "profile": null', '"mig", "profile": null'),
        rows[1].replace('"time-slicing", "profile": null', '"mig", "profile": "9g"'),
        rows[1]
        .replace("a100-80gb", "a1")
        .replace('"time-slicing", "profile": null', '"mig", "profile": "9g"'),
        rows[1].replace("service", "training").replace("yolos", "x"),
    ]
    code, out, _ = accuracy("--lang", language, "--points", file(tmp_path, "\n".join([*rows, *bad])))
    assert code == 0
    assert all(word in out for word in ("parsec", "9g", "a1", "a100-80gb"))
