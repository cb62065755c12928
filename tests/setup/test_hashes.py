"""Machines agree on every scenario's Trace, and what is said where they don't."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from labs.library import builtin_library
from tools import cli
from tools.hashes import compare, differences, trace_hashes
from tools.paths import ROOT
from tools.process import Failure


def machine(folder: Path, name: str, **hashes: str) -> None:
    """What a machine hands in."""
    (folder / name).mkdir()
    (folder / name / f"{name}.json").write_text(json.dumps(hashes), "utf-8")


def test_every_lab_situation_and_golden_scenario_has_a_hash() -> None:
    library = builtin_library()
    named = [name.removeprefix("lab ") for name in trace_hashes()]
    situations = {f"{lab.id}, {preset.id}" for lab in library.labs.values() for preset in lab.presets}
    golden = {f"golden {path.stem}" for path in (ROOT / "tests/golden/scenarios").glob("*.yaml")}
    assert situations
    assert golden
    assert (situations | set(library.labs) | golden) - set(named) == set()


def test_the_hash_of_a_golden_scenario_is_the_one_beside_it() -> None:
    hashes = trace_hashes()
    stated = {
        f"golden {path.stem}": json.loads(path.read_text("utf-8"))["traceHash"]
        for path in (ROOT / "tests/golden/scenarios").glob("*.json")
    }
    assert stated
    assert {name: hashes[name] for name in stated} == stated


def test_the_command_writes_a_file_that_can_be_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "other"):
        assert cli.main(["hashes", "--out", str(tmp_path / name / f"{name}.json")]) == 0
    assert cli.main(["hashes", "--compare", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"2 machines agree on {len(trace_hashes())} scenarios.\n"


def test_a_scenario_that_differs_somewhere_fails_and_is_named_with_who_says_what(tmp_path: Path) -> None:
    machine(tmp_path, "linux", a="1", b="2")
    machine(tmp_path, "macos", a="1", b="2")
    machine(tmp_path, "windows", a="1", b="3")
    with pytest.raises(Failure, match=r"another Trace elsewhere:\n    b: linux, macos: 2; windows: 3$"):
        compare(tmp_path)


def test_a_scenario_that_one_machine_lacks_is_a_difference() -> None:
    assert differences({"linux": {"a": "1"}, "macos": {}}) == ["a: linux: 1; macos: nothing"]


def test_one_machine_alone_proves_nothing(tmp_path: Path) -> None:
    machine(tmp_path, "linux", a="1")
    with pytest.raises(Failure, match=r"holds 1 file\(s\) of hashes"):
        compare(tmp_path)
