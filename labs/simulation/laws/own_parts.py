"""Contexts with a part of the card each, request by request: what others do is felt only as that somebody does anything.

A request takes `1 + beside` times as long on the GPU while any other context has work, one or many (MPS clients with a cap on
their threads: what no cap divides). So what is on the GPU goes on at another pace only when a second context begins to have
work, or the last but one has none any more.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heapify, heappop, heappush, heapreplace
from math import inf

from labs.simulation.laws.mechanism import Split
from labs.simulation.laws.requests import ARRIVAL, Budget, Context, RequestLine

Serving = tuple[float, int, Context]
"""When the request on the GPU is answered if nothing changes, the context's order, the context."""


class OwnParts(RequestLine):
    """A card of which every context has a part."""

    def __init__(self, stream: str, clock: Callable[[], int], budget: Budget) -> None:
        super().__init__(stream, clock, budget)
        self._serving: list[Serving] = []  # a heap
        self._slow: dict[
            int, float
        ] = {}  # by a context's order, how many times longer its requests take beside others

    def _run(self, until: float, left: int) -> int:
        timers, serving, now = self._timers, self._serving, self._now
        while True:
            due = timers[0][0] if timers else inf
            ends = serving[0][0] if serving else inf
            if ends > until and due > until:
                break
            left -= 1
            if left < 0:
                break
            if ends <= due:
                now, order, context = serving[0]
                context.answer(now)
                if context.gap_us is None:  # the client that was answered sends its next request
                    self._send(context, now)
                if context.waiting:
                    context.serving = request = context.waiting.popleft()
                    heapreplace(serving, (now + request[1] * context.slow, order, context))
                else:
                    heappop(serving)
                    if len(serving) == 1:
                        self._pace(now)
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
                self._join(context, now, work)
            else:
                context.waiting.append((sent, work))
        self._now = now
        return left

    def _move_on(self, now: float) -> None:
        self._now = now

    def _rearrange(self, split: Split, contexts: list[Context]) -> None:
        self._slow = {
            context.order: 1.0 + longer for context, longer in zip(contexts, split.beside, strict=True)
        }
        self._serving = [entry for entry in self._serving if entry[2].serving is not None]
        self._pace(self._now)

    def _join(self, context: Context, now: float, work: int) -> None:
        """The context has work from now on."""
        serving, order, ends = self._serving, context.order, now + work
        context.slow = self._slow[order] if len(serving) > 1 else 1.0
        heappush(serving, (now + (ends - now) * context.slow, order, context))
        if len(serving) == 2:
            self._pace(now)

    def _pace(self, now: float) -> None:
        """Everyone with work goes on at its own pace, or slower if it is not alone."""
        serving, is_alone = self._serving, len(self._serving) == 1
        for place, (ends, order, context) in enumerate(serving):
            slow = 1.0 if is_alone else self._slow[order]
            if slow != context.slow:
                serving[place] = (now + (ends - now) * slow / context.slow, order, context)
                context.slow = slow
        heapify(serving)
