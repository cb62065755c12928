"""Cards cut for what Pods wish: which MIG devices on which card serve all wishes with least waste, or why none do.

A wish is for memory, served by the smallest profile that has it, or for a profile by name. "Least waste" compares, in
this order: cards used; memory that the devices have over what was wished; cards on which the starts would have to be named
(mig-parted can't); memory slices and compute slices of used cards that are held by nothing and can be by nothing else;
compute slices held; devices without media engines. What is free and still usable is no waste.

That the smallest profile costs no card is so on every card of the catalog: in any set of devices that fits, a device
can be replaced by a smaller one (`tests/unit/hardware/test_mig_plan.py` tries all). So memory over need is settled first,
and the division over cards (`mig_packing`) chooses between profiles of equal memory, such as 1g.10gb and 2g.10gb.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from labs.hardware.catalog import GpuModel, MigProfile, UnknownFigureError
from labs.hardware.mig import GpuInstance, Layout, Limit, broken_limit
from labs.hardware.planning.packing import MOST_CARDS, EmptyCard, Filling, Kind, divide
from labs.hardware.units import MIB


@dataclass(frozen=True, slots=True)
class Wish:
    """`count` Pods that need so many bytes each, or a MIG device of the profile `wanted`; `text` is how it was put."""

    text: str
    count: int
    wanted: int | str


class Bound(StrEnum):
    """What keeps wishes from being served."""

    NO_MIG = "no-mig"
    UNKNOWN_PROFILE = "unknown-profile"
    NO_PROFILE = "no-profile"
    COMPUTE_SLICES = "compute-slices"
    MEMORY_SLICES = "memory-slices"
    MEDIA_ENGINES = "media-engines"
    INSTANCES = "instances"
    NO_LAYOUT = "no-layout"
    GAVE_UP = "gave-up"


@dataclass(frozen=True, slots=True)
class Shortage:
    """Why there is no plan. `wish` is the one at fault, None where it is their sum.

    `needed` and `most` count slices of all cards, or MiB that a Pod needs and the largest profile has (`NO_PROFILE`), or
    devices of one profile.
    """

    bound: Bound
    wish: Wish | None = None
    needed: int | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True)
class PlannedDevice:
    """A GPU instance at its place and the wish that it is for."""

    instance: GpuInstance
    wish: Wish


@dataclass(frozen=True, slots=True)
class CardPlan:
    """One card: its devices in the order of creation, none where the card is not needed.

    The wasted slices are those that nothing more could be created on. With `needs_starts` the driver, as modelled,
    comes to these places only where it is told the starts.
    """

    devices: tuple[PlannedDevice, ...]
    layout: Layout
    wasted_memory_slices: int = 0
    wasted_compute_slices: int = 0
    needs_starts: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """What came of the wishes: `cards`, all of them, or a `shortage`. Not `exact`: the search was cut short."""

    model: GpuModel
    wishes: tuple[Wish, ...]
    cards: tuple[CardPlan, ...]
    shortage: Shortage | None
    exact: bool

    @property
    def feasible(self) -> bool:
        """Whether all wishes are served."""
        return self.shortage is None


def plan_cards(
    model: GpuModel,
    cards: int,
    wishes: Sequence[Wish],
    empty: EmptyCard | None = None,
    effort: int | None = None,
) -> Plan:
    """The plan with least waste for so many cards of the model, 1 to `MOST_CARDS`.

    Who plans for the same model again may pass its `empty` card, which remembers what fits; who plans often, a smaller
    `effort` than the usual of `mig_packing`.

    Raises `UnknownFigureError` where memory or placements of a profile that may have to be used are not known, and
    `ValueError` for a number of cards out of range.
    """
    if not 1 <= cards <= MOST_CARDS:
        raise ValueError(f"{cards} cards are out of range: expected 1 to {MOST_CARDS}")
    asked = tuple(wishes)
    layout = Layout.empty(model)
    if not model.supports_mig:
        return Plan(model, asked, (), Shortage(Bound.NO_MIG), exact=True)
    kind_of: list[Kind] = []
    for wish in asked:
        kind = _kind(model, wish)
        if isinstance(kind, Shortage):
            return Plan(model, asked, (), kind, exact=True)
        kind_of.append(kind)
    for profile in (profile for kind in kind_of for profile in kind):
        layout.placements(profile)
    card = EmptyCard(model) if empty is None else empty
    shortage = _sums(model, cards, asked, kind_of) or _alone(card, cards, asked, kind_of)
    if shortage is not None:
        return Plan(model, asked, (), shortage, exact=True)
    kinds = sorted(dict.fromkeys(kind_of), key=_largest_first)
    demand = [
        sum(wish.count for wish, kind in zip(asked, kind_of, strict=True) if kind == each) for each in kinds
    ]
    division = divide(card, kinds, demand, cards, effort)
    if division.fillings is None:
        bound = Bound.NO_LAYOUT if division.exact else Bound.GAVE_UP
        return Plan(model, asked, (), Shortage(bound), division.exact)
    waiting = [
        [wish for wish, kind in zip(asked, kind_of, strict=True) if kind == each for _ in range(wish.count)]
        for each in kinds
    ]
    used = tuple(_card_plan(filling, waiting) for filling in division.fillings)
    return Plan(model, asked, used + (CardPlan((), layout),) * (cards - len(used)), None, division.exact)


def nearly_enough(model: GpuModel, wish: Wish) -> MigProfile | None:
    """The profile that misses the wished memory by less than a tenth, as 1g.10gb with its 9.75 GiB misses 10 GiB."""
    if isinstance(wish.wanted, str):
        return None
    need = wish.wanted
    short = [
        (profile.memory_mib.value, profile)
        for profile in model.mig_profiles
        if profile.memory_mib.value is not None and not profile.attributes
    ]
    missed = [(mib, profile) for mib, profile in short if need * 9 < mib * MIB * 10 < need * 10]
    return max(missed, key=lambda each: each[0])[1] if missed else None


def _kind(model: GpuModel, wish: Wish) -> Kind | Shortage:
    """The profiles of which any serves the wish."""
    if isinstance(wish.wanted, str):
        profile = model.mig_profile(wish.wanted)
        return Shortage(Bound.UNKNOWN_PROFILE, wish) if profile is None else (profile,)
    usual = [profile for profile in model.mig_profiles if set(profile.attributes) <= {"-me"}]
    enough = [
        profile
        for profile in usual
        if profile.memory_mib.value is not None and profile.memory_mib.value * MIB >= wish.wanted
    ]
    smallest = min((_memory_slices(profile) for profile in enough), default=None)
    for profile in usual:
        if profile.memory_mib.value is None and (smallest is None or _memory_slices(profile) < smallest):
            raise UnknownFigureError(model.id, "memory_mib", profile.memory_mib.note)
    if smallest is None:
        most = max(profile.memory_mib.value or 0 for profile in usual)
        return Shortage(Bound.NO_PROFILE, wish, -(-wish.wanted // MIB), most)
    return tuple(profile for profile in enough if _memory_slices(profile) == smallest)


def _sums(model: GpuModel, cards: int, wishes: Sequence[Wish], kinds: Sequence[Kind]) -> Shortage | None:
    """The bound by slices that no division keeps."""
    needs = [(wish.count, kind) for wish, kind in zip(wishes, kinds, strict=True)]
    compute = sum(count * min(profile.compute_slices for profile in kind) for count, kind in needs)
    if compute > cards * (model.compute_slices or 0):
        return Shortage(Bound.COMPUTE_SLICES, None, compute, cards * (model.compute_slices or 0))
    memory = sum(count * min(_memory_slices(profile) for profile in kind) for count, kind in needs)
    if memory > cards * (model.memory_slices or 0):
        return Shortage(Bound.MEMORY_SLICES, None, memory, cards * (model.memory_slices or 0))
    return None


def _alone(card: EmptyCard, cards: int, wishes: Sequence[Wish], kinds: Sequence[Kind]) -> Shortage | None:
    """The first profile of which more devices are wished than the cards can have even of it alone."""
    model = card.model
    for kind in dict.fromkeys(kinds):
        if len(kind) > 1:
            continue
        asking = [wish for wish, each in zip(wishes, kinds, strict=True) if each == kind]
        needed = sum(wish.count for wish in asking)
        index = model.mig_profiles.index(kind[0])
        most = 0
        while card.attempt((index,) * (most + 1)).placeable:
            most += 1
        if needed > cards * most:
            engines = broken_limit(model, kind * (most + 1)) is Limit.MEDIA_ENGINES
            return Shortage(
                Bound.MEDIA_ENGINES if engines else Bound.INSTANCES, asking[0], needed, cards * most
            )
    return None


def _card_plan(filling: Filling, waiting: Sequence[list[Wish]]) -> CardPlan:
    """The card with its devices handed to the wishes that wait, in their order."""
    devices: list[PlannedDevice] = []
    for (kind, _), instance in zip(filling.devices, filling.attempt.placements, strict=True):
        assert instance is not None  # a filling is what a card can hold
        devices.append(PlannedDevice(instance, waiting[kind].pop(0)))
    return CardPlan(
        tuple(devices),
        filling.attempt.layout,
        filling.wasted_memory_slices,
        filling.wasted_compute_slices,
        filling.attempt.needs_starts,
    )


def _largest_first(kind: Kind) -> tuple[int, int, tuple[str, ...]]:
    return (
        -min(_memory_slices(profile) for profile in kind),
        -min(profile.compute_slices for profile in kind),
        tuple(profile.name for profile in kind),
    )


def _memory_slices(profile: MigProfile) -> int:
    return profile.memory_slices or 0
