"""Where a run writes down what happens: the records so far, the clock that dates them, and how much may come of both."""

from __future__ import annotations

import simpy

from labs.simulation.trace import Record

# Of `queueing`: many different jobs on one card take more time to work out than to tell of.
STEPS_PER_RECORD = 20


class RunTooLargeError(Exception):
    """The run would write more records, or compute more for each of them, than allowed.

    `limit` records, reached at `at_us`.
    """

    def __init__(self, limit: int, at_us: int) -> None:
        super().__init__(limit, at_us)  # SimPy raises a copy made from these arguments
        self.limit = limit
        self.at_us = at_us

    def __str__(self) -> str:
        return f"more than {self.limit} records at {self.at_us} us"


class TraceWriter:
    """The records of a run whose clock is that of `env`, at most `record_limit` of them."""

    def __init__(self, env: simpy.Environment, record_limit: int) -> None:
        self.records: list[Record] = []
        self.record_limit = record_limit
        self._env = env
        self._steps_left = record_limit * STEPS_PER_RECORD

    @property
    def now_us(self) -> int:
        """The time of what happens now."""
        return int(self._env.now)

    def write(self, record: Record) -> None:
        """Writes down what happens now. Raises RunTooLargeError past the limit."""
        if len(self.records) >= self.record_limit:
            raise RunTooLargeError(self.record_limit, self.now_us)
        self.records.append(record)

    def spend(self, steps: int) -> None:
        """Counts what working out the speeds on a card takes. Raises RunTooLargeError where it is out of proportion."""
        self._steps_left -= steps
        if self._steps_left < 0:
            raise RunTooLargeError(len(self.records), self.now_us)
