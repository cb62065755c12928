"""Contexts that run on a card at the same time, request by request: each at its own speed, slower for those beside it.

A request takes `1 + s` times as long while others have work on the card, `s` the sum over these of the split's `slower`.
Whenever somebody begins or stops to have work, the rest of every request on the GPU goes on at another speed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heappop
from math import fsum, inf

from labs.simulation.laws.mechanism import Split
from labs.simulation.laws.requests import ARRIVAL, Budget, Context, RequestLine

CONTEXTS_PER_EVENT = 8  # so many more of them make an event take as long as another one

Due = tuple[float, Context | None]
"""When the next request is answered if nothing changes, and whose."""


class SideBySide(RequestLine):
    """A card whose contexts run at the same time."""

    def __init__(self, stream: str, clock: Callable[[], int], budget: Budget) -> None:
        super().__init__(stream, clock, budget)
        self._active: list[Context] = []  # with a request on the GPU

    def _run(self, until: float, left: int) -> int:
        timers, active, now = self._timers, self._active, self._now
        ends, first = self._next()
        while True:
            due = timers[0][0] if timers else inf
            if ends > until and due > until:
                break
            left -= 1 + len(active) // CONTEXTS_PER_EVENT
            if left < 0:
                break
            if first is not None and ends <= due:
                now = ends
                first.answer(now)
                if first.gap_us is None:  # the client that was answered sends its next request
                    self._send(first, now)
                if first.waiting:
                    first.serving = request = first.waiting.popleft()
                    first.ends_us = now + request[1] * first.slow
                    ends, first = self._next()
                else:
                    ends, first = self._leave(first, now)
                continue
            now, _, context, sent, work = timers[0]
            if work == ARRIVAL:
                sent, work = now, self._arrive(context, now)
                if work == ARRIVAL:
                    continue
            else:
                heappop(timers)
            context.offered_us += work
            if context.serving is None:
                context.serving = (sent, work)
                ends, first = self._join(context, now, work)
            else:
                context.waiting.append((sent, work))
        self._now = now
        return left

    def _move_on(self, now: float) -> None:
        self._now = now

    def _rearrange(self, split: Split, contexts: list[Context]) -> None:
        rows: Sequence[Sequence[float]] = split.slower or [[0.0] * len(contexts)] * len(contexts)
        for context, row in zip(contexts, rows, strict=True):
            context.row = {other.order: slower for other, slower in zip(contexts, row, strict=True)}
            context.row[context.order] = 0.0  # nobody is beside itself
        self._active = [context for context in self._active if context.serving is not None]
        for context in self._active:
            context.slower = fsum(context.row[other.order] for other in self._active)
        if self._active:
            self._change(self._now, self._active[0].order, 0.0)

    def _next(self) -> Due:
        """What is next."""
        ends, first = inf, None
        for context in self._active:
            if context.ends_us < ends:
                ends, first = context.ends_us, context
        return ends, first

    def _join(self, context: Context, now: float, work: int) -> Due:
        """The context has work from now on; what is next."""
        active, row = self._active, context.row
        context.slower = fsum([row[other.order] for other in active])
        context.slow, context.ends_us = 1.0, now + work
        active.append(context)
        return self._change(now, context.order, 1.0)

    def _leave(self, context: Context, now: float) -> Due:
        """The context has no more work; what is next."""
        self._active.remove(context)
        if len(self._active) != 1:
            return self._change(now, context.order, -1.0)
        self._active[0].slower = 0.0  # exactly: sums of floats drift
        return self._change(now, context.order, 0.0)

    def _change(self, now: float, order: int, more: float) -> Due:
        """Everyone with work is so much slower as it is for a context, times `more`, and goes on like that; what is next."""
        ends, first = inf, None
        for context in self._active:
            context.slower = slower = context.slower + more * context.row[order]
            slow, at = 1.0 + slower if slower > 0.0 else 1.0, context.ends_us
            if slow != context.slow:
                context.ends_us = at = now + (at - now) * slow / context.slow
                context.slow = slow
            if at < ends:
                ends, first = at, context
        return ends, first
