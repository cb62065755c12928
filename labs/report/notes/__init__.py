"""What nothing came of, and what people did to a cluster, in words."""

from labs.report.notes.action_words import action_key, what_text
from labs.report.notes.note_words import note_reason, note_rows, note_text, notes_json

__all__ = [
    "action_key",
    "note_reason",
    "note_rows",
    "note_text",
    "notes_json",
    "what_text",
]
