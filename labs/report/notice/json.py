"""The notice to users as JSON: what changes, and the notice in every language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from labs.cluster.announcement import Announcement
from labs.cluster.promises import NOT_PROMISED
from labs.report.notice.words import Circumstances, notice
from labs.report.writing import Messages


def notice_json(
    announcement: Announcement,
    circumstances: Circumstances,
    warnings: Sequence[str],
    messages: Mapping[str, Messages],
) -> dict[str, Any]:
    """One notice; `text` is its Markdown by language."""
    return {
        "key": circumstances.key,
        "error": None,
        "from": circumstances.start,
        "contact": circumstances.contact,
        "changes": [change.to_json() for change in announcement.changes],
        "units": {name: {"before": old, "after": new} for name, (old, new) in announcement.units.items()},
        "labels": [
            {"name": label.name, "before": label.before, "after": label.after}
            for label in announcement.labels
        ],
        "notPromised": [
            {"mechanism": mechanism, "what": str(aspect), "source": source}
            for mechanism in announcement.mechanisms
            for aspect, source in NOT_PROMISED[mechanism].items()
        ],
        "unmatched": list(announcement.unmatched),
        "warnings": list(warnings),
        "text": {
            language: notice(announcement, circumstances, words).markdown
            for language, words in messages.items()
        },
    }


def refused_json(key: str | None, error: str) -> dict[str, Any]:
    """A config of which there is nothing to announce, with the program's own text."""
    return {"key": key, "error": error}
