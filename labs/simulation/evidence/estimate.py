"""From what a person can measure of a job to its residency and demand, and back to how it would run otherwise.

Residency is taken from time-sliced copies, else from the utilization alone; demand from MIG slices, MPS copies or thread
percentages, by the search that calibrates published jobs too (`calibration.py`). Then everything that was measured is
predicted in turn: where the model, with whatever parameters, can't have it, the measurements contradict it, and that is
said. A demand that nothing tells is taken to be as high as it can be, the residency.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from labs.cluster.advertise import MPS_LIMIT, mps_client_limit
from labs.hardware.catalog import Catalog, GpuModel, UnknownFigureError
from labs.hardware.units import SECOND_US
from labs.simulation.evidence.calibration import Observation, Parameter, Shares, Sharing, fit, job_with
from labs.simulation.outcome import EXPECTED_ERRORS
from labs.simulation.scenario import Job, JobKind, mig_share

FASTER = 0.97  # of the time alone: what is shorter than that is faster than alone
OVER = 0.05  # by which a demand may be over the residency before it counts
ERRORS = {error.mechanism: error.percent for error in EXPECTED_ERRORS}


class Origin(StrEnum):
    """Where a parameter comes from."""

    TIME_SLICING = "time-slicing"
    UTILIZATION = "utilization"
    MEASURED = "measured"
    ASSUMED = "assumed"


class Conflict(StrEnum):
    """How measurements contradict the model."""

    FASTER = "faster-than-alone"
    SLOWER = "slower-than-possible"
    DEMAND = "demand-over-residency"
    APART = "apart"


@dataclass(frozen=True, slots=True)
class Contradiction:
    """What does not go together.

    The measurement it is seen at (None: the two parameters), and what the model says at most or instead, in seconds (of a
    parameter: its value and its bound).
    """

    conflict: Conflict
    seen: Observation | None
    measured: float
    modelled: float


@dataclass(frozen=True, slots=True)
class Forecast:
    """How one Pod runs under some sharing: seconds per request or iteration, and by how many percent that may be off."""

    sharing: Sharing
    cycle_s: float
    slowdown: float
    error_percent: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """A job's parameters, where each comes from, what contradicts them, and what follows."""

    kind: JobKind
    solo_s: float
    residency: float
    residency_from: Origin
    demand: float
    demand_from: Origin
    contradictions: tuple[Contradiction, ...]
    forecasts: tuple[Forecast, ...]

    @property
    def job(self) -> Job:
        """The job as a scenario has it."""
        return job_with(self.kind, self.residency, self.demand, max(1, round(self.solo_s * SECOND_US)))


def estimate(
    kind: JobKind,
    solo_s: float,
    seen: Sequence[Observation],
    utilization: float | None,
    catalog: Catalog,
    *,
    model: GpuModel | None = None,
    copies: int = 8,
) -> Estimate:
    """The estimate from `seen` beside the time alone; forecasts for up to `copies` Pods and, with a model, its MIG profiles.

    Raises UnknownDeviceError.
    """
    shares = Shares(catalog)
    alone = Observation(Sharing("exclusive", "" if model is None else model.id), solo_s)
    usable = [observation for observation in seen if observation.cycle_s >= solo_s * FASTER]
    sliced = [
        alone,
        *(observation for observation in usable if observation.sharing.mechanism == "time-slicing"),
    ]
    parted = [
        alone,
        *(observation for observation in usable if observation.sharing.mechanism in ("mps", "mig")),
    ]
    residency, residency_from = 1.0, Origin.ASSUMED
    fitted = fit(kind, Parameter.RESIDENCY, sliced, shares)
    if fitted is not None:
        residency, residency_from = fitted.value, Origin.TIME_SLICING
    elif utilization is not None:
        residency, residency_from = utilization, Origin.UTILIZATION
    demand, demand_from = residency, Origin.ASSUMED
    over: list[Contradiction] = []
    needed = fit(kind, Parameter.DEMAND, parted, shares)
    if needed is not None:
        demand, demand_from = min(residency, needed.value), Origin.MEASURED
        if needed.value > residency + OVER:
            over.append(Contradiction(Conflict.DEMAND, None, needed.value, residency))
    job = job_with(kind, residency, demand)
    on_card = job if utilization is None else job_with(kind, utilization, utilization)
    against = [
        contradiction
        for observation in seen
        if (contradiction := _against(observation, solo_s, on_card if observation in sliced else job, shares))
        is not None
    ]
    forecasts = (
        Forecast(sharing, solo_s * times, times, ERRORS.get(sharing.mechanism, 0.0))
        for sharing in _ways(model, copies)
        if (times := shares.times(sharing, job))
    )
    return Estimate(
        kind,
        solo_s,
        residency,
        residency_from,
        demand,
        demand_from,
        (*over, *against),
        tuple(forecasts),
    )


def _against(observation: Observation, solo_s: float, job: Job, shares: Shares) -> Contradiction | None:
    """How a measurement contradicts the model, if it does: no job can have it, or the one that the others tell of has not."""
    allowed = 1.0 + ERRORS.get(observation.sharing.mechanism, 0.0) / 100.0
    modelled = solo_s * shares.times(observation.sharing, job)
    most = solo_s * shares.times(observation.sharing, job_with(job.kind, 1.0, 1.0))
    if observation.cycle_s < solo_s * FASTER:
        return Contradiction(Conflict.FASTER, observation, observation.cycle_s, solo_s)
    if observation.cycle_s > most * allowed:
        return Contradiction(Conflict.SLOWER, observation, observation.cycle_s, most)
    if not modelled / allowed <= observation.cycle_s <= modelled * allowed:
        return Contradiction(Conflict.APART, observation, observation.cycle_s, modelled)
    return None


def _ways(model: GpuModel | None, copies: int) -> Iterator[Sharing]:
    """The ways of sharing that are forecast.

    Time-slicing, MPS with a memory limit only and as the device plugin sets it (each client has 100/n percent of the
    threads), for as many clients as the plugin allows on the card, and every MIG profile of the card of which enough is
    known.
    """
    gpu = "" if model is None else model.id
    clients = min(copies, _mps_clients(model))
    for count in range(2, copies + 1):
        yield Sharing("time-slicing", gpu, None, count)
    for count in range(2, clients + 1):
        yield Sharing("mps", gpu, None, count)
    for count in range(2, clients + 1):
        yield Sharing("mps", gpu, None, count, 100 // count)
    for profile in () if model is None else model.mig_profiles:
        if "+" not in profile.name and "-" not in profile.name:  # media engines change no speed
            try:
                mig_share(model, profile)  # type: ignore[arg-type]
            except UnknownFigureError:
                continue
            yield Sharing("mig", gpu, profile.name)


def _mps_clients(model: GpuModel | None) -> int:
    """How many clients the device plugin's MPS daemon allows; on a card of which nothing is known, as on a new one."""
    if model is None or model.compute_capability is None:
        return MPS_LIMIT
    major, _, minor = model.compute_capability.partition(".")
    return mps_client_limit((int(major), int(minor)))
