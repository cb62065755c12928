"""Contexts that take turns at a card, and what comes of each: a queue of two levels, and switches that cost time.

Between contexts it is a closed network with one customer each (`queueing.py`). Inside a context that serves several
clients, or requests that come when they will, the GPU is as many times slower as turns are waited for; its customer in the
network gets the host time with which it is on the card as often as the context. An open service that the card can't keep
up with always has requests waiting, so it is one that is always on the GPU.

While a context waits for its turn, work that is launched ahead goes on on the host: of each wait, `overlap` of it is taken
off the host time of the cycle, as far as there is any. With overlap 0 host and GPU strictly alternate; with overlap 1 the
card's time is shared max-min, as far as there is too little of it.

Each level needs the other's answer, and both need who has work, so they are solved in rounds, from the least on: every
step makes a wait longer where another is longer, never shorter. So one context more never makes another faster, and the
time that all take is never more than there is.

Equal contexts fare equally, so they are counted, not listed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import fsum, prod
from operator import mul

from labs.simulation.laws.queueing import ClassMeans, CustomerClass, solve, steps

ROUNDS = 100  # at most: tax, turns and who has work depend on one another
SETTLED = 1e-9  # a round that changes nothing by more than this share is the last
KEPT, KEPT_LOADS = 2_048, 8  # so many answers are kept, about so many different loads at most
KEEPS_UP = 0.999_999  # an open service whose context is busier than this is behind for ever

Spend = Callable[[int], None]
"""Told of every round how many steps (`queueing.steps`) it takes, before it; may raise to stop it."""


def freely(_: int) -> None:
    """No budget."""


@dataclass(frozen=True, slots=True)
class Load:
    """What a context does, in seconds.

    Host and GPU time per cycle, customers in its closed queue, the share of its waits that hides behind the host's work,
    requests per second if open.
    """

    host: float
    gpu: float
    clients: int = 1
    overlap: float = 0.0
    open_rate: float | None = None

    @property
    def order(self) -> tuple[float, ...]:
        """A total order, so that no result depends on the order in which contexts came to the card."""
        rate = -1.0 if self.open_rate is None else self.open_rate
        return (self.host, self.gpu, self.clients, self.overlap, rate)

    @property
    def cycles_alone(self) -> float:
        """Cycles per second with the card to itself."""
        if self.open_rate is not None:
            return min(self.open_rate, 1.0 / self.gpu) if self.gpu else self.open_rate
        if self.clients == 1:
            return 1.0 / (self.host + self.gpu)
        return _together(self.host, self.gpu, self.clients)


@dataclass(frozen=True, slots=True)
class Served:
    """What comes of one context.

    Cycles per second, seconds at the GPU of one request or iteration (switches and the others' turns included), how many
    times as long that is as alone, and whether it is an open service that answers everything.
    """

    cycles: float
    request_time: float
    times: float
    keeps_up: bool


@dataclass(frozen=True, slots=True)
class Settled:
    """What comes of one context of each load on a card.

    Also the share of the time in which the card has work or switches, and the steps that it took to find out.
    """

    served: Mapping[Load, Served]
    busy: float
    steps: int


_Key = tuple[tuple[tuple[Load, int], ...], float]
_known: dict[_Key, Settled] = {}  # cards share jobs alike, on many nodes and in run after run


def settle(loads: Mapping[Load, int], switch_tax: float, spend: Spend = freely) -> Settled:
    """What comes of so many contexts of each load on one card.

    A switch costs `switch_tax` of a turn; `spend` is told what working it out takes, whether that has been done before or
    not.
    """
    counted = tuple(sorted(loads.items(), key=lambda entry: entry[0].order))
    known = _known.get((counted, switch_tax))
    if known is not None:
        spend(known.steps)
        return known
    groups = [_Group(load, count) for load, count in counted]
    taken = _take_turns(groups, switch_tax, spend)
    busy = min(1.0, fsum(group.used * group.count for group in groups))
    known = Settled({group.load: group.served for group in groups}, busy, taken)
    if len(counted) <= KEPT_LOADS:
        _known[counted, switch_tax] = known
    if len(_known) > KEPT:
        del _known[next(iter(_known))]
    return known


NOTHING_YET = ClassMeans(0.0, 0.0, 0.0)


@dataclass(slots=True)
class _Group:
    """`count` equal contexts, and what is known of each so far."""

    load: Load
    count: int
    tax: float = 1.0  # times as long on the GPU as without switches
    turns: float = 1.0  # times as long on the GPU as without the other contexts
    means: ClassMeans = NOTHING_YET  # of the context in the network of contexts
    used: float = 0.0  # the share of the card's time that it takes, switches included

    @property
    def request_time(self) -> float:
        return self.load.gpu * self.tax * self.turns

    @property
    def served(self) -> Served:
        load, cycles = self.load, min(self.means.throughput, self.load.cycles_alone)
        keeps_up = load.open_rate is not None and load.open_rate * self.request_time < KEEPS_UP
        return Served(cycles, self.request_time, self.tax * self.turns, keeps_up)


def _take_turns(groups: Sequence[_Group], switch_tax: float, spend: Spend) -> int:
    """Solves both levels of the queue and the tax, in rounds until they agree; the steps that all rounds took."""
    inner = sum(steps([CustomerClass(0.0, 0.0, group.load.clients)]) for group in groups)
    cost = inner + steps([CustomerClass(0.0, 0.0, group.count) for group in groups])
    for number in range(1, ROUNDS + 1):
        spend(cost)
        before = [(group.turns, group.tax) for group in groups]
        contexts = [
            CustomerClass(_time_away(group), group.load.gpu * group.tax, group.count) for group in groups
        ]
        for group, context, means in zip(groups, contexts, solve(contexts), strict=True):
            group.means = means
            group.used = means.throughput * context.gpu
            group.turns = means.gpu_time / context.gpu if context.gpu else 1.0
        _charge_switches(groups, switch_tax)
        if all(
            abs(group.turns - turns) <= SETTLED * turns and abs(group.tax - tax) <= SETTLED * tax
            for group, (turns, tax) in zip(groups, before, strict=True)
        ):
            return number * cost
    return ROUNDS * cost


def _time_away(group: _Group) -> float:
    """Host seconds per cycle of the one customer that is on the card as often as this context."""
    load, at_gpu = group.load, group.request_time
    if load.open_rate is not None:
        return max(0.0, 1.0 / load.open_rate - at_gpu)
    host = load.host - load.overlap * min(load.host, max(0.0, at_gpu - load.gpu))
    if load.clients == 1:
        return host
    return max(0.0, 1.0 / _together(host, at_gpu, load.clients) - at_gpu)


def _together(host: float, gpu: float, clients: int) -> float:
    """Cycles per second of all clients of one context."""
    return solve([CustomerClass(host, gpu, clients)])[0].throughput * clients


def _charge_switches(groups: Sequence[_Group], switch_tax: float) -> None:
    """1 + tax x the probability that another context has work, for each group."""
    idle = [1.0 - min(1.0, group.means.presence) for group in groups]
    whole = [prod([alone] * group.count) for alone, group in zip(idle, groups, strict=True)]
    before = list(accumulate(whole, mul, initial=1.0))
    after = list(accumulate(reversed(whole), mul, initial=1.0))[::-1]
    for index, group in enumerate(groups):
        siblings = prod([idle[index]] * (group.count - 1))
        group.tax = 1.0 + switch_tax * (1.0 - before[index] * siblings * after[index + 1])
