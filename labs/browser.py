"""The edge to the browser: the worker's Pyodide calls `respond` with JSON and gets JSON, never an exception.

The script that calls it knows no GPU, no language and no layout: it swaps in the HTML and the form values
that come back.
"""

from __future__ import annotations

import functools
import json
from typing import Any

from labs.library import LANGUAGES, Library, builtin_library
from labs.teaching.kinds import KINDS
from labs.teaching.lab import Limits, Request

RECORD_LIMIT = 200_000  # of one run in a page: about a second
VISIT_LIMIT = 400_000  # of one rollout in a page: 5,000 nodes one by one need two thirds of them
PAGE_LIMITS = Limits(RECORD_LIMIT, VISIT_LIMIT)
UNREADABLE = (ValueError, LookupError, TypeError, OverflowError, RecursionError)

KINDS[0].load()  # before the page says that Python is ready: most pages have such a lab


class Respondent:
    """Answers requests about the labs of a library; each kind is loaded when its first lab asks."""

    def __init__(self, library: Library, limits: Limits = PAGE_LIMITS) -> None:
        self._library = library
        self._kinds = library.opened(limits)

    def respond(self, request: str) -> str:
        """Answers one request. What can't be answered comes back as `{"ok": false, "error": …}`."""
        try:
            raw = json.loads(request)
            if not isinstance(raw, dict):
                raise TypeError(f"a request is an object, not {type(raw).__name__}")
            kinds, messages = self._library.kinds, self._library.messages
            entry = next((entry for entry in kinds if entry.request == raw.get("kind")), kinds[0])
            language = raw.get("lang")
            known = language if isinstance(language, str) and language in messages else "en"
            return json.dumps(self._kinds[entry.name].answer(Request.from_raw(raw, messages[known])))
        except UNREADABLE as error:
            return json.dumps({"ok": False, "error": f"{type(error).__name__}: {error}"})

    def trial_requests(self) -> tuple[dict[str, Any], ...]:
        """What a packed runtime is tried with: all that the kinds compute, in every language."""
        return tuple(
            {**({"kind": entry.request} if entry.request else {}), **trial, "lang": language}
            for entry in self._library.kinds
            for trial in self._kinds[entry.name].trials()
            for language in LANGUAGES
        )


@functools.cache
def _respondent() -> Respondent:
    return Respondent(builtin_library())


def respond(request: str) -> str:
    """Answers one request about the package's labs."""
    return _respondent().respond(request)


def trial_requests() -> tuple[dict[str, Any], ...]:
    """What a packed `labs.browser` is tried with: every kind and lab of the package, in every language."""
    return _respondent().trial_requests()
