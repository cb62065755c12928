"""A list of MIG devices tried on an empty card as the tools do: one by one in its order, and in any order.

`nvidia-smi mig -cgi` creates in the order given and stops at the first that is refused. mig-parted tries every order until
one works (`pkg/mig/config/config.go`, `iteratePermutationsUntilSuccess`), but names no starts.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from labs.hardware.catalog import GpuModel
from labs.hardware.mig import Attempt, GpuInstance, Layout, place_at, place_in_any_order, place_in_order
from labs.hardware.planning.advice import Reason, why_refused

MOST_ORDERS = 140  # of one list that are tried: some 10 ms


@dataclass(frozen=True, slots=True)
class Orders:
    """Of `tried`, all the orders that a list has, in how many the driver, as modelled, creates all of it."""

    working: int
    tried: int


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of a list.

    `in_order` is the attempt in its order at the `starts` asked for (None: the driver's choice), `reason` why its refused
    step was refused beside those before it. `any_order` is the whole list laid out in any way, without regard to starts,
    `never` why there is none. `orders` is None for lists that have too many.
    """

    model: GpuModel
    starts: tuple[int | None, ...]
    in_order: Attempt
    reason: Reason | None
    any_order: Attempt
    never: Reason | None
    orders: Orders | None

    @property
    def names(self) -> tuple[str, ...]:
        """The list."""
        return self.in_order.names

    @property
    def asks_for_starts(self) -> bool:
        """Whether the driver is not left to choose all starts."""
        return any(start is not None for start in self.starts)

    @property
    def works(self) -> bool:
        """Whether all of it is created in its order."""
        return self.in_order.placeable

    @property
    def other_way(self) -> tuple[GpuInstance, ...]:
        """Where all of it fails in its order and would fit: the instances in an order in which it does."""
        fits = not self.works and self.any_order.placeable
        return self.any_order.layout.instances if fits else ()


def try_out(model: GpuModel, names: Sequence[str], starts: Sequence[int | None]) -> Trial:
    """Tries the list. Raises `UnknownFigureError` where the catalog does not know where profiles of the card may lie."""
    empty = Layout.empty(model)
    in_order = place_at(empty, names, starts)
    refused = in_order.refused
    reason = None
    if refused is not None:
        upto = place_at(empty, names[: refused + 1], starts[: refused + 1])
        reason = why_refused(empty, upto, starts[: refused + 1])
    any_order = place_in_any_order(empty, names)
    return Trial(
        model,
        tuple(starts),
        in_order,
        reason,
        any_order,
        why_refused(empty, any_order),
        _orders(empty, names),
    )


def _orders(empty: Layout, names: Sequence[str]) -> Orders | None:
    counts = Counter(names)
    number = math.factorial(len(names)) // math.prod(math.factorial(count) for count in counts.values())
    if number > MOST_ORDERS:
        return None
    successes = [place_in_order(empty, order).placeable for order in _each_order(counts)]
    return Orders(sum(successes), len(successes))


def _each_order(counts: Counter[str]) -> Iterator[tuple[str, ...]]:
    """The different orders of a multiset."""
    left = [name for name, count in counts.items() if count]
    if not left:
        yield ()
    for name in left:
        rest = counts.copy()
        rest[name] -= 1
        for order in _each_order(rest):
            yield (name, *order)
