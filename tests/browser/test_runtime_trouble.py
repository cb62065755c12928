"""What a reader sees when Python can't be loaded, breaks down or does not answer: words and a way on."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.lab_page import (
    ARTICLE,
    LAB,
    ROOTS,
    SCENARIO,
    LabInPage,
    OpenTab,
    answer_of_python,
    listening_worker,
)

LANGUAGE = "en"
RUNTIME = "**/assets/labs/runtime/"


@pytest.fixture
def page(page: Page) -> Page:
    """A tab without the answers that were worked out for a first touch: every change needs Python."""
    page.context.route("**/assets/labs/stops/*", lambda route: route.abort("aborted"))
    return page


@pytest.fixture
def lab(page: Page, site_url: str) -> LabInPage:
    page.goto(f"{site_url}{ROOTS[LANGUAGE]}labs/{LAB}/")
    return LabInPage(page)


def words_of(lab: LabInPage, case: str) -> str:
    return lab.root.get_attribute(f"data-{case}") or ""


def expect_failure(lab: LabInPage, case: str) -> None:
    expect(lab.status).to_contain_text(words_of(lab, case))
    expect(lab.status).to_have_attribute("role", "alert")
    expect(lab.root.locator("[aria-busy]")).to_have_count(0)


def retry(lab: LabInPage) -> None:
    lab.status.get_by_role("button").click()


def test_a_breakdown_is_told_and_a_retry_goes_on_with_the_edit(lab: LabInPage, complaints: list[str]) -> None:
    lab.press("big", "ArrowLeft", times=8)
    last = answer_of_python(LANGUAGE, changes=[{"control": "big", "value": "30"}])
    lab.says(last)
    worker = listening_worker(lab.page)
    # The worker answers the next request as it does when Python runs out of memory.
    worker.evaluate("void (self.onmessage = () => postMessage({kind: 'crashed', reason: 'out of memory'}))")
    lab.root.locator('[data-preset="small"]').click()
    expect_failure(lab, "crashed")
    expect(lab.status).to_contain_text("out of memory")
    lab.says(last)
    retry(lab)
    lab.says(answer_of_python(LANGUAGE, changes=[{"preset": "small"}]))
    expect(lab.status).to_be_empty()


def test_an_error_in_the_worker_is_a_breakdown_and_the_next_change_starts_anew(
    lab: LabInPage, complaints: list[str]
) -> None:
    lab.press("big", "ArrowLeft")
    lab.says(answer_of_python(LANGUAGE, changes=[{"control": "big", "value": "37"}]))
    worker = listening_worker(lab.page)
    worker.evaluate("void setTimeout(() => { throw new Error('broken') })")
    while lab.page.workers:
        lab.page.wait_for_timeout(50)
    lab.press("big", "ArrowLeft")
    lab.says(answer_of_python(LANGUAGE, changes=[{"control": "big", "value": "36"}]))
    complaints.clear()


@pytest.mark.slow
def test_a_worker_that_does_not_answer_is_stopped_and_the_edit_outlives_a_reload(lab: LabInPage) -> None:
    lab.press("big", "ArrowLeft")
    answer = answer_of_python(LANGUAGE, changes=[{"control": "big", "value": "37"}])
    lab.says(answer)
    worker = listening_worker(lab.page)
    worker.evaluate("void (self.onmessage = () => {})")
    lab.press("replicas", "ArrowLeft")
    expect(lab.status.get_by_role("button")).to_be_visible()
    expect_failure(lab, "stopped")
    expect(lab.yaml).to_have_value(answer["text"])
    retry(lab)
    changed = answer_of_python(LANGUAGE, text=answer["text"], changes=[{"control": "replicas", "value": "4"}])
    lab.says(changed)
    lab.page.reload()
    expect(lab.yaml).to_have_value(changed["text"])


def without(route: Route) -> None:
    route.abort()


def not_found(route: Route) -> None:
    route.fulfill(status=404, body="")


@pytest.mark.parametrize(
    ("file", "answer"),
    [
        ("manifest.json", without),
        ("manifest.json", not_found),
        ("*.zip", without),
        ("*/pyodide.js", not_found),
        ("*/pyodide.asm.js", without),
        ("*/pyodide.asm.wasm", not_found),
    ],
)
def test_a_file_that_does_not_come_is_told_and_a_retry_loads_it(
    page: Page, site_url: str, complaints: list[str], file: str, answer: Callable[[Route], None]
) -> None:
    page.context.route(f"{RUNTIME}{file}", answer)
    page.goto(f"{site_url}{ROOTS[LANGUAGE]}labs/{LAB}/")
    lab = LabInPage(page)
    lab.press("big", "ArrowLeft", times=32)
    expect_failure(lab, "failed")
    expect(lab.hash).to_have_text(answer_of_python(LANGUAGE)["traceHash"])  # the page's own result stays
    page.context.unroute(f"{RUNTIME}{file}", answer)
    retry(lab)
    lab.says(answer_of_python(LANGUAGE, changes=[{"preset": "small"}]))
    complaints.clear()


def test_where_webassembly_is_forbidden_the_page_says_so(
    page: Page, site_url: str, complaints: list[str]
) -> None:
    def forbid(route: Route) -> None:
        response = route.fetch()
        policy = {"content-security-policy": "script-src 'self'"}
        route.fulfill(response=response, headers={**response.headers, **policy})

    page.context.route("**/assets/labs/worker.js", forbid)
    page.goto(f"{site_url}{ROOTS[LANGUAGE]}labs/{LAB}/")
    lab = LabInPage(page)
    lab.press("big", "ArrowLeft", times=32)
    expect_failure(lab, "failed")
    expect(lab.status).to_contain_text("WebAssembly")
    lab.says({**answer_of_python(LANGUAGE)})
    complaints.clear()


def test_where_storage_is_forbidden_the_lab_works_all_the_same(open_tab: OpenTab, site_url: str) -> None:
    page = open_tab()
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new Error('forbidden') }})"
    )
    page.goto(f"{site_url}{ROOTS[LANGUAGE]}labs/{LAB}/")
    lab = LabInPage(page)
    lab.press("big", "ArrowLeft", times=32)
    lab.says(answer_of_python(LANGUAGE, changes=[{"preset": "small"}]))


def test_what_the_page_before_kept_is_only_text(page: Page, site_url: str) -> None:
    """A draft with markup is shown as text, in the field and in the answer."""
    page.goto(f"{site_url}{ROOTS[LANGUAGE]}labs/{LAB}/")
    attack = "format: 1\n<img src=x onerror=document.title='taken'>: 1\n"
    page.evaluate(
        "([key, value]) => localStorage.setItem(key, value)", [f"gpu-sharing-labs/1/draft/{LAB}", attack]
    )
    page.reload()
    lab = LabInPage(page)
    lab.root.scroll_into_view_if_needed()
    expect(lab.yaml).to_have_value(attack)
    expect(lab.sentence).to_contain_text("onerror")
    assert page.locator("img[onerror], img[src=x]").count() == 0
    assert page.title() != "taken"


def test_a_reader_who_is_offline_is_told_and_goes_on_once_online(
    open_tab: OpenTab, site_url: str, complaints: list[str]
) -> None:
    page = open_tab(viewport={"width": 1280, "height": 600})
    page.context.route(
        "**/assets/labs/stops/*", without
    )  # on a slow machine they may be there before it is offline
    page.goto(f"{site_url}{ROOTS[LANGUAGE]}{ARTICLE}", wait_until="load")
    page.context.set_offline(True)
    name = "too-large-request"
    lab = LabInPage(page, name)  # far down the page: nothing of it has been fetched yet
    lab.root.locator('[data-preset="allowed"]').click()
    expect_failure(lab, "failed")
    text = lab.yaml.input_value()
    lab.says(answer_of_python(LANGUAGE, lab=name, text=text))
    page.context.set_offline(False)
    retry(lab)
    lab.says(answer_of_python(LANGUAGE, lab=name, text=text, changes=[{"preset": "allowed"}]))
    complaints.clear()


def test_a_scenario_that_would_run_for_ever_is_stopped_with_a_message(lab: LabInPage) -> None:
    """Programs run out of memory and start again, for a year: Python counts, or the page loses patience."""
    endless = SCENARIO.replace("onOOM: catch", "onOOM: exit").replace("horizon: 10m", "horizon: 8760h")
    lab.unfold()
    lab.yaml.fill(endless)
    stopped = lab.sentence.get_by_text("200,000").or_(lab.status.get_by_text(words_of(lab, "stopped")))
    expect(stopped.first).to_be_visible()
    expect(lab.region("picture").locator("svg").first).to_be_visible()
    expect(lab.yaml).to_have_value(endless)
    lab.root.locator('[data-action="reset"]').click()
    lab.says(answer_of_python(LANGUAGE))
