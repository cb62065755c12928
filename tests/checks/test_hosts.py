"""Hosts: addresses of registries and paths of machines are found, ordinary text is not."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from checks import hosts
from tests.checks.trees import write

BAD = [
    "see https://" + "pypi" + ".org/simple",
    "https://files." + "python" + "hosted" + ".org/packages/x.whl",
    '"resolved": "' + 'https://mirror.local/x.tgz"',
    "--index-url " + "https://mirror.local/simple",
    "registry=" + "https://mirror.local/npm/",
    "registry." + "npmjs" + ".org",
    "/" + "home/jane/project/file.py",
    "/" + "Users/jane/project/file.py",
    "open('/" + "root/.cache/x')",
    "/" + "work/main/labs",
]
GOOD = [
    "pypi is a registry; organisations use one",
    "docs.example.org/home/page",
    "omit-lockfile-registry-resolved=true",
    "the registry at https://kubernetes.io/docs/",
    "--index-url " + "https://mirror.example/simple",
    "/var/lib/kubelet/device-plugins",
    "the root/branch of the tree",
]


@pytest.mark.parametrize("text", BAD)
def test_an_address_is_reported_with_its_line(tmp_path: Path, text: str) -> None:
    write(tmp_path, {"notes.md": f"first\n{text}\n"})
    assert [(problem.path, problem.line) for problem in hosts.check(tmp_path)] == [("notes.md", 2)]


@pytest.mark.parametrize("text", GOOD)
def test_ordinary_text_passes(tmp_path: Path, text: str) -> None:
    write(tmp_path, {"notes.md": f"{text}\n"})
    assert hosts.check(tmp_path) == []


def test_binary_files_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "image.bin").write_bytes(b"\0" + BAD[0].encode())
    assert hosts.check(tmp_path) == []


def test_only_tracked_files_count_in_a_checkout(tmp_path: Path) -> None:
    write(tmp_path, {"tracked.md": BAD[0], "loose.md": BAD[0]})
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    subprocess.run(["git", "-C", str(tmp_path), "add", "tracked.md"], check=True)
    assert [problem.path for problem in hosts.check(tmp_path)] == ["tracked.md"]
