"""Contexts that take turns on a card, request by request: the limit of turns that are short against requests.

All contexts with work go on at the same pace, each as many times slower as there are of them, and switches cost their tax
while there are two or more. A single turn is never looked at: what counts is how much work a context that is always at work
would have got done, and every request is answered when that has grown by its own work.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush, heapreplace
from math import inf

from labs.simulation.laws.mechanism import Split
from labs.simulation.laws.requests import ARRIVAL, Budget, Context, RequestLine


class Turns(RequestLine):
    """A card whose contexts take turns."""

    def __init__(self, stream: str, clock: Callable[[], int], budget: Budget) -> None:
        super().__init__(stream, clock, budget)
        self._tax = 0.0
        self._pace = 1.0  # microseconds that pass while every context with work gets one of work done
        self._progress = 0.0  # microseconds of work that a context always at work would have got done
        self._serving: list[
            tuple[float, int, Context]
        ] = []  # a heap: the progress at which a request is answered

    def _run(self, until: float, left: int) -> int:
        timers, serving = self._timers, self._serving
        now, progress, pace = self._now, self._progress, self._pace
        while True:
            due = timers[0][0] if timers else inf
            ends = now + (serving[0][0] - progress) * pace if serving else inf
            if ends > until and due > until:
                break
            left -= 1
            if left < 0:
                break
            if ends <= due:
                now, (progress, order, context) = ends, serving[0]
                context.answer(now)
                if context.gap_us is None:  # the client that was answered sends its next request
                    self._send(context, now)
                if context.waiting:
                    context.serving = request = context.waiting.popleft()
                    context.began_us = now
                    heapreplace(serving, (progress + request[1], order, context))
                else:
                    heappop(serving)
                    pace = self._pace_of(len(serving))
                continue
            progress += (due - now) / pace
            now, _, context, sent, work = timers[0]
            if work == ARRIVAL:
                sent, work = now, self._arrive(context, now)
                if work == ARRIVAL:
                    continue
            else:
                heappop(timers)
            context.offered_us += work
            if context.serving is None:
                context.serving, context.began_us = (sent, work), now
                heappush(serving, (progress + work, context.order, context))
                pace = self._pace_of(len(serving))
            else:
                context.waiting.append((sent, work))
        self._now, self._progress, self._pace = now, progress, pace
        return left

    def _move_on(self, now: float) -> None:
        self._progress += (now - self._now) / self._pace
        self._now = now

    def _rearrange(self, split: Split, contexts: list[Context]) -> None:
        self._tax = split.switch_tax
        self._serving = [entry for entry in self._serving if not entry[2].is_gone and entry[2].serving]
        self._serving.sort(key=lambda entry: entry[:2])
        self._pace = self._pace_of(len(self._serving))

    def _pace_of(self, contexts: int) -> float:
        """How many times slower each of so many contexts with work is than alone."""
        return contexts * (1.0 + self._tax) if contexts > 1 else 1.0
