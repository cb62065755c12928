"""axe finds nothing to mend on any kind of page, in both colour schemes and all languages."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Page

from tests.browser.lab_page import ARTICLE, LABS, ROOTS, LabInPage, OpenTab, answer_of_python, every_language
from tools.paths import ROOT

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
PLACES = {
    "landing": "",
    "article": ARTICLE,
    "labs": "labs/",
    **{f"lab {lab}": f"labs/{lab}/" for lab in LABS},
    "contributing": "contributing/",
    "hosting": "hosting/",
    "licences": "licences/",
}


def found_by_axe(page: Page, script: Path = AXE) -> list[str]:
    """Each violation in the light and in the dark: the scheme, the rule, what it asks for, and where.

    In the dark only the rules about colours are asked again. The page must be one whose policy is bypassed: axe
    tries out styles on it.
    """
    page.evaluate(script.read_text("utf-8"))
    found = []
    schemes: tuple[tuple[Literal["light", "dark"], str], ...] = (
        ("light", "{}"),
        ("dark", "{runOnly: ['color-contrast', 'link-in-text-block']}"),
    )
    for scheme, options in schemes:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        result: dict[str, Any] = page.evaluate(
            f"axe.run(document, {{resultTypes: ['violations'], ...{options}}})"
        )
        found += [
            f"{scheme}: {rule['id']}: {rule['help']}: {node['target']} {node.get('failureSummary', '')}"
            for rule in result["violations"]
            for node in rule["nodes"]
        ]
    return found


@pytest.fixture
def tab(open_tab: OpenTab) -> Page:
    return open_tab(bypass_csp=True, saves_data=True)


IN_EVERY_LANGUAGE = ("landing", "article", "labs")
IN_TURN = [
    (language, place)
    for number, place in enumerate(PLACES)
    for turn, language in enumerate(ROOTS)
    if place in IN_EVERY_LANGUAGE or turn == number % len(ROOTS)
]
"""Pages of a kind differ by their words only: the main ones are looked at in all languages, the others in one of them."""


@pytest.mark.parametrize(("language", "place"), IN_TURN)
def test_axe_finds_nothing(tab: Page, site_url: str, language: str, place: str) -> None:
    tab.goto(f"{site_url}{ROOTS[language]}{PLACES[place]}")
    for details in tab.locator("gpu-lab details").all():
        details.locator("summary").click()
    assert found_by_axe(tab) == []


@every_language
def test_axe_finds_nothing_on_the_page_for_missing_addresses(
    tab: Page, site_url: str, complaints: list[str], language: str
) -> None:
    tab.goto(f"{site_url}{ROOTS[language]}no/such/page/")
    tab.locator("h1:visible").first.wait_for()
    assert found_by_axe(tab) == []
    complaints[:] = [said for said in complaints if not said.startswith("answered 404: ")]


def test_axe_finds_nothing_in_results_and_errors_of_a_lab(tab: Page, site_url: str) -> None:
    tab.goto(f"{site_url}en/labs/slots-and-memory/")
    lab = LabInPage(tab)
    lab.unfold()
    lab.press("replicas", "Home")
    lab.says(answer_of_python("en", changes=[{"control": "replicas", "value": "1"}]))
    assert found_by_axe(tab) == []
    lab.yaml.fill("format: 1\nnonsense: true\n")
    lab.sentence.get_by_text("nonsense").first.wait_for()
    assert found_by_axe(tab) == []


def test_axe_finds_what_is_wrong_in_each_scheme(tab: Page) -> None:
    tab.set_content(
        "<!doctype html><html lang=en><title>A page</title><style>@media (prefers-color-scheme: dark)"
        "{ body { background: #000 } p { color: #222 } }</style><main><h1>A page</h1><p>Words</p><img src=data:,></main>"
    )
    rules = {said.split(": ")[1] + " " + said.split(": ")[0] for said in found_by_axe(tab)}
    assert {"image-alt light", "color-contrast dark"} <= rules
    assert "color-contrast light" not in rules
