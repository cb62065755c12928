"""The site and its pages as lists of elements."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.docs.built_page import BuiltPage
from tools.site import ensure

ROOT = Path(__file__).parents[2]
PUBLISHED_AT = "https://labs.example/gpu/"


def build(folder: Path, **options: str) -> Path:
    """Builds the site with these options (SITE_URL, SITE_POLICY) and returns its folder."""
    usual = {name: value for name, value in os.environ.items() if not name.startswith("SITE_")}
    environment = usual | options | {"NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="session")
def site() -> Path:
    """The site as it is built without an address: that of `dev.py test`, built now where it is older than its files."""
    return ensure()


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as it is built for an address below a path of a host that sends no headers."""
    return build(tmp_path_factory.mktemp("published"), SITE_URL=PUBLISHED_AT, SITE_POLICY="meta")


def pages_of(folder: Path) -> dict[str, BuiltPage]:
    """The pages by address relative to the site's root: "", "ko/", "en/labs/"."""
    found = sorted(folder.rglob("index.html"))
    return {
        path.relative_to(folder).as_posix().removesuffix("index.html"): BuiltPage.read(path) for path in found
    }


@pytest.fixture(scope="session")
def pages(site: Path) -> dict[str, BuiltPage]:
    return pages_of(site)


@pytest.fixture(scope="session")
def published_pages(published: Path) -> dict[str, BuiltPage]:
    return pages_of(published)


@pytest.fixture(scope="session")
def target(site: Path) -> Callable[[str, str], tuple[Path, str]]:
    """Finds what a relative link on the page at that address leads to: a file and an anchor."""

    def find(address: str, link: str) -> tuple[Path, str]:
        path, _, anchor = link.partition("#")
        path = path.partition("?")[0]
        file = site / path.lstrip("/") if path.startswith("/") else site / address / path
        if path == "":
            file = site / address
        file = file.resolve()
        return (file / "index.html" if file.is_dir() else file), anchor

    return find
