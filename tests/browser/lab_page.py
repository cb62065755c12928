"""A lab in a page, as a reader sees and uses it, and what this machine's Python says about the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from html import unescape
from re import sub
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Worker, expect

from labs.browser import respond
from labs.library import LANGUAGES, builtin_library

PATIENCE_MS = 90_000
"""Python starts anew in each test, on a machine that may be busy: nothing is late that comes."""

expect.set_options(timeout=PATIENCE_MS)

OpenTab = Callable[..., Page]  # the fixture `open_tab`
Show = Callable[[str], Page]  # the fixture `show`

LAB = "slots-and-memory"
ARTICLE = "articles/gpu-sharing/"
ROOTS = {"ja": "", "ko": "ko/", "en": "en/"}
assert set(ROOTS) == set(LANGUAGES)
every_language = pytest.mark.parametrize("language", list(ROOTS))
one_language = pytest.mark.parametrize("language", ["ko"])  # for what is the same in all of them

LABS = tuple(builtin_library().labs)
SCENARIO = builtin_library().lab(LAB).scenario
PRESETS = tuple(preset.id for preset in builtin_library().lab(LAB).presets)


class LabInPage:
    """A lab of a page that is open."""

    def __init__(self, page: Page, lab: str = LAB) -> None:
        self.page = page
        self.root = page.locator(f'gpu-lab[lab="{lab}"]')
        self.sentence = self.region("sentence")
        self.status = self.region("status")
        self.yaml = self.root.locator("[data-yaml]")
        self.hash = self.region("hash").locator("code")

    def region(self, name: str) -> Locator:
        return self.root.locator(f'[data-region="{name}"]')

    def control(self, name: str) -> Locator:
        return self.root.locator(f'[data-control="{name}"]')

    def output(self, name: str) -> Locator:
        return self.root.locator(f'[data-output="{name}"]')

    def unfold(self) -> None:
        """Opens the part with the table and the YAML."""
        self.root.locator(".gl-more > summary").click()

    def press(self, control: str, key: str, times: int = 1) -> None:
        """Presses a key in a control, as someone without a mouse does; unfolds what hides it."""
        for folded in self.control(control).locator("xpath=ancestor::details[not(@open)]/summary").all():
            folded.press("Enter")
        expect(self.control(control)).to_be_visible()
        self.control(control).focus()
        for _ in range(times):
            self.page.keyboard.press(key)

    def says(self, answer: dict[str, Any]) -> None:
        """Waits until the page shows that answer: its sentence and its Trace hash."""
        expect(self.sentence).to_have_text(words(answer["regions"]["sentence"]))
        if answer["traceHash"] is not None:
            expect(self.hash).to_have_text(answer["traceHash"])


def answer_of_python(
    language: str,
    *,
    lab: str = LAB,
    text: str = SCENARIO,
    changes: Sequence[Mapping[str, Any]] = (),
    moment: int | None = None,
    only: Sequence[str] = (),
) -> dict[str, Any]:
    """What this machine's Python answers to the request that a page makes."""
    request = {"lab": lab, "lang": language, "text": text, "element": f"lab-{lab}"}
    asked = {**request, "changes": changes, "moment": moment, "only": only}
    answer: dict[str, Any] = json.loads(respond(json.dumps(asked)))
    return answer


def at(tab: Page | Show, address: str) -> Page:
    """The page of an address: in a tab of its own, or in the one in which Python runs already."""
    if not isinstance(tab, Page):
        return tab(address)
    tab.goto(address)
    return tab


def words(html: str) -> str:
    """The text of a piece of HTML."""
    return unescape(sub(r"<[^>]*>", "", html))


def listening_worker(page: Page) -> Worker:
    """The page's one worker, once it has answered: what a test puts into it then meets the next thing the reader does.

    Before, its script would replace that, or the answer that pages ask for ahead would meet it, of which nobody is told.
    """
    while not page.evaluate(
        "Boolean(globalThis.gpuLabRuntime?.isWarm)"
    ):  # the policy allows no wait_for_function
        page.wait_for_timeout(50)
    [worker] = page.workers
    return worker
