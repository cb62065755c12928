"""The reference pages in the build: written anew only where the package has changed, and by nobody else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

from hooks import reference
from labs.lint.core.explanation import ExplanationError
from labs.report.writing.messages import MessageError
from tests.docs.conftest import ROOT

PAGES = {"en/rules/gl201.md": "# A rule {#gl201}\n"}


@pytest.fixture
def writings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Pages that cost nothing; a number for each time that they are written."""
    times: list[int] = []

    def write() -> dict[str, str]:
        times.append(len(times))
        return PAGES

    monkeypatch.setattr(reference, "_write", write)
    return times


def test_the_next_build_finds_what_was_written(tmp_path: Path, writings: list[int]) -> None:
    assert reference.written_pages(tmp_path / "cache") == PAGES
    assert reference.written_pages(tmp_path / "cache") == PAGES
    assert len(writings) == 1


def test_a_change_of_the_package_replaces_it(
    tmp_path: Path, writings: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    reference.written_pages(tmp_path)
    monkeypatch.setattr(reference, "_IMPORTED", "changed")
    reference.written_pages(tmp_path)
    assert len(writings) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["changed.json"]


def test_what_the_pages_depend_on_is_all_looked_at(tmp_path: Path) -> None:
    command = (
        "import sys, pathlib, hooks.reference as made; made.written_pages(pathlib.Path(sys.argv[1]));"
        "print(*(name for name in sys.modules if name.startswith('labs.')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", command, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    files = [name.removeprefix("labs.").replace(".", "/") + ".py" for name in done.stdout.split()]
    assert "report/pages/reference.py" in files
    assert [name for name in files if name.startswith(reference.ELSEWHERE)] == []


def test_a_file_in_the_place_of_a_page_ends_the_build(
    monkeypatch: pytest.MonkeyPatch, writings: list[int]
) -> None:
    monkeypatch.setattr(reference, "written_pages", lambda cache: PAGES)
    files = Files([File("en/rules/gl201.md", "docs", "site", use_directory_urls=True)])
    with pytest.raises(PluginError, match=r"^docs/en/rules/gl201\.md: the build writes this page"):
        reference._place(files, config=MkDocsConfig())


@pytest.mark.parametrize("error", [ExplanationError("GL201: no headings"), MessageError("no message")])
def test_pages_that_cannot_be_written_end_the_build_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def broken(*given: object) -> dict[str, str]:
        raise error

    monkeypatch.setattr("labs.report.pages.reference_pages", broken)
    with pytest.raises(PluginError) as caught:
        reference._write()
    assert str(caught.value) == f"The reference pages can't be written: {error}"
