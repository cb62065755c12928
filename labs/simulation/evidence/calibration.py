"""A job's own parameters from what was measured of it: its time alone, and its demand or its residency.

What was measured more than once under the same sharing counts once, by its median. Two measurements decide: the one that is
slowed least (alone on the card, most often) and the one that is slowed most (the smallest MIG slice, the most MPS copies,
the lowest thread percentage). The parameter is the one at which the simulator's own mechanisms put them as far apart as
they were measured, found by halving; the time follows from the first. Where they lie further apart than the parameter can
explain, or the other way round, it stays at its bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from statistics import median

from labs.hardware.catalog import Catalog, UnknownFigureError, UnknownGpuError
from labs.hardware.units import PPM
from labs.simulation.laws import Exclusive, Mechanism, Mig, Mps, Rates, TimeSlicing
from labs.simulation.scenario import TRAINING_OVERLAP, Job, JobKind, mig_share

MIDDLE = 0.5  # of a parameter, at which measurements are put in order of how much they are slowed
TOLD_APART = 1.001  # two measurements that are slowed alike say nothing about demand or residency
SOLO_US = 1_000_000  # all laws are about shares of the time alone, so any time does to find them


class Parameter(StrEnum):
    """What is looked for."""

    DEMAND = "demand"
    RESIDENCY = "residency"


class UnknownDeviceError(LookupError):
    """What is measured on can't be simulated: `reason` is `card`, `profile`, `figure` or `no-profile`."""

    def __init__(self, reason: str, value: str) -> None:
        super().__init__(f"{reason}: {value}")
        self.reason = reason
        self.value = value


@dataclass(frozen=True, slots=True)
class Sharing:
    """How a job ran: by which mechanism, on a card of which model or a MIG device of it, in how many copies."""

    mechanism: str
    gpu: str
    profile: str | None = None
    copies: int = 1
    thread_percent: int | None = None

    @property
    def is_whole(self) -> bool:
        """Whether one Pod had a card with nothing taken away (but, with a profile, what MIG mode takes)."""
        return self.copies == 1 and self.thread_percent in (None, 100) and self.mechanism != "mig"

    @property
    def is_apart(self) -> bool:
        """Whether every job has a device of its own, so that nobody is beside it."""
        return self.mechanism in ("exclusive", "mig")

    @property
    def order(self) -> tuple[bool, str, str, int, int, bool]:
        """A total order of what slows a job alike: what leaves it a whole card comes first."""
        percent = 100 if self.thread_percent is None else self.thread_percent
        is_capped = self.thread_percent is not None
        return (not self.is_whole, self.mechanism, self.profile or "", self.copies, -percent, is_capped)


@dataclass(frozen=True, slots=True)
class Observation:
    """Seconds per request or iteration that were measured under some sharing."""

    sharing: Sharing
    cycle_s: float


@dataclass(frozen=True, slots=True)
class Fit:
    """A job that does what was observed: its seconds alone, and the parameter.

    `bounded`: the observations lie further apart (or less) than the parameter can explain.
    """

    solo_s: float
    value: float
    bounded: bool


class Shares:
    """The mechanisms by which cards of a catalog are shared, as a run makes them (`run.py`)."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._made: dict[Sharing, Mechanism] = {}

    def rates(self, sharing: Sharing, job: Job, beside: Sequence[Job] = ()) -> Rates:
        """The rates of the copies of `job`, first, and of those beside it; of one where each has a device of its own.

        Raises UnknownDeviceError.
        """
        key = replace(sharing, copies=1)
        if key not in self._made:
            self._made[key] = self._mechanism(key)
        jobs = (job,) if sharing.is_apart else (job,) * sharing.copies + tuple(beside)
        return self._made[key].rates(jobs)

    def times(self, sharing: Sharing, job: Job, beside: Sequence[Job] = ()) -> float:
        """How many times longer one of the copies takes than alone on a whole card."""
        return PPM / max(1, self.rates(sharing, job, beside).jobs[0].speed_ppm)

    def _mechanism(self, sharing: Sharing) -> Mechanism:
        match sharing.mechanism:
            case "time-slicing":
                inner: Mechanism = TimeSlicing()
            case "mps":
                inner = Mps(sharing.thread_percent or 100)
            case _:
                inner = Exclusive()
        if sharing.profile is None:
            if sharing.mechanism == "mig":
                raise UnknownDeviceError("no-profile", sharing.gpu)
            return inner
        try:
            model = self._catalog.get(sharing.gpu)
        except UnknownGpuError:
            raise UnknownDeviceError("card", sharing.gpu) from None
        profile = model.mig_profile(sharing.profile)
        if profile is None:
            raise UnknownDeviceError("profile", sharing.profile)
        try:
            return Mig(mig_share(model, profile), inner)
        except UnknownFigureError:
            raise UnknownDeviceError("figure", sharing.profile) from None


def job_with(kind: JobKind, residency: float, demand: float, solo_us: int = SOLO_US) -> Job:
    """A job of which one request or iteration follows the other."""
    if kind is JobKind.TRAINING:
        return Job(kind, solo_us, residency, min(demand, residency), float(TRAINING_OVERLAP), 1)
    return Job(kind, solo_us, residency, min(demand, residency), clients=1)


def once(observed: Iterable[Observation]) -> list[Observation]:
    """One observation of each sharing, the median of what was measured under it: in whatever order it was."""
    seen: dict[Sharing, list[float]] = {}
    for observation in observed:
        seen.setdefault(observation.sharing, []).append(observation.cycle_s)
    return [Observation(sharing, median(cycles)) for sharing, cycles in seen.items()]


def fit(
    kind: JobKind,
    parameter: Parameter,
    observed: Sequence[Observation],
    shares: Shares,
    *,
    residency: float = 1.0,
) -> Fit | None:
    """The parameter that explains what was observed; None where the observations do not tell it.

    A demand goes up to `residency`. Raises UnknownDeviceError.
    """
    top = residency if parameter is Parameter.DEMAND else 1.0

    def made(value: float) -> Job:
        if parameter is Parameter.DEMAND:
            return job_with(kind, residency, value)
        return job_with(kind, value, value)

    middle = made(MIDDLE * top)
    slowed = sorted(
        once(observed),
        key=lambda observation: (shares.times(observation.sharing, middle), observation.sharing.order),
    )
    if not slowed:
        return None
    least, most = slowed[0], slowed[-1]
    if shares.times(most.sharing, middle) < TOLD_APART * shares.times(least.sharing, middle):
        return None

    def apart(value: float) -> float:
        job = made(value)
        return shares.times(most.sharing, job) / shares.times(least.sharing, job)

    wanted = most.cycle_s / least.cycle_s
    value = _where(apart, wanted, round(top * PPM))
    bounded = not apart(0.0) / 1.0005 <= wanted <= apart(top) * 1.0005
    return Fit(least.cycle_s / shares.times(least.sharing, made(value)), value, bounded)


def _where(rising: Callable[[float], float], wanted: float, top_ppm: int) -> float:
    """Where a rising function comes to `wanted`, in millionths from 0 to `top_ppm`."""
    low, high = 0, top_ppm
    while high - low > 1:
        middle = (low + high) // 2
        if rising(middle / PPM) < wanted:
            low = middle
        else:
            high = middle
    best = min((low, high), key=lambda ppm: abs(rising(ppm / PPM) - wanted))
    return best / PPM
