"""The fixtures of these tests notice what they are there to notice, in a page and in its workers."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import served

ELSEWHERE = "https://elsewhere.example/"
COMPLAINTS = {
    "console.error('oh no')": "console: oh no",
    "setTimeout(() => { throw new Error('oh dear') })": "script: oh dear",
    "fetch('http://127.0.0.1:9/').catch(() => 0)": "not answered, net::ERR_",
    "fetch('missing.json')": "answered 404: ",
    f"fetch('{ELSEWHERE}').catch(() => 0)": f"a request left the origin: {ELSEWHERE}",
}


@pytest.mark.parametrize("place", ["page", "worker"])
@pytest.mark.parametrize("script", COMPLAINTS)
def test_it_is_noticed(script: str, place: str, page: Page, complaints: list[str], tmp_path: Path) -> None:
    start = script if place == "page" else "new Worker('worker.js')"
    (tmp_path / "worker.js").write_text(script, "utf-8")
    (tmp_path / "favicon.ico").touch()
    (tmp_path / "index.html").write_text(
        f"<!doctype html><title>A page</title><script>{start}</script>", "utf-8"
    )
    expected = COMPLAINTS[script]
    with served(tmp_path, "/", policy=None) as url:
        page.goto(url)
        for _ in range(100):
            if any(complaint.startswith(expected) for complaint in complaints):
                break
            page.wait_for_timeout(100)
    assert [complaint for complaint in complaints if complaint.startswith(expected)]
    complaints.clear()


def test_a_page_that_does_nothing_wrong_is_not_complained_about(page: Page, tmp_path: Path) -> None:
    (tmp_path / "favicon.ico").touch()
    (tmp_path / "index.html").write_text("<!doctype html><title>A page</title><p>All is well.", "utf-8")
    with served(tmp_path, "/") as url:
        page.goto(url)
        assert page.inner_text("p") == "All is well."
