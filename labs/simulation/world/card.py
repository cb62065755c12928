"""A card in a running simulation: who holds how much of its memory, and how fast its jobs go."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from labs.simulation.laws import Mechanism, Rate, RequestLine, rates_under_cpu_limits, under_cpu_limit
from labs.simulation.scenario import Job


@dataclass(slots=True)
class Holding:
    """What one process holds on the card."""

    context_bytes: int = 0
    data_bytes: int = 0


class Card:
    """A card's `usable_bytes` of memory, undivided, and the jobs on it.

    An allocation succeeds while the sum of all holdings fits, whoever asks. With a `client_limit` (MPS) the data of one
    process are no more than that; its context, which the driver makes, does not count (CUDA MPS documentation,
    CUDA_MPS_PINNED_DEVICE_MEM_LIMIT: allocations by CUDA APIs).
    """

    def __init__(
        self,
        node: str,
        number: int,
        usable_bytes: int,
        mechanism: Mechanism,
        client_limit: int | None = None,
    ) -> None:
        self.node = node
        self.number = number
        self.usable_bytes = usable_bytes
        self.mechanism = mechanism
        self.client_limit = client_limit
        self._holdings: dict[str, Holding] = {}
        self._held = 0
        self._exits: set[str] = set()
        self.lost = self.unhealthy = False  # whoever is lost is unhealthy
        self.is_present = True  # it is part of the node's MIG layout of now
        self.gone = False  # no process can begin on it: the MIG layout that has it is no more, or not yet
        self.line: RequestLine | None = None  # of a run that tells every request
        self._jobs: dict[str, tuple[Job, Callable[[], None]]] = {}
        self._rates: dict[str, Rate] = {}
        self.busy_ppm = 0

    def allocate_context(self, pod: str, size: int) -> bool:
        """Takes the process's CUDA context.

        False where it does not fit.
        """
        if self._held + size > self.usable_bytes:
            return False
        self._holdings.setdefault(pod, Holding()).context_bytes = size
        self._held += size
        return True

    def set_data(self, pod: str, size: int) -> bool:
        """Makes the process hold `size` bytes of data.

        False where the growth does not fit; then nothing changes.
        """
        holding = self._holdings.setdefault(pod, Holding())
        growth = size - holding.data_bytes
        if growth > 0 and self._held + growth > self.usable_bytes:
            return False
        if growth > 0 and self.client_limit is not None and size > self.client_limit:
            return False
        holding.data_bytes = size
        self._held += growth
        return True

    @property
    def room(self) -> int:
        """All the memory that one process may ever have here, in bytes."""
        return self.usable_bytes if self.client_limit is None else min(self.usable_bytes, self.client_limit)

    def free_for(self, pod: str) -> int:
        """Bytes of data that the process could hold here now, those that it holds included."""
        free = self.usable_bytes - self._held + self.data_bytes(pod)
        return free if self.client_limit is None else min(free, self.client_limit)

    def has_context(self, pod: str) -> bool:
        """Whether the process already has its context here."""
        return pod in self._holdings and self._holdings[pod].context_bytes > 0

    def data_bytes(self, pod: str) -> int:
        """Bytes of data that the process holds."""
        return self._holdings[pod].data_bytes if pod in self._holdings else 0

    def free_all(self, pod: str) -> None:
        """The process is gone: everything it held is free."""
        self._exits.discard(pod)
        holding = self._holdings.pop(pod, None)
        if holding is not None:
            self._held -= holding.context_bytes + holding.data_bytes

    @property
    def processes(self) -> tuple[str, ...]:
        """Who has a context here, in the order in which they came."""
        return tuple(pod for pod, holding in self._holdings.items() if holding.context_bytes)

    def wait_for_exit(self, pod: str) -> None:
        """A fault hit the MPS server and this client of it: no new client is let in before it has exited."""
        self._exits.add(pod)

    @property
    def waits_for_exits(self) -> bool:
        """Whether the MPS server still waits for clients that a fault hit."""
        return bool(self._exits)

    def recover(self) -> bool:
        """A plugin starts: whether it finds a card well that was marked unhealthy."""
        recovers = self.unhealthy and not self.lost
        self.unhealthy = self.lost
        return recovers

    def start_job(self, pod: str, job: Job, on_change: Callable[[], None]) -> None:
        """The job has work from now on; `on_change` is called whenever its rate here may have changed."""
        self._jobs[pod] = (job, on_change)
        self._retime()

    def stop_job(self, pod: str) -> None:
        """The job has no more work."""
        if self._jobs.pop(pod, None) is not None:
            self._retime()

    def rate(self, pod: str) -> Rate:
        """The present rate of a started job."""
        return self._rates[pod]

    def _retime(self) -> None:
        jobs = [job for job, _ in self._jobs.values()]
        parts = [under_cpu_limit(job) for job in jobs]
        rates = rates_under_cpu_limits(self.mechanism.rates(parts), jobs, parts)
        if self.line is not None:
            self.line.share(dict(zip(self._jobs, parts, strict=True)), self.mechanism)
        self._rates = dict(zip(self._jobs, rates.jobs, strict=True))
        self.busy_ppm = rates.busy_ppm
        for _, on_change in list(self._jobs.values()):
            on_change()
