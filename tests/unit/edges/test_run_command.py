"""What `gpulab run` does around a run."""

from __future__ import annotations

import gc
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from labs.cli import main
from labs.commands import run as run_command
from labs.commands.run import collecting_seldom
from labs.library import builtin_library
from tests.unit.scenarios import STORY

Ran = tuple[int, str, str]
Run = Callable[..., Ran]
ENGLISH = builtin_library().messages["en"]


@pytest.fixture
def gpulab(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command line in English and returns its exit code, standard output and standard error."""

    def run(*arguments: str) -> Ran:
        try:
            code = main([*arguments, "--lang", "en"])
        except SystemExit as left:
            code = int(str(left.code))
        written = capsys.readouterr()
        return code, written.out, written.err

    return run


def story(folder: Path) -> str:
    """The article's scenario as a file."""
    path = folder / "story.yaml"
    path.write_text(STORY, "utf-8")
    return str(path)


def test_the_garbage_collector_is_back_at_work_after_a_run_that_failed() -> None:
    before = gc.get_threshold()

    def fail() -> None:
        with collecting_seldom():
            assert gc.get_threshold() > before
            raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        fail()
    assert gc.get_threshold() == before


@pytest.mark.parametrize("form", ["text", "html", "svg"])
def test_the_pictures_are_those_that_were_asked_for(gpulab: Run, tmp_path: Path, form: str) -> None:
    cards, time = ENGLISH.text("picture.cards.title"), ENGLISH.text("timeline.heading")
    for picture, shown in (("cards", {cards}), ("time", {time}), ("both", {cards, time})):
        code, out, err = gpulab("run", story(tmp_path), "--format", form, "--picture", picture)
        assert (code, err) == (0, "")
        assert {words for words in (cards, time) if words in out} == shown


def test_a_lab_is_shown_with_its_own_pictures(gpulab: Run) -> None:
    time = ENGLISH.text("timeline.heading")
    assert time in gpulab("lab", "run", "utilization-trap")[1]
    assert time not in gpulab("lab", "run", "utilization-trap", "--picture", "cards")[1]
    assert time not in gpulab("lab", "run", "slots-and-memory")[1]


def test_a_picture_that_is_none_is_wrong_usage(gpulab: Run, tmp_path: Path) -> None:
    code, out, err = gpulab("run", story(tmp_path), "--picture", "clock")
    assert (code, out) == (2, "")
    assert "clock" in err


WITHOUT_NODES = """\
format: 1
horizon: 10m
nodes: [{name: a, gpus: {model: a100-40gb, count: 1}}, {name: b, gpus: {model: a100-40gb, count: 1}}]
workloads: [{name: w, request: {nvidia.com/gpu: 1}}]
rollout:
  events: [{at: 10, deleteNode: all}, {at: 20, cordon: a}]
"""


@pytest.mark.parametrize("form", ["text", "html", "svg", "json"])
def test_a_cluster_whose_nodes_have_gone_and_what_nothing_came_of_are_told(
    gpulab: Run, tmp_path: Path, form: str
) -> None:
    path = tmp_path / "gone.yaml"
    path.write_text(WITHOUT_NODES, "utf-8")
    code, out, err = gpulab("run", str(path), "--format", form)
    assert (code, err) == (0, "")
    assert "no nodes available to schedule pods" in out
    if form == "json":
        found = json.loads(out)
        assert (found["nodes"], found["metrics"]["nodes"], found["metrics"]["slots"]) == ([], 0, 0)
        assert [(note["line"], note["code"]) for note in found["notes"]] == [(6, "node-absent")]
    else:
        assert ENGLISH.text("picture.empty") in out
    if form in ("text", "html"):
        flat = " ".join(out.split())
        assert ENGLISH.text("sentence.no_nodes") in flat
        assert "Nothing came of line 6" in flat


class Screen(io.StringIO):
    """Standard error as a person sees it."""

    def isatty(self) -> bool:
        return True


def test_a_person_sees_how_far_a_long_run_has_come_and_nothing_is_left_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(run_command, "PATIENCE_S", -1)
    main(["run", story(tmp_path), "--lang", "ja"])
    *bars, blank, rest = screen.getvalue().split("\r")[1:]
    words = builtin_library().messages["ja"].text("cli.simulating")
    assert bars
    assert {bar.startswith(f"{words} ") and bar.endswith("%") for bar in bars} == {True}
    assert (blank.strip(), len(blank) > len(bars[-1]), rest) == ("", True, "")


def test_a_short_run_shows_no_bar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(run_command, "PATIENCE_S", float("inf"))
    main(["run", story(tmp_path), "--lang", "en"])
    assert screen.getvalue() == ""


def test_where_nobody_looks_there_is_no_bar(
    gpulab: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_command, "PATIENCE_S", -1)
    assert gpulab("run", story(tmp_path))[2] == ""
