"""Form labs by their id, each made when it is first asked for, and what they answer to a page, a build and a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from labs.report.writing import Messages, escape
from labs.teaching.form_lab.changes import changed, preset_values
from labs.teaching.form_lab.field_html import FormWords, field_states, fields_html
from labs.teaching.form_lab.lab import Data, FaultsError, FormLab, Metric
from labs.teaching.form_lab.labs import FORM_LABS
from labs.teaching.form_lab.link import form_link
from labs.teaching.form_lab.values import Fault, Values, read_values, unknown_fields
from labs.teaching.form_lab.view import PAGES, files_html, form_lab_html, linked
from labs.teaching.scenario_lab import LinkError


class UnknownFormLabError(LookupError):
    """No form lab has this id."""


@dataclass(frozen=True, slots=True)
class FormRequest:
    """What the script asks: the form's values as they are shown, and what was done since; `element` is the page's."""

    lab: str
    element: str
    values: Mapping[str, object]
    changes: tuple[Mapping[str, Any], ...]
    only: tuple[str, ...]
    pages: str

    @classmethod
    def from_raw(cls, raw: Mapping[str, Any]) -> FormRequest:
        """Reads a request. Raises what reading a mapping that is none raises."""
        return cls(
            lab=str(raw["lab"]),
            element=str(raw.get("element") or f"lab-{raw['lab']}"),
            values={str(key): value for key, value in dict(raw.get("values") or {}).items()},
            changes=tuple(dict(change) for change in raw.get("changes") or ()),
            only=tuple(raw.get("only") or ()),
            pages=str(raw.get("pages") or PAGES),
        )


class FormLabs:
    """The form labs of a library."""

    def __init__(self, data: Data) -> None:
        self._data = data
        self._made: dict[str, FormLab] = {}

    @property
    def ids(self) -> tuple[str, ...]:
        """Of all form labs, in order."""
        return tuple(FORM_LABS)

    def lab(self, lab_id: str) -> FormLab:
        """The lab with this id. Raises UnknownFormLabError."""
        if lab_id not in FORM_LABS:
            raise UnknownFormLabError(lab_id)
        if lab_id not in self._made:
            self._made[lab_id] = FORM_LABS[lab_id](self._data)
        return self._made[lab_id]

    def values(
        self, lab: FormLab, preset: str | None, settings: Mapping[str, str] | None = None
    ) -> tuple[Values, tuple[Fault, ...]]:
        """What a lab is set to at first, or by a preset, with some settings over it that somebody typed; and what is wrong
        with these. Raises UnknownPresetError."""
        given, typed = {} if preset is None else preset_values(lab, preset), settings or {}
        values, faults = read_values(lab.fields, {**given, **typed}, lab.options, typed)
        return values, (*faults, *unknown_fields(lab.fields, typed, values))

    def html(self, lab_id: str, preset: str | None, messages: Messages, pages: str = PAGES) -> str:
        """The whole lab as a reader first sees it. Raises UnknownFormLabError, UnknownPresetError or FaultsError."""
        lab = self.lab(lab_id)
        values, faults = self.values(lab, preset)
        if faults:
            raise FaultsError(*faults)
        return form_lab_html(lab, values, lab.answer(values, messages), messages, pages)

    def metrics(self, lab_id: str, preset: str | None, messages: Messages) -> Mapping[str, Metric]:
        """The figures of a lab as it is at first, or of one of its presets. Raises as `html` does."""
        lab = self.lab(lab_id)
        values, _ = self.values(lab, preset)
        return lab.metrics(values, messages)

    def answer(self, raw: Mapping[str, Any], messages: Messages) -> dict[str, Any]:
        """The answer to a request, as JSON. Raises what a request may be wrong in."""
        asked = FormRequest.from_raw(raw)
        lab = self.lab(asked.lab)
        words = FormWords(lab, messages, asked.element)
        if asked.only == ("link",):
            return _link(lab, read_values(lab.fields, asked.values, lab.options)[0], messages)
        given, stand, opened = _told(lab, asked, messages)
        values, faults = read_values(lab.fields, given, lab.options)
        answer: dict[str, Any] = {"ok": True, "values": dict(values), **opened}
        regions: dict[str, str] = {"stale": ""}
        try:
            if faults:
                raise FaultsError(*faults)
            found = lab.answer(values, messages)
            regions |= {
                "summary": linked(found.summary, asked.pages),
                **{name: linked(html, asked.pages) for name, html in found.regions.items()},
                "files": files_html(found.files, words),
                "command": escape(found.command),
            }
        except FaultsError as error:
            faults = error.faults
            answer["ok"] = False
            regions["stale"] = escape(messages.count("form.stale", len(faults)))
        if asked.changes:
            answer["form"] = fields_html(lab, values, faults, words)
            answer["focus"] = f"{asked.element}-{stand}" if stand else None
        answer["fields"] = field_states(lab, values, faults, words)
        return {**answer, "regions": regions}


def _link(lab: FormLab, values: Values, messages: Messages) -> dict[str, Any]:
    try:
        return {"ok": True, "link": form_link(lab, values)}
    except LinkError as error:
        return {"ok": False, "link": None, "notice": messages.text(f"form-share.{error.problem}")}


def _told(
    lab: FormLab, asked: FormRequest, messages: Messages
) -> tuple[Mapping[str, object], str, dict[str, Any]]:
    """The values after the changes, the field to stand in, and of a link whether it was opened, in words."""
    has_link = any("link" in change for change in asked.changes)
    try:
        values, stand = changed(lab, asked.values, asked.changes)
    except LinkError as error:
        kept = [change for change in asked.changes if "link" not in change]
        values, stand = changed(lab, asked.values, kept)
        return values, stand, {"opened": False, "notice": messages.text(f"form-share.{error.problem}")}
    return values, stand, {"opened": True, "notice": messages.text("form-share.opened")} if has_link else {}
