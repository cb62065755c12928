"""The site opened from a folder, by double click: pages, links, languages and labs, without any server."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.check_page import CheckInPage
from tests.browser.check_page import answer_of_python as check_of_python
from tests.browser.lab_page import LAB, ROOTS, LabInPage, answer_of_python, every_language
from tests.browser.planner_page import PlannerInPage
from tests.browser.planner_page import answer_of_python as plan_of_python
from tests.some import some
from tools import site


@pytest.fixture(scope="module")
def folder() -> Path:
    return site.ensure(for_folder=True)


def opened(page: Page, folder: Path, language: str, place: str) -> Page:
    page.goto((folder / ROOTS[language] / place).as_uri())
    return page


@pytest.mark.slow
def test_a_lab_is_used_and_its_edit_outlives_each_change_of_language(page: Page, folder: Path) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    first, *others = ROOTS
    lab = LabInPage(opened(page, folder, first, "articles/gpu-sharing.html"))
    lab.press("big", "ArrowLeft", times=32)
    small = {"control": "big", "value": "6"}
    lab.says(answer_of_python(first, changes=[small]))
    expect(lab.status).to_be_empty()

    for other in others:
        page.locator(f'.gl-languages a[lang="{other}"]').first.click()
        page.wait_for_url((folder / ROOTS[other] / "articles/gpu-sharing.html").as_uri())
        lab.root.scroll_into_view_if_needed()
        lab.says(answer_of_python(other, changes=[small]))
    assert [url for url in asked if not url.startswith(("file:", "blob:", "data:"))] == []


def test_check_labs_check_in_their_editors_and_share_one_python_with_the_others(
    page: Page, folder: Path
) -> None:
    lab = LabInPage(opened(page, folder, "en", "articles/gpu-sharing.html"))
    lab.press("big", "ArrowLeft", times=32)
    lab.says(answer_of_python("en", changes=[{"control": "big", "value": "6"}]))
    check = CheckInPage(page, "fine")
    check.edit()
    text = "version: v1\nsharing: {timeSlicing: {}}\n"
    check.write(text)
    check.says(check_of_python("en", "fine", text=text))
    expect(check.findings.locator(".gl-code").first).to_have_attribute(
        "href", re.compile(r"\.\./rules/gl\d+\.html")
    )
    assert len(page.workers) == 1


def test_a_planner_lab_plans(page: Page, folder: Path) -> None:
    planner = PlannerInPage(opened(page, folder, "en", "labs/mig-planner.html"))
    planner.button("preset-three-three-one").click()
    planner.says(plan_of_python("en", "", {"preset": "three-three-one"}))


@every_language
def test_links_lead_to_files_that_are_there(page: Page, folder: Path, language: str) -> None:
    opened(page, folder, language, "index.html")
    for address in page.eval_on_selector_all("a[href]", "(links) => links.map((link) => link.href)"):
        if address.startswith("file:"):
            assert Path(address.partition("#")[0].removeprefix("file://")).is_file(), address


def test_no_page_looks_for_scripts_outside_of_the_folder(folder: Path) -> None:
    for path in some(folder.rglob("*.html")):
        scripts = re.findall(r'<script[^>]* src="([^"]+)"', path.read_text("utf-8"))
        outside = [src for src in scripts if not (path.parent / src).resolve().is_relative_to(folder)]
        assert outside == [], path


def test_the_page_says_that_it_cannot_be_searched(page: Page, folder: Path) -> None:
    opened(page, folder, "en", "index.html")
    page.locator(".gl-search-open").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".gl-search-folder")).to_be_visible()
    expect(dialog.get_by_role("searchbox")).to_be_hidden()


def test_a_link_to_a_lab_is_opened(page: Page, folder: Path) -> None:
    page.goto((folder / "en" / "labs" / f"{LAB}.html").as_uri() + f"#lab={LAB}&v=1&set.big=6")
    lab = LabInPage(page)
    lab.says(answer_of_python("en", changes=[{"control": "big", "value": "6"}]))
    lab.press("big", "ArrowLeft")
    lab.says(answer_of_python("en", changes=[{"control": "big", "value": "5"}]))
    assert "#" not in page.url


def test_without_the_script_that_holds_python_the_page_says_so_and_tries_again(
    page: Page, folder: Path, complaints: list[str]
) -> None:
    page.context.route("**/runtime/folder.js", lambda route: route.abort())
    lab = LabInPage(opened(page, folder, "en", f"labs/{LAB}.html"))
    lab.root.locator('[data-preset="small"]').click()
    expect(lab.status).to_contain_text(lab.root.get_attribute("data-failed") or "")
    lab.says(answer_of_python("en"))
    page.context.unroute_all()
    lab.status.get_by_role("button").click()
    lab.says(answer_of_python("en", changes=[{"preset": "small"}]))
    complaints.clear()
