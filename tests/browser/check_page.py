"""A check lab in a page, as a reader sees and uses it, and what this machine's Python says about the same."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from playwright.sync_api import Locator, Page, expect

from labs.browser import respond
from labs.library import builtin_library
from tests.browser.lab_page import words

CHECK = "labs/check/"
SAMPLE = "misspelt-key"
SAMPLES = builtin_library().checks
ALL = "Meta+A" if sys.platform == "darwin" else "Control+A"
VIOLATIONS = """
window.violations = [];
addEventListener("securitypolicyviolation", (event) => violations.push(`${event.violatedDirective} ${event.blockedURI}`));
"""  # of a page's policy, from the first on


class CheckInPage:
    """A check lab of a page that is open; `editing` waits for its editor."""

    def __init__(self, page: Page, sample: str = SAMPLE) -> None:
        self.page = page
        self.root = page.locator(f"gpu-check#check-{sample}")
        self.editor = self.root.locator(".cm-content")
        self.area = self.root.locator("[data-yaml]")
        self.findings = self.root.locator(".gl-finding")
        self.signs = self.root.locator(".cm-mark")

    def region(self, name: str) -> Locator:
        return self.root.locator(f'[data-region="{name}"]')

    def field(self, name: str) -> Locator:
        return self.root.locator(f'[data-field="{name}"]')

    def edit(self) -> None:
        """Waits for the editor, and for the first answer, which marks the text."""
        self.root.scroll_into_view_if_needed()
        expect(self.editor).to_be_visible()

    def write(self, text: str) -> None:
        """Puts a text in the place of all that is there, as somebody who pastes it does."""
        self.editor.focus()
        self.page.keyboard.press(ALL)
        self.page.keyboard.insert_text(text)

    def says(self, answer: dict[str, Any]) -> None:
        """Waits until the page shows that answer."""
        for name in ("summary", "findings", "verdict", "offer", "command"):
            expect(self.region(name)).to_have_text(words(answer["regions"][name]))


def answer_of_python(
    language: str,
    sample: str = SAMPLE,
    *,
    text: str | None = None,
    node: str | None = None,
    deployer: str | None = None,
    changes: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """What this machine's Python answers to the request that a page makes."""
    own = SAMPLES[sample]
    request = {
        "kind": "check",
        "lab": f"check-{sample}",
        "lang": language,
        "element": f"check-{sample}",
        "rules": "../../rules/{code}/",
        "text": own.text if text is None else text,
        "node": node or own.node,
        "deployer": str(own.deployer or "") if deployer is None else deployer,
        "changes": changes,
    }
    answer: dict[str, Any] = json.loads(respond(json.dumps(request)))
    return answer
