"""axe finds nothing to mend on any kind of page, in both colour schemes and all languages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

import dev
from tests.browser.lab_page import ARTICLE, ROOTS, LabInPage, OpenTab, answer_of_python

AXE = dev.ROOT / "node_modules" / "axe-core" / "axe.min.js"
PLACES = {
    "landing": "",
    "article": ARTICLE,
    "labs": "labs/",
    "lab": "labs/slots-and-memory/",
    "text": "contributing/",
}


def found_by_axe(page: Page, script: Path = AXE) -> list[str]:
    """Each violation as a line: the rule, what it asks for, and where."""
    page.evaluate(script.read_text("utf-8"))
    result: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{rule['id']}: {rule['help']}: {node['target']} {node.get('failureSummary', '')}"
        for rule in result["violations"]
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("place", list(PLACES))
@pytest.mark.parametrize("language", list(ROOTS))
def test_axe_finds_nothing(open_tab: OpenTab, site_url: str, language: str, place: str, scheme: str) -> None:
    page = open_tab(color_scheme=scheme, reduced_motion="reduce")
    page.goto(f"{site_url}{ROOTS[language]}{PLACES[place]}")
    for details in page.locator("gpu-lab details").all():
        details.locator("summary").click()
    assert found_by_axe(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_results_and_errors_of_a_lab(
    open_tab: OpenTab, site_url: str, scheme: str
) -> None:
    page = open_tab(color_scheme=scheme, reduced_motion="reduce")
    page.goto(f"{site_url}en/labs/slots-and-memory/")
    lab = LabInPage(page)
    lab.unfold()
    lab.press("replicas", "Home")
    lab.says(answer_of_python("en", change={"control": "replicas", "value": "1"}))
    assert found_by_axe(page) == []
    lab.yaml.fill("format: 1\nnonsense: true\n")
    lab.sentence.get_by_text("nonsense").first.wait_for()
    assert found_by_axe(page) == []
