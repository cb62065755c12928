"""`gpulab lab list|show|run`: the site's labs in a terminal, from the same files."""

from __future__ import annotations

import argparse
import json
import sys

from labs.commands import run as run_command
from labs.commands.lab.form_lab import show_form_lab
from labs.commands.lab.rollout_lab import show_rollout_lab, title_of
from labs.commands.terminal import FINE, InputError, Terminal
from labs.library import UnknownLabError
from labs.report.result import Picture
from labs.report.writing import pad, visible
from labs.teaching.form_lab import FORM_LABS, quoted
from labs.teaching.scenario_lab import Lab, UnknownControlError, preset_text

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
    """Lists the labs, shows one's scenario (of a form lab its fields), or runs it."""
    if options.action == "list":
        if options.lab is not None or options.preset is not None or options.set:
            raise InputError(terminal.messages.text("cli.lab-list"))
        return _list(options.format, terminal)
    if options.lab in FORM_LABS and options.lab not in terminal.library.labs:
        told = (options.preset, options.set, options.format, terminal)
        return show_form_lab(options.lab, options.action, *told)
    rollouts = terminal.library.rollouts
    if options.set:
        _refuse_settings(options, terminal)
    if options.lab in rollouts:
        chosen = rollouts[options.lab]
        return show_rollout_lab(chosen, options.action, options.preset, options.format, terminal)
    lab = _find(options.lab, terminal)
    text = _text(lab, options.preset, terminal)
    if options.action == "run":
        picture = Picture(options.picture or lab.picture)
        return run_command.show(text, lab.id, options.format, terminal, picture)
    sys.stdout.write(
        json.dumps(_json(lab, text, terminal), indent=2, ensure_ascii=False) + "\n"
        if options.format == "json"
        else text
    )
    return FINE


def _refuse_settings(options: argparse.Namespace, terminal: Terminal) -> None:
    """Raises InputError where the lab has a scenario and no fields."""
    rollouts = terminal.library.rollouts
    lab = rollouts.get(options.lab) or terminal.library.labs.get(options.lab)
    if lab is None:
        return  # it is then told that there is no such lab
    file, command = ("rollout.yaml", "rollout") if options.lab in rollouts else ("scenario.yaml", "run")
    told = {
        "value": quoted(options.set[0]),
        "lab": lab.id,
        "presets": ", ".join(preset.id for preset in lab.presets) or "–",
        "file": file,
        "command": f"gpulab {command} {file}",
    }
    raise InputError(terminal.messages.text("cli.form-only-settings", **told))


def _list(form: str, terminal: Terminal) -> int:
    text = terminal.messages.text
    labs = [(lab.id, text(f"lab.{lab.id}.title")) for lab in terminal.library.labs.values()]
    labs += [(lab_id, text(f"form-lab.{lab_id}.title")) for lab_id in FORM_LABS]
    labs += [(lab_id, title_of(lab_id, terminal)) for lab_id in terminal.library.rollouts]
    if form == "json":
        sys.stdout.write(
            json.dumps(
                [{"id": lab_id, "title": title} for lab_id, title in labs], indent=2, ensure_ascii=False
            )
            + "\n"
        )
    else:
        width = max(len(lab_id) for lab_id, _ in labs)
        sys.stdout.write("".join(f"{pad(lab_id, width)}  {title}\n" for lab_id, title in labs))
    return FINE


def _find(lab_id: str | None, terminal: Terminal) -> Lab:
    known = ", ".join((*terminal.library.labs, *FORM_LABS, *terminal.library.rollouts))
    if lab_id is None:
        raise InputError(terminal.messages.text("cli.lab-missing", known=known))
    try:
        return terminal.library.lab(lab_id)
    except UnknownLabError:
        raise InputError(
            terminal.messages.text("cli.lab-unknown", lab=visible(lab_id), known=known)
        ) from None


def _text(lab: Lab, preset: str | None, terminal: Terminal) -> str:
    if preset is None:
        return lab.scenario
    try:
        return preset_text(lab, preset)
    except UnknownControlError:
        known = ", ".join(each.id for each in lab.presets)
        raise InputError(
            terminal.messages.text("cli.preset-unknown", preset=visible(preset), known=known)
        ) from None


def _json(lab: Lab, text: str, terminal: Terminal) -> dict[str, object]:
    return {
        "id": lab.id,
        "title": terminal.messages.text(f"lab.{lab.id}.title"),
        "presets": [preset.id for preset in lab.presets],
        "scenario": text,
    }
