"""Every line of requests against the plainest simulation of it: all requests looked at anew at every event."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import pytest

from labs.simulation.laws.mechanism import Rates, Split
from labs.simulation.laws.own_parts import OwnParts
from labs.simulation.laws.requests import AHEAD, Budget, Context, RequestLine, TooManyRequestsError
from labs.simulation.laws.side_by_side import SideBySide
from labs.simulation.laws.turns import Turns
from labs.simulation.scenario.scenario import Job, JobKind
from tests.some import some

PLENTY = 10_000_000
Draw = Callable[[], float]
Streams = Callable[[str], Draw]


def by_chance(stream: str) -> Draw:
    return random.Random(stream).random


def always_the_mean(_: str) -> Draw:
    return lambda: 1.0 - math.exp(-1.0)


@dataclass
class Clock:
    """A clock that a test sets."""

    now: int = 0

    def __call__(self) -> int:
        return self.now


@dataclass
class Sharing:
    """A mechanism that splits a card as a test says: the numbers stand for all the jobs that it ever has, in their order."""

    tax: float = 0.0
    slower: tuple[tuple[float, ...], ...] = ()
    beside: tuple[float, ...] = ()
    name: str = "given"

    def rates(self, jobs: Sequence[Job]) -> Rates:
        raise NotImplementedError

    def split(self, jobs: Sequence[Job]) -> Split:
        places = [ALL.index(job) for job in jobs]
        slower = tuple(tuple(self.slower[one][other] for other in places) for one in places if self.slower)
        beside = tuple(self.beside[one] for one in places if self.beside)
        return Split(tuple(jobs), not (slower or beside), self.tax, slower, beside)

    def pace(self, job: Job, others: Sequence[Job]) -> float:
        """How many times longer than alone a request of a job takes while these others have work."""
        if self.slower:
            return 1.0 + sum(self.slower[ALL.index(job)][ALL.index(other)] for other in others)
        if self.beside:
            return 1.0 + self.beside[ALL.index(job)] if others else 1.0
        return (len(others) + 1) * (1.0 + self.tax) if others else 1.0


@dataclass
class Pod:
    """A Pod and its requests on the GPU's side: when each was sent, its work, what is left of it."""

    place: int
    job: Job
    draw: Draw
    queue: list[list[float]] = field(default_factory=list)
    began: float = 0.0
    hidden: float = 0.0
    latencies: list[int] = field(default_factory=list)
    offered: int = 0
    done: int = 0
    lost: int = 0

    def phase(self, share: float) -> int:
        mean = self.job.solo_time_us * share
        return round(-math.log(1.0 - self.draw()) * mean) if mean else 0

    def phases(self) -> tuple[int, int]:
        gpu_us = self.job.solo_time_us * self.job.residency
        host_us = self.job.solo_time_us - gpu_us
        return self.phase(host_us / self.job.solo_time_us), self.phase(gpu_us / self.job.solo_time_us)

    @property
    def left(self) -> float:
        return sum(work for _, work, _ in self.queue)


class Plain:
    """A card over time; `events` are when something happened, and how many Pods had work on the GPU then."""

    def __init__(self, how: Sharing, streams: Streams) -> None:
        self.how, self.streams = how, streams
        self.now = 0.0
        self.pods: dict[str, Pod] = {}
        self.there: set[str] = set()
        self.timers: list[tuple[float, int, Pod, float, int | None]] = []
        self.events: list[tuple[float, int]] = []
        self.count = 0

    def share(self, jobs: Mapping[str, Job]) -> None:
        for name in self.there - jobs.keys():
            pod = self.pods[name]
            pod.lost += int(pod.left)
            pod.queue, pod.hidden = [], 0.0
            self.timers = [timer for timer in self.timers if timer[2] is not pod]
        new = [name for name in jobs if name not in self.there]
        for name in new:
            if name not in self.pods:
                self.pods[name] = Pod(len(self.pods), jobs[name], self.streams(f"test/{name}"))
            self.begin(self.pods[name])
        self.there = set(jobs)

    def begin(self, pod: Pod) -> None:
        if pod.job.rate_per_s is not None:
            self.expect(self.gap(pod), pod, 0.0, None)
            return
        for _ in range(pod.job.clients or 1):
            host, work = pod.phases()
            self.expect(host, pod, self.now, work)

    def gap(self, pod: Pod) -> int:
        assert pod.job.rate_per_s is not None
        return round(-math.log(1.0 - pod.draw()) * (1_000_000 / pod.job.rate_per_s))

    def expect(self, after: int, pod: Pod, sent: float, work: int | None) -> None:
        self.count += 1
        self.timers.append((self.now + after, self.count, pod, sent, work))

    def run(self, until: float) -> None:
        while True:
            working = sorted((pod for pod in self.pods.values() if pod.queue), key=lambda pod: pod.place)
            paces = [
                self.how.pace(pod.job, [other.job for other in working if other is not pod])
                for pod in working
            ]
            ends = [
                (self.now + pod.queue[0][2] * pace, pod.place)
                for pod, pace in zip(working, paces, strict=True)
            ]
            timer = min(self.timers, key=lambda timer: timer[:2], default=None)
            answers, due = min(ends, default=(math.inf, 0)), timer[0] if timer else math.inf
            moment = min(answers[0], due, until)
            for pod, pace in zip(working, paces, strict=True):
                pod.queue[0][2] -= (moment - self.now) / pace
            self.now = moment
            if min(answers[0], due) > until:
                return
            self.events.append((moment, len(working)))
            if answers[0] <= due:
                self.answer(next(pod for pod in working if pod.place == answers[1]))
            elif timer is not None:
                self.timers.remove(timer)
                self.on_timer(timer[2], timer[3], timer[4])

    def answer(self, pod: Pod) -> None:
        sent, work, _ = pod.queue.pop(0)
        pod.latencies.append(round(self.now - sent))
        pod.done += int(work)
        overlap = pod.job.overlap
        waited = pod.hidden + overlap * (self.now - pod.began - work)
        host_us = pod.job.solo_time_us * (1.0 - pod.job.residency)
        pod.hidden = min(waited, AHEAD * overlap * host_us)
        if pod.job.rate_per_s is None:
            host, work = pod.phases()
            used = min(pod.hidden, overlap * host)
            pod.hidden -= used
            if round(host - used):
                self.expect(round(host - used), pod, self.now, int(work))
            else:
                self.arrive(pod, self.now, int(work))
        pod.began = self.now

    def on_timer(self, pod: Pod, sent: float, work: int | None) -> None:
        if work is not None:
            self.arrive(pod, sent, work)
            return
        self.expect(self.gap(pod), pod, 0.0, None)
        host, work = pod.phases()
        if host:
            self.expect(host, pod, self.now, work)
        else:
            self.arrive(pod, self.now, work)

    def arrive(self, pod: Pod, sent: float, work: int) -> None:
        pod.offered += work
        if not pod.queue:
            pod.began = self.now
        pod.queue.append([sent, work, work])


WAITS = Job(JobKind.SERVICE, 1_000, 0.75, 0.5, clients=3)
COMES = Job(JobKind.SERVICE, 800, 0.5, 0.5, rate_per_s=500.0)
TRAINS = Job(JobKind.TRAINING, 1_200, 0.625, 0.5, iterations=10**9)
AHEAD_OF_IT = replace(TRAINS, overlap=0.5)
ALWAYS = Job(JobKind.SERVICE, 600, 1.0, 0.5, clients=1)
RUSHES = Job(JobKind.SERVICE, 700, 1.0, 0.5, rate_per_s=400.0)
BEGINS_ALIKE = Job(JobKind.SERVICE, 500, 0.5, 0.5, clients=1)
BLINKS = Job(JobKind.SERVICE, 1, 1.0, 0.5, rate_per_s=500.0)
ALL = [WAITS, COMES, TRAINS, ALWAYS, RUSHES, AHEAD_OF_IT, BEGINS_ALIKE, BLINKS]
NAMES = ["waits", "comes", "trains", "always", "rushes", "ahead", "begins alike", "blinks"]

SLOWER = tuple(tuple(0.125 * (1 + (3 * one + other) % 7) for other in range(8)) for one in range(8))
LINES: dict[str, tuple[type[RequestLine], Sharing]] = {
    "in turns": (Turns, Sharing(tax=0.125)),
    "in turns that cost nothing": (Turns, Sharing()),
    "side by side": (SideBySide, Sharing(slower=SLOWER)),
    "on parts of their own": (OwnParts, Sharing(beside=(0.25, 0.5, 0.125, 0.75, 0.375, 1.0, 0.625, 0.5))),
}
EVENTS_PER_CONTEXT, PAIRS_PER_EVENT, CONTEXTS_PER_EVENT = 50, 16, 8
Story = Mapping[int, Sequence[str]]
"""Who has work from when on, in microseconds; the last moment ends it."""
STORIES: dict[str, Story] = {
    "one alone": {0: ["waits"], 50_000: []},
    "a stream alone": {0: ["comes"], 50_000: []},
    "a stream without host time": {0: ["rushes"], 50_000: []},
    "a stream whose requests are shorter than what is counted": {0: ["blinks", "comes"], 50_000: []},
    "two": {0: ["waits", "comes"], 50_000: []},
    "always busy beside one that has gaps": {0: ["always", "trains"], 50_000: []},
    "they come and go and come again": {
        0: ["comes"],
        10_000: ["comes", "waits", "always"],
        30_000: ["waits", "rushes", "trains"],
        40_000: ["always", "comes", "waits", "trains", "rushes"],
        60_000: [],
    },
    "a neighbour for a moment": {0: ["always"], 5_000: ["always", "waits"], 5_700: ["always"], 20_000: []},
}


def named(names: Sequence[str]) -> dict[str, Job]:
    return {name: ALL[NAMES.index(name)] for name in names}


def both(
    line: type[RequestLine], how: Sharing, story: Story, streams: Streams, budget: Budget
) -> tuple[RequestLine, Plain]:
    """A story told by a line and by the plain simulation."""
    clock = Clock()
    told, plain = line("test", clock, budget), Plain(how, streams)
    *changes, end = story
    for clock.now in changes:
        plain.run(clock.now)
        plain.share(named(story[clock.now]))
        told.share(named(story[clock.now]), how)
    clock.now = end
    told.catch_up()
    plain.run(end)
    return told, plain


def assert_same(line: RequestLine, plain: Plain) -> None:
    for name, context in some(line.contexts.items()):
        pod = plain.pods[name]
        assert list(context.latencies) == pytest.approx(pod.latencies, abs=1)
        assert len(pod.latencies) > 0 or pod.lost
        assert (context.offered_us, context.done_us) == (pod.offered, pod.done)
        assert (context.lost_us, context.left_us) == (pod.lost, pod.left)


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
@pytest.mark.parametrize("way", LINES)
def test_a_line_tells_of_every_request_what_the_plain_simulation_does(way: str, story: Story) -> None:
    line, plain = both(*LINES[way], story, by_chance, Budget(PLENTY, PLENTY))
    assert_same(line, plain)


@pytest.mark.parametrize("beside", [["always"], ["always", "waits"], ["comes", "always", "rushes"]])
@pytest.mark.parametrize("tax", [0.0, 0.5])
def test_what_is_launched_ahead_makes_up_for_waits_as_in_the_plain_simulation(
    beside: list[str], tax: float
) -> None:
    story = {0: ["ahead", *beside], 60_000: beside, 70_000: [*beside, "ahead"], 120_000: []}
    assert_same(*both(Turns, Sharing(tax=tax), story, by_chance, Budget(PLENTY, PLENTY)))


@pytest.mark.parametrize(
    "story",
    [
        {0: ["waits", "always"], 4_000: ["always", "waits"], 8_000: []},
        {0: ["comes", "rushes"], 21_000: []},
        {0: ["waits", "begins alike"], 8_000: []},
    ],
)
@pytest.mark.parametrize(
    ("line", "how"),
    [
        (Turns, Sharing()),
        (SideBySide, Sharing(slower=((3.0,) * 8,) * 8)),
        (OwnParts, Sharing(beside=(1.0,) * 8)),
    ],
)
def test_what_happens_at_one_moment_happens_in_the_order_in_which_it_was_begun(
    line: type[RequestLine], how: Sharing, story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where every phase takes its mean, requests are sent, come to the GPU and are answered at the same moments."""
    monkeypatch.setattr("random.Random", _Means)
    assert_same(*both(line, how, story, always_the_mean, Budget(PLENTY, PLENTY)))


class _Means:
    """A stream of which every exponential phase is as long as its mean."""

    def __init__(self, stream: str) -> None:
        self.random = always_the_mean(stream)


# The budget


@pytest.mark.parametrize("way", LINES)
def test_the_budget_is_charged_for_every_context_change_and_event(way: str) -> None:
    line, how = LINES[way]
    story = STORIES["they come and go and come again"]
    budget = Budget(PLENTY, PLENTY)
    _, plain = both(line, how, story, by_chance, budget)
    changes = list(story.values())[:-1]
    streams = EVENTS_PER_CONTEXT * len({name for names in changes for name in names})
    jobs = sum(map(len, changes))
    pairs = sum(len(names) ** 2 // PAIRS_PER_EVENT for names in changes) if how.slower else 0
    assert PLENTY - budget.left == streams + jobs + pairs + len(plain.events)


def test_many_side_by_side_make_an_event_as_long_as_two() -> None:
    """From eight contexts on; each more eight are one event more, and so are sixteen pairs at a change."""
    clock, budget = Clock(), Budget(PLENTY, PLENTY)
    line = SideBySide("test", clock, budget)
    line.share({str(number): ALWAYS for number in range(9)}, Sharing(slower=((0.0,) * 8,) * 8))
    assert PLENTY - budget.left == 9 * EVENTS_PER_CONTEXT + 9 + 81 // PAIRS_PER_EVENT
    before = budget.left
    line.catch_up()
    assert before - budget.left == 9 + 1  # all come at once, the ninth beside eight
    clock.now = 60_000
    before = budget.left
    line.catch_up()
    answered = sum(len(context.latencies) for context in line.contexts.values())
    assert before - budget.left == answered * (1 + 9 // CONTEXTS_PER_EVENT)


@pytest.mark.parametrize("way", LINES)
def test_a_budget_that_is_just_enough_is_enough_and_one_event_less_says_when_it_ended(way: str) -> None:
    line, how = LINES[way]
    story = STORIES["two"]
    budget = Budget(PLENTY, PLENTY)
    _, plain = both(line, how, story, by_chance, budget)
    enough = PLENTY - budget.left
    exact = Budget(PLENTY, enough)
    both(line, how, story, by_chance, exact)
    assert exact.left == 0
    with pytest.raises(TooManyRequestsError) as raised:
        both(line, how, story, by_chance, Budget(PLENTY, enough - 1))
    assert (raised.value.limit, raised.value.at_us) == (PLENTY, int(plain.events[-2][0]))


def test_a_context_that_the_budget_has_no_room_for_is_refused_when_it_comes() -> None:
    Turns("test", Clock(), Budget(99, 51)).share({"a": ALWAYS}, Sharing())
    with pytest.raises(TooManyRequestsError) as raised:
        Turns("test", Clock(), Budget(99, 50)).share({"a": ALWAYS}, Sharing())
    assert (raised.value.limit, raised.value.at_us) == (99, 0)


# At the edges


@pytest.mark.parametrize("way", LINES)
def test_what_is_due_now_has_happened(way: str) -> None:
    line, how = LINES[way]
    work = Pod(0, ALWAYS, by_chance("test/always")).phases()[1]
    for now, answered in ((work - 1, 0), (work, 1)):
        clock = Clock()
        told = line("test", clock, Budget(PLENTY, PLENTY))
        told.share(named(["always"]), how)
        clock.now = now
        told.catch_up()
        assert len(told.contexts["always"].latencies) == answered


@pytest.mark.parametrize("way", LINES)
def test_a_request_of_a_stream_that_is_due_now_is_on_the_gpu(way: str) -> None:
    line, how = LINES[way]
    gap = round(-math.log(1.0 - by_chance("test/rushes")()) * 2_500)
    for now, is_there in ((gap - 1, False), (gap, True)):
        clock = Clock()
        told = line("test", clock, Budget(PLENTY, PLENTY))
        told.share(named(["rushes"]), how)
        clock.now = now
        told.catch_up()
        assert (told.contexts["rushes"].offered_us > 0) is is_there


def test_waits_are_made_up_for_no_further_than_sixteen_host_phases() -> None:
    context = Context(0, "test")
    context.take(replace(TRAINS, solo_time_us=1_000, residency=0.75, overlap=0.5))
    context.began_us, context.serving = 200.0, (100.0, 300)
    context.answer(900.0)
    assert (context.ahead_us, context.done_us, list(context.latencies)) == (200.0, 300, [800])
    context.serving = (0.0, 300)
    context.answer(50_000.0)
    assert context.ahead_us == 16 * 0.5 * 250


def test_a_stream_launches_nothing_ahead() -> None:
    context = Context(0, "test")
    context.take(replace(COMES, overlap=0.5))
    assert (context.overlap, context.gap_us, context.clients) == (0.0, 2_000.0, 1)
    context.take(replace(WAITS, overlap=0.5))
    assert (context.overlap, context.gap_us, context.clients) == (0.5, None, 3)


def test_a_context_that_leaves_loses_what_is_in_it() -> None:
    context = Context(0, "test")
    context.serving, context.ahead_us, context.is_gone = (0.0, 5), 9.0, False
    context.waiting.extend([(1.0, 7), (2.0, 11)])
    assert context.left_us == 23
    context.leave()
    assert (context.lost_us, context.left_us, context.ahead_us, context.is_gone) == (23, 0, 0.0, True)


@pytest.mark.parametrize(
    ("latencies", "mean", "p50", "p99"),
    [
        ([7], 7, 7, 7),
        ([1, 2], 2, 1, 2),  # half a microsecond is rounded up
        ([1, 1, 2], 1, 1, 2),
        (list(range(1, 101)), 51, 50, 99),
        (list(range(1, 102)), 51, 51, 100),
        (list(range(1, 201)), 101, 100, 198),
    ],
)
def test_percentiles_are_of_the_nearest_rank_and_the_mean_is_rounded(
    latencies: list[int], mean: int, p50: int, p99: int
) -> None:
    context = Context(0, "test")
    assert context.answered() is None
    context.latencies.extend(reversed(latencies))
    told = context.answered()
    assert told is not None
    assert (told.count, told.mean_us, told.p50_us, told.p99_us) == (len(latencies), mean, p50, p99)


def test_only_a_pod_that_is_known_is_forgotten() -> None:
    line, _ = both(Turns, Sharing(), STORIES["two"], by_chance, Budget(PLENTY, PLENTY))
    line.forget("never")
    line.forget("waits")
    assert len(line.contexts["waits"].latencies) == 0
    assert len(line.contexts["comes"].latencies) > 0
