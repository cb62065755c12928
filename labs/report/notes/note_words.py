"""What nothing came of, in words: where it stands, why, and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from labs.hardware.units import SECOND_US
from labs.report.notes.action_words import what_text
from labs.report.writing import Messages
from labs.simulation.scenario import Note, Subject

OF_THE_WHOLE = (Subject.BEHAVIOUR, Subject.REVISION, Subject.LABEL)  # at no time in particular


def note_text(note: Note, messages: Messages) -> str:
    """The note as sentences, with its place."""
    reason, remedy = note_reason(note, messages)
    values: dict[str, str | int] = {"line": note.line, "what": _what(note, messages)}
    if note.subject in OF_THE_WHOLE:
        place = messages.text("note.place-whole", **values)
    else:
        place = messages.text("note.place", time=messages.duration(note.at_us), **values)
    return messages.text("list.sentences").join((place, reason, remedy))


def note_reason(note: Note, messages: Messages) -> tuple[str, str]:
    """Why nothing came of it, and what to do."""
    is_one_of_many = note.node is not None and note.event is not None and len(note.event.nodes) > 1
    values: dict[str, str | int] = {
        "where": messages.text("note.where", node=note.node or "") if is_one_of_many else "",
        "ends": messages.duration(note.ends_us),
        "error": note.error,
    }
    key = f"note.{note.why}"
    return messages.pick(f"{key}.reason", values), messages.text(f"{key}.remedy")


def notes_json(notes: Sequence[Note], messages: Messages) -> dict[str, list[dict[str, Any]]]:
    """`notes` of an answer in JSON, which has them only where nothing came of something."""
    return {"notes": note_rows(notes, messages)} if notes else {}


def note_rows(notes: Sequence[Note], messages: Messages) -> list[dict[str, Any]]:
    """The notes as rows of JSON, with their words."""
    return [
        {
            "line": note.line,
            "column": note.column,
            "at": note.at_us / SECOND_US,
            "what": _what(note, messages),
            "node": note.node,
            "code": str(note.why),
            "message": reason,
            "help": remedy,
        }
        for note in notes
        for reason, remedy in (note_reason(note, messages),)
    ]


def _what(note: Note, messages: Messages) -> str:
    if note.event is not None:
        return what_text(note.event, messages)
    subject = "fault" if note.subject is Subject.FAULT else str(note.subject)
    return messages.text(f"note.what.{subject}", name=note.name)
