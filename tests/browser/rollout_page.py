"""A rollout lab in a page, as a reader sees and uses it, and what this machine's Python says about the same."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Locator, Page, expect

from labs.browser import respond
from labs.library import builtin_library
from tests.browser.lab_page import words

ROLLOUT = "labs/rollout/"
LAB = builtin_library().rollouts["stops-on-one-node"]
TOLD = ("sentence", "kubectl", "deeds", "acts", "hash")


class RolloutInPage:
    """A rollout lab of a page that is open."""

    def __init__(self, page: Page, lab_id: str = LAB.id) -> None:
        self.page, self.id = page, f"lab-{lab_id}"
        self.root = page.locator(f"gpu-rollout#{self.id}")
        self.play = self.root.locator('[data-action="play"]')
        self.time = self.root.locator("[data-time]")
        self.yaml = self.root.locator("[data-yaml]")

    def region(self, name: str) -> Locator:
        return self.root.locator(f'[data-region="{name}"]')

    def part(self, name: str) -> Locator:
        """A button or a field by the end of its id: `act-undo`, `failure`, `preset-surge`, `take-back-1`."""
        return self.root.locator(f"#{self.id}-{name}")

    def says(self, answer: dict[str, Any], *, only: tuple[str, ...] = TOLD) -> None:
        """Waits until the page shows that answer."""
        for name in only:
            if name in answer["regions"]:
                expect(self.region(name)).to_have_text(words(answer["regions"][name]))


def answer_of_python(
    language: str,
    *changes: dict[str, Any],
    text: str = LAB.scenario,
    at: int | None = None,
    node: str | None = None,
) -> dict[str, Any]:
    """What this machine's Python answers to the request that a page makes."""
    shown = {"text": text, "at": at, "node": node}
    request = {"kind": "rollout", "lab": LAB.id, "lang": language, **shown, "changes": changes}
    answer: dict[str, Any] = json.loads(respond(json.dumps(request)))
    return answer
