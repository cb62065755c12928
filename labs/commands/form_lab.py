"""`gpulab lab show|run` of a form lab: its fields with their values, and what it answers to them."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from labs.commands.terminal import BAD_NEWS, FINE, InputError, Terminal, printable
from labs.report.measure import pad
from labs.report.messages import Messages
from labs.teaching.forms.changes import UnknownPresetError
from labs.teaching.forms.fields import Choice, Group
from labs.teaching.forms.form_answer import FormLabs
from labs.teaching.forms.form_lab import FaultsError, FormLab, Verdict
from labs.teaching.forms.values import Fault, Values

FORMATS = ("text", "json")


def show_form_lab(
    lab_id: str, action: str, preset: str | None, settings: Sequence[str], form: str, terminal: Terminal
) -> int:
    """Shows the lab's fields, or runs it (bad news: what is so for the command that answers the same). Raises InputError."""
    messages = terminal.messages
    verdict = Verdict()
    if form not in FORMATS:
        raise InputError(messages.text("cli.form-format", lab=lab_id))
    labs = FormLabs(terminal.library)
    lab = labs.lab(lab_id)
    try:
        given = dict(_setting(each, messages) for each in settings)
        values, faults = labs.values(lab, preset, given)
        _assert_taken(lab, given, values, messages)
        if faults:
            raise FaultsError(*faults)
        if action == "show":
            written = _shown(values) if form == "text" else _json({"id": lab.id, "values": dict(values)})
        elif form == "text":
            verdict, written = lab.verdict(values, messages), lab.text(values, messages)
        else:
            verdict = lab.verdict(values, messages)
            metrics = {name: metric.value for name, metric in lab.metrics(values, messages).items()}
            written = _json({"id": lab.id, "values": dict(values), "metrics": metrics})
    except UnknownPresetError:
        known = ", ".join(lab.presets)
        raise InputError(messages.text("cli.preset-unknown", preset=str(preset), known=known)) from None
    except FaultsError as error:
        raise InputError("\n".join(_told(fault, messages) for fault in error.faults)) from None
    sys.stdout.write(printable(written))
    sys.stderr.write("".join(printable(note) + "\n" for note in verdict.notes))
    return BAD_NEWS if verdict.is_bad_news else FINE


def _setting(text: str, messages: Messages) -> tuple[str, str]:
    key, sign, value = text.partition("=")
    if not sign:
        raise InputError(messages.text("cli.form-setting", value=text))
    return key, value


def _assert_taken(lab: FormLab, given: dict[str, str], values: Values, messages: Messages) -> None:
    """Raises InputError for a field that there is not, and for a value that is none of its own."""
    for key, value in given.items():
        told = {"value": f"{key}={value}", "lab": lab.id}
        if key not in values:
            raise InputError(messages.text("cli.form-field", **told, known=", ".join(values)))
        if values[key] != value:
            raise InputError(
                messages.text("cli.form-value", value=told["value"], known=_known(lab, key, values))
            )


def _known(lab: FormLab, key: str, values: Values) -> str:
    """The values that a field takes, where they can be listed; else the nearest that it takes."""
    field_id = key.rpartition(".")[2]
    for one in lab.fields:
        for inner in one.fields if isinstance(one, Group) else (one,):
            if inner.id == field_id and isinstance(inner, Choice):
                item = key.removesuffix(field_id)
                known = lab.options(values, item, inner) if lab.options else ()
                return ", ".join(known or inner.options)
    return values[key]


def _told(fault: Fault, messages: Messages) -> str:
    what = messages.pick(f"form.problem.{fault.key}.what", fault.values)
    remedy = messages.pick(f"form.problem.{fault.key}.remedy", fault.values)
    return f"{fault.field}: {what}\n  {remedy}"


def _shown(values: Values) -> str:
    width = max(len(key) for key in values)
    return "".join(f"{pad(key, width)}  {value}\n" for key, value in values.items())


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
