"""Time-slicing: contexts take turns on the whole card, and a context without work gives its turn away.

Charged by residency: while a kernel of one context is on the card, no other context runs, however few SMs
it fills. A Pod is one context however many requests wait in it, so its turn is as long as anybody's. Two laws
bound what a job can do, and its overlap says where between them it stands:

* closed queue (overlap 0, synchronous work): host and GPU phases alternate, and the job waits for its turn;
* fair share (overlap 1, work launched far ahead): host time hides behind the GPU's, the card's time is
  shared max-min.

The queue has two levels. Between contexts it is a closed network with one customer each (`queueing.py`). Inside
a context that serves several clients, or requests that come when they will, the GPU is as many times slower as
turns are waited for; its customer in the network gets the host time with which it is on the card as often as
the context. Each level needs the other's answer, so they are solved in rounds. An open service that the card
can't keep up with always has requests waiting, so it is one that is always on the GPU. Held against a simulation
of single turns in `tests/unit/simulation/test_turns.py`: within a few percent, but for several open services that
load a card heavily together, whose queues then grow at the same times (a quarter too short at 80 % of load).

Equal jobs fare equally, so they are counted, not listed.

Every switch costs `switch_tax` = switch time / slice length, paid while a second context has work: 8 % by
default, between 0 (RTX 3090, training) and 11 % (A100, inference) in published measurements. NVIDIA
publishes neither time nor slice length; only their ratio can be seen from outside. The residency of
asynchronous training as `nvidia-smi` shows it overstates what the job needs by about a fifth (1,388 pairs
of training jobs measured for Lucid, ASPLOS 2023). Only that is measured: pairs, and jobs whose overlap was taken to
be a half. For less overlap the share that is not needed shrinks in proportion, down to none for synchronous
training; for three and more jobs it is assumed to stay as it is. A card's utilization is never below what its
busiest job shows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import fsum, prod
from operator import mul

from labs.simulation.mechanism import PPM, Rate, Rates, Split
from labs.simulation.queueing import ClassMeans, CustomerClass, solve, steps
from labs.simulation.scenario import Job, JobKind

SWITCH_TAX = 0.08
ASYNC_RESIDENCY = 0.8  # share of the shown residency that asynchronous training really needs …
ASYNC_OVERLAP = 0.5  # … from this overlap on
ROUNDS = 100  # at most: tax, turns and who has work depend on one another
SETTLED = 1e-9  # a round that changes nothing by more than this share is the last
KEPT, KEPT_LOADS = 2_048, 8  # so many answers are kept, about so many different loads at most
KEEPS_UP = 0.999_999  # an open service whose context is busier than this is behind for ever


Spend = Callable[[int], None]
"""Told of every round how many steps (`queueing.steps`) it takes, before it; may raise to stop it."""


def freely(_: int) -> None:
    """No budget."""


class TimeSlicing:
    """Work-conserving round robin of the contexts on a card."""

    name = "time-slicing"

    def __init__(self, switch_tax: float = SWITCH_TAX) -> None:
        self.spend: Spend = freely  # a world that has a budget puts its own here
        self._switch_tax = switch_tax
        self._known: dict[tuple[Job, ...], Rates] = {}

    def rates(self, jobs: Sequence[Job]) -> Rates:
        """The rates of the jobs that have work on the card."""
        key = tuple(jobs)
        if key not in self._known:
            self._known[key] = shared_rates(key, self._switch_tax, self.spend)
        return self._known[key]

    def split(self, jobs: Sequence[Job]) -> Split:
        """The whole card in turns, each as long as what its job really needs."""
        needed = (replace(job, residency=job.residency * _needed(job)) for job in jobs)
        return Split(tuple(needed), takes_turns=True, switch_tax=self._switch_tax)


@dataclass(frozen=True, slots=True)
class _Load:
    """A job in seconds: host and GPU time per cycle, the GPU time that it shows, customers in its closed queue,
    requests per second if open."""

    is_training: bool
    host: float
    gpu: float
    shown_gpu: float
    clients: int
    overlap: float
    open_rate: float | None

    @property
    def residency(self) -> float:
        """Share of a cycle alone in which it needs the GPU."""
        return self.gpu / (self.host + self.gpu)

    @property
    def order(self) -> tuple[float, ...]:
        """A total order, so that no result depends on the order in which jobs came to the card."""
        rate = -1.0 if self.open_rate is None else self.open_rate
        return (self.is_training, self.host, self.gpu, self.shown_gpu, self.clients, self.overlap, rate)


NOTHING_YET = ClassMeans(0.0, 0.0, 0.0)


@dataclass(slots=True)
class _Group:
    """`count` equal loads on a card, and what is known of each so far."""

    load: _Load
    count: int
    tax: float = 1.0  # times as long on the GPU as without switches
    turns: float = 1.0  # times as long on the GPU as without the other contexts
    share: float = 0.0  # max-min share of the card's time
    means: ClassMeans = NOTHING_YET  # of the context in the network of contexts
    cycles: float = 0.0  # per second

    @property
    def request_time(self) -> float:
        """Seconds at the GPU of one request or iteration, switches and the others' turns included."""
        return self.load.gpu * self.tax * self.turns

    @property
    def keeps_up(self) -> bool:
        """Whether it is an open service that answers everything."""
        return self.load.open_rate is not None and self.load.open_rate * self.request_time < KEEPS_UP


@dataclass(frozen=True, slots=True)
class _Solved:
    """What comes of loads on a card: the rate of one of each, how busy it is, and the steps that it took to find out."""

    rates: tuple[Rate, ...]
    busy_ppm: int
    steps: int


_Key = tuple[tuple[tuple[_Load, int], ...], float]
_known: dict[_Key, _Solved] = {}  # cards share jobs alike, on many nodes and in run after run


def shared_rates(jobs: Sequence[Job], switch_tax: float, spend: Spend = freely) -> Rates:
    """The rates of `jobs` on one card; `spend` is told what that takes, whether it has been worked out before or not.

    Empty input: nobody runs, the card is idle.
    """
    load_of = {job: _load(job) for job in dict.fromkeys(jobs)}
    counts = Counter(load_of[job] for job in jobs)
    counted = tuple(sorted(counts.items(), key=lambda each: each[0].order))
    solved = _known.get((counted, switch_tax))
    if solved is None:
        solved = _solve(counted, switch_tax, spend)
        if len(counted) <= KEPT_LOADS:
            _known[counted, switch_tax] = solved
        if len(_known) > KEPT:
            del _known[next(iter(_known))]
    else:
        spend(solved.steps)
    rates = {load: rate for (load, _), rate in zip(counted, solved.rates, strict=True)}
    return Rates(tuple(rates[load_of[job]] for job in jobs), solved.busy_ppm)


def _solve(counted: Sequence[tuple[_Load, int]], switch_tax: float, spend: Spend) -> _Solved:
    """The same for so many of each load, in their order."""
    groups = [_Group(load, count) for load, count in counted]
    taken = _take_turns(groups, switch_tax, spend)
    _share_fairly(groups)
    for group in groups:
        group.cycles = _cycles(group)
    _keep_within_the_card(groups)
    return _Solved(tuple(_rate(group) for group in groups), min(PPM, round(_busy(groups) * PPM)), taken)


def _load(job: Job) -> _Load:
    solo = job.solo_time_us / PPM
    is_training = job.kind is JobKind.TRAINING
    residency = job.residency * _needed(job)
    host, gpu = solo * (1.0 - residency), solo * residency
    shown = solo * job.residency
    return _Load(is_training, host, gpu, shown, job.clients or 1, job.overlap, job.rate_per_s)


def _needed(job: Job) -> float:
    """The share of the residency that a job shows and needs."""
    return needed_share(job.overlap) if job.kind is JobKind.TRAINING else 1.0


def needed_share(overlap: float) -> float:
    """The share of the shown residency that training with this overlap needs."""
    return 1.0 - (1.0 - ASYNC_RESIDENCY) * min(1.0, overlap / ASYNC_OVERLAP)


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
    load = group.load
    if load.open_rate is not None:
        return max(0.0, 1.0 / load.open_rate - group.request_time)
    if load.clients == 1:
        return load.host
    own = solve([CustomerClass(load.host, group.request_time, load.clients)])[0]
    return max(0.0, 1.0 / (own.throughput * load.clients) - group.request_time)


def _share_fairly(groups: Sequence[_Group]) -> None:
    """Max-min shares of the card's time: nobody gets more than it wants, what it leaves is shared by the
    others."""
    wants = [
        group.tax
        * (
            group.load.residency
            if group.load.open_rate is None
            else min(1.0, group.load.open_rate * group.load.gpu)
        )
        for group in groups
    ]
    for group, share in zip(groups, max_min(wants, [group.count for group in groups], 1.0), strict=True):
        group.share = share


def max_min(wants: Sequence[float], counts: Sequence[int], capacity: float) -> list[float]:
    """What each one of every group gets of `capacity`, for groups of `counts` that want `wants` each."""
    shares = [0.0] * len(wants)
    left, waiting = capacity, sum(counts)
    for index in sorted(range(len(wants)), key=lambda index: (wants[index], index)):
        shares[index] = min(wants[index], max(0.0, left) / waiting)
        left -= shares[index] * counts[index]
        waiting -= counts[index]
    return shares


def _charge_switches(groups: Sequence[_Group], switch_tax: float) -> None:
    """1 + tax x the probability that another context has work, for each group."""
    idle = [1.0 - min(1.0, group.means.presence) for group in groups]
    whole = [prod([alone] * group.count) for alone, group in zip(idle, groups, strict=True)]
    before = list(accumulate(whole, mul, initial=1.0))
    after = list(accumulate(reversed(whole), mul, initial=1.0))[::-1]
    for index, group in enumerate(groups):
        siblings = prod([idle[index]] * (group.count - 1))
        group.tax = 1.0 + switch_tax * (1.0 - before[index] * siblings * after[index + 1])


def _cycles(group: _Group) -> float:
    """Cycles per second of one of the group, by its place between the two laws."""
    load, throughput = group.load, group.means.throughput
    if load.open_rate is not None:
        return min(throughput, load.open_rate)
    alone = _cycles_alone(load)
    queued = min(1.0, throughput / alone)
    fair = min(1.0, group.share / (load.residency * group.tax)) if load.residency else 1.0
    return (load.overlap * fair + (1.0 - load.overlap) * queued) * alone


def _keep_within_the_card(groups: Sequence[_Group]) -> None:
    """Loads of different overlap follow different laws, which together may promise more time than there is:
    then who has more than a max-min share of it gives way."""
    giving = [group for group in groups if not group.keeps_up and group.load.gpu]
    used = [_used(group) for group in giving]
    counts = [group.count for group in giving]
    capacity = 1.0 - fsum(_used(group) * group.count for group in groups if group.keeps_up)
    if fsum(use * count for use, count in zip(used, counts, strict=True)) <= capacity:
        return
    for group, share in zip(giving, max_min(used, counts, capacity), strict=True):
        group.cycles = share / (group.load.gpu * group.tax)


def _used(group: _Group) -> float:
    """The share of the card's time that one of the group takes, switches included."""
    return group.cycles * group.load.gpu * group.tax


def _busy(groups: Sequence[_Group]) -> float:
    """The share of time with a kernel on the card: what is used, but no less than the busiest job shows."""
    used = fsum(_used(group) * group.count for group in groups)
    return max([used, *(group.cycles * group.load.shown_gpu for group in groups)])


def _rate(group: _Group) -> Rate:
    """The rate of one of the group, as recorded."""
    load, cycles = group.load, group.cycles
    if load.open_rate is not None:
        if not group.keeps_up:  # it answers what it can, and the queue grows
            return Rate(round(cycles / load.open_rate * PPM), round(cycles * PPM), None)
        waiting = group.request_time / (1.0 - load.open_rate * group.request_time)
        return Rate(PPM, round(cycles * PPM), round((load.host + waiting) * PPM))
    speed = round(cycles / _cycles_alone(load) * PPM)
    if load.is_training:
        return Rate(speed)
    return Rate(speed, round(cycles * PPM), round(load.clients / cycles * PPM))


def _cycles_alone(load: _Load) -> float:
    """Cycles per second of a closed load with the card to itself."""
    return solve([CustomerClass(load.host, load.gpu, load.clients)])[0].throughput * load.clients
