"""The site, built once into a temporary folder, and its pages as lists of elements."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.docs.built_page import BuiltPage

ROOT = Path(__file__).parents[2]
PUBLISHED_AT = "https://labs.example/gpu/"


def build(folder: Path, site_url: str) -> Path:
    """Builds the site for that address (empty: for any) and returns its folder."""
    environment = os.environ | {"SITE_URL": site_url, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(ROOT)}
    if not site_url:
        del environment["SITE_URL"]
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as it is built without an address."""
    return build(tmp_path_factory.mktemp("site"), "")


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as it is built for an address below a path of its host."""
    return build(tmp_path_factory.mktemp("published"), PUBLISHED_AT)


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
