"""The kind of labs whose state is a handful of fields.

A fence places one by its id, perhaps as one of its presets has it:

    ```form
    form: four-ways
    preset: yolos
    ```
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from labs.report.writing import Html, Messages
from labs.teaching.form_lab.answer import form_answer
from labs.teaching.form_lab.changes import UnknownPresetError, preset_values
from labs.teaching.form_lab.lab import FaultsError, FormLab, Metric
from labs.teaching.form_lab.labs import FORM_LABS
from labs.teaching.form_lab.terminal import run_form, shown_form
from labs.teaching.form_lab.values import ValueFault, Values, read_values, unknown_fields
from labs.teaching.form_lab.view import PAGES, form_lab_html
from labs.teaching.lab import (
    Choice,
    Data,
    FenceError,
    Figure,
    LabKind,
    Limits,
    Page,
    Placed,
    Printed,
    Request,
    UnknownMetricError,
)

_FENCE = re.compile(r"form: *(?P<id>[a-z0-9-]+) *(?:\n *preset: *(?P<preset>[a-z0-9-]+) *)?")


class UnknownFormLabError(LookupError):
    """No form lab has this id."""


class FormLabs(LabKind):
    """The form labs of a library, each made when it is first asked for."""

    def __init__(self, data: Data, limits: Limits = Limits()) -> None:  # noqa: B008 (frozen)
        del limits  # what a form may ask for is bounded by its fields
        self._data = data
        self._makers: Mapping[str, Callable[[Data], FormLab]] = data.of("form")
        self._labs: dict[str, FormLab] = {}

    @staticmethod
    def made() -> Mapping[str, Callable[[Data], FormLab]]:
        """What makes each lab."""
        return FORM_LABS

    def lab(self, lab_id: str) -> FormLab:
        """The lab with this id. Raises UnknownFormLabError."""
        if lab_id not in self._makers:
            raise UnknownFormLabError(lab_id)
        if lab_id not in self._labs:
            self._labs[lab_id] = self._makers[lab_id](self._data)
        return self._labs[lab_id]

    def values(
        self, lab: FormLab, preset: str | None, settings: Mapping[str, str] | None = None
    ) -> tuple[Values, tuple[ValueFault, ...]]:
        """What a lab is set to at first or by a preset, with settings that somebody typed over it, and what is wrong.

        Raises UnknownPresetError.
        """
        texts, typed = {} if preset is None else preset_values(lab, preset), settings or {}
        values, faults = read_values(lab.fields, {**texts, **typed}, lab.options, typed)
        return values, (*faults, *unknown_fields(lab.fields, typed, values))

    def html(self, lab_id: str, preset: str | None, messages: Messages, pages: str = PAGES) -> Html:
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

    def place(self, lines: Sequence[str], page: Page) -> Placed:
        """The lab of that id. Raises FenceError."""
        match = _FENCE.fullmatch("\n".join(lines).strip())
        if match is None or match["id"] not in self._makers:
            form = "a form fence has the line form: ID and perhaps the line preset: ID"
            raise FenceError.at(1, f"{form}; known: {', '.join(self.ids)}")
        lab_id, preset = match["id"], match["preset"]
        try:
            return Placed(lab_id, self.html(lab_id, preset, page.messages, page.pages))
        except UnknownPresetError:
            known = ", ".join(self.presets(lab_id))
            raise FenceError.at(2, f"{lab_id} has no preset {preset!r}; known: {known}") from None

    def answer(self, request: Request) -> dict[str, Any]:
        """The answer to a request. Raises UnknownFormLabError, and what a request may be wrong in."""
        return form_answer(self.lab(request.lab), request)

    def trials(self) -> Iterator[Mapping[str, Any]]:
        """Every form as first seen."""
        return ({"lab": lab_id, "values": {}, "changes": [{"values": {}}]} for lab_id in self._makers)

    @property
    def ids(self) -> tuple[str, ...]:
        """All labs."""
        return tuple(self._makers)

    def presets(self, lab_id: str) -> tuple[str, ...]:
        """The ids of a lab's presets."""
        return tuple(self.lab(lab_id).presets)

    def figure(self, lab_id: str, preset: str | None, metric: str, messages: Messages) -> Figure:
        """A figure of the lab's answer. Raises UnknownMetricError."""
        try:
            metrics = self.metrics(lab_id, preset, messages)
        except UnknownPresetError:
            raise UnknownMetricError(preset or "", self.presets(lab_id)) from None
        if metric not in metrics:
            raise UnknownMetricError(metric, metrics)
        return Figure(metrics[metric].value, metrics[metric].text)

    def show(self, choice: Choice) -> Printed:
        """The lab's fields with their values. Raises ChoiceError."""
        return shown_form(self.lab(choice.lab), choice, self.values)

    def run(self, choice: Choice) -> Printed:
        """What the lab answers to them; bad news is what is so for the command that answers the same. Raises ChoiceError."""
        return run_form(self.lab(choice.lab), choice, self.values)
