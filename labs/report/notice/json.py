"""The notice to users as JSON: what changes, and the notice in every language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from labs.cluster.announcement import Announcement
from labs.cluster.promises import NOT_PROMISED
from labs.report.notice.words import Circumstances, notice
from labs.report.writing import Messages


def notice_json(
    found: Announcement, told: Circumstances, warnings: Sequence[str], messages: Mapping[str, Messages]
) -> dict[str, Any]:
    """One notice; `text` is its Markdown by language."""
    return {
        "key": told.key,
        "error": None,
        "from": told.start,
        "contact": told.contact,
        "changes": [each.to_json() for each in found.changes],
        "units": {name: {"before": old, "after": new} for name, (old, new) in found.units.items()},
        "labels": [{"name": each.name, "before": each.before, "after": each.after} for each in found.labels],
        "notPromised": [
            {"mechanism": mechanism, "what": str(aspect), "source": source}
            for mechanism in found.mechanisms
            for aspect, source in NOT_PROMISED[mechanism].items()
        ],
        "unmatched": list(found.unmatched),
        "warnings": list(warnings),
        "text": {language: notice(found, told, words).markdown for language, words in messages.items()},
    }


def refused_json(key: str | None, error: str) -> dict[str, Any]:
    """A config of which there is nothing to announce, with the program's own text."""
    return {"key": key, "error": error}
