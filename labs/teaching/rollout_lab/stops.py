"""What a reader may do first in a rollout lab, and the answers to all of it, for a page to show before Python is there.

It is what the page offers: every situation, every button, every value of every menu, and every second of its slider. Packed
as the answers of other labs are (`stops.py`); `labs/web/stops.js` knows which of them are true of what is shown.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from html.parser import HTMLParser
from typing import Any

from labs.teaching.lab import packed_answers
from labs.teaching.rollout_lab.lab import RolloutLab

OFFERS = ("form", "deeds", "acts")  # the regions with buttons and menus
TIMES = "times"  # not an answer, but what is between the answers of the slider's seconds: see `_times`
END = {"end": True}

Change = Mapping[str, Any]
Answer = dict[str, Any]
Group = list[tuple[str, Answer]]
Ask = Callable[[Change, int | None], Answer]
"""What is answered to a change of the lab as first seen, perhaps at another second than its last."""


def packed_rollout_stops(
    lab: RolloutLab, languages: Sequence[str], respond: Callable[[str], str]
) -> dict[str, bytes]:
    """By language, the answers of `respond` (labs.browser's) to all stops of a rollout lab, packed."""
    asks = {language: _asking(lab, language, respond) for language in languages}
    first = asks[languages[0]]({"reset": True}, None)
    groups: dict[str, list[Group]] = {language: [] for language in languages}
    for stops in _stop_groups(lab, first["regions"]):
        for told in groups.values():
            told.append([])
        for key, change in stops:  # in all languages, while what the scenario comes to is still known
            for language, ask in asks.items():
                groups[language][-1].append((key, ask(change, None)))
    for language, ask in asks.items() if "time" in first else ():
        groups[language] += _times(ask, first["time"]["max"])
    return {
        language: packed_answers([[(key, json.dumps(answer)) for key, answer in group] for group in told])
        for language, told in groups.items()
    }


def key_of(change: Change) -> str:
    """The change as the script writes it."""
    return json.dumps(dict(change), separators=(",", ":"))


def _asking(lab: RolloutLab, language: str, respond: Callable[[str], str]) -> Ask:
    def ask(change: Change, at_s: int | None) -> Answer:
        told = {"kind": "rollout", "lab": lab.id, "lang": language, "text": lab.scenario, "at": at_s}
        answer: Answer = json.loads(respond(json.dumps({**told, "changes": [dict(change)]})))
        return answer

    return ask


def _stop_groups(lab: RolloutLab, regions: Mapping[str, str]) -> list[list[tuple[str, Change]]]:
    """The lab as first seen and its situations; then what it offers there, kind by kind."""
    situations: list[tuple[str, Change]] = [
        (f"preset={preset.id}", {"preset": preset.id}) for preset in lab.presets
    ]
    kinds: dict[str, list[tuple[str, Change]]] = {}
    for kind, change in _offers(regions):
        kinds.setdefault(kind, []).append((key_of(change), change))
    return [[("reset", {"reset": True}), *situations], *kinds.values()]


def _times(ask: Ask, last_s: int) -> list[Group]:
    """The answers of the slider's seconds at which something changes, and that of the end.

    With them what is said of each second, and the seconds to which steps lead.
    """
    told = [ask({"at": second}, None) for second in range(last_s + 1)]
    changes = [
        second
        for second in range(last_s + 1)
        if second == 0 or _rest(told[second - 1]) != _rest(told[second])
    ]
    answers = [(key_of({"at": second}), told[second]) for second in changes]
    words = [answer["time"]["output"] for answer in told]
    between = {"changes": changes, "words": words, "steps": _steps(ask)}
    return [[*answers, (key_of(END), ask(END, None))], [(TIMES, between)]]


def _rest(answer: Answer) -> Answer:
    """An answer but for its second."""
    return {name: value for name, value in answer.items() if name not in ("at", "time")}


def _steps(ask: Ask) -> list[int]:
    """The seconds to which steps lead from the beginning, up to the one before the end."""
    seconds, at_s = [], 0
    while True:
        seconds.append(at_s)
        found = ask({"step": 1}, at_s)["at"]
        if found is None or found <= at_s:
            return seconds
        at_s = found


def _offers(regions: Mapping[str, str]) -> list[tuple[str, Change]]:
    """What the buttons and menus of a lab's regions do, with a name for each kind."""
    reader = _Offers()
    for name in OFFERS:
        reader.feed(regions[name])
    return reader.found


class _Offers(HTMLParser):
    """Reads the changes that HTML offers, as `labs/web/gpu-rollout.js` does."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, Change]] = []
        self._menu: Callable[[str], tuple[str, Change]] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A button, a menu, or a value of the menu that it stands in."""
        given = {name: value or "" for name, value in attrs}
        if "data-change" in given:
            self.found.append(("", json.loads(given["data-change"])))
        elif "data-control" in given:
            control = given["data-control"]
            self._menu = lambda value: (control, {"control": control, "value": value})
        elif "data-node-choice" in given:
            self._menu = lambda value: ("node-choice", {"node": value})
        elif tag == "option" and self._menu is not None and given.get("value"):
            self.found.append(self._menu(given["value"]))
