"""Time-slicing: contexts take turns on the whole card, and a context without work gives its turn away.

Charged by residency: while a kernel of one context is on the card, no other context runs, however few SMs
it fills. Two laws bound what a job can do, and its overlap says where between them it stands:

* closed queue (overlap 0, synchronous work): host and GPU phases alternate, and the job waits for its turn
  (`queueing.py`);
* fair share (overlap 1, work launched far ahead): host time hides behind the GPU's, the card's time is
  shared max-min.

Equal jobs fare equally, so they are counted, not listed. An open service that the card can't keep up with
always has requests waiting, so it is one that is always on the GPU.

Every switch costs `switch_tax` = switch time / slice length, paid while a second context has work: 8 % by
default, between 0 (RTX 3090, training) and 11 % (A100, inference) in published measurements. NVIDIA
publishes neither time nor slice length; only their ratio can be seen from outside. The residency of
asynchronous training as `nvidia-smi` shows it overstates what the job needs by about a fifth (1,388 pairs
of training jobs measured for Lucid, ASPLOS 2023).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, inf, prod

from labs.simulation.mechanism import PPM, Rate, Rates
from labs.simulation.queueing import ClassMeans, CustomerClass, solve
from labs.simulation.scenario import Job, JobKind

SWITCH_TAX = 0.08
ASYNC_RESIDENCY = 0.8  # share of the shown residency that asynchronous training really needs
TAX_ROUNDS = 24  # the tax depends on who has work, which depends on the tax: rounds of that fixed point


class TimeSlicing:
    """Work-conserving round robin of the contexts on a card."""

    name = "time-slicing"

    def __init__(self, switch_tax: float = SWITCH_TAX) -> None:
        self._switch_tax = switch_tax
        self._known: dict[tuple[Job, ...], Rates] = {}

    def rates(self, jobs: Sequence[Job]) -> Rates:
        """The rates of the jobs that have work on the card."""
        key = tuple(jobs)
        if key not in self._known:
            self._known[key] = shared_rates(key, self._switch_tax)
        return self._known[key]


@dataclass(frozen=True, slots=True)
class _Load:
    """A job in seconds: host and GPU time per cycle, customers in its closed queue, requests per second if
    open."""

    is_training: bool
    host: float
    gpu: float
    clients: int
    overlap: float
    open_rate: float | None

    @property
    def residency(self) -> float:
        """Share of a cycle alone in which it is on the GPU."""
        return self.gpu / (self.host + self.gpu)

    @property
    def order(self) -> tuple[float, ...]:
        """A total order, so that no result depends on the order in which jobs came to the card."""
        rate = -1.0 if self.open_rate is None else self.open_rate
        return (self.is_training, self.host, self.gpu, self.clients, self.overlap, rate)


NOTHING_YET = ClassMeans(0.0, 0.0, 0.0)


@dataclass(slots=True)
class _Group:
    """`count` equal loads on a card, and what is known of each so far."""

    load: _Load
    count: int
    tax: float = 1.0  # times as long on the GPU as without switches
    share: float = 0.0  # max-min share of the card's time
    is_stable: bool = False  # an open service that the card keeps up with
    means: ClassMeans = NOTHING_YET
    cycles: float = 0.0  # per second


def shared_rates(jobs: Sequence[Job], switch_tax: float) -> Rates:
    """The rates of `jobs` on one card.

    Empty input: nobody runs, the card is idle.
    """
    loads = [_load(job) for job in jobs]
    groups = [_Group(load, count) for load, count in Counter(loads).items()]
    groups.sort(key=lambda group: group.load.order)
    for _ in range(TAX_ROUNDS if switch_tax and len(loads) > 1 else 1):
        _share_fairly(groups)
        _mark_stable(groups)
        _queue(groups)
        _charge_switches(groups, switch_tax)
    _share_fairly(groups)
    for group in groups:
        group.cycles = _cycles(group)
    _keep_within_the_card(groups)
    rates = {group.load: _rate(group) for group in groups}
    busy = fsum(group.cycles * group.load.gpu * group.tax * group.count for group in groups)
    return Rates(tuple(rates[load] for load in loads), min(PPM, round(busy * PPM)))


def _load(job: Job) -> _Load:
    solo = job.solo_time_us / PPM
    is_training = job.kind is JobKind.TRAINING
    residency = job.residency * (ASYNC_RESIDENCY if is_training and job.overlap else 1.0)
    host, gpu = solo * (1.0 - residency), solo * residency
    return _Load(is_training, host, gpu, job.clients or 1, job.overlap, job.rate_per_s)


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
    for group, share in zip(groups, _max_min(wants, [group.count for group in groups], 1.0), strict=True):
        group.share = share


def _max_min(wants: Sequence[float], counts: Sequence[int], capacity: float) -> list[float]:
    """What each one of every group gets of `capacity`, for groups of `counts` that want `wants` each."""
    shares = [0.0] * len(wants)
    left, waiting = capacity, sum(counts)
    for index in sorted(range(len(wants)), key=lambda index: (wants[index], index)):
        shares[index] = min(wants[index], max(0.0, left) / waiting)
        left -= shares[index] * counts[index]
        waiting -= counts[index]
    return shares


def _mark_stable(groups: Sequence[_Group]) -> None:
    """Finds the open services that the card can keep up with: those that could have more time than they
    want.

    That is the largest share of anybody (what it would be cut to), or its own and what nobody wants.
    """
    largest = max((group.share for group in groups), default=0.0)
    left = max(0.0, 1.0 - fsum(group.share * group.count for group in groups))
    for group in groups:
        rate = group.load.open_rate
        could_have = max(largest, group.share + left)
        group.is_stable = rate is not None and rate * group.load.gpu * group.tax < could_have * 0.999_999


def _queue(groups: Sequence[_Group]) -> None:
    """Means of the mixed network, with a second look at open services: others that wait for their host may
    leave one the time that their shares did not."""
    _solve(groups)
    kept_up = [
        group
        for group in groups
        if not group.is_stable and group.means.throughput > (group.load.open_rate or inf) * 1.000_001
    ]
    if kept_up:
        for group in kept_up:
            group.is_stable = True
        _solve(groups)


def _solve(groups: Sequence[_Group]) -> None:
    """Open services take their part first, the others queue for the rest."""
    taken = _taken(groups)
    classes: dict[tuple[float, float], list[_Group]] = {}
    for group in groups:
        if not group.is_stable:
            host = group.load.host if group.load.open_rate is None else 0.0
            classes.setdefault((host, group.load.gpu * group.tax / (1.0 - taken)), []).append(group)
    solved = solve(
        [
            CustomerClass(host, gpu, sum(group.load.clients * group.count for group in members))
            for (host, gpu), members in classes.items()
        ]
    )
    for means, members in zip(solved, classes.values(), strict=True):
        for group in members:
            group.means = means
    waiting = fsum(
        group.means.presence * group.load.clients * group.count for group in groups if not group.is_stable
    )
    for group in groups:
        if group.is_stable:
            group.means = _open_means(group, taken, waiting)


def _taken(groups: Sequence[_Group]) -> float:
    """The part of the card's time that stable open services need."""
    return fsum(
        (group.load.open_rate or 0.0) * group.load.gpu * group.tax * group.count
        for group in groups
        if group.is_stable
    )


def _open_means(group: _Group, taken: float, waiting: float) -> ClassMeans:
    """An open service: all its requests are answered; each shares the card with those it finds there."""
    rate = group.load.open_rate or 0.0
    gpu_time = group.load.gpu * group.tax * (1.0 + waiting) / (1.0 - taken)
    return ClassMeans(rate, gpu_time, min(1.0, rate * gpu_time))


def _charge_switches(groups: Sequence[_Group], switch_tax: float) -> None:
    """1 + tax x the probability that another context has work, for each group."""
    idle = [1.0 - min(1.0, group.means.presence * group.load.clients) for group in groups]
    for index, group in enumerate(groups):
        alone = prod(
            prod([idle[other]] * (another.count - (other == index))) for other, another in enumerate(groups)
        )
        group.tax = 1.0 + switch_tax * (1.0 - alone)


def _cycles(group: _Group) -> float:
    """Cycles per second of one of the group, by its place between the two laws."""
    load, throughput = group.load, group.means.throughput
    if load.open_rate is not None:
        return min(throughput, load.open_rate)
    alone = _cycles_alone(load)
    queued = min(1.0, throughput * load.clients / alone)
    fair = min(1.0, group.share / load.residency) if load.residency else 1.0
    return (load.overlap * fair + (1.0 - load.overlap) * queued) * alone


def _keep_within_the_card(groups: Sequence[_Group]) -> None:
    """Loads of different overlap follow different laws, which together may promise more time than there is:
    then who has more than a max-min share of it gives way."""
    closed = [group for group in groups if not group.is_stable and group.load.gpu]
    used = [group.cycles * group.load.gpu for group in closed]
    counts = [group.count for group in closed]
    capacity = 1.0 - _taken(groups)
    if fsum(use * count for use, count in zip(used, counts, strict=True)) <= capacity:
        return
    for group, share in zip(closed, _max_min(used, counts, capacity), strict=True):
        group.cycles = share / group.load.gpu


def _rate(group: _Group) -> Rate:
    """The rate of one of the group, as recorded."""
    load, cycles = group.load, group.cycles
    if group.is_stable:
        return Rate(PPM, round(cycles * PPM), round((load.host + group.means.gpu_time) * PPM))
    if load.open_rate is not None:  # it answers what it can, and the queue grows
        return Rate(round(cycles / load.open_rate * PPM), round(cycles * PPM), None)
    speed = round(cycles / _cycles_alone(load) * PPM)
    if load.is_training:
        return Rate(speed)
    return Rate(speed, round(cycles * PPM), round(load.clients / cycles * PPM))


def _cycles_alone(load: _Load) -> float:
    """Cycles per second of a closed load with the card to itself."""
    return solve([CustomerClass(load.host, load.gpu, load.clients)])[0].throughput * load.clients
