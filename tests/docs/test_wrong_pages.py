"""A page that refers to labs wrongly ends the build with its file, its line and the reason."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = Path("docs/ja/labs/index.md")  # Japanese is built first


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """What the site is made from, to be spoiled; answers that were worked out for the real one come along."""
    for folder in ("docs", "theme", "hooks", "labs", "licences", ".cache/stops"):
        if (ROOT / folder).is_dir():
            shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("mkdocs.yml", "LICENSE", "NOTICE"):
        shutil.copy(ROOT / file, tmp_path)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{{slots-and-memory.slot}}", "has no 'slot'"),
        ("```lab\nlab: slots\n```", "there is no lab 'slots'"),
        ("```lab\nformat: 1\nnodez: []\n```", "nodez"),
    ],
)
def test_the_build_ends_with_place_and_reason(copy: Path, text: str, reason: str) -> None:
    page = copy / PAGE
    good = page.read_text("utf-8")
    page.write_text(good + "\n" + text + "\n", "utf-8")
    first = good.count("\n") + 2
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", "site"]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    assert done.returncode == 1, said
    lines = range(first, first + text.count("\n") + 1)
    assert any(f"{PAGE.as_posix()}:{line}:" in said for line in lines), said
    assert reason in said
    assert "Traceback" not in said
