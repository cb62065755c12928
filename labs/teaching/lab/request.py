"""What the script of a lab asks, of whatever kind the lab is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from labs.report.writing import Messages

MOST_CHANGES = 100  # at once; labs/web/engine/lab-element.js keeps a few less


@dataclass(frozen=True, slots=True)
class Request:
    """The lab as it is shown and what the reader did to it since.

    `state` holds, beside all else, what is shown, as each kind's script says it. `element` is the id of the page's element
    ("": not said), `only` names the parts of the answer that are wanted (none: all), `messages` are the page's.
    """

    lab: str
    element: str
    changes: tuple[Mapping[str, Any], ...]
    only: tuple[str, ...]
    state: Mapping[str, Any]
    messages: Messages

    @classmethod
    def from_raw(cls, raw: Mapping[str, Any], messages: Messages) -> Request:
        """Reads a request. Raises KeyError, TypeError or ValueError for a mapping that is none, or asks too much at once."""
        changes = tuple(dict(change) for change in raw.get("changes") or ())
        if len(changes) > MOST_CHANGES:
            raise ValueError(f"{len(changes)} changes at once; at most {MOST_CHANGES}")
        return cls(
            lab=str(raw["lab"]),
            element=str(raw.get("element") or ""),
            changes=changes,
            only=tuple(raw.get("only") or ()),
            state=raw,
            messages=messages,
        )

    @property
    def asks_for_link(self) -> bool:
        """Whether the reader wants a link to the lab as it is shown, and nothing else."""
        return self.only == ("link",)

    def said(self, name: str, default: str = "") -> str:
        """A part of the state as text; the default where the script says nothing."""
        return str(self.state.get(name) or default)
