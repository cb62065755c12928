"""What a planner lab is set to: a card and the profiles to create on it in their order, and what a reader does to that.

    a100-40gb:1g.5gb_1g.5gb.me_3g.20gb.at4      the text: profiles as in resource names, `.at` before a start asked for

Such a text comes back from a page, from a draft or from a link, so that it may be anything: it is bounded, and each name is
looked up in the catalog.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from labs.hardware.catalog import Catalog, GpuModel, MigProfile, UnknownFigureError, UnknownGpuError
from labs.hardware.mig import Layout, default_starts, place_in_any_order

MOST_STEPS = 16
TEXT_LIMIT = 1_000  # characters
DEFAULT_CARD = "a100-40gb"
_STEP = re.compile(r"(?P<name>.+?)(?:\.at(?P<start>[0-9]))?", re.ASCII)


class UnreadableCutError(ValueError):
    """A text that is no cut of a card that can be planned for."""


@dataclass(frozen=True, slots=True)
class Step:
    """An instance to create; `start` is None where the driver is to choose."""

    profile: str
    start: int | None = None


@dataclass(frozen=True, slots=True)
class Cut:
    """A card and the steps in their order, at most MOST_STEPS."""

    model: GpuModel
    steps: tuple[Step, ...] = ()

    @property
    def text(self) -> str:
        """The cut as a text; see the module."""
        return f"{self.model.id}:{steps_text(self.steps)}"


def steps_text(steps: Sequence[Step]) -> str:
    """The steps as a text; see the module."""
    return "_".join(
        step.profile.replace("+", ".") + ("" if step.start is None else f".at{step.start}") for step in steps
    )


def plannable(model: GpuModel) -> bool:
    """Whether all figures that a plan for the card needs are known."""
    return missing_figure(model) is None


def missing_figure(model: GpuModel) -> str | None:
    """The first figure of a card with MIG that a plan lacks, as `UnknownFigureError` names it."""
    if not model.supports_mig:
        return "mig_profiles"
    try:
        Layout.empty(model)
        for profile in model.mig_profiles:
            default_starts(model, profile)
    except UnknownFigureError as error:
        return error.figure
    return None


def read_cut(text: str, catalog: Catalog) -> Cut:
    """The cut in a text. Raises UnreadableCutError."""
    card, colon, steps = text.partition(":")
    if not colon or len(text) > TEXT_LIMIT:
        raise UnreadableCutError(text[:80])
    try:
        model = catalog.get(card)
    except UnknownGpuError:
        raise UnreadableCutError(card[:80]) from None
    if not plannable(model):
        raise UnreadableCutError(card)
    names = steps.split("_") if steps else []
    if len(names) > MOST_STEPS:
        raise UnreadableCutError(f"{len(names)} steps")
    return Cut(model, tuple(_step(name, model) for name in names))


def _step(text: str, model: GpuModel) -> Step:
    match = _STEP.fullmatch(text)
    names = {profile.name.replace("+", "."): profile.name for profile in model.mig_profiles}
    if match is None or match["name"] not in names:
        raise UnreadableCutError(text[:80])
    return Step(names[match["name"]], None if match["start"] is None else int(match["start"]))


# Presets: profiles by their compute slices, since every card calls them otherwise.

PRESETS: Mapping[str, tuple[int, ...]] = {
    "three-three-one": (3, 3, 1),
    "small-first": (1, 1, 2, 3),
    "large-first": (3, 2, 1, 1),
    "balanced": (2, 1, 1),
    "ones": (),
}
"""By id the slices of each step; `ones`: as many 1g as the card takes; `balanced`: all-balanced of cards without a 3g."""


def preset(model: GpuModel, name: str) -> Cut | None:
    """The preset on that card; None where the card has no such profiles, or where another preset says it better."""
    plain = {profile.compute_slices: profile for profile in reversed(_plain(model))}
    if name == "ones":
        smallest = plain.get(1)
        if smallest is None:
            return None
        count = Layout.empty(model).free_count(smallest)
        return Cut(model, (Step(smallest.name),) * min(MOST_STEPS, count))
    wanted = PRESETS.get(name)
    if wanted is None or any(slices not in plain for slices in wanted) or (name == "balanced" and 3 in plain):
        return None
    return Cut(model, tuple(Step(plain[slices].name) for slices in wanted))


def _plain(model: GpuModel) -> list[MigProfile]:
    """The profiles without extras, those with less memory first."""
    plain = (profile for profile in model.mig_profiles if not profile.attributes)
    return sorted(plain, key=lambda profile: profile.memory_slices or 0)


# Changes


def changed(cut: Cut, changes: Sequence[Mapping[str, Any]], catalog: Catalog) -> tuple[Cut, int | None]:
    """The cut after what a reader did to it as it was shown, and the place of the step that was changed last, if it is there.

    All places are those of the cut as it was shown: who presses Up twice before an answer moves one step by two. Changes:
    `{"add": profile}` (with `"before": place` where it is not to be the last), `{"up": place}`, `{"down": place}`,
    `{"remove": place}`, `{"start": place, "value": "4"}` (empty: the driver's choice), `{"card": true, "value": id}`,
    `{"preset": id}`, `{"clear": true}`, `{"take": true}` (an order in which all of it works), `{"cut": text}`,
    `{"show": true}` (nothing). Raises KeyError, TypeError or ValueError for anything else.
    """
    numbered: list[tuple[int | None, Step]] = list(enumerate(cut.steps))
    model = cut.model
    last: int | None = None
    for change in changes:
        places = [place for place, _ in numbered]
        kind = next(iter(change), "")
        last = None
        if kind == "add":
            name = str(change["add"])
            if model.mig_profile(name) is None:
                raise ValueError(f"{model.id} has no profile {name[:80]!r}")
            before = int(change.get("before", -1))
            at = places.index(before) if before in places else len(numbered)
            if len(numbered) < MOST_STEPS:
                numbered.insert(at, (None, Step(name)))
        elif kind in ("up", "down", "remove", "start"):
            place = int(change[kind])
            if place not in places:
                continue  # it was removed by a change before
            last = _rearranged(numbered, places.index(place), kind, str(change.get("value", "")))
        else:
            whole = _replaced(Cut(model, tuple(step for _, step in numbered)), change, catalog)
            model, numbered = whole.model, [(None, step) for step in whole.steps]
    return Cut(model, tuple(step for _, step in numbered)), last


def _rearranged(numbered: list[tuple[int | None, Step]], at: int, kind: str, value: str) -> int | None:
    """Changes the step at that index of the list, and returns its index afterwards."""
    if kind == "remove":
        del numbered[at]
        return None
    if kind == "start":
        place, step = numbered[at]
        numbered[at] = (
            place,
            replace(step, start=int(value) if re.fullmatch(r"[0-9]", value, re.ASCII) else None),
        )
        return at
    to = at - 1 if kind == "up" else at + 1
    if not 0 <= to < len(numbered):
        return at
    numbered[at], numbered[to] = numbered[to], numbered[at]
    return to


def _replaced(cut: Cut, change: Mapping[str, Any], catalog: Catalog) -> Cut:
    """The cut that takes the place of another."""
    match dict(change):
        case {"card": True, "value": str(card)}:
            return _on_card(cut, read_cut(f"{card}:", catalog).model)
        case {"preset": str(name)}:
            replacement = preset(cut.model, name)
            if replacement is None:
                raise ValueError(f"there is no preset {name[:80]!r} on {cut.model.id}")
            return replacement
        case {"show": True}:
            return cut
        case {"clear": True}:
            return Cut(cut.model)
        case {"take": True}:
            return working_order(cut)
        case {"cut": str(text)}:
            return read_cut(text, catalog)
        case _:
            raise ValueError(f"no such change: {str(change)[:80]}")


def _on_card(cut: Cut, model: GpuModel) -> Cut:
    """The same slices on another card, as far as it has such profiles; the driver chooses the starts."""
    alike: dict[tuple[int, int | None, tuple[str, ...]], str] = {}
    for profile in model.mig_profiles:
        alike.setdefault((profile.compute_slices, profile.memory_slices, profile.attributes), profile.name)
    profiles = [cut.model.mig_profile(step.profile) for step in cut.steps]
    names = [
        alike.get((profile.compute_slices, profile.memory_slices, profile.attributes))
        for profile in profiles
        if profile is not None
    ]
    return Cut(model, tuple(Step(name) for name in names if name is not None))


def working_order(cut: Cut) -> Cut:
    """The steps in an order in which all are created, with starts where the driver would choose others; else as they are."""
    placement = place_in_any_order(Layout.empty(cut.model), [step.profile for step in cut.steps])
    if not placement.placeable:
        return cut
    return Cut(
        cut.model,
        tuple(
            Step(instance.profile.name, instance.start if placement.needs_starts else None)
            for instance in placement.layout.instances
        ),
    )
