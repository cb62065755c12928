"""The progress of one Pod's job: how fast it goes on its cards, and when it is done."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import simpy

from labs.hardware.units import PPM
from labs.simulation.laws import Rate
from labs.simulation.scenario import Job, JobKind
from labs.simulation.world.card import Card


class Progress:
    """A job at work.

    A training job succeeds `finished` when its last iteration is done; a service never does. On several cards it goes
    as fast as on the slowest of them (data-parallel work waits for the last). The faster ones know nothing of that:
    there it counts in full, as if it never waited for the slowest, so they are told busier, and its neighbours there
    slower, than they would be (reports say so). Work is counted in microseconds alone times PPM, so it adds up exactly:
    `work_us`, or all iterations of the job.
    """

    def __init__(
        self,
        env: simpy.Environment,
        job: Job,
        finished: simpy.Event,
        tell: Callable[[Rate | None], None],
        work_us: int | None = None,
    ) -> None:
        self._env = env
        self._job = job
        self._finished = finished
        self._tell = tell
        self._left = (job.iterations * job.solo_time_us if work_us is None else work_us) * PPM
        self._since = int(env.now)
        self._rate: Rate | None = None
        self._turn = 0  # counts rate changes, so that an alarm set for an older rate is known as such
        self._pod = ""
        self._cards: Sequence[Card] = ()
        self._tell_busy: Callable[[Card], None] = lambda card: None

    def start(self, pod: str, cards: Sequence[Card], tell_busy: Callable[[Card], None]) -> None:
        """Begins work on all `cards`."""
        self._pod, self._tell_busy = pod, tell_busy
        for card in cards:
            card.start_job(pod, self._job, self._retime)
        self._cards = cards
        self._retime()
        for card in cards:
            tell_busy(card)

    def stop(self) -> None:
        """Ends work, done or not; the other jobs on the cards go on faster."""
        self._turn += 1
        self._rate = None
        self._tell(None)
        for card in self._cards:
            card.stop_job(self._pod)
            self._tell_busy(card)

    def _retime(self) -> None:
        """Some card's rates changed.

        Also called by the first cards while the others have not started the job yet.
        """
        if not self._cards:
            return
        rate = min((card.rate(self._pod) for card in self._cards), key=lambda card_rate: card_rate.speed_ppm)
        if rate == self._rate:
            return
        self._account()
        self._rate = rate
        self._turn += 1
        self._tell(rate)
        if self._job.kind is JobKind.TRAINING and rate.speed_ppm:
            alarm = self._env.timeout(-(-self._left // rate.speed_ppm))
            turn = self._turn
            alarm.callbacks.append(lambda _: self._ring(turn))

    def _account(self) -> None:
        now = int(self._env.now)
        if self._rate is not None:
            self._left = max(0, self._left - (now - self._since) * self._rate.speed_ppm)
        self._since = now

    def _ring(self, turn: int) -> None:
        if turn == self._turn and not self._finished.triggered:
            self._account()
            self.stop()
            self._finished.succeed()
