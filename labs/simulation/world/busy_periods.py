"""The busy periods in which an idle job computes: a notebook in which somebody runs a cell now and then.

A busy period is work, not time: it takes `for` alone on a whole card and longer where others share that, by the law of the
mechanism. To the laws it is training with the job's residency, demand and overlap. Between two of them nothing runs and the
memory stays held. People do not come by the clock, so the pauses are drawn from an exponential distribution, with the
scenario's seed and a stream of random numbers for each Pod. No source gives lengths or pauses: they are the scenario's.

Rates know no steps within a busy period. Where single requests or turns are told, it is assumed to go in steps of STEP_US.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import log

import simpy

from labs.simulation.laws import Rate
from labs.simulation.scenario import Busy, Job, JobKind
from labs.simulation.world.card import Card
from labs.simulation.world.progress import Progress

STEP_US = 100_000


def at_work(job: Job) -> Job:
    """The job as a card's law sees it while it computes: itself, or one busy period of an idle job."""
    if job.busy is None:
        return job
    step = min(STEP_US, job.busy.for_us)
    return replace(job, kind=JobKind.TRAINING, solo_time_us=step, iterations=1, busy=None)


class BusyPeriods:
    """An idle job that computes now and then, for as long as its process lives; the next pause is drawn by `chance`."""

    def __init__(
        self,
        env: simpy.Environment,
        job: Job,
        busy: Busy,
        chance: random.Random,
        tell: Callable[[Rate | None], None],
    ) -> None:
        self._env = env
        self._job, self._busy = at_work(job), busy
        self._chance = chance
        self._tell = tell
        self._turn = 0  # counts busy periods and stops, so that an alarm set before is known as such
        self._progress: Progress | None = None
        self._begin: Callable[[Progress], None] = lambda progress: None

    def start(self, pod: str, cards: Sequence[Card], tell_busy: Callable[[Card], None]) -> None:
        """From now on it computes on all `cards` now and then, first after a pause."""
        self._begin = lambda progress: progress.start(pod, cards, tell_busy)
        self._pause(self._turn)

    def stop(self) -> None:
        """Ends a busy period, done or not, and begins no other."""
        self._turn += 1
        if self._progress is not None:
            self._progress.stop()
            self._progress = None

    def _pause(self, turn: int) -> None:
        if turn != self._turn:
            return
        self._progress = None
        mean_us = self._busy.every_us - self._busy.for_us
        alarm = self._env.timeout(round(-log(1.0 - self._chance.random()) * mean_us))
        alarm.callbacks.append(lambda _: self._compute(turn))

    def _compute(self, turn: int) -> None:
        if turn != self._turn:
            return
        self._turn = turn = self._turn + 1
        done = self._env.event()
        done.callbacks.append(lambda _: self._pause(turn))
        self._progress = Progress(self._env, self._job, done, self._tell, self._busy.for_us)
        self._begin(self._progress)
