"""The request level: every request on a card an event, for the latencies that rates can't tell.

A request of a service has a host phase and then a GPU phase; both are drawn from exponential distributions (CV 1, which is
what published inference shows) and rounded to a microsecond when drawn. A Pod is one context: its requests wait there in
the order in which they came to the GPU. Requests come by a Poisson stream, or each client sends its next one when the last
is answered. How contexts share the card is the mechanism's `split`: in turns, of which this is the limit of turns that are
short against requests (all contexts with work go on at the same pace, each as many times slower as there are, and switches
cost their tax while there are two or more), or side by side at the speeds that the mechanism's law gives on the average.

Training takes part as what takes turns from services: its iterations are cycles of a host and a GPU phase. How far it comes
is told by the rates, which need no requests; so is how busy a card is. The `overlap` of a service counts in rates only.

One stream of random numbers per Pod and card, so that more Pods leave those of the others as they are.
"""

from __future__ import annotations

import random
from array import array
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush, heapreplace
from math import inf, log

from labs.simulation.mechanism import Mechanism
from labs.simulation.scenario import Job, JobKind
from labs.simulation.time_slicing import needed_share

SECOND_US = 1_000_000


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
    were answered, and that died with the process.
    """

    __slots__ = (
        "clients",
        "done_us",
        "draw",
        "gap_us",
        "gpu_us",
        "host_us",
        "is_gone",
        "latencies",
        "lost_us",
        "offered_us",
        "order",
        "serving",
        "waiting",
    )

    def __init__(self, order: int, stream: str) -> None:
        self.order = order
        self.draw = random.Random(stream).random
        self.latencies = array("q")
        self.gap_us: float | None = None
        self.host_us = self.gpu_us = 0.0
        self.clients = 0
        self.is_gone = True
        self.serving: tuple[float, int] | None = None
        self.waiting: deque[tuple[float, int]] = deque()
        self.offered_us = self.done_us = self.lost_us = 0

    @property
    def left_us(self) -> int:
        """The work of the requests that are in the context now."""
        return sum(work for _, work in self.waiting) + (self.serving[1] if self.serving else 0)

    def take(self, part: Job) -> None:
        """From now on the Pod's requests are those of `part`: its job as it runs here when it is its turn."""
        training = part.kind is JobKind.TRAINING
        residency = part.residency * (needed_share(part.overlap) if training else 1.0)
        self.gpu_us = part.solo_time_us * residency
        self.host_us = max(0.0, part.solo_time_us - self.gpu_us)
        self.clients = part.clients or 1
        self.gap_us = None if part.rate_per_s is None else SECOND_US / part.rate_per_s

    def leave(self) -> None:
        """The process is gone, and its requests with it."""
        self.is_gone = True
        self.lost_us += self.left_us
        self.waiting.clear()
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


class RequestLine:
    """The requests on one card from a run's start on, by Pod; `clock` is the run's.

    Between two changes of who has work on the card nothing outside it matters, so the line catches up only then.
    """

    def __init__(self, stream: str, clock: Callable[[], int], budget: Budget) -> None:
        self.contexts: dict[str, Context] = {}
        self._stream, self._clock, self._budget = stream, clock, budget
        self._now = 0.0
        self._pace = 1.0  # microseconds that pass while every context with work gets one of work done
        self._progress = 0.0  # microseconds of work that a context always at work would have got done
        self._serving: list[
            tuple[float, int, Context]
        ] = []  # a heap: the progress at which a request is answered
        self._timers: list[Timer] = []  # a heap
        self._count = 0
        self._takes_turns, self._tax = True, 0.0

    def share(self, jobs: Mapping[str, Job], mechanism: Mechanism) -> None:
        """From now on these jobs, by Pod, have work on the card and share it so."""
        self.catch_up()
        self._move_on(float(self._clock()))
        split = mechanism.split(tuple(jobs.values()))
        self._takes_turns, self._tax = split.takes_turns, split.switch_tax
        for pod, context in self.contexts.items():
            if pod not in jobs and not context.is_gone:
                context.leave()
        self._serving = [entry for entry in self._serving if not entry[2].is_gone]
        self._serving.sort(key=lambda entry: entry[:2])
        self._timers = [timer for timer in self._timers if not timer[2].is_gone]
        self._timers.sort(key=lambda timer: timer[:2])
        begins = []
        for pod, part in zip(jobs, split.parts, strict=True):
            if pod not in self.contexts:
                self.contexts[pod] = Context(len(self.contexts), f"{self._stream}/{pod}")
            context = self.contexts[pod]
            context.take(part)
            if context.is_gone and (split.takes_turns or part.kind is JobKind.SERVICE):
                context.is_gone = False
                begins.append(context)
        for context in begins:
            self._begin(context)
        self._pace = self._pace_of(len(self._serving))

    def catch_up(self) -> None:
        """Lets everything happen up to now. Raises TooManyRequestsError past the budget."""
        until = self._clock()
        budget = self._budget
        left = budget.left
        timers, serving = self._timers, self._serving
        now, progress, pace = self._now, self._progress, self._pace
        while True:
            due = timers[0][0] if timers else inf
            ends = now + (serving[0][0] - progress) * pace if serving else inf
            if min(due, ends) > until:
                break
            left -= 1
            if left < 0:
                raise TooManyRequestsError(budget.limit, int(now))
            if ends <= due:
                now, (progress, order, context) = ends, serving[0]
                request = context.serving
                assert request is not None
                context.done_us += request[1]
                context.latencies.append(round(now - request[0]))
                waiting = context.waiting
                if context.gap_us is None:  # the client that was answered sends its next request
                    draw = context.draw
                    host = round(-log(1.0 - draw()) * context.host_us) if context.host_us else 0
                    work = round(-log(1.0 - draw()) * context.gpu_us)
                    if host:
                        self._count += 1
                        heappush(timers, (now + host, self._count, context, now, work))
                    else:
                        context.offered_us += work
                        waiting.append((now, work))
                if waiting:
                    context.serving = request = waiting.popleft()
                    heapreplace(serving, (progress + request[1], order, context))
                else:
                    context.serving = None
                    heappop(serving)
                    pace = self._pace_of(len(serving))
                continue
            progress += (due - now) / pace
            now, _, context, sent, work = heappop(timers)
            if work == ARRIVAL:
                draw, sent = context.draw, now
                assert context.gap_us is not None
                self._count += 1
                gap = round(-log(1.0 - draw()) * context.gap_us)
                heappush(timers, (now + gap, self._count, context, now, ARRIVAL))
                host = round(-log(1.0 - draw()) * context.host_us) if context.host_us else 0
                work = round(-log(1.0 - draw()) * context.gpu_us)
                if host:
                    self._count += 1
                    heappush(timers, (now + host, self._count, context, now, work))
                    continue
            context.offered_us += work
            if context.serving is None:
                context.serving = (sent, work)
                heappush(serving, (progress + work, context.order, context))
                pace = self._pace_of(len(serving))
            else:
                context.waiting.append((sent, work))
        budget.left = left
        self._now, self._progress, self._pace = now, progress, pace

    def _begin(self, context: Context) -> None:
        """The first request of a stream, or of every client, is on its way."""
        now, draw = self._now, context.draw
        if context.gap_us is not None:
            self._count += 1
            first = now + round(-log(1.0 - draw()) * context.gap_us)
            heappush(self._timers, (first, self._count, context, now, ARRIVAL))
            return
        for _ in range(context.clients):
            self._count += 1
            host = round(-log(1.0 - draw()) * context.host_us)
            work = round(-log(1.0 - draw()) * context.gpu_us)
            heappush(self._timers, (now + host, self._count, context, now, work))

    def _move_on(self, now: float) -> None:
        self._progress += (now - self._now) / self._pace
        self._now = now

    def _pace_of(self, contexts: int) -> float:
        """How many times slower each of so many contexts with work is than alone."""
        if not self._takes_turns or contexts < 2:
            return 1.0
        return contexts * (1.0 + self._tax)
