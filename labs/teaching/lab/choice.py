"""A lab as somebody asks for it in a terminal, and what comes of that."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from labs.report.writing import Messages, one_line, visible


@dataclass(frozen=True, slots=True)
class Choice:
    """The id of a lab and its title, perhaps a preset and settings (`field=value`), and the form of the answer."""

    lab: str
    title: str
    preset: str | None
    settings: tuple[str, ...]
    form: str
    messages: Messages


@dataclass(frozen=True, slots=True)
class Printed:
    """A text to print, notes for standard error, and whether the answer is bad news.

    `is_file`: the text is one to save and goes out to the letter.
    """

    text: str
    notes: tuple[str, ...] = ()
    is_bad_news: bool = False
    is_file: bool = False


@dataclass(frozen=True, slots=True)
class CommandRun:
    """A scenario's text that `gpulab <command>` runs, which prints what comes of it.

    `picture` is the name of the picture that the lab has ("": the command's own).
    """

    lab: str
    command: str
    text: str
    picture: str = ""


class ChoiceError(ValueError):
    """A choice that a lab can't serve; the argument is the sentence that says so in the reader's language."""


def unknown_preset(preset: str, known: Iterable[str], messages: Messages) -> ChoiceError:
    """There is no such preset."""
    return ChoiceError(messages.text("cli.preset-unknown", preset=visible(preset), known=", ".join(known)))


def without_settings(choice: Choice, presets: Iterable[str], command: str, file: str) -> None:
    """Refuses settings of a lab that is computed from its scenario alone. Raises ChoiceError."""
    if choice.settings:
        words = {
            "value": visible(one_line(choice.settings[0]) or choice.settings[0]),
            "lab": choice.lab,
            "presets": ", ".join(presets) or "–",
            "file": file,
            "command": f"gpulab {command} {file}",
        }
        raise ChoiceError(choice.messages.text("cli.form-only-settings", **words))


def shown_scenario(choice: Choice, presets: Iterable[str], text: str) -> Printed:
    """The scenario of a lab or of its preset: the file itself, or as JSON with what belongs to it."""
    if choice.form != "json":
        return Printed(text, is_file=True)
    answer = {"id": choice.lab, "title": choice.title, "presets": list(presets), "scenario": text}
    return Printed(json.dumps(answer, indent=2, ensure_ascii=False) + "\n", is_file=True)
