"""The request level: every request on a card an event, for the latencies that rates can't tell.

A request of a service has a host phase and then a GPU phase; both are drawn from exponential distributions (CV 1, which is
what published inference shows) and rounded to a microsecond when drawn. A Pod is one context: its requests wait there in
the order in which they came to the GPU. Requests come by a Poisson stream, or each client sends its next one when the last
is answered. How contexts share the card is the mechanism's `split`: in turns (`turns.py`) or side by side
(`side_by_side.py`, and `own_parts.py` where each has a part of the card of its own).

Training takes part as what stands in the way of services: its iterations are cycles of a host and a GPU phase. Where
contexts take turns, a job that launches ahead makes up for its waits: `overlap` of each is taken off the next host phases,
of each no more than `overlap` of it, and no more than of AHEAD in all. How far training comes is told by the rates, which
need no requests; so is how busy a card is.

One stream of random numbers per Pod and card, so that more Pods leave those of the others as they are.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from array import array
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from heapq import heappush, heapreplace
from math import inf, log

from labs.hardware.units import SECOND_US
from labs.simulation.laws.mechanism import Mechanism, Split
from labs.simulation.scenario import Job

PAIRS_PER_EVENT = 16  # of contexts side by side, looked at when who shares the card changes
AHEAD = 16  # host phases: so far ahead launches a job at most (an assumption)
EVENTS_PER_CONTEXT = 50  # a stream of random numbers takes time and memory to set up


class TooManyRequestsError(Exception):
    """The requests of a run are more events than allowed: `limit`, reached at `at_us`."""

    def __init__(self, limit: int, at_us: int) -> None:
        super().__init__(limit, at_us)
        self.limit = limit
        self.at_us = at_us


@dataclass(slots=True)
class Budget:
    """How many events the request level may still take, of `limit` for the whole run."""

    limit: int
    left: int


@dataclass(frozen=True, slots=True)
class Answered:
    """The requests of a Pod that were answered: how many, and their latencies in microseconds (nearest rank)."""

    count: int
    mean_us: int
    p50_us: int
    p99_us: int


class Context:
    """A Pod's context on a card, with the requests in it.

    `gap_us` is the mean time between requests that come when they will (None: `clients` send them), `host_us` and `gpu_us`
    are the mean lengths of the phases. `serving` is the request on the GPU, `waiting` those behind it: (when it was sent,
    its microseconds of work). `offered_us`, `done_us`, `lost_us` add up the work of all requests that came to the GPU, that
    were answered, and that died with the process. `began_us` is when the request on the GPU came there, `ahead_us` the host's
    time that waits have hidden so far and no host phase has made use of.
    `ends_us` and `slow` are for contexts side by side: when the request on the GPU will be answered if nothing changes, and
    how many times longer it takes than without the others; `slower` adds up what these are to it, by their orders in `row`.
    """

    __slots__ = (
        "ahead_us",
        "began_us",
        "clients",
        "done_us",
        "draw",
        "ends_us",
        "gap_us",
        "gpu_us",
        "host_us",
        "is_gone",
        "latencies",
        "lost_us",
        "offered_us",
        "order",
        "overlap",
        "row",
        "serving",
        "slow",
        "slower",
        "waiting",
    )

    def __init__(self, order: int, stream: str) -> None:
        self.order = order
        self.draw = random.Random(stream).random
        self.latencies = array("q")
        self.gap_us: float | None = None
        self.host_us = self.gpu_us = 0.0
        self.overlap = self.ahead_us = self.began_us = 0.0
        self.clients = 0
        self.is_gone = True
        self.serving: tuple[float, int] | None = None
        self.waiting: deque[tuple[float, int]] = deque()
        self.offered_us = self.done_us = self.lost_us = 0
        self.ends_us, self.slow, self.slower = inf, 1.0, 0.0
        self.row: dict[int, float] = {}

    @property
    def left_us(self) -> int:
        """The work of the requests that are in the context now."""
        return sum(work for _, work in self.waiting) + (self.serving[1] if self.serving else 0)

    def take(self, part: Job) -> None:
        """From now on the Pod's requests are those of `part`: its job as it runs here when it is its turn."""
        self.gpu_us = part.solo_time_us * part.residency
        self.host_us = max(0.0, part.solo_time_us - self.gpu_us)
        self.clients = part.clients or 1
        self.overlap = part.overlap if part.rate_per_s is None else 0.0
        self.gap_us = None if part.rate_per_s is None else SECOND_US / part.rate_per_s

    def leave(self) -> None:
        """The process is gone, and its requests with it."""
        self.is_gone = True
        self.lost_us += self.left_us
        self.waiting.clear()
        self.serving = None
        self.ahead_us = 0.0

    def answer(self, now: float) -> None:
        """The request on the GPU is answered."""
        assert self.serving is not None
        sent, work = self.serving
        self.done_us += work
        if self.overlap:
            waited = self.overlap * (now - self.began_us - work)
            self.ahead_us = min(self.ahead_us + waited, AHEAD * self.overlap * self.host_us)
        self.latencies.append(round(now - sent))
        self.serving = None

    def answered(self) -> Answered | None:
        """What its requests had to wait; None where none was answered."""
        count = len(self.latencies)
        if not count:
            return None
        ranked = sorted(self.latencies)
        mean = (2 * sum(ranked) + count) // (2 * count)
        return Answered(count, mean, ranked[-(-count // 2) - 1], ranked[-(-count * 99 // 100) - 1])


Timer = tuple[float, int, Context, float, int]
"""When, a number that tells timers of one moment apart, whose; a request and its work that come to the GPU then, or an
ARRIVAL instead of work: the next request of a stream is sent."""
ARRIVAL = -1


class RequestLine(ABC):
    """The requests on one card from a run's start on, by Pod; `clock` is the run's.

    Between two changes of who has work on the card nothing outside it matters, so the line catches up only then.
    """

    def __init__(self, stream: str, clock: Callable[[], int], budget: Budget) -> None:
        self.contexts: dict[str, Context] = {}
        self._stream, self._clock, self._budget = stream, clock, budget
        self._now = 0.0
        self._timers: list[Timer] = []  # a heap
        self._count = 0

    def share(self, jobs: Mapping[str, Job], mechanism: Mechanism) -> None:
        """From now on these jobs, by Pod, have work on the card and share it so."""
        self.catch_up()
        self._move_on(float(self._clock()))
        new = sum(pod not in self.contexts for pod in jobs)
        self._spend(new * EVENTS_PER_CONTEXT + len(jobs))
        split = mechanism.split(tuple(jobs.values()))
        self._spend(len(split.slower) ** 2 // PAIRS_PER_EVENT)
        for pod, context in self.contexts.items():
            if pod not in jobs and not context.is_gone:
                context.leave()
        self._timers = [timer for timer in self._timers if not timer[2].is_gone]
        self._timers.sort(key=lambda timer: timer[:2])
        begins = []
        for pod, part in zip(jobs, split.parts, strict=True):
            if pod not in self.contexts:
                self.contexts[pod] = Context(len(self.contexts), f"{self._stream}/{pod}")
            context = self.contexts[pod]
            context.take(part)
            if context.is_gone:
                context.is_gone = False
                begins.append(context)
        self._rearrange(split, [self.contexts[pod] for pod in jobs])
        for context in begins:
            self._begin(context)

    def forget(self, pod: str) -> None:
        """What the Pod has answered so far was another's of its name."""
        if pod in self.contexts:
            self.contexts[pod].latencies = array("q")

    def catch_up(self) -> None:
        """Lets everything happen up to now. Raises TooManyRequestsError past the budget."""
        until, budget = self._clock(), self._budget
        left = self._run(float(until), budget.left)
        if left < 0:
            raise TooManyRequestsError(budget.limit, int(self._now))
        budget.left = left

    def _spend(self, events: int) -> None:
        """What is no event and takes as long as so many."""
        self._budget.left -= events
        if self._budget.left < 0:
            raise TooManyRequestsError(self._budget.limit, int(self._now))

    @abstractmethod
    def _run(self, until: float, left: int) -> int:
        """Lets everything happen up to `until`, at most `left` events; how many are left then, below 0 where it stopped."""

    @abstractmethod
    def _move_on(self, now: float) -> None:
        """Nothing happens from the last event up to `now`, where something will change."""

    @abstractmethod
    def _rearrange(self, split: Split, contexts: list[Context]) -> None:
        """These contexts, in the order of the split's parts, share the card so; those that are gone have left it."""

    def _arrive(self, context: Context, now: float) -> int:
        """A request of a stream, the timer that is due, is sent, and the next one is on its way.

        Its work where it comes to the GPU at once; ARRIVAL where it comes there after its host phase.
        """
        draw, timers = context.draw, self._timers
        self._count += 1
        gap = round(-log(1.0 - draw()) * (context.gap_us or 0.0))
        heapreplace(timers, (now + gap, self._count, context, now, ARRIVAL))
        host = round(-log(1.0 - draw()) * context.host_us) if context.host_us else 0
        work = round(-log(1.0 - draw()) * context.gpu_us)
        if not host:
            return work
        self._count += 1
        heappush(timers, (now + host, self._count, context, now, work))
        return ARRIVAL

    def _send(self, context: Context, now: float) -> None:
        """A client sends its next request: it waits for the GPU at once, or after its host phase."""
        draw = context.draw
        host = round(-log(1.0 - draw()) * context.host_us) if context.host_us else 0
        work = round(-log(1.0 - draw()) * context.gpu_us)
        if context.ahead_us:
            hidden = min(context.ahead_us, context.overlap * host)
            context.ahead_us -= hidden
            host = round(host - hidden)
        if host:
            self._count += 1
            heappush(self._timers, (now + host, self._count, context, now, work))
        else:
            context.offered_us += work
            context.waiting.append((now, work))

    def _begin(self, context: Context) -> None:
        """The first request of a stream, or of every client, is on its way."""
        draw, now = context.draw, self._now
        if context.gap_us is not None:
            self._count += 1
            gap = round(-log(1.0 - draw()) * context.gap_us)
            heappush(self._timers, (now + gap, self._count, context, now, ARRIVAL))
            return
        for _ in range(context.clients):
            host = round(-log(1.0 - draw()) * context.host_us) if context.host_us else 0
            self._count += 1
            work = round(-log(1.0 - draw()) * context.gpu_us)
            heappush(self._timers, (now + host, self._count, context, now, work))
