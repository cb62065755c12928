"""The cache of a lab's ready answers: kept from build to build, and shared by builds at the same time."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from mkdocs.exceptions import PluginError

from hooks import stops
from labs.library import LANGUAGES, builtin_library
from labs.teaching.rollout_lab.kind import RolloutLabs
from labs.teaching.scenario_lab.kind import ScenarioLabs
from tests.docs.conftest import ROOT


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers that cost nothing."""
    for kind in (ScenarioLabs, RolloutLabs):
        monkeypatch.setattr(
            kind, "stops", lambda self, lab_id, languages, respond: dict.fromkeys(languages, b"answers")
        )
    monkeypatch.setattr(RolloutLabs, "unmet", lambda self, lab_id, preset: "")


def test_every_lab_has_a_file_in_each_language_and_the_next_build_finds_them(tmp_path: Path) -> None:
    files = stops.stop_files(tmp_path)
    library = builtin_library()
    assert len(files) == (len(library.labs) + len(library.rollouts)) * len(LANGUAGES)
    files[0].write_bytes(b"kept")
    assert stops.stop_files(tmp_path) == files
    assert files[0].read_bytes() == b"kept"


def test_a_situation_that_does_not_come_to_what_it_expects_ends_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = builtin_library()
    lab = library.lab("slots-and-memory")
    presets = [
        replace(preset, expect="{oom: 7}") if preset.id == "small" else preset for preset in lab.presets
    ]
    own = {**library.labs_by_kind, "lab": {lab.id: replace(lab, presets=tuple(presets))}}
    broken = replace(library, labs_by_kind=own)
    monkeypatch.setattr(stops, "builtin_library", lambda: broken)
    with pytest.raises(PluginError) as caught:
        stops.stop_files(tmp_path)
    place = "labs/teaching/data/labs/slots-and-memory.yaml: small"
    assert str(caught.value) == f"{place}: The scenario expects oom: 7; this run has 0."


def test_a_change_of_the_package_replaces_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = stops.stop_files(tmp_path)
    monkeypatch.setattr(stops, "package_digest", lambda elsewhere: "changed")
    assert {path.parent for path in stops.stop_files(tmp_path)} == {tmp_path / "changed"}
    assert not before[0].exists()


def test_what_the_answers_depend_on_is_all_looked_at() -> None:
    command = "import sys, labs.browser, hooks.stops; print(*(name for name in sys.modules if name.startswith('labs.')))"
    done = subprocess.run(
        [sys.executable, "-c", command], cwd=ROOT, capture_output=True, text=True, check=True
    )
    files = [name.removeprefix("labs.").replace(".", "/") + ".py" for name in done.stdout.split()]
    assert "browser.py" in files
    assert [name for name in files if name.startswith(stops.ELSEWHERE)] == []


def test_what_a_second_build_writes_at_the_same_time_stays(tmp_path: Path) -> None:
    writing = tmp_path / "new-of-another"
    writing.mkdir(parents=True)
    stops.stop_files(tmp_path)
    assert writing.is_dir()


def test_a_second_build_may_have_been_first(tmp_path: Path) -> None:
    fresh, folder = tmp_path / "new-1", tmp_path / "digest"
    fresh.mkdir()
    folder.mkdir()
    (folder / "a.bin").write_bytes(b"first")
    stops._settle(fresh, folder)
    assert [path.name for path in tmp_path.rglob("*")] == ["digest", "a.bin"]
