"""A form lab in a terminal: its fields with their values, and what it answers to them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from labs.report.writing import Messages, pad
from labs.teaching.form_lab.changes import UnknownPresetError
from labs.teaching.form_lab.field_html import fault_words
from labs.teaching.form_lab.fields import Lines
from labs.teaching.form_lab.lab import FaultsError, FormLab
from labs.teaching.form_lab.values import ValueFault, Values, defaults, quoted
from labs.teaching.lab import Choice, ChoiceError, Printed, unknown_preset

FORMATS = ("text", "json")
ValuesOf = Callable[[FormLab, str | None, Mapping[str, str]], tuple[Values, tuple[ValueFault, ...]]]
"""The values of a lab at first or by a preset, with settings over it, and what is wrong with them."""


def shown_form(lab: FormLab, choice: Choice, values_of: ValuesOf) -> Printed:
    """The fields with their values. Raises ChoiceError."""
    settings = _settings(lab, choice)
    values = _values(lab, choice, settings, values_of)
    return Printed(_fields(values) if choice.form == "text" else _json(lab, values))


def run_form(lab: FormLab, choice: Choice, values_of: ValuesOf) -> Printed:
    """What the lab answers to the values. Raises ChoiceError."""
    settings, messages = _settings(lab, choice), choice.messages
    values = _values(lab, choice, settings, values_of)
    try:
        verdict = lab.verdict(values, messages)
        if choice.form == "text":
            text = lab.text(values, messages)
        else:
            metrics = {name: metric.value for name, metric in lab.metrics(values, messages).items()}
            text = _json(lab, values, metrics=metrics)
    except FaultsError as error:
        raise _refused(error.faults, settings, messages) from None
    return Printed(text, verdict.notes, verdict.is_bad_news)


def _settings(lab: FormLab, choice: Choice) -> dict[str, str]:
    """What was typed, by field. Raises ChoiceError."""
    messages = choice.messages
    if choice.form not in FORMATS:
        raise ChoiceError(messages.text("cli.form-format", lab=choice.lab))
    settings: dict[str, str] = {}
    for setting in choice.settings:
        key, sign, value = setting.partition("=")
        if not sign:
            texts = {field.id for field in lab.fields if isinstance(field, Lines)}
            name, value = next(item for item in defaults(lab.fields).items() if item[0] not in texts)
            example = f"{name}={value}"
            raise ChoiceError(messages.text("cli.form-setting", value=quoted(setting), example=example))
        settings[key] = value
    return settings


def _values(lab: FormLab, choice: Choice, settings: Mapping[str, str], values_of: ValuesOf) -> Values:
    try:
        values, faults = values_of(lab, choice.preset, settings)
    except UnknownPresetError:
        raise unknown_preset(choice.preset or "", lab.presets, choice.messages) from None
    if faults:
        raise _refused(faults, settings, choice.messages)
    return values


def _refused(faults: tuple[ValueFault, ...], settings: Mapping[str, str], messages: Messages) -> ChoiceError:
    """For each fault where, what is wrong, what is taken and what to do."""
    return ChoiceError("\n".join(_fault_text(fault, settings, messages) for fault in faults))


def _fault_text(fault: ValueFault, settings: Mapping[str, str], messages: Messages) -> str:
    place = fault.field
    if place in settings:
        place = f"--set {quoted(f'{place}={settings[place]}')}"
    what, remedy = fault_words(fault, messages)
    return f"{place}: {what}\n  {remedy}"


def _fields(values: Values) -> str:
    """A field a line; the further lines of a text stand under its first."""
    width = max(len(key) for key in values)
    lines = (
        (key, value.rstrip("\n").replace("\n", "\n" + " " * (width + 2))) for key, value in values.items()
    )
    return "".join(f"{pad(key, width)}  {value}".rstrip() + "\n" for key, value in lines)


def _json(lab: FormLab, values: Values, **more: object) -> str:
    answer = {"id": lab.id, "section": lab.section, "values": dict(values), **more}
    return json.dumps(answer, indent=2, ensure_ascii=False) + "\n"
