"""The edge to the browser: the worker's Pyodide calls `respond` with JSON and gets JSON, never an exception.

The script that calls it knows no GPU, no language and no layout: it swaps in the HTML and the form values
that come back.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from labs.config.own import Problem, ProblemsError
from labs.library import Library, builtin_library
from labs.report.result import hash_html, picture_html, result_regions
from labs.report.writing import Messages, escape, problems_html
from labs.simulation.outcome.moment import moments, snapshot
from labs.teaching.scenario_lab import (
    ControlKind,
    Lab,
    LinkError,
    Results,
    form_states,
    link_fragment,
    preset_text,
    text_of_link,
    with_change,
)

if TYPE_CHECKING:
    from labs.teaching.check_lab import CheckAnswers
    from labs.teaching.form_lab import FormLabs
    from labs.teaching.planner_lab import Planning
    from labs.teaching.rollout_lab import RolloutAnswers

RECORD_LIMIT = 200_000  # of one run in a page: about a second
VISIT_LIMIT = 400_000  # of one rollout in a page: 5,000 nodes one by one need two thirds of them
TEXT_LIMIT = 100_000  # characters of a scenario in a page
UNREADABLE = (ValueError, LookupError, TypeError, OverflowError, RecursionError)


@dataclass(frozen=True, slots=True)
class Request:
    """What the script asks: a lab's text, perhaps a change to it, and the moment to draw (None: the last)."""

    lab: str
    lang: str
    text: str
    element: str
    change: Mapping[str, Any]
    moment: int | None
    only: tuple[str, ...]

    @classmethod
    def from_raw(cls, raw: Mapping[str, Any]) -> Request:
        """Reads a request. Raises UNREADABLE for anything that is not one."""
        moment = raw.get("moment")
        return cls(
            lab=str(raw["lab"]),
            lang=str(raw["lang"]),
            text=str(raw["text"]),
            element=str(raw.get("element") or f"lab-{raw['lab']}"),
            change=dict(raw.get("change") or {}),
            moment=None if moment is None else int(moment),
            only=tuple(raw.get("only") or ()),
        )


@functools.cache
def _library() -> Library:
    return builtin_library()


@functools.cache
def _results() -> Results:
    library = _library()
    return Results(library.catalog, workloads=library.workloads, record_limit=RECORD_LIMIT)


@functools.cache
def _check_answers() -> CheckAnswers:
    """Loaded when the first check lab asks: the rules are many, and a page of labs alone does not wait for them."""
    from labs.teaching.check_lab import CheckAnswers, Checking

    return CheckAnswers(_library().checks, Checking(_library().catalog))


@functools.cache
def _planning() -> Planning:
    """Loaded when the first planner lab asks."""
    from labs.teaching.planner_lab import Planning

    return Planning(_library().catalog)


@functools.cache
def _form_labs() -> FormLabs:
    """Loaded when the first form lab asks."""
    from labs.teaching.form_lab import FormLabs

    return FormLabs(_library())


@functools.cache
def _rollouts() -> RolloutAnswers:
    """Loaded when the first rollout lab asks."""
    from labs.teaching.rollout_lab import RolloutAnswers, RolloutSettings

    library = _library()
    settings = RolloutSettings(library.catalog, library.workloads, VISIT_LIMIT, RECORD_LIMIT)
    return RolloutAnswers(library.rollouts, settings)


def respond(request: str) -> str:
    """Answers one request. What can't be answered comes back as `{"ok": false, "error": …}`.

    A request of the kind `check` comes from a check lab, of the kind `plan` from a planner lab, of the kind `form` from a
    form lab, of the kind `rollout` from a rollout lab, any other from a lab.
    """
    try:
        raw = json.loads(request)
        if not isinstance(raw, dict):
            raise TypeError(f"a request is an object, not {type(raw).__name__}")
        if raw.get("kind") == "check":
            return json.dumps(_checked(raw, _library()))
        if raw.get("kind") == "plan":
            return json.dumps(_planning().answer(raw, _library().messages[_language(raw, _library())]))
        if raw.get("kind") == "form":
            return json.dumps(_form_labs().answer(raw, _library().messages[_language(raw, _library())]))
        if raw.get("kind") == "rollout":
            return json.dumps(_rollouts().answer(raw, _library().messages[_language(raw, _library())]))
        asked = Request.from_raw(raw)
        library = _library()
        lab = library.labs.get(asked.lab) or Lab(asked.lab, "", (), ())
        messages = library.messages.get(asked.lang) or library.messages["en"]
        if asked.only == ("link",):
            return json.dumps(_link(asked, lab, messages))
        return json.dumps(_answer(asked, lab, messages, library))
    except UNREADABLE as error:
        return json.dumps({"ok": False, "error": f"{type(error).__name__}: {error}"})


def _checked(raw: Mapping[str, Any], library: Library) -> dict[str, Any]:
    known = _language(raw, library)
    return _check_answers().answer(raw, library.messages[known], library.rules[known])


def _language(raw: Mapping[str, Any], library: Library) -> str:
    language = raw.get("lang")
    return language if isinstance(language, str) and language in library.messages else "en"


def _answer(asked: Request, lab: Lab, messages: Messages, library: Library) -> dict[str, Any]:
    text, opened = _told(asked, lab, messages)
    is_long = len(text) > TEXT_LIMIT
    controls = _controls(lab, "" if is_long else text, messages, library)
    answer: dict[str, Any] = {"text": text, "controls": controls, "ok": True, **opened}
    try:
        if is_long:
            raise ProblemsError((Problem("text-too-long", 1, 1, {"limit": TEXT_LIMIT, "found": len(text)}),))
        outcome = _results().of(text)
    except ProblemsError as error:
        regions = {
            "sentence": problems_html(error.problems, messages, text, error.more),
            "stale": escape(messages.text("lab.stale")),
            "hash": hash_html(None, messages),
        }
        return {**answer, "ok": False, "traceHash": None, "regions": regions}
    times = moments(outcome.trace)
    index = len(times) - 1 if asked.moment is None else min(max(asked.moment, 0), len(times) - 1)
    shown = snapshot(outcome.scenario, outcome.trace, times[index])
    words = messages.duration(times[index])
    if asked.only:
        regions = {"picture": picture_html(outcome, shown, messages, asked.element, lab.picture)}
    else:
        regions = result_regions(outcome, shown, messages, asked.element, lab.picture)
    answer["time"] = {"max": len(times) - 1, "value": index, "output": words, "text": words}
    return {**answer, "traceHash": outcome.trace_hash, "regions": {**regions, "stale": ""}}


def _link(asked: Request, lab: Lab, messages: Messages) -> dict[str, Any]:
    """The link to the lab as it stands, or why there is none."""
    try:
        return {"ok": True, "link": link_fragment(lab, asked.text)}
    except LinkError as error:
        return {"ok": False, "link": None, "notice": messages.text(f"share.{error.problem}")}


def _told(asked: Request, lab: Lab, messages: Messages) -> tuple[str, dict[str, Any]]:
    """The text after what the request asks for; of a link also whether it was opened, in words."""
    if "link" not in asked.change:
        return _changed(asked, lab), {}
    try:
        text = text_of_link(lab, str(asked.change["link"]))
    except LinkError as error:
        return asked.text, {"opened": False, "notice": messages.text(f"share.{error.problem}")}
    return text, {"opened": True, "notice": messages.text("share.opened")}


def _changed(asked: Request, lab: Lab) -> str:
    change = asked.change
    if change.get("reset"):
        return lab.scenario or asked.text
    if "preset" in change:
        return preset_text(lab, str(change["preset"]))
    if "control" in change and len(asked.text) <= TEXT_LIMIT:
        value = change["value"]
        return with_change(
            lab, asked.text, str(change["control"]), value if isinstance(value, bool) else str(value)
        )
    return asked.text


def _controls(lab: Lab, text: str, messages: Messages, library: Library) -> dict[str, dict[str, Any]]:
    """The form by control: what the script sets on the field and its output."""
    states = form_states(lab, text, messages, library.names)
    found: dict[str, dict[str, Any]] = {}
    for control in lab.controls:
        state = states[control.id]
        field: dict[str, Any] = {"value": state.value, "output": state.output, "disabled": state.disabled}
        if control.kind is ControlKind.SWITCH:
            field["checked"] = state.value == "true"
        elif control.kind is not ControlKind.CHOICE:
            field |= {"min": str(state.minimum), "max": str(state.maximum)}
        found[control.id] = field
    return found
