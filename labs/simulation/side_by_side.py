"""Contexts that run on a card at the same time, request by request: each at its own speed, slower for those beside it.

A request takes `1 + s` times as long while others have work on the card, `s` the sum over these of the split's `slower`,
at most its `slowest`. Whenever somebody begins or stops to have work, the rest of every request on the GPU goes on at
another speed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heappop
from math import fsum, inf

from labs.simulation.mechanism import Split
from labs.simulation.requests import ARRIVAL, Budget, Context, RequestLine

CONTEXTS_PER_EVENT = 8  # so many more of them make an event take as long as another one


class SideBySide(RequestLine):
    """A card whose contexts run at the same time."""

    def __init__(self, stream: str, clock: Callable[[], int], budget: Budget) -> None:
        super().__init__(stream, clock, budget)
        self._active: list[Context] = []  # with a request on the GPU

    def _run(self, until: float, left: int) -> int:
        timers, active = self._timers, self._active
        now = self._now
        while True:
            due = timers[0][0] if timers else inf
            ends, first = inf, None
            for context in active:
                if context.ends_us < ends:
                    ends, first = context.ends_us, context
            if ends > until and due > until:
                break
            left -= 1 + len(active) // CONTEXTS_PER_EVENT
            if left < 0:
                break
            if first is not None and ends <= due:
                now = ends
                first.answer(now)
                if first.gap_us is None:  # the client that was answered sends its next request
                    request = self._send(first, now)
                    if request is not None:
                        first.offered_us += request[1]
                        first.waiting.append(request)
                if first.waiting:
                    first.serving = request = first.waiting.popleft()
                    first.ends_us = now + request[1] * first.slow
                else:
                    self._leave(first, now)
                continue
            now, _, context, sent, work = heappop(timers)
            request = (sent, work)
            if work == ARRIVAL:
                self._expect(context, now)
                request = self._send(context, now)
                if request is None:
                    continue
            context.offered_us += request[1]
            if context.serving is None:
                context.serving = request
                self._join(context, now, request[1])
            else:
                context.waiting.append(request)
        self._now = now
        return left

    def _move_on(self, now: float) -> None:
        self._now = now

    def _rearrange(self, split: Split, contexts: list[Context]) -> None:
        rows: Sequence[Sequence[float]] = split.slower or [[0.0] * len(contexts)] * len(contexts)
        slowest = split.slowest or [inf] * len(contexts)
        for context, row, most in zip(contexts, rows, slowest, strict=True):
            context.row = {other.order: slower for other, slower in zip(contexts, row, strict=True)}
            context.slowest = most
        self._active = [context for context in self._active if context.serving is not None]
        for context in self._active:
            context.slower = fsum(context.row[other.order] for other in self._active if other is not context)
        self._slow_down(self._now)

    def _join(self, context: Context, now: float, work: int) -> None:
        """The context has work from now on."""
        active, order, row = self._active, context.order, context.row
        for other in active:
            other.slower += other.row[order]
        context.slower = fsum([row[other.order] for other in active])
        context.slow, context.ends_us = 1.0, now + work
        active.append(context)
        self._slow_down(now)

    def _leave(self, context: Context, now: float) -> None:
        """The context has no more work."""
        active, order = self._active, context.order
        active.remove(context)
        for other in active:
            other.slower -= other.row[order]
        if len(active) == 1:
            active[0].slower = 0.0  # exactly: sums of floats drift
        self._slow_down(now)

    def _slow_down(self, now: float) -> None:
        """Everyone with work goes on as slowly as those beside it make it."""
        for context in self._active:
            slower, slowest = context.slower, context.slowest
            slow = 1.0
            if slower > 0.0:
                slow += slowest if slower > slowest else slower  # noqa: FURB136 (no call in the innermost loop)
            if slow != context.slow:
                context.ends_us = now + (context.ends_us - now) * slow / context.slow
                context.slow = slow
