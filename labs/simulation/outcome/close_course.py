"""One course of contexts on a card, moment by moment: what the rates are the mean of.

Host and GPU phase follow each other, their lengths are drawn from exponential distributions, and a job that launches ahead
makes up for its waits on the host, as at the request level.
Contexts take turns of SLICE_US or run side by side, as a mechanism's `split` says. `close_look.py` says what of it is an
assumption.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from math import log

from labs.hardware.units import SECOND_US
from labs.simulation.laws import AHEAD, Split
from labs.simulation.scenario import Job

SLICE_US = 2_000
WARM_UP_CYCLES = 3
WARM_UP_MOST_US = 2 * SECOND_US
EVENTS_MOST = 20_000

Spans = list[tuple[float, float]]
"""From and to, in microseconds."""


@dataclass(slots=True)
class CloseContext:
    """A Pod's context on a device, with the means of its phases.

    `queue` holds the microseconds of work of the requests in it, the first on the GPU since `began_us`, with `work_us`
    then. `ahead_us` as in `requests.Context`.
    """

    order: int
    host_us: int
    gpu_us: int
    gap_us: int | None
    overlap: float
    chance: random.Random
    queue: deque[float] = field(default_factory=deque)
    runs: Spans = field(default_factory=list)
    worked: Spans = field(default_factory=list)  # when it had work
    since_us: float = 0.0  # it has work
    began_us: float = 0.0
    work_us: float = 0.0
    ahead_us: float = 0.0

    def begin(self, now: float) -> None:
        """The first request in the queue is on the GPU from now on."""
        self.began_us, self.work_us = now, self.queue[0]

    def host_phase(self, now: float) -> int:
        """Microseconds until the next request of a client comes to the GPU, from now on, where one is answered."""
        host_us = self.drawn(self.host_us)
        if not self.overlap:
            return host_us
        waited = self.overlap * max(0.0, now - self.began_us - self.work_us)
        self.ahead_us = min(self.ahead_us + waited, AHEAD * self.overlap * self.host_us)
        hidden = min(self.ahead_us, self.overlap * host_us)
        self.ahead_us -= hidden
        return round(host_us - hidden)

    def drawn(self, mean_us: int) -> int:
        """A length with this mean."""
        return round(-log(1.0 - self.chance.random()) * mean_us)


def live(split: Split, streams: Sequence[str], length_us: int) -> tuple[list[CloseContext], Spans] | None:
    """The contexts after they have lived from a while before 0 to `length_us`, and the times between two turns.

    Each draws from the stream of this name, and begins at a moment of its first cycle.
    """
    contexts: list[CloseContext] = []
    timers: list[tuple[float, int, int]] = []  # when, of which context, of which client
    cycles = [_cycle_us(job) for job in split.parts]
    begin = -float(min(WARM_UP_MOST_US, WARM_UP_CYCLES * max(cycles)))
    for order, job in enumerate(split.parts):
        gpu_us = round(job.solo_time_us * job.residency)
        gap_us = None if job.rate_per_s is None else max(1, round(SECOND_US / job.rate_per_s))
        host_us = max(0, job.solo_time_us - gpu_us)
        chance = random.Random(streams[order])
        contexts.append(CloseContext(order, host_us, gpu_us, gap_us, job.overlap, chance))
        clients = 1 if gap_us is not None else max(1, job.clients)
        if gpu_us:
            for client in range(clients):
                offset = contexts[order].chance.random() * cycles[order]
                heappush(timers, (begin + round(offset), order, client))
    live = _take_turns if split.takes_turns else _side_by_side
    between = live(split, contexts, timers, begin, float(length_us))
    return None if between is None else (contexts, between)


def _cycle_us(job: Job) -> int:
    if job.rate_per_s is not None:
        return max(1, round(SECOND_US / job.rate_per_s))
    return job.solo_time_us


def _arrive(context: CloseContext, now: float, timers: list[tuple[float, int, int]], client: int) -> None:
    """A request comes to the GPU."""
    if not context.queue:
        context.since_us = now
    context.queue.append(max(1.0, context.drawn(context.gpu_us)))
    if len(context.queue) == 1:
        context.begin(now)
    if context.gap_us is not None:
        heappush(timers, (now + context.drawn(context.gap_us), context.order, client))


def _answer(context: CloseContext, now: float, timers: list[tuple[float, int, int]]) -> None:
    """The request on the GPU is answered; a client sends its next one."""
    context.queue.popleft()
    if context.gap_us is None:
        host_us = context.host_phase(now)
        if host_us:
            heappush(timers, (now + host_us, context.order, 0))
        else:
            context.queue.append(max(1.0, context.drawn(context.gpu_us)))
    if context.queue:
        context.begin(now)
    else:
        context.worked.append((context.since_us, now))


def _take_turns(
    split: Split,
    contexts: Sequence[CloseContext],
    timers: list[tuple[float, int, int]],
    now: float,
    until: float,
) -> Spans | None:
    """Round robin up to `until`. Returns when the card switched; None past EVENTS_MOST."""
    last = -1
    switches: Spans = []

    def catch_up() -> None:
        while timers and timers[0][0] <= now:
            when, order, client = heappop(timers)
            _arrive(contexts[order], when, timers, client)

    for _ in range(EVENTS_MOST):
        catch_up()
        if now >= until:
            return _ended(contexts, until, switches)
        around = [contexts[(last + 1 + step) % len(contexts)] for step in range(len(contexts))]
        context = next((other for other in around if other.queue), None)
        if context is None:
            if not timers:
                return _ended(contexts, until, switches)
            now = timers[0][0]
            continue
        last, begun = context.order, now
        left = float(SLICE_US)
        while left > 0 and context.queue:
            part = min(left, context.queue[0])
            now, left = now + part, left - part
            context.queue[0] -= part
            if context.queue[0] <= 0:
                _answer(context, now, timers)
        context.runs.append((begun, now))
        catch_up()
        if any(other.queue for other in contexts if other is not context):
            switches.append((now, now + (now - begun) * split.switch_tax))
            now = switches[-1][1]
    return None


def _side_by_side(
    split: Split,
    contexts: Sequence[CloseContext],
    timers: list[tuple[float, int, int]],
    now: float,
    until: float,
) -> Spans | None:
    """All at the same time, as slow as those that have work make one another. Nothing is between turns."""
    for _ in range(EVENTS_MOST):
        while timers and timers[0][0] <= now:
            when, order, client = heappop(timers)
            _arrive(contexts[order], when, timers, client)
        if now >= until:
            return _ended(contexts, until, [])
        active = [context for context in contexts if context.queue]
        slow = {context.order: _slow(split, context, active) for context in active}
        due = [now + context.queue[0] * slow[context.order] for context in active]
        then = min([until, *due, *([timers[0][0]] if timers else [])])
        for context, ends in zip(active, due, strict=True):
            context.runs.append((now, then))
            context.queue[0] -= (then - now) / slow[context.order]
            if ends <= then:
                _answer(context, then, timers)
        now = then
    return None


def _slow(split: Split, context: CloseContext, active: Sequence[CloseContext]) -> float:
    """How many times longer it takes than without the others."""
    if split.beside:
        return 1.0 + split.beside[context.order] if len(active) > 1 else 1.0
    if not split.slower:
        return 1.0
    row = split.slower[context.order]
    return 1.0 + sum(row[other.order] for other in active if other is not context)


def _ended(contexts: Sequence[CloseContext], until: float, switches: Spans) -> Spans:
    for context in contexts:
        if context.queue:
            context.worked.append((context.since_us, until))
    return switches
