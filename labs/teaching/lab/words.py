"""The few words that the script of a lab must say itself, as attributes of its element."""

from __future__ import annotations

from collections.abc import Mapping

from labs.report.writing import Messages

SHARED_WORDS = ("loading", "failed", "retry", "copied", "by-hand", "link", "aside", "restore", "discard")
"""Of every kind of lab: the messages `script.<word>`."""


def script_words(keys: Mapping[str, str], messages: Messages) -> dict[str, str]:
    """Attributes by name (`data_by_hand`) for the messages at `keys`, by word; the script fills `{percent}` in."""
    return {
        f"data_{word.replace('-', '_')}": messages.pick(key, {"percent": "{percent}"})
        for word, key in keys.items()
    }
