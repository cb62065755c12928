"""The browser's Python: complete, reproducible, packed only when something changed."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tools.node_env import find_node
from tools.paths import CACHE, ROOT

PACK = ROOT / "labs" / "web" / "packing" / "python.mjs"


def pack(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [find_node().node, str(PACK), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


@pytest.fixture(scope="module")
def two_folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The runtime, packed twice: the site's, which is packed anew only if it is out of date, and another."""
    folders = (CACHE / "runtime", tmp_path_factory.mktemp("second") / "runtime")
    for folder in folders:
        result = pack("--out", folder, "--python", sys.executable)
        assert result.returncode == 0, result.stderr
    return folders


def contents(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


@pytest.mark.slow
def test_two_builds_are_the_same_to_the_byte(two_folders: tuple[Path, Path]) -> None:
    first, second = map(contents, two_folders)
    assert first.keys() == second.keys()
    assert [name for name in first if first[name] != second[name]] == []


def test_the_manifest_names_every_file_with_its_size(two_folders: tuple[Path, Path]) -> None:
    files = contents(two_folders[0])
    manifest = json.loads(files.pop("manifest.json"))
    assert manifest["files"] == {name: len(content) for name, content in files.items()}
    assert manifest["python"] in files
    assert f"{manifest['pyodide']}/pyodide.asm.wasm" in files


def test_the_zip_holds_bytecode_and_data_uncompressed_and_no_source(two_folders: tuple[Path, Path]) -> None:
    [path] = two_folders[0].glob("*.zip")
    with zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
    names = {entry.filename for entry in entries}
    assert {entry.compress_type for entry in entries} == {zipfile.ZIP_STORED}
    assert {
        "labs/browser.pyc",
        "simpy/core.pyc",
        "labs/hardware/catalog.json",
        "labs/messages/ko/lab.toml",
    } <= names
    rules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "labs" / "lint").rglob("*.py")}
    assert {f"{name}c" for name in rules} <= names  # also those that no trial has asked for
    assert [name for name in names if name.endswith(".py")] == []
    assert "labs/cli.pyc" not in names
    assert path.stat().st_size < 9_200_000


@pytest.mark.slow
def test_what_is_up_to_date_is_left_alone(two_folders: tuple[Path, Path]) -> None:
    folder = two_folders[1]
    manifest = folder / "manifest.json"
    before = manifest.stat().st_mtime_ns
    assert pack("--out", folder, "--python", sys.executable).stdout == ""
    assert manifest.stat().st_mtime_ns == before

    [archive] = folder.glob("python-*.zip")
    archive.unlink()
    assert "The browser's Python is in" in pack("--out", folder, "--python", sys.executable).stdout
    assert archive.is_file()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "--out FOLDER --python INTERPRETER"),
        (("--out", "x", "--colour"), "--colour"),
        (("--out", "x", "--python", "no-such-python"), "run python3 dev.py setup"),
    ],
)
def test_a_mistake_gets_one_sentence(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    result = pack(*arguments)
    assert result.returncode == 1
    assert words in result.stderr
    assert result.stderr.count("\n") == 1
