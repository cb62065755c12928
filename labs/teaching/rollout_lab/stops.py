"""What a reader may do first in a rollout lab, and the answers to all of it, for a page to show before Python is there.

It is what the page offers: every situation, every button, every value of every menu, and every second of its slider. Packed
as the answers of other labs are; `labs/web/engine/stops.js` knows which of them are true of what is shown.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from labs.report.writing import Messages
from labs.teaching.lab import packed_answers
from labs.teaching.rollout_lab.lab import RolloutLab
from labs.teaching.rollout_lab.regions import MomentView, offers
from labs.teaching.rollout_lab.results import RolloutRun

TIMES = "times"  # not an answer, but what is between the answers of the slider's seconds: see `_times`
END = {"end": True}

Change = Mapping[str, Any]
Answer = dict[str, Any]
Group = list[tuple[str, Answer]]
Ask = Callable[[Change, int | None], Answer]
"""What is answered to a change of the lab as first seen, perhaps at another second than its last."""


def packed_rollout_stops(
    lab: RolloutLab,
    run: RolloutRun,
    messages: Messages,
    languages: Sequence[str],
    respond: Callable[[str], str],
) -> dict[str, bytes]:
    """By language, the answers of `respond` (labs.browser's) to all stops of a rollout lab, packed.

    `run` is that of its scenario; `messages` may be of any language.
    """
    asks = {language: _asking(lab, language, respond) for language in languages}
    groups: dict[str, list[Group]] = {language: [] for language in languages}
    for stops in _stop_groups(lab, run, messages):
        for answers in groups.values():
            answers.append([])
        for key, change in stops:  # in all languages, while what the scenario comes to is still known
            for language, ask in asks.items():
                groups[language][-1].append((key, ask(change, None)))
    for language, ask in asks.items() if run.course is not None else ():
        groups[language] += _times(ask, run.last_s)
    return {
        language: packed_answers(
            [[(key, json.dumps(answer)) for key, answer in group] for group in of_language]
        )
        for language, of_language in groups.items()
    }


def key_of(change: Change) -> str:
    """The change as the script writes it."""
    return json.dumps(dict(change), separators=(",", ":"))


def _asking(lab: RolloutLab, language: str, respond: Callable[[str], str]) -> Ask:
    def ask(change: Change, at_s: int | None) -> Answer:
        request = {"kind": "rollout", "lab": lab.id, "lang": language, "text": lab.scenario, "at": at_s}
        answer: Answer = json.loads(respond(json.dumps({**request, "changes": [dict(change)]})))
        return answer

    return ask


def _stop_groups(lab: RolloutLab, run: RolloutRun, messages: Messages) -> list[list[tuple[str, Change]]]:
    """The lab as first seen and its situations; then what it offers there, kind by kind."""
    situations: list[tuple[str, Change]] = [
        (f"preset={preset.id}", {"preset": preset.id}) for preset in lab.presets
    ]
    view = None if run.course is None else MomentView(run, run.course, run.course.moments[-1])
    offered = offers(lab, lab.scenario, view, messages)
    kinds = [[(key_of(change), change) for change in changes] for changes in offered]
    return [[("reset", {"reset": True}), *situations], *(kind for kind in kinds if kind)]


def _times(ask: Ask, last_s: int) -> list[Group]:
    """The answers of the slider's seconds at which something changes, and that of the end.

    With them what is said of each second, and the seconds to which steps lead.
    """
    answer_of = [ask({"at": second}, None) for second in range(last_s + 1)]
    changes = [
        second
        for second in range(last_s + 1)
        if second == 0 or _rest(answer_of[second - 1]) != _rest(answer_of[second])
    ]
    answers = [(key_of({"at": second}), answer_of[second]) for second in changes]
    words = [answer["time"]["output"] for answer in answer_of]
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
        next_s = ask({"step": 1}, at_s)["at"]
        if next_s is None or next_s <= at_s:
            return seconds
        at_s = next_s
