"""What a scenario lab answers to a page: the text after what the reader did, the form over it, its regions at a moment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from labs.config.own import Problem, ProblemsError
from labs.report.result import hash_html, picture_html, result_regions
from labs.report.writing import Messages, escape, problems_html
from labs.simulation.outcome.moment import moments, snapshot
from labs.teaching.lab import LinkError, Request, link_answer
from labs.teaching.scenario_lab.controls import preset_text, with_change
from labs.teaching.scenario_lab.form import form_states
from labs.teaching.scenario_lab.lab import ControlKind, Lab
from labs.teaching.scenario_lab.results import Results
from labs.teaching.scenario_lab.share import link_fragment, text_of_link

TEXT_LIMIT = 100_000  # characters of a scenario in a page


def lab_answer(lab: Lab, request: Request, results: Results, names: Mapping[str, str]) -> dict[str, Any]:
    """The answer to a request, as JSON; `names` says how an option is called everywhere.

    Raises KeyError, TypeError or ValueError for what is no request of a scenario lab.
    """
    messages, text = request.messages, str(request.state["text"])
    if request.asks_for_link:
        return link_answer(lambda: link_fragment(lab, text), "share", messages)
    text, opened = _text_after(request.changes, lab, text, messages)
    element = request.element or f"lab-{lab.id}"
    is_long = len(text) > TEXT_LIMIT
    controls = _controls(lab, "" if is_long else text, messages, names)
    answer: dict[str, Any] = {"text": text, "controls": controls, "ok": True, **opened}
    try:
        if is_long:
            raise ProblemsError((Problem("text-too-long", 1, 1, {"limit": TEXT_LIMIT, "found": len(text)}),))
        outcome = results.of(text)
    except ProblemsError as error:
        regions = {
            "sentence": problems_html(error.problems, messages, text, error.more),
            "stale": escape(messages.text("lab.stale")),
            "hash": hash_html(None, messages),
        }
        return {**answer, "ok": False, "traceHash": None, "regions": regions}
    times, moment = moments(outcome.trace), request.state.get("moment")
    index = len(times) - 1 if moment is None else min(max(int(moment), 0), len(times) - 1)
    last = snapshot(outcome.scenario, outcome.trace, times[index])
    words = messages.duration(times[index])
    if request.only:
        regions = {"picture": picture_html(outcome, last, messages, element, lab.picture)}
    else:
        regions = result_regions(outcome, last, messages, element, lab.picture)
    answer["time"] = {"max": len(times) - 1, "value": index, "output": words, "text": words}
    return {**answer, "traceHash": outcome.trace_hash, "regions": {**regions, "stale": ""}}


def _text_after(
    changes: tuple[Mapping[str, Any], ...], lab: Lab, text: str, messages: Messages
) -> tuple[str, dict[str, Any]]:
    """The text after the changes; of a link also whether it was opened, in words."""
    opened: dict[str, Any] = {}
    for change in changes:
        if "link" in change:
            try:
                text = text_of_link(lab, str(change["link"]))
                opened = {"opened": True, "notice": messages.text("share.opened")}
            except LinkError as error:
                opened = {"opened": False, "notice": messages.text(f"share.{error.problem}")}
        else:
            text = _changed(text, change, lab)
    return text, opened


def _changed(text: str, change: Mapping[str, Any], lab: Lab) -> str:
    """The text after one change: of a control, to a preset or to the lab's own text. Any other leaves it as it is."""
    if change.get("reset"):
        return lab.scenario or text
    if "preset" in change:
        return preset_text(lab, str(change["preset"]))
    if "control" in change and len(text) <= TEXT_LIMIT:
        value = change["value"]
        return with_change(
            lab, text, str(change["control"]), value if isinstance(value, bool) else str(value)
        )
    return text


def _controls(lab: Lab, text: str, messages: Messages, names: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """The form by control: what the script sets on the field and its output."""
    states = form_states(lab, text, messages, names)
    fields: dict[str, dict[str, Any]] = {}
    for control in lab.controls:
        state = states[control.id]
        field: dict[str, Any] = {"value": state.value, "output": state.output, "disabled": state.disabled}
        if control.kind is ControlKind.SWITCH:
            field["checked"] = state.value == "true"
        elif control.kind is not ControlKind.CHOICE:
            field |= {"min": str(state.minimum), "max": str(state.maximum)}
        fields[control.id] = field
    return fields
