"""What a form lab answers to a page: its values after what the reader did, and what they come to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from labs.report.writing import EMPTY, Html, escape, linked
from labs.teaching.form_lab.changes import changed
from labs.teaching.form_lab.field_html import FormWords, field_states, fields_html
from labs.teaching.form_lab.lab import FaultsError, FormLab
from labs.teaching.form_lab.link import form_link
from labs.teaching.form_lab.values import read_values
from labs.teaching.form_lab.view import PAGES, files_html, page_address
from labs.teaching.lab import LinkError, Request, link_answer


def form_answer(lab: FormLab, request: Request) -> dict[str, Any]:
    """The answer to a request, as JSON. Raises what a request may be wrong in."""
    messages, element = request.messages, request.element or f"lab-{lab.id}"
    before = {str(key): value for key, value in dict(request.state.get("values") or {}).items()}
    words, pages = FormWords(lab, messages, element), page_address(request.said("pages", PAGES))
    if request.asks_for_link:
        values, _ = read_values(lab.fields, before, lab.options)
        return link_answer(lambda: form_link(lab, values), "form-share", messages)
    texts, stand, opened = _values_after(lab, before, request)
    values, faults = read_values(lab.fields, texts, lab.options)
    answer: dict[str, Any] = {"ok": True, "values": dict(values), **opened}
    regions: dict[str, Html] = {"stale": EMPTY}
    try:
        if faults:
            raise FaultsError(*faults)
        result = lab.answer(values, messages)
        regions |= {
            "summary": linked(result.summary, pages),
            **{name: linked(region, pages) for name, region in result.regions.items()},
            "files": files_html(result.files, words),
            "command": escape(result.command),
        }
    except FaultsError as error:
        faults = error.faults
        answer["ok"] = False
        regions["stale"] = escape(messages.count("form.stale", len(faults)))
    if request.changes:
        answer["form"] = fields_html(lab, values, faults, words)
        answer["focus"] = f"{element}-{stand}" if stand else None
    answer["fields"] = field_states(lab, values, faults, words)
    return {**answer, "regions": regions}


def _values_after(
    lab: FormLab, before: Mapping[str, object], request: Request
) -> tuple[Mapping[str, object], str, dict[str, Any]]:
    """The values after the changes, the field to stand in, and of a link whether it was opened, in words."""
    changes, messages = request.changes, request.messages
    has_link = any("link" in change for change in changes)
    try:
        values, stand = changed(lab, before, changes)
    except LinkError as error:
        kept = [change for change in changes if "link" not in change]
        values, stand = changed(lab, before, kept)
        return values, stand, {"opened": False, "notice": messages.text(f"form-share.{error.problem}")}
    return values, stand, {"opened": True, "notice": messages.text("form-share.opened")} if has_link else {}
