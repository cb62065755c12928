"""Changes of files that the site is made from, and which of its languages they concern first."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import NamedTuple

from tools import paths, site


class Change(NamedTuple):
    """What is to be built: `languages` in order; `code` where what builds them is to be read anew."""

    languages: tuple[str, ...]
    code: bool


class Watch:
    """The files as they were when last looked at."""

    def __init__(self) -> None:
        self._seen = modification_times()

    def change(self, languages: Iterable[str], opened: str) -> Change | None:
        """What has changed since the last time; None where nothing has."""
        before, self._seen = self._seen, modification_times()
        if self._seen == before:
            return None
        touched = {path for path, _ in before.items() ^ self._seen.items()}
        return concerned(touched, before.keys() ^ self._seen.keys(), languages, opened)


def concerned(
    touched: Collection[Path], came_or_went: Collection[Path], languages: Iterable[str], opened: str
) -> Change:
    """The change that these files are.

    The language whose files they are comes first, then that of the page that is open. A page's text concerns its own
    language only; that it is there, the others too, which link to it.
    """
    parts = [path.relative_to(paths.ROOT).parts for path in touched]
    own = {part for names in parts for part in names if part in site.LANGUAGES}
    in_order = sorted(languages, key=lambda language: (language not in own, language != opened))
    if not came_or_went and all(names[0] == "docs" and names[1] in site.LANGUAGES for names in parts):
        in_order = [language for language in in_order if language in own]
    return Change(tuple(in_order), any(names[0] not in ("docs", "theme") for names in parts))


def modification_times() -> dict[Path, int]:
    """When each file that the site is made from was last written."""
    times = {}
    for path in site.inputs():
        with contextlib.suppress(FileNotFoundError):
            times[path] = path.stat().st_mtime_ns
    return times
