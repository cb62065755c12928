"""The scripts of a site that is opened from a folder: whole, and plain."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from labs.teaching.kinds import KINDS
from tools.node_env import find_node
from tools.paths import ROOT

NAMES = tuple(entry.script for entry in KINDS)


def packed(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [
        find_node().node,
        str(ROOT / "labs" / "web" / "packing" / "scripts.mjs"),
        *map(str, arguments),
    ]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is made where the packed runtime is one small file of each kind."""
    folder = tmp_path_factory.mktemp("scripts")
    runtime = folder / "runtime"
    (runtime / "pyodide-1").mkdir(parents=True)
    for name in ("pyodide.js", "pyodide.asm.js", "pyodide.asm.wasm"):
        (runtime / "pyodide-1" / name).write_bytes(b"")
    (runtime / "python.zip").write_bytes(b"")
    manifest = {"pyodide": "pyodide-1", "python": "python.zip", "entry": "labs.browser"}
    (runtime / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    result = packed("--out", folder / "scripts", "--editor", folder / "editor", "--runtime", runtime)
    assert result.returncode == 0, result.stderr
    return folder / "scripts"


def problem_of(script: str, tmp_path: Path) -> str:
    """What Node says of it as a script that is no module."""
    (tmp_path / "plain.cjs").write_text(script, "utf-8")
    command = [find_node().node, "--check", str(tmp_path / "plain.cjs")]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False).stderr


@pytest.mark.parametrize("name", NAMES)
def test_a_plain_script_needs_no_module(scripts: Path, name: str, tmp_path: Path) -> None:
    script = (scripts / name).read_text("utf-8")
    assert "import.meta" not in script
    assert problem_of(script, tmp_path) == ""


def test_the_worker_of_a_folder_is_a_plain_script_with_the_runtimes_files(
    scripts: Path, tmp_path: Path
) -> None:
    script = (scripts / "runtime" / "folder.js").read_text("utf-8")
    folder = json.loads(script.removeprefix("gpuLabFolder(").removesuffix(");\n"))
    assert folder["entry"] == "labs.browser"
    assert [*folder["files"]] == ["pyodide.js", "pyodide.asm.js", "pyodide.asm.wasm", "python.zip"]
    assert "https://folder.invalid/" in folder["worker"]  # labs/web/runtime/folder/files.js
    assert problem_of(folder["worker"], tmp_path) == ""


def test_without_a_folder_to_write_to_it_says_what_to_say() -> None:
    result = packed()
    assert (result.returncode, result.stderr) == (1, "Say where to: --out FOLDER --editor FOLDER.\n")
