"""What `dev.py serve` makes beside the pages: the index over all that are built, and nothing after its end."""

from __future__ import annotations

import shutil
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools import paths, site
from tools.shared_parts import SharedParts

SEARCH = """
import pathlib, sys
pages = pathlib.Path(sys.argv[1])
names = sorted(path.relative_to(pages).as_posix() for path in pages.rglob("*.html"))
(pages / "index").write_text(" ".join(names))
"""
SLOW = "import pathlib, time\npathlib.Path('started').touch()\ntime.sleep(600)\n"


@pytest.fixture
def programs(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand-ins for the programs that are started, and a page in each of two languages."""
    monkeypatch.setattr(paths, "VENV_PYTHON", Path(sys.executable))
    monkeypatch.setattr(site, "pack", lambda: None)
    (project / "hooks").mkdir()
    (project / "hooks" / "search.py").write_text(SEARCH, "utf-8")
    (project / "hooks" / "stops.py").write_text(SLOW, "utf-8")
    for name in ("ja/index.html", "ko/ko/index.html"):
        (project / "serve" / name).parent.mkdir(parents=True)
        (project / "serve" / name).touch()
    return project


@pytest.fixture
def shared(programs: Path) -> Iterator[SharedParts]:
    parts = SharedParts(programs / "serve")
    yield parts
    parts.stop()


def wait_for(path: Path) -> str:
    """The text of a file that another thread or program writes."""
    for _ in range(3000):
        if path.exists():
            return path.read_text("utf-8")
        threading.Event().wait(0.01)
    raise AssertionError(f"{path.name} was not made")


def test_the_index_is_over_the_pages_of_all_languages(shared: SharedParts, programs: Path) -> None:
    shared.make_index()
    assert wait_for(programs / "serve" / "search" / "index") == "index.html ko/index.html"


def test_a_page_that_goes_while_it_is_copied_leaves_the_index_to_the_next_time(
    shared: SharedParts,
    programs: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    gone = threading.Event()

    def vanish(*_: object) -> None:
        gone.set()
        raise FileNotFoundError(2, "No such file or directory")

    with monkeypatch.context() as building:
        building.setattr(shutil, "copyfile", vanish)
        shared.make_index()
        assert gone.wait(30)
    shared.make_index()
    assert wait_for(programs / "serve" / "search" / "index") == "index.html ko/index.html"
    assert capsys.readouterr().out == ""


def test_after_the_end_no_program_is_started(shared: SharedParts, programs: Path) -> None:
    shared.make_parts()
    wait_for(programs / "started")
    shared.make_index()
    shared.stop()
    assert not (programs / "serve" / "search").exists()
