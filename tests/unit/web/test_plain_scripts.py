"""The scripts of a site that is opened from a folder: whole, and plain."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from labs.teaching.kinds import KINDS
from tools.node_env import find_node
from tools.paths import ROOT

NAMES = tuple(entry.script for entry in KINDS)


def packed(*arguments: object, root: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = [
        find_node().node,
        str(root / "labs" / "web" / "packing" / "scripts.mjs"),
        *map(str, arguments),
    ]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


def write_runtime(folder: Path) -> Path:
    """A packed runtime of one small file of each kind."""
    runtime = folder / "runtime"
    (runtime / "pyodide-1").mkdir(parents=True)
    for name in ("pyodide.js", "pyodide.asm.js", "pyodide.asm.wasm"):
        (runtime / "pyodide-1" / name).write_bytes(b"")
    (runtime / "python.zip").write_bytes(b"")
    manifest = {"pyodide": "pyodide-1", "python": "python.zip", "entry": "labs.browser"}
    (runtime / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    return runtime


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is made of that runtime."""
    folder = tmp_path_factory.mktemp("scripts")
    runtime = write_runtime(folder)
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


@pytest.mark.parametrize("script", ["elements/gpu-lab.js", "runtime/worker.js"])
@pytest.mark.parametrize("in_folder", [False, True])
def test_a_package_that_an_element_or_the_worker_imports_is_listed(
    script: str, in_folder: bool, tmp_path: Path
) -> None:
    web = tmp_path / "labs" / "web"
    shutil.copytree(ROOT / "labs" / "web", web)
    (tmp_path / "node_modules").symlink_to(ROOT / "node_modules")
    importing = 'import crelt from "crelt";\nglobalThis.crelt = crelt;\n'
    (web / script).write_text(importing + (web / script).read_text("utf-8"), "utf-8")
    runtime = ("--runtime", write_runtime(tmp_path)) if in_folder else ()
    editor = tmp_path / "editor"
    result = packed("--out", tmp_path / "scripts", "--editor", editor, *runtime, root=tmp_path)
    assert result.returncode == 0, result.stderr
    packages = json.loads((editor / "packages.json").read_text("utf-8"))
    assert packages["scripts"] == ["crelt"]
    assert "@codemirror/view" in packages["editor"]


def test_without_a_folder_to_write_to_it_says_what_to_say() -> None:
    result = packed()
    assert (result.returncode, result.stderr) == (1, "Say where to: --out FOLDER --editor FOLDER.\n")
