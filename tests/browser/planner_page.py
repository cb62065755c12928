"""A planner lab in a page, as a reader sees and uses it, and what this machine's Python says about the same."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Locator, Page, expect

from labs.browser import respond
from tests.browser.lab_page import words

PLANNER = "labs/mig-planner/"
SMALL_FIRST = "a100-40gb:1g.5gb_1g.5gb_2g.10gb_3g.20gb"
TOLD = ("summary", "steps", "palette", "slices", "order", "outputs", "command")


class PlannerInPage:
    """The planner lab of a page that is open."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.root = page.locator("gpu-planner")
        self.steps = self.root.locator(".gl-step")
        self.card = self.root.locator('[data-field="card"]')

    def region(self, name: str) -> Locator:
        return self.root.locator(f'[data-region="{name}"]')

    def button(self, name: str) -> Locator:
        """A button or a field by the end of its id: `up-3`, `add-0`, `preset-ones`, `start-1`."""
        return self.root.locator(f"#mig-planner-{name}")

    def says(self, answer: dict[str, Any]) -> None:
        """Waits until the page shows that answer."""
        for name in TOLD:
            expect(self.region(name)).to_have_text(words(answer["regions"][name]))


def answer_of_python(language: str, cut: str = SMALL_FIRST, *changes: dict[str, Any]) -> dict[str, Any]:
    """What this machine's Python answers to the request that a page makes."""
    request = {"kind": "plan", "lab": "mig-planner", "element": "mig-planner", "lang": language}
    answer: dict[str, Any] = json.loads(respond(json.dumps({**request, "cut": cut, "changes": changes})))
    return answer
