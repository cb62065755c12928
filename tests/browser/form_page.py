"""A form lab in a page, as a reader sees and uses it, and what this machine's Python says about the same."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Locator, Page, expect

from labs.browser import respond
from tests.browser.lab_page import words

FOUR_WAYS, ESTIMATE = "four-ways", "estimate"
TOLD = {FOUR_WAYS: ("summary", "ways", "layout", "command"), ESTIMATE: ("summary", "job", "command")}


class FormInPage:
    """The form lab of a page that is open."""

    def __init__(self, page: Page, lab: str) -> None:
        self.page, self.lab = page, lab
        self.root = page.locator(f'gpu-form[lab="{lab}"]')

    def region(self, name: str) -> Locator:
        return self.root.locator(f'[data-region="{name}"]')

    def field(self, key: str) -> Locator:
        return self.root.locator(f'[data-field="{key}"]')

    def problem(self, key: str) -> Locator:
        return self.root.locator(f'[data-problem="{key}"]')

    def button(self, name: str) -> Locator:
        """A button by the end of its id: `preset-small`, `measured-add`, `measured.0-remove`."""
        return self.root.locator(f'[id="lab-{self.lab}-{name}"]')

    def says(self, answer: dict[str, Any]) -> None:
        """Waits until the page shows that answer."""
        for name in TOLD[self.lab]:
            expect(self.region(name)).to_have_text(words(answer["regions"][name]))


def answer_of_python(
    lab: str, language: str, values: dict[str, str] | None = None, *changes: dict[str, Any]
) -> dict[str, Any]:
    """What this machine's Python answers to the request that a page makes."""
    request = {"kind": "form", "lab": lab, "lang": language, "values": values or {}, "changes": changes}
    answer: dict[str, Any] = json.loads(respond(json.dumps(request)))
    return answer
