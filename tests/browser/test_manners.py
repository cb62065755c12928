"""How the pages behave on a host: under a path, in a frame, under a strict policy, and without a lab."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from labs.site_server import POLICY, site_server
from tests.browser.lab_page import ARTICLE, LAB, ROOTS, LabInPage, answer_of_python

every_language = pytest.mark.parametrize("language", list(ROOTS))


def use(lab: LabInPage, language: str) -> None:
    lab.press("big", "ArrowLeft", times=32)
    lab.says(answer_of_python(language, change={"preset": "small"}))


@every_language
def test_the_lab_works_under_a_path(page: Page, site_url_under_path: str, language: str) -> None:
    page.goto(f"{site_url_under_path}{ROOTS[language]}{ARTICLE}")
    use(LabInPage(page), language)


@every_language
def test_the_lab_works_on_the_landing_page_and_on_its_own(page: Page, site_url: str, language: str) -> None:
    for place in ("", "labs/slots-and-memory/"):
        page.goto(f"{site_url}{ROOTS[language]}{place}")
        lab = LabInPage(page)
        use(lab, language)
        lab.root.locator('[data-action="reset"]').click()
        lab.says(answer_of_python(language))


@every_language
def test_pages_without_a_lab_load_none_of_it(page: Page, site_url: str, language: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{site_url}{ROOTS[language]}contributing/", wait_until="networkidle")
    assert page.locator("gpu-lab").count() == 0
    assert [url for url in asked if "/assets/labs/" in url] == []


@pytest.fixture(scope="module")
def strict_site_url(site_dir: Path) -> Iterator[str]:
    """The site from a host that sends a strict Content-Security-Policy with every file."""
    server = site_server(site_dir, port=0)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
    thread.join()


@every_language
def test_a_strict_policy_finds_nothing_to_block(page: Page, strict_site_url: str, language: str) -> None:
    page.add_init_script(
        "window.blocked = []; addEventListener('securitypolicyviolation', (e) => blocked.push(e.blockedURI))"
    )
    for place in ("", ARTICLE, "labs/", "labs/slots-and-memory/", "contributing/"):
        response = page.goto(f"{strict_site_url}{ROOTS[language]}{place}", wait_until="load")
        assert response is not None
        assert response.headers["content-security-policy"] == POLICY
        if place == ARTICLE:
            use(LabInPage(page), language)
        assert page.evaluate("blocked") == []


def test_the_lab_works_in_a_frame(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}contributing/")
    page.evaluate(
        "(src) => document.body.replaceChildren(Object.assign(document.createElement('iframe'),"
        " {src, width: 800, height: 700}))",
        f"{site_url}en/{ARTICLE}",
    )
    page.frames[-1].wait_for_load_state()
    frame = page.frame_locator("iframe")
    lab = frame.locator(f'gpu-lab[lab="{LAB}"]')
    expect(lab.locator('[data-control="big"]')).to_be_visible()  # the page's script has run
    lab.locator('[data-control="big"]').press("Home")
    answer = answer_of_python("en", change={"control": "big", "value": "1"})
    expect(lab.locator('[data-region="hash"] code')).to_have_text(answer["traceHash"])
