"""Did you mean: the name out of a few that another one is most like."""

from __future__ import annotations

from collections.abc import Iterable

from labs.config.own import nearest

MOST_NAMES = 100
MOST_SUGGESTIONS = 50


class NearNames:
    """Looks for near names among those allowed; gives up after many questions, so that a huge file ends soon."""

    def __init__(self, allowed: Iterable[str]) -> None:
        self._allowed = tuple(dict.fromkeys(allowed))[:MOST_NAMES]
        self._known: dict[str, str] = {}

    def of(self, name: str) -> str:
        """The allowed name most like this one; empty where none is near."""
        if name not in self._known:
            if len(self._known) >= MOST_SUGGESTIONS:
                return ""
            self._known[name] = nearest(name, self._allowed)
        return self._known[name]


def listed(names: Iterable[str], limit: int = 80) -> str:
    """Names as a message lists them, cut where there are many."""
    text = ""
    for name in names:
        more = f"{text}, {name}" if text else name
        if len(more) > limit:
            return f"{text}, …" if text else f"{name[:limit]}…"
        text = more
    return text
