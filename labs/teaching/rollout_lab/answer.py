"""What a rollout lab answers to a page: the scenario after what the reader did, and its regions at a moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from labs.config.own import Problem, ProblemsError
from labs.hardware.units import SECOND_US
from labs.report.fleet import RolloutWords
from labs.report.writing import Html, Messages, escape, problems_html
from labs.simulation.outcome.rollout import FleetTimeline
from labs.teaching.lab import LinkError, Request, link_answer
from labs.teaching.rollout_lab.acts import Act, with_act
from labs.teaching.rollout_lab.edits import without_event
from labs.teaching.rollout_lab.form import form_html
from labs.teaching.rollout_lab.lab import RolloutLab, rollout_text, with_setting
from labs.teaching.rollout_lab.link import rollout_link, state_of_link
from labs.teaching.rollout_lab.regions import MomentView, moment_regions, rollout_regions
from labs.teaching.rollout_lab.results import RolloutResults, RolloutRun

TEXT_LIMIT = 100_000  # characters of a scenario in a page
MOST_SECONDS = 9_999_999
MOMENT = ("at", "step", "node", "end")  # changes that leave the text as it is


@dataclass(frozen=True, slots=True)
class RolloutState:
    """What a reader left a lab at: its text, the moment that is shown (seconds; None: the end), the node that was chosen."""

    text: str
    at_s: int | None = None
    node: str | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """What became of a link, in words."""

    is_opened: bool
    notice: str


def _state(request: Request) -> RolloutState:
    """What a reader left the lab at."""
    node = request.state.get("node")
    return RolloutState(
        str(request.state["text"]), _seconds(request.state.get("at")), None if node is None else str(node)
    )


def _seconds(value: object) -> int | None:
    if value is None:
        return None
    return min(max(int(str(value)), 0), MOST_SECONDS)


_Written = tuple[str, int, str | None, str, str]
"""What a moment's regions are made of: the text, the moment, the node that was chosen, the page's element, the language."""


class RolloutAnswers:
    """Answers for rollout labs by id, and the regions of the last moment: time that goes by shows the same."""

    def __init__(self, labs: Mapping[str, RolloutLab], results: RolloutResults) -> None:
        self._labs = labs
        self._results = results
        self._written: tuple[_Written, dict[str, Html]] | None = None

    def answer(self, request: Request) -> dict[str, Any]:
        """The answer to a request, as JSON. Raises what a request may be wrong in."""
        before, changes, messages = _state(request), request.changes, request.messages
        lab = self._labs.get(request.lab) or RolloutLab(request.lab, before.text)
        if request.asks_for_link:
            return link_answer(lambda: rollout_link(lab, before.text, before.at_s), "share", messages)
        state, opened = self._state_after(lab, before, request)
        words = RolloutWords(messages, request.element or f"lab-{request.lab}")
        answer: dict[str, Any] = {"ok": True, "text": state.text, "at": state.at_s, "node": state.node}
        if opened is not None:
            answer |= {"opened": opened.is_opened, "notice": opened.notice}
        if changes and "act" in changes[-1]:
            answer["plays"] = True
        try:
            run = self._run(state.text)
        except ProblemsError as error:
            return {**answer, "ok": False, "regions": _trouble(lab, state.text, error, words)}
        regions = self._regions(lab, state, run, changes, words)
        return {**answer, **_time(run, state, messages), "regions": {**regions, "stale": ""}}

    def _run(self, text: str) -> RolloutRun:
        if len(text) > TEXT_LIMIT:
            values = {"limit": TEXT_LIMIT, "found": len(text)}
            raise ProblemsError((Problem("text-too-long", 1, 1, values),))
        return self._results.of(text)

    def _regions(
        self,
        lab: RolloutLab,
        state: RolloutState,
        run: RolloutRun,
        changes: Sequence[Mapping[str, Any]],
        words: RolloutWords,
    ) -> dict[str, Html]:
        """All regions, or those of the moment where nothing else has changed."""
        course = run.course
        view = None if course is None else MomentView(run, course, _moment(course, state), state.node)
        is_moment = bool(changes) and all(next(iter(change), "") in MOMENT for change in changes)
        if not is_moment or view is None:
            return rollout_regions(lab, state.text, run, view, words)
        key = (state.text, view.at_us, state.node, words.element, words.messages.language)
        if self._written is None or self._written[0] != key:
            self._written = key, moment_regions(state.text, view, words)
        return self._written[1]

    def _state_after(
        self, lab: RolloutLab, state: RolloutState, request: Request
    ) -> tuple[RolloutState, Opened | None]:
        """The state after the changes; of a link also whether it was opened."""
        opened, messages = None, request.messages
        for change in request.changes:
            if "link" in change:
                try:
                    state = RolloutState(*state_of_link(lab, str(change["link"])))
                    opened = Opened(True, messages.text("rollout-lab.opened"))
                except LinkError as error:
                    opened = Opened(False, messages.text(f"share.{error.problem}"))
            else:
                state = self._changed(lab, state, change)
        return state, opened

    def _changed(self, lab: RolloutLab, state: RolloutState, change: Mapping[str, Any]) -> RolloutState:
        """The state after one change.

        Changes: `{"control": id, "value": v}`, `{"preset": id}`, `{"reset": true}`, `{"text": text}`,
        `{"act": act, "node": name}`, `{"unact": number}`, `{"at": seconds}`, `{"step": 1}`, `{"end": true}`,
        `{"node": name}`, `{"state": {...}}`, `{"show": true}` (nothing). Raises KeyError, TypeError or ValueError
        for anything else, UnknownControlError for a control or preset that the lab has not.
        """
        match dict(change):
            case {"control": str(control), "value": str() | bool() as value}:
                return RolloutState(with_setting(lab, state.text, control, value), None, state.node)
            case {"preset": str(preset)}:
                return RolloutState(rollout_text(lab, preset))
            case {"reset": True}:
                return RolloutState(lab.scenario)
            case {"text": str(text)}:
                return replace(state, text=text, at_s=None)
            case {"act": str(act), **more}:
                return self._acted(state, Act(act), more.get("node"))
            case {"unact": int(number)}:
                return replace(state, text=without_event(state.text, number), at_s=None)
            case {"at": int(seconds)}:
                return replace(state, at_s=_seconds(seconds))
            case {"step": int(step)}:
                return self._stepped(state, step)
            case {"end": True}:
                return replace(state, at_s=None)
            case {"node": str(node)}:
                return replace(state, node=node)
            case {"show": True}:
                return state
            case _:
                raise ValueError(f"no such change: {str(change)[:80]}")

    def _acted(self, state: RolloutState, act: Act, node: object) -> RolloutState:
        run = self._ran(state.text)
        if run is None or run.course is None:
            return state
        chosen = node if isinstance(node, str) else None
        acted = with_act(run, state.text, act, run.course.at(_moment(run.course, state)), chosen)
        return RolloutState(acted.text, acted.at_s, chosen or state.node)

    def _stepped(self, state: RolloutState, step: int) -> RolloutState:
        run = self._ran(state.text)
        if run is None or run.course is None:
            return state
        course = run.course
        stop_us = course.stop_from(_moment(course, state), step)
        return replace(state, at_s=None if stop_us == course.moments[-1] else -(-stop_us // SECOND_US))

    def _ran(self, text: str) -> RolloutRun | None:
        """The run of a text; None where there is none."""
        try:
            run = self._run(text)
        except ProblemsError:
            return None
        return run


def _moment(course: FleetTimeline, state: RolloutState) -> int:
    """The moment that a state shows: the last one up to its time."""
    if state.at_s is None:
        return course.moments[-1]
    return course.moments[course.index(state.at_s * SECOND_US)]


def _time(run: RolloutRun, state: RolloutState, messages: Messages) -> dict[str, Any]:
    """What the slider shows, and whether there is something left to play."""
    course = run.course
    if course is None:
        return {"traceHash": None}
    at_s = run.last_s if state.at_s is None else min(state.at_s, run.last_s)
    words = messages.duration(run.moments[-1] if state.at_s is None else at_s * SECOND_US)
    return {
        "traceHash": run.trace_hash,
        "last": _moment(course, state) == course.moments[-1],
        "time": {"max": run.last_s, "value": at_s, "output": words, "text": words},
    }


def _trouble(lab: RolloutLab, text: str, error: ProblemsError, words: RolloutWords) -> dict[str, Html]:
    """What stands in the regions while the text is no scenario."""
    shortened = text if len(text) <= TEXT_LIMIT else ""
    return {
        "form": form_html(lab, shortened, words),
        "sentence": problems_html(error.problems, words.messages, text, error.more),
        "stale": escape(words.messages.text("rollout-lab.stale")),
    }
