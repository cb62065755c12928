"""What Chromium really asks for when a page is opened, beside what is counted from the files and what is allowed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

from checks.weight import budget, kind_of, page_files, weight

ADDRESSES = ["", "en/articles/gpu-sharing/", "ko/labs/slots-and-memory/", "labs/", "contributing/"]
# Of a lab that is near: its Python, of which the worker's scripts are the beginning, and what is shown until that is there.
WORKER = ("worker.js", "files.js", "pyodide-options.js")
HEAD_START = ("assets/labs/runtime/", "assets/labs/stops/", *(f"assets/labs/{name}" for name in WORKER))


@pytest.mark.parametrize("address", ADDRESSES)
def test_what_is_asked_for_is_what_is_counted_and_allowed(
    open_tab: Callable[..., Page], site_url: str, site_dir: Path, address: str
) -> None:
    asked: set[str] = set()
    page = open_tab(
        viewport={"width": 1280, "height": 900},
        locale={"": "ja", "en": "en", "ko": "ko"}.get(address[:2], "ja"),
    )
    page.on("request", lambda request: asked.add(urlsplit(request.url).path.removeprefix("/")))
    page.goto(site_url + address, wait_until="networkidle")
    site = site_dir.resolve()
    files = {site / name / "index.html" if name.endswith("/") or not name else site / name for name in asked}
    own = {file for file in files if not file.relative_to(site).as_posix().startswith(HEAD_START)}
    counted = set(page_files(site, site / address / "index.html"))
    unasked = {file.name for file in counted - own} - {"mark.svg", "print.css"}  # an icon needs a window
    assert unasked == set()
    most = budget("pages", kind_of(address))
    assert weight(own).bytes <= most.bytes, sorted(file.name for file in own)
    assert len(own) <= most.requests, sorted(file.name for file in own)
