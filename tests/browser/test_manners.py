"""How the pages behave on a host: under a path, in a frame, under a strict policy, and without a lab."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest
from playwright.sync_api import Page, Response, expect

from labs.site_server import POLICY
from tests.browser.conftest import served
from tests.browser.lab_page import (
    ARTICLE,
    LAB,
    LABS,
    ROOTS,
    LabInPage,
    answer_of_python,
    every_language,
    one_language,
)
from tests.docs.conftest import build


def use(lab: LabInPage, language: str) -> None:
    lab.press("big", "ArrowLeft", times=32)
    lab.says(answer_of_python(language, changes=[{"preset": "small"}]))


@one_language
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


PLACES = ("", ARTICLE, "labs/", *(f"labs/{lab}/" for lab in LABS), "contributing/", "hosting/")
MISSING = "no/such/page/"


@pytest.fixture(scope="module")
def site_url_with_policy_in_pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The site as built for hosts that send no headers, from one."""
    site = build(tmp_path_factory.mktemp("site"), SITE_POLICY="meta")
    with served(site, "/", policy=None) as url:
        yield url


def blocked(
    page: Page,
    url: str,
    language: str,
    policy: Callable[[Response], str | None],
    asking: Sequence[str] = (),
) -> list[str]:
    """What the policy of each kind of page blocks: nothing, but the page has the policy and its lab works.

    Each language goes through a third of the pages, beside the first ones: their scripts and styles are the same in all.
    Python, which is the same for all, is asked in the article, and by the labs of `asking`.
    """
    page.add_init_script(
        "window.blocked = []; addEventListener('securitypolicyviolation', (e) => blocked.push(e.blockedURI))"
    )
    found: list[str] = []
    turn = list(ROOTS).index(language)
    for place in ("", ARTICLE, *PLACES[2 + turn :: len(ROOTS)], MISSING):
        response = page.goto(f"{url}{ROOTS[language]}{place}", wait_until="load")
        assert response is not None
        assert policy(response) == POLICY, place
        if place == ARTICLE:
            use(LabInPage(page), language)
        elif place == MISSING:
            page.locator("h1:visible").first.wait_for()
        elif place.startswith("labs/") and place != "labs/":
            name = place.split("/")[1]
            lab = LabInPage(page, name)
            expect(lab.root.locator(".gl-taking")).to_be_visible()  # the page's script has run
            if name in asking:
                lab.unfold()
                lab.yaml.fill("format: 1\nnonsense: true\n")  # which only Python can answer
                lab.sentence.get_by_text("nonsense").first.wait_for()
        found += page.evaluate("blocked")
        page.evaluate("localStorage.clear()")
    return found


@pytest.mark.slow
@every_language
def test_a_strict_policy_finds_nothing_to_block(
    page_as_built: Page, site_url: str, complaints: list[str], language: str
) -> None:
    def policy(response: Response) -> str:
        return response.headers["content-security-policy"]

    third = LABS[list(ROOTS).index(language) :: len(ROOTS)]
    assert blocked(page_as_built, site_url, language, policy, third) == []
    complaints[:] = [said for said in complaints if not said.startswith("answered 404: ")]


@pytest.mark.slow
@every_language
def test_a_strict_policy_in_the_pages_finds_nothing_to_block(
    page_as_built: Page, site_url_with_policy_in_pages: str, complaints: list[str], language: str
) -> None:
    def policy(response: Response) -> str | None:
        assert "content-security-policy" not in response.headers
        return page_as_built.locator("meta[http-equiv='Content-Security-Policy']").get_attribute("content")

    assert blocked(page_as_built, site_url_with_policy_in_pages, language, policy) == []
    complaints[:] = [said for said in complaints if not said.startswith("answered 404: ")]


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
    answer = answer_of_python("en", changes=[{"control": "big", "value": "1"}])
    expect(lab.locator('[data-region="hash"] code')).to_have_text(answer["traceHash"])
