"""The kind of labs in which readers cut a card into MIG instances.

A fence places one by the list of profiles that it shows first, on some card of the catalog:

    ```planner
    planner: small-first
    card: a100-40gb
    ```
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from labs.teaching.lab import Data, FenceError, LabKind, Limits, Page, Placed, Request
from labs.teaching.planner_lab.answer import Planning
from labs.teaching.planner_lab.cut import DEFAULT_CARD, PRESETS, Cut, UnreadableCutError, preset, read_cut
from labs.teaching.planner_lab.view import LAB_ID, planner_html

_FENCE = re.compile(r"planner: *(?P<preset>[a-z0-9-]+) *(?:\n *card: *(?P<card>[a-z0-9-]+) *)?")


class PlannerLabs(LabKind):
    """The planner of a library's cards. Prose does not refer to it, and a terminal has `gpulab mig`."""

    def __init__(self, data: Data, limits: Limits) -> None:
        del limits  # a cut is bounded by its steps
        self._catalog = data.catalog
        self._planning = Planning(data.catalog)

    @staticmethod
    def made() -> Mapping[str, tuple[int, ...]]:
        """The lists of profiles that a fence may name."""
        return PRESETS

    def place(self, lines: Sequence[str], page: Page) -> Placed:
        """The planner with that list on that card. Raises FenceError."""
        match = _FENCE.fullmatch("\n".join(lines).strip())
        cut = None if match is None else self._cut(match["preset"], match["card"] or DEFAULT_CARD)
        if cut is None:
            form = "a planner fence has the line planner: LIST and perhaps the line card: ID, of a card with such profiles"
            raise FenceError.at(1, f"{form}; known lists: {', '.join(PRESETS)}")
        return Placed("planner", planner_html(cut, *self._planning.of(cut), self._catalog, page.messages))

    def _cut(self, name: str, card: str) -> Cut | None:
        """The list on the card; None where there is none."""
        try:
            return preset(read_cut(f"{card}:", self._catalog).model, name)
        except UnreadableCutError:
            return None

    def answer(self, request: Request) -> dict[str, Any]:
        """The answer to a request. Raises what a request may be wrong in."""
        return self._planning.answer(request)

    def trials(self) -> Iterator[Mapping[str, Any]]:
        """Lists that fit and lists that do not."""
        names = [name for name in PRESETS if self._cut(name, DEFAULT_CARD) is not None]
        return ({"lab": LAB_ID, "cut": "", "changes": [{"preset": name}]} for name in names)
