"""The sharing law against single turns: a simulation in which contexts really alternate on the card.

It knows nothing of the law. Phases are exponential; contexts with work share the card equally (turns are short
against phases), and within a context requests are served in the order in which they came.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from labs.hardware.units import PPM
from labs.simulation.laws.time_slicing import shared_rates
from labs.simulation.scenario.scenario import Job, JobKind

GPU_US = 100_000


@dataclass(frozen=True, slots=True)
class Context:
    """A Pod's context: seconds on the host and on the GPU per request; `rate` per second if open, else `clients`."""

    host: float = 0.0
    clients: int = 1
    rate: float | None = None
    gpu: float = GPU_US / PPM

    @property
    def job(self) -> Job:
        solo = self.host + self.gpu
        residency = self.gpu / solo
        clients = 0 if self.rate is not None else self.clients
        return Job(
            JobKind.SERVICE,
            round(solo * PPM),
            residency,
            residency,
            rate_per_s=self.rate,
            clients=clients,
        )


class Turns:
    """The card while requests come and go; `answered` and `waited` (request seconds at the GPU) by context."""

    def __init__(self, contexts: Sequence[Context], draw: random.Random) -> None:
        self._contexts, self._draw = contexts, draw
        self._queue = [0] * len(contexts)
        self._left = [0.0] * len(contexts)
        self._arrivals: list[tuple[float, int]] = []
        self.answered = [0] * len(contexts)
        self.waited = [0.0] * len(contexts)
        self.now = 0.0
        for index, context in enumerate(contexts):
            for _ in range(1 if context.rate is not None else context.clients):
                self._expect(index)

    def run(self, seconds: float) -> None:
        while self.now < seconds:
            working = [index for index, waiting in enumerate(self._queue) if waiting]
            first = min(working, key=lambda index: self._left[index], default=None)
            ends = self.now + self._left[first] * len(working) if first is not None else float("inf")
            arrives = self._arrivals[0][0] if self._arrivals else float("inf")
            self._pass(min(ends, arrives) - self.now, working)
            if first is not None and ends <= arrives:
                self._answer(first)
            else:
                self._arrive(heapq.heappop(self._arrivals)[1])

    def _pass(self, seconds: float, working: Sequence[int]) -> None:
        self.now += seconds
        for index in working:
            self._left[index] -= seconds / len(working)
            self.waited[index] += self._queue[index] * seconds

    def _arrive(self, index: int) -> None:
        self._queue[index] += 1
        if self._queue[index] == 1:
            self._left[index] = self._draw.expovariate(1 / self._contexts[index].gpu)
        if self._contexts[index].rate is not None:
            self._expect(index)

    def _answer(self, index: int) -> None:
        self._queue[index] -= 1
        self.answered[index] += 1
        if self._queue[index]:
            self._left[index] = self._draw.expovariate(1 / self._contexts[index].gpu)
        if self._contexts[index].rate is None:
            self._expect(index)

    def _expect(self, index: int) -> None:
        """The next request of an open context, or of a client that was just answered."""
        context = self._contexts[index]
        pace = context.rate if context.rate is not None else 1 / context.host if context.host else None
        if pace is None:
            self._arrive(index)
        else:
            heapq.heappush(self._arrivals, (self.now + self._draw.expovariate(pace), index))


BUSY = Context()
CARDS = {
    "an open service beside a busy job": [Context(rate=4.0), BUSY],
    "an open service beside two busy jobs": [Context(rate=2.0), BUSY, BUSY],
    "an open service beside one that leaves gaps": [Context(rate=4.0), Context(host=0.1)],
    "short requests beside long ones": [Context(rate=30.0, gpu=0.01), BUSY],
    "two open services": [Context(rate=2.0), Context(rate=2.0)],
    "four clients beside a busy job": [Context(clients=4), BUSY],
    "four clients with gaps beside a busy job": [Context(host=0.3, clients=4), BUSY],
    "four clients beside a job with gaps": [Context(host=0.9, clients=4), Context(host=0.1)],
}


@pytest.mark.parametrize("contexts", CARDS.values(), ids=CARDS.keys())
def test_the_law_tells_what_single_turns_come_to(contexts: list[Context]) -> None:
    turns = Turns(contexts, random.Random("turns:1"))
    turns.run(4_000.0)
    for index, rate in enumerate(shared_rates([context.job for context in contexts], 0.0).jobs):
        assert rate.requests_u / PPM == pytest.approx(turns.answered[index] / turns.now, rel=0.05)
        assert rate.latency_us is not None
        waited = turns.waited[index] / turns.answered[index]
        assert rate.latency_us / PPM - contexts[index].host == pytest.approx(waited, rel=0.10)


@pytest.mark.parametrize("busy", [1, 2, 4])
def test_beside_jobs_that_are_always_busy_an_open_service_has_a_slower_card(busy: int) -> None:
    """Then its turn is exactly one of n + 1: an M/M/1 queue with so many times longer service."""
    turn, rate = 0.1 * (busy + 1), 1.0
    (latency, *_) = (
        found.latency_us for found in shared_rates([Context(rate=rate).job] + [BUSY.job] * busy, 0.0).jobs
    )
    assert latency == pytest.approx(turn / (1 - rate * turn) * PPM, abs=1)


@pytest.mark.parametrize("clients", [1, 2, 16, 64])
def test_more_clients_of_one_pod_are_no_more_turns(clients: int) -> None:
    served, neighbour = shared_rates([Context(clients=clients).job, BUSY.job], 0.0).jobs
    assert served.requests_u == neighbour.requests_u == 5_000_000


def test_a_service_is_kept_up_with_as_long_as_the_card_has_time_for_it() -> None:
    """Two that want 0.45 each are answered, two that want 0.55 each are not."""
    fine, behind = (shared_rates([Context(rate=rate).job] * 2, 0.0).jobs[0] for rate in (4.5, 5.5))
    assert fine.latency_us is not None
    assert (behind.latency_us, behind.requests_u) == (None, 5_000_000)
