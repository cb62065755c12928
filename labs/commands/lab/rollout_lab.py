"""`gpulab lab show|run` of a rollout lab: its scenario, and what `gpulab rollout` says about that."""

from __future__ import annotations

import json
import sys

from labs.commands.rollout import rollout
from labs.commands.terminal import FINE, InputError, Terminal
from labs.report.writing import visible
from labs.teaching.rollout_lab import RolloutLab, rollout_text
from labs.teaching.scenario_lab import UnknownControlError


def show_rollout_lab(lab: RolloutLab, action: str, preset: str | None, form: str, terminal: Terminal) -> int:
    """Shows the lab's scenario, or a preset's, or runs it. Raises InputError."""
    messages = terminal.messages
    if form not in rollout.FORMATS:
        raise InputError(messages.text("cli.rollout.lab-format", lab=lab.id))
    try:
        text = rollout_text(lab, preset)
    except UnknownControlError:
        known = ", ".join(each.id for each in lab.presets)
        told = messages.text("cli.preset-unknown", preset=visible(preset or ""), known=known)
        raise InputError(told) from None
    if action == "run":
        return rollout.show(text, rollout.Told(lab.id, form=form), terminal)
    sys.stdout.write(
        json.dumps(_json(lab, text, terminal), indent=2, ensure_ascii=False) + "\n"
        if form == "json"
        else text
    )
    return FINE


def _json(lab: RolloutLab, text: str, terminal: Terminal) -> dict[str, object]:
    return {
        "id": lab.id,
        "title": title_of(lab.id, terminal),
        "presets": [preset.id for preset in lab.presets],
        "scenario": text,
    }


def title_of(lab_id: str, terminal: Terminal) -> str:
    """The lab's title; its id where it is somebody's own without words."""
    key = f"rollout-lab.{lab_id}.title"
    return terminal.messages.text(key) if terminal.messages.has(key) else lab_id
