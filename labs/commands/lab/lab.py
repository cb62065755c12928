"""`gpulab lab list|show|run`: the site's labs in a terminal, from the same files."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from importlib import import_module

from labs.commands import run as run_command
from labs.commands.terminal import BAD_NEWS, FINE, InputError, Terminal, printable
from labs.report.writing import pad, visible
from labs.teaching.kinds import KindEntry
from labs.teaching.lab import Choice, ChoiceError, CommandRun, LabKind, Printed

FORMATS = run_command.FORMATS


def add_arguments(parser: argparse.ArgumentParser, terminal: Terminal) -> None:
    """Declares the command's arguments."""
    text = terminal.messages.text
    parser.add_argument("action", choices=("list", "show", "run"), help=text("cli.help.lab-action"))
    parser.add_argument("lab", metavar="ID", nargs="?", help=text("cli.help.lab-id"))
    parser.add_argument("--preset", help=text("cli.help.preset"))
    run_command.add_picture(parser, terminal)
    parser.add_argument(
        "--set", action="append", default=[], metavar="FIELD=VALUE", help=text("cli.help.lab-set")
    )


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Lists the labs, shows what one is made of, or runs it."""
    messages = terminal.messages
    if options.action == "list":
        if options.lab is not None or options.preset is not None or options.set:
            raise InputError(messages.text("cli.lab-list"))
        return _list(options.format, terminal)
    entry, kind = _kind_of(options.lab, terminal)
    title = _title(entry, options.lab, terminal)
    choice = Choice(options.lab, title, options.preset, tuple(options.set), options.format, messages)
    try:
        answer = kind.show(choice) if options.action == "show" else kind.run(choice)
    except ChoiceError as error:
        raise InputError(str(error)) from None
    if isinstance(answer, CommandRun):
        command = import_module(f"labs.commands.{answer.command}")
        code: int = command.run_lab(answer, options, terminal)
        return code
    return _print(answer)


def _print(answer: Printed) -> int:
    sys.stdout.write(answer.text if answer.is_file else printable(answer.text))
    sys.stderr.write("".join(printable(note) + "\n" for note in answer.notes))
    return BAD_NEWS if answer.is_bad_news else FINE


def _list(form: str, terminal: Terminal) -> int:
    labs = [(lab_id, _title(entry, lab_id, terminal)) for entry, _, lab_id in _labs(terminal)]
    if form == "json":
        rows = [{"id": lab_id, "title": title} for lab_id, title in labs]
        sys.stdout.write(json.dumps(rows, indent=2, ensure_ascii=False) + "\n")
    else:
        width = max(len(lab_id) for lab_id, _ in labs)
        sys.stdout.write("".join(f"{pad(lab_id, width)}  {title}\n" for lab_id, title in labs))
    return FINE


def _labs(terminal: Terminal) -> Iterator[tuple[KindEntry, LabKind, str]]:
    """The kinds with the ids of their labs."""
    kinds = terminal.library.opened()
    for entry in terminal.library.kinds:
        for lab_id in kinds[entry.name].ids:
            yield entry, kinds[entry.name], lab_id


def _kind_of(lab_id: str | None, terminal: Terminal) -> tuple[KindEntry, LabKind]:
    """The kind of the lab with this id. Raises InputError."""
    labs = list(_labs(terminal))
    for entry, kind, known_id in labs:
        if known_id == lab_id:
            return entry, kind
    known = ", ".join(known_id for _, _, known_id in labs)
    if lab_id is None:
        raise InputError(terminal.messages.text("cli.lab-missing", known=known))
    raise InputError(terminal.messages.text("cli.lab-unknown", lab=visible(lab_id), known=known))


def _title(entry: KindEntry, lab_id: str, terminal: Terminal) -> str:
    """The lab's title; its id where it is somebody's own without words."""
    key = f"{entry.words}.{lab_id}.title"
    return terminal.messages.text(key) if terminal.messages.has(key) else lab_id
