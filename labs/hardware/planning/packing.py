"""Dividing MIG devices over equal cards: what one empty card can hold, and the search for the best division.

A *demand* counts devices by kind, a kind being a choice of profiles of which any will do. A *filling* is what one card
holds of a demand. Cost is a sum over fillings, compared digit by digit (`Filling.cost`), and every card is empty at
first, so the best division of what is left depends on nothing but what is left: a recursion over remainders with memory.
Each step fills the next card with some of the largest kind left, which a card has to hold anyway.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from labs.hardware.catalog import GpuModel, MigProfile
from labs.hardware.mig import Attempt, Layout, place_in_any_order

EFFORT = 400_000
"""Fillings that a search tries before it goes on by rule of thumb: below a second on a small machine."""

DIGIT = 10_000  # more than any sum over MOST_CARDS cards of one of the figures that a cost is made of
MOST_CARDS = 64
_FIELD_BITS = 16

Kind = tuple[MigProfile, ...]


@dataclass(frozen=True, slots=True)
class Filling:
    """What one card holds: `devices` are (kind, profile) in the order they are created, largest first.

    `wasted_memory_slices` and `wasted_compute_slices` are held by none of them, and whatever else the card is asked to
    have beside them, they stay so. `cost` orders fillings of equal counts: needs explicit starts; wasted memory
    slices; wasted compute slices; compute slices held; devices without media engines.
    """

    counts: tuple[int, ...]
    devices: tuple[tuple[int, MigProfile], ...]
    attempt: Attempt
    wasted_memory_slices: int
    wasted_compute_slices: int

    @property
    def cost(self) -> int:
        """The figures as digits of one number, so that sums over cards compare figure by figure."""
        held = sum(profile.compute_slices for _, profile in self.devices)
        bare = sum("-me" in profile.attributes for _, profile in self.devices)
        figures = (
            int(self.attempt.needs_starts),
            self.wasted_memory_slices,
            self.wasted_compute_slices,
            held,
            bare,
        )
        number = 0
        for figure in figures:
            number = number * DIGIT + figure
        return number


@dataclass(frozen=True, slots=True)
class Division:
    """Fillings for the fewest cards that do, None where none was found; `exact`: nothing is better, or nothing exists."""

    fillings: tuple[Filling, ...] | None
    exact: bool


class EmptyCard:
    """What an empty card of `model` has room for; remembers what it was asked."""

    def __init__(self, model: GpuModel) -> None:
        self.model = model
        self._layout = Layout.empty(model)
        self._profiles = model.mig_profiles
        # Other variants hold the same slices and at least the media engines, so they fill a card no better.
        self._fillers = tuple(
            index
            for index, profile in enumerate(self._profiles)
            if set(profile.attributes) <= {"-me"} and profile.placements.known
        )
        self._attempts: dict[tuple[int, ...], Attempt] = {}
        self._most: dict[tuple[int, ...], tuple[int, int]] = {}

    def attempt(self, held: tuple[int, ...]) -> Attempt:
        """Laying out profiles, given by their places in the catalog, ascending."""
        if held not in self._attempts:
            names = [self._profiles[index].name for index in reversed(held)]
            self._attempts[held] = place_in_any_order(self._layout, names)
        return self._attempts[held]

    def wasted(self, held: tuple[int, ...]) -> tuple[int, int]:
        """Memory and compute slices that stay free whatever is created beside these profiles."""
        memory, compute = self._most_held(held)
        model = self.model
        return (model.memory_slices or 0) - memory, (model.compute_slices or 0) - compute

    def fillings(self, kinds: Sequence[Kind], demand: Sequence[int]) -> list[Filling]:
        """Every way of holding some of the demand, for equal counts only the cheapest."""
        fillings: list[Filling] = []
        place_of = {profile.name: index for index, profile in enumerate(self._profiles)}
        choices = [[place_of[profile.name] for profile in kind] for kind in kinds]

        def extend(counts: tuple[int, ...], ways: dict[tuple[int, ...], tuple[int, ...]], least: int) -> None:
            for kind in range(least, len(kinds)):
                if counts[kind] == demand[kind]:
                    continue
                more: dict[tuple[int, ...], tuple[int, ...]] = {}
                for held, kinds_held in ways.items():
                    for profile in choices[kind]:
                        pairs = sorted((*zip(held, kinds_held, strict=True), (profile, kind)))
                        grown = tuple(index for index, _ in pairs)
                        if grown not in more and self.attempt(grown).placeable:
                            more[grown] = tuple(each for _, each in pairs)
                if more:
                    after = (*counts[:kind], counts[kind] + 1, *counts[kind + 1 :])
                    ranked = [self._filling(after, *way) for way in more.items()]
                    fillings.append(min(ranked, key=lambda filling: filling.cost))
                    extend(after, more, kind)

        extend((0,) * len(kinds), {(): ()}, 0)
        return fillings

    def _filling(self, counts: tuple[int, ...], held: tuple[int, ...], kinds: tuple[int, ...]) -> Filling:
        devices = tuple(
            (kind, self._profiles[index]) for index, kind in zip(reversed(held), reversed(kinds), strict=True)
        )
        return Filling(counts, devices, self.attempt(held), *self.wasted(held))

    def _most_held(self, held: tuple[int, ...]) -> tuple[int, int]:
        if held not in self._most:
            profiles = [self._profiles[index] for index in held]
            memory = sum(self._layout.placements(profile).size for profile in profiles)
            compute = sum(profile.compute_slices for profile in profiles)
            for filler in self._fillers:
                grown = tuple(sorted((*held, filler)))
                if self.attempt(grown).placeable:
                    more = self._most_held(grown)
                    memory, compute = max(memory, more[0]), max(compute, more[1])
            self._most[held] = memory, compute
        return self._most[held]


def divide(
    empty: EmptyCard, kinds: Sequence[Kind], demand: Sequence[int], cards: int, effort: int | None = None
) -> Division:
    """The demand on the fewest of `cards` such cards, and on these at the least cost.

    `kinds` come largest first; each fits an empty card. `cards` is at most `MOST_CARDS`. Beyond the `effort` (None:
    `EFFORT`) the rest of the search takes the first filling that fits, and `exact` is False.
    """
    search = _Search(empty.model, kinds, empty.fillings(kinds, demand), EFFORT if effort is None else effort)
    for count in range(search.fewest(demand), cards + 1):
        fillings = search.best(demand, count)
        if fillings is not None:
            return Division(fillings, search.exact)
    return Division(None, search.exact)


class _Search:
    """The recursion.

    A remainder is one number with a field of 16 bits for each kind, so that taking a filling away is a subtraction, and one
    borrow tells that it held too much.
    """

    def __init__(
        self, model: GpuModel, kinds: Sequence[Kind], fillings: Sequence[Filling], effort: int
    ) -> None:
        self._memory = [min(profile.memory_slices or 0 for profile in kind) for kind in kinds]
        self._compute = [min(profile.compute_slices for profile in kind) for kind in kinds]
        self._card = (model.memory_slices or 0, model.compute_slices or 0)
        self._guard = sum(1 << (_FIELD_BITS * (kind + 1) - 1) for kind in range(len(kinds)))
        self._held_weight = DIGIT  # of a compute slice held, in `Filling.cost`
        self._steps: list[list[_Step]] = [[] for _ in kinds]
        for filling in fillings:
            memory, compute = self._sums(filling.counts)
            step = _Step(self._packed(filling.counts), filling.cost, memory, compute, filling)
            first = next(kind for kind, count in enumerate(filling.counts) if count)
            self._steps[first].append(step)
        for steps in self._steps:
            steps.sort(
                key=lambda step: (step.cost - self._held_weight * step.compute, -step.memory, -step.compute)
            )
        self._known: dict[tuple[int, int], tuple[int, _Step] | None] = {}
        self._effort = effort

    @property
    def exact(self) -> bool:
        """Whether everything that had to be tried was."""
        return self._effort > 0

    def fewest(self, demand: Sequence[int]) -> int:
        """Cards without which the sums of slices forbid it."""
        memory, compute = self._sums(demand)
        return max(1, -(-memory // self._card[0]), -(-compute // self._card[1]))

    def best(self, demand: Sequence[int], cards: int) -> tuple[Filling, ...] | None:
        """The cheapest fillings of at most so many cards."""
        state, (memory, compute) = self._packed(demand), self._sums(demand)
        if self._solve(state, cards, memory, compute) is None:
            return None
        fillings: list[Filling] = []
        while state:
            known = self._known[state, cards]
            assert known is not None  # `_solve` leaves the way behind where there is one
            fillings.append(known[1].filling)
            state, cards = state - known[1].packed, cards - 1
        return tuple(fillings)

    def _solve(self, state: int, cards: int, memory: int, compute: int) -> int | None:
        """The least cost of the remainder; the way there is in `_known`."""
        if not state:
            return 0
        if memory > self._card[0] * cards or compute > self._card[1] * cards:
            return None
        key = state, cards
        if key in self._known:
            known = self._known[key]
            return None if known is None else known[0]
        first = ((state & -state).bit_length() - 1) // _FIELD_BITS
        floor = compute * self._held_weight
        best: tuple[int, _Step] | None = None
        for step in self._steps[first]:
            rest = (state | self._guard) - step.packed
            if rest & self._guard != self._guard:
                continue
            if best is not None:
                if self._effort <= 0 or best[0] <= floor:
                    break
                if step.cost + (compute - step.compute) * self._held_weight >= best[0]:
                    continue
            self._effort -= 1
            remainder = self._solve(
                rest ^ self._guard, cards - 1, memory - step.memory, compute - step.compute
            )
            if remainder is not None and (best is None or step.cost + remainder < best[0]):
                best = step.cost + remainder, step
            if self._effort <= 0:
                break
        self._known[key] = best
        return None if best is None else best[0]

    def _sums(self, counts: Sequence[int]) -> tuple[int, int]:
        """The memory and compute slices that so many devices hold at least."""
        return (
            sum(count * each for count, each in zip(counts, self._memory, strict=True)),
            sum(count * each for count, each in zip(counts, self._compute, strict=True)),
        )

    @staticmethod
    def _packed(counts: Sequence[int]) -> int:
        return sum(count << (_FIELD_BITS * kind) for kind, count in enumerate(counts))


@dataclass(frozen=True, slots=True)
class _Step:
    """A filling as the search sees it: its counts packed, its cost, and the slices its devices hold at least."""

    packed: int
    cost: int
    memory: int
    compute: int
    filling: Filling
