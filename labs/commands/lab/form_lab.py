"""`gpulab lab show|run` of a form lab: its fields with their values, and what it answers to them."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence

from labs.commands.terminal import BAD_NEWS, FINE, InputError, Terminal, printable
from labs.report.writing import Messages, pad, visible
from labs.teaching.form_lab import (
    Fault,
    FaultsError,
    FormLab,
    FormLabs,
    Lines,
    UnknownPresetError,
    Values,
    Verdict,
    defaults,
    fault_words,
    quoted,
)

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
    about = {"id": lab.id, "section": lab.section}
    given = dict(_setting(each, lab, messages) for each in settings)
    try:
        values, faults = labs.values(lab, preset, given)
        if faults:
            raise FaultsError(*faults)
        if action == "show":
            written = _shown(values) if form == "text" else _json({**about, "values": dict(values)})
        elif form == "text":
            verdict, written = lab.verdict(values, messages), lab.text(values, messages)
        else:
            verdict = lab.verdict(values, messages)
            metrics = {name: metric.value for name, metric in lab.metrics(values, messages).items()}
            written = _json({**about, "values": dict(values), "metrics": metrics})
    except UnknownPresetError:
        known = ", ".join(lab.presets)
        told = messages.text("cli.preset-unknown", preset=visible(preset or ""), known=known)
        raise InputError(told) from None
    except FaultsError as error:
        raise InputError("\n".join(_told(fault, given, messages) for fault in error.faults)) from None
    sys.stdout.write(printable(written))
    sys.stderr.write("".join(printable(note) + "\n" for note in verdict.notes))
    return BAD_NEWS if verdict.is_bad_news else FINE


def _setting(text: str, lab: FormLab, messages: Messages) -> tuple[str, str]:
    """The field and the value of FIELD=VALUE. Raises InputError."""
    key, sign, value = text.partition("=")
    if not sign:
        texts = {one.id for one in lab.fields if isinstance(one, Lines)}
        first, value = next(item for item in defaults(lab.fields).items() if item[0] not in texts)
        told = messages.text("cli.form-setting", value=quoted(text), example=f"{first}={value}")
        raise InputError(told)
    return key, value


def _told(fault: Fault, given: Mapping[str, str], messages: Messages) -> str:
    """Where, what is wrong, what is taken and what to do."""
    place = fault.field
    if place in given:
        place = f"--set {quoted(f'{place}={given[place]}')}"
    what, remedy = fault_words(fault, messages)
    return f"{place}: {what}\n  {remedy}"


def _shown(values: Values) -> str:
    """A field a line; the further lines of a text stand under its first."""
    width = max(len(key) for key in values)
    lines = (
        (key, value.rstrip("\n").replace("\n", "\n" + " " * (width + 2))) for key, value in values.items()
    )
    return "".join(f"{pad(key, width)}  {value}".rstrip() + "\n" for key, value in lines)


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
