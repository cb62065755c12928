"""What a planner lab answers to a page: the cut after what the reader did, and its regions."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

from labs.cluster.advertise import Advertisement, advertise
from labs.cluster.gpu import PhysicalGpu
from labs.config.plugin import Loaded, load
from labs.hardware.catalog import Catalog
from labs.hardware.planning import Trial, try_out
from labs.report.plan import PlanWords, plan_regions
from labs.teaching.lab import LinkError, Request
from labs.teaching.planner_lab.cut import (
    DEFAULT_CARD,
    MOST_STEPS,
    Cut,
    UnreadableCutError,
    changed,
    preset,
    read_cut,
)
from labs.teaching.planner_lab.link import cut_of_link, planner_link
from labs.teaching.planner_lab.view import presets_html

STRATEGIES = ("single", "mixed")
KEPT = 16  # answers about the latest cuts


class Planning:
    """Tries cuts of one catalog's cards, and keeps the latest."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.of = functools.lru_cache(maxsize=KEPT)(_tried)

    def answer(self, request: Request) -> dict[str, Any]:
        """The answer to a request, as JSON. Raises what a request may be wrong in."""
        before = self._read(str(request.state["cut"]))
        if request.asks_for_link:
            return {"ok": True, "link": planner_link(request.lab, before)}
        cut, changed_place, opened = self._cut_after(before, request)
        trial, offers = self.of(cut)
        words = PlanWords(request.messages, request.element or request.lab)
        answer: dict[str, Any] = {
            "ok": True,
            "cut": cut.text,
            "fields": {"card": cut.model.id},
            "focus": _focus(request.changes, words.element, changed_place),
            **opened,
        }
        if len(cut.steps) == MOST_STEPS:
            answer.setdefault("notice", request.messages.text("planner.most", most=MOST_STEPS))
        regions = plan_regions(trial, offers, words)
        return {**answer, "regions": {**regions, "presets": presets_html(cut.model, words)}}

    def _read(self, text: str) -> Cut:
        """The cut in a text; where it is none, as after the site changed, the first that a reader sees."""
        try:
            return read_cut(text, self.catalog)
        except UnreadableCutError:
            return first_cut(self.catalog)

    def _cut_after(self, start: Cut, request: Request) -> tuple[Cut, int | None, dict[str, Any]]:
        """The cut after the changes; of a link also whether it was opened, in words."""
        changes, messages = request.changes, request.messages
        links = [place for place, change in enumerate(changes) if "link" in change]
        if not links:
            return *changed(start, changes, self.catalog), {}
        before, link, after = changes[: links[-1]], str(changes[links[-1]]["link"]), changes[links[-1] + 1 :]
        opened: dict[str, Any]
        try:
            cut = cut_of_link(request.lab, link, self.catalog)
            opened = {"opened": True, "notice": messages.text("planner-share.opened")}
        except LinkError as error:
            kept = [change for change in before if "link" not in change]
            cut, _ = changed(start, kept, self.catalog)
            opened = {"opened": False, "notice": messages.text(f"planner-share.{error.problem}")}
        return *changed(cut, after, self.catalog), opened


def first_cut(catalog: Catalog) -> Cut:
    """What a lab shows where nothing else is said: the order that fails."""
    model = catalog.get(DEFAULT_CARD)
    return preset(model, "small-first") or Cut(model)


def _tried(cut: Cut) -> tuple[Trial, Mapping[str, Advertisement]]:
    names = [step.profile for step in cut.steps]
    trial = try_out(cut.model, names, [step.start for step in cut.steps])
    instances = trial.other_way or (trial.in_order.layout.instances if trial.works else ())
    gpu = PhysicalGpu(
        cut.model.name,
        cut.model.memory_mib.value or 0,
        (8, 0),  # what MIG needs at least; only MPS asks for it
        tuple(instance.profile.name for instance in instances),
    )
    return trial, {strategy: advertise(_config(strategy), [gpu]) for strategy in STRATEGIES}


@functools.cache
def _config(strategy: str) -> Loaded:
    return load(f"version: v1\nflags:\n  migStrategy: {strategy}\n")


def _focus(changes: Sequence[Mapping[str, Any]], element: str, place: int | None) -> str | None:
    """The id of the button on which somebody stands who pressed it and whose step has moved."""
    kinds: Sequence[str] = [next(iter(change), "") for change in changes[-1:]]
    if place is None or not kinds or kinds[0] not in ("up", "down", "start"):
        return None
    return f"{element}-{kinds[0]}-{place}"
