"""How far the simulator is off: every published figure predicted by the mechanisms that a run uses, beside what was measured.

A job's own parameters are taken from figures whose role is `calibrate`; no law and no constant knows a dataset:

* demand, for MPS and MIG, from how much slower the job was on the smallest slice, in the most MPS copies or under the
  lowest thread percentage than with most of a card: from figures on the same MIG profile if there are any, else of the
  same mechanism, else of any;
* residency, for time-slicing, from `residency` or a utilization measured alone, else from time-sliced figures; without
  either, a service that answers one request after the other is taken to be always on the GPU.

What can't be predicted is left out, with the reason.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import median

from labs.hardware.catalog import Catalog
from labs.hardware.units import PPM
from labs.simulation.evidence.calibration import (
    Fit,
    Observation,
    Parameter,
    Shares,
    Sharing,
    UnknownDeviceError,
    fit,
    job_with,
    once,
)
from labs.simulation.evidence.measurement import MECHANISMS, Measurement, Role
from labs.simulation.evidence.quantity import Quantity, Unit, unit_of
from labs.simulation.scenario import Job, JobKind

P90 = 0.9
SAME = 1.000_01  # two predictions that differ by less are one


class Why(StrEnum):
    """Why a figure is not predicted."""

    UNIT = "unit"
    CARD = "card"
    PROFILE = "profile"
    FIGURE = "figure"
    NO_PROFILE = "no-profile"
    CAP = "cap"
    CALIBRATION = "no-calibration"
    RESIDENCY = "no-residency"


@dataclass(frozen=True, slots=True)
class Prediction:
    """A figure and what the simulator says instead, in the figure's unit.

    `slowdown`: how many times longer than alone a request or iteration takes by that.
    """

    point: Measurement
    value: float
    is_utilization: bool
    slowdown: float = 1.0

    @property
    def error(self) -> float:
        """Percent of what was measured; of a utilization, points (hundredths of the whole)."""
        if self.is_utilization:
            return 100.0 * (self.value - self.point.value) / _size(self.point)
        return 100.0 * (self.value - self.point.value) / self.point.value

    @property
    def measured_slowdown(self) -> float:
        """How many times longer than alone it took, by the time alone that the simulator was given."""
        unit = _unit(self.point)
        is_time = unit is not None and unit.quantity is Quantity.TIME
        share = self.point.value / self.value if is_time else self.value / self.point.value
        return self.slowdown * share


@dataclass(frozen=True, slots=True)
class Skipped:
    """A figure that is not predicted, and why; `value` is what the reason is about."""

    point: Measurement
    why: Why
    value: str


@dataclass(frozen=True, slots=True)
class Spread:
    """Errors without their sign.

    How many, the middle one, their mean, which each of them moves, and the one that nine of ten stay below.
    """

    points: int
    median: float
    mean: float
    p90: float
    worst: Prediction


@dataclass(frozen=True, slots=True)
class Accuracy:
    """All predictions: of figures that were to be predicted, and of those the parameters come from (`fitted`)."""

    predictions: tuple[Prediction, ...]
    fitted: tuple[Prediction, ...]
    skipped: tuple[Skipped, ...]

    def of(self, *, dataset: str | None = None, mechanism: str | None = None) -> Spread | None:
        """The errors of speeds of one dataset or mechanism or both; None where there are none."""
        return spread(
            [
                prediction
                for prediction in self.predictions
                if not prediction.is_utilization
                and dataset in (None, prediction.point.dataset)
                and mechanism in (None, prediction.point.mechanism)
            ]
        )

    @property
    def utilization(self) -> Spread | None:
        """The errors of utilizations, in points."""
        return spread([prediction for prediction in self.predictions if prediction.is_utilization])

    @property
    def groups(self) -> tuple[tuple[str, str], ...]:
        """The datasets and mechanisms of which speeds are predicted, in order."""
        pairs = {
            (prediction.point.dataset, prediction.point.mechanism)
            for prediction in self.predictions
            if not prediction.is_utilization
        }
        return tuple(sorted(pairs, key=lambda pair: (pair[0], MECHANISMS.index(pair[1]))))


def spread(predictions: Sequence[Prediction]) -> Spread | None:
    """Median, mean, 90th percentile (nearest rank) and worst of the errors; None without predictions."""
    if not predictions:
        return None
    ordered = sorted(predictions, key=lambda prediction: (abs(prediction.error), prediction.point.line))
    errors = [abs(prediction.error) for prediction in ordered]
    mean = math.fsum(errors) / len(errors)
    return Spread(len(errors), median(errors), mean, errors[math.ceil(P90 * len(errors)) - 1], ordered[-1])


def accuracy(points: Sequence[Measurement], catalog: Catalog) -> Accuracy:
    """Predicts every figure that can be predicted."""
    judge = _Judge(points, catalog)
    predictions: list[Prediction] = []
    fitted: list[Prediction] = []
    skipped: list[Skipped] = []
    for point in points:
        judged = judge.predict(point)
        if point.role is Role.PREDICT:
            (predictions if isinstance(judged, Prediction) else skipped).append(judged)  # type: ignore[arg-type]
        elif isinstance(judged, Prediction) and not judged.is_utilization:
            fitted.append(judged)
    return Accuracy(tuple(predictions), tuple(fitted), tuple(skipped))


_Workload = tuple[str, str, str]


class _NotKnown(LookupError):
    """A parameter that no figure tells."""

    def __init__(self, why: Why, workload: str) -> None:
        super().__init__(f"{why}: {workload}")
        self.why = why
        self.workload = workload


class _Judge:
    """Predicts one figure after the other, from all of them."""

    def __init__(self, points: Sequence[Measurement], catalog: Catalog) -> None:
        self._shares = Shares(catalog)
        self._calibrating: dict[_Workload, list[Measurement]] = {}
        self._kinds: dict[_Workload, JobKind] = {}
        self._fits: dict[tuple[object, ...], Fit | None] = {}
        for point in points:
            kind = self._kinds.setdefault(_workload(point), point.job)
            self._kinds[_workload(point)] = min(kind, point.job)
            if point.role is Role.CALIBRATE and not (
                point.beside or _unit(point) is None or _is_idle_cap(point)
            ):
                self._calibrating.setdefault(_workload(point), []).append(point)

    def predict(self, point: Measurement) -> Prediction | Skipped:
        """The figure as the simulator has it, or why it has none."""
        unit = _unit(point)
        if unit is None:
            return Skipped(point, Why.UNIT, f"{point.metric}, {point.unit}")
        if _is_idle_cap(point):
            return Skipped(point, Why.CAP, f"{point.thread_percent}%")
        try:
            return self._prediction(point, unit)
        except UnknownDeviceError as error:
            return Skipped(point, Why(error.reason), error.value)
        except _NotKnown as error:
            return Skipped(point, error.why, error.workload)

    def _prediction(self, point: Measurement, unit: Unit) -> Prediction:
        sharing = _sharing(point)
        beside = () if sharing.is_apart else [self._job(_beside(point, name), point) for name in point.beside]
        job = self._job(_workload(point), point)
        if unit.quantity is Quantity.UTILIZATION:
            busy = self._shares.rates(sharing, job, beside).busy_ppm / PPM
            return Prediction(point, busy * unit.size, is_utilization=True)
        times = self._shares.times(sharing, job, beside)
        if unit.quantity is Quantity.SPEED:
            return Prediction(point, unit.size / times, is_utilization=False, slowdown=times)
        value = unit.value(times * self._solo_s(point, unit, job), point.copies)
        return Prediction(point, value, is_utilization=False, slowdown=times)

    def _job(self, workload: _Workload, point: Measurement) -> Job:
        """The job as its figures describe it for the mechanism by which `point` is shared."""
        kind = self._kinds.get(workload)
        if kind is None:
            raise _NotKnown(Why.CALIBRATION, workload[2])
        sharing, unit = _sharing(point), _unit(point)
        own = point if workload == _workload(point) else None
        busy = unit is not None and unit.quantity is Quantity.UTILIZATION
        residency = self._residency(workload, kind, own, needed=busy or sharing.mechanism == "time-slicing")
        if sharing.mechanism == "time-slicing" and sharing.profile is None:
            return job_with(kind, residency, residency)
        demand = self._demand(workload, kind, point, residency)
        if demand is None:
            least, most = (job_with(kind, residency, value) for value in (0.0, residency))
            if sharing.is_whole and sharing.profile is None and not point.beside:
                return most
            if self._shares.times(sharing, most) > SAME * self._shares.times(sharing, least):
                raise _NotKnown(Why.CALIBRATION, workload[2])
            return most
        return job_with(kind, residency, demand.value)

    def _residency(
        self, workload: _Workload, kind: JobKind, own: Measurement | None, *, needed: bool
    ) -> float:
        if own is not None and own.residency is not None:
            return own.residency
        seen = self._calibrating.get(workload, ())
        stated = [point.residency for point in seen if point.residency is not None]
        utilizations = [min(1.0, point.value / _size(point)) for point in seen if _shows_residency(point)]
        if stated or utilizations:
            return median(stated or utilizations)
        if needed:
            key = (workload, Parameter.RESIDENCY)
            if key not in self._fits:
                observed = [
                    observation
                    for observation in self._observed(workload)
                    if observation.sharing.profile is None
                    and (observation.sharing.is_whole or observation.sharing.mechanism == "time-slicing")
                ]
                self._fits[key] = fit(kind, Parameter.RESIDENCY, observed, self._shares)
            fitted = self._fits[key]
            if fitted is not None:
                return fitted.value
            if kind is JobKind.TRAINING:
                raise _NotKnown(Why.RESIDENCY, workload[2])
        return 1.0

    def _demand(self, workload: _Workload, kind: JobKind, point: Measurement, residency: float) -> Fit | None:
        key = (workload, point.mechanism, point.profile, point.thread_percent is None, residency)
        if key not in self._fits:
            self._fits[key] = None
            for observed in self._most_alike_first(workload, point):
                demand = fit(kind, Parameter.DEMAND, observed, self._shares, residency=residency)
                if demand is not None:
                    self._fits[key] = demand
                    break
        return self._fits[key]

    def _most_alike_first(self, workload: _Workload, point: Measurement) -> Iterator[list[Observation]]:
        """Sets of observations that may tell the demand, those most like the figure first."""
        seen = [
            observation
            for observation in self._observed(workload)
            if observation.sharing.mechanism != "time-slicing" or observation.sharing.is_whole
        ]
        whole = [observation for observation in seen if observation.sharing.is_whole]
        alike = [observation for observation in seen if observation.sharing.mechanism == point.mechanism]
        if point.profile is not None and point.mechanism != "mig":
            yield [observation for observation in seen if observation.sharing.profile == point.profile]
        capped = [
            observation
            for observation in alike
            if (observation.sharing.thread_percent is None) == (point.thread_percent is None)
        ]
        yield [*whole, *(observation for observation in capped if observation not in whole)]
        yield [*whole, *(observation for observation in alike if observation not in whole)]
        yield seen

    def _observed(self, workload: _Workload) -> list[Observation]:
        """What calibrates a job, as seconds per request or iteration. Speeds are told against alone: 1 s."""
        seen = [observation(point) for point in self._calibrating.get(workload, ())]
        return [observed for observed in seen if observed is not None]

    def _solo_s(self, point: Measurement, unit: Unit, job: Job) -> float:
        """Seconds alone, from what calibrates and is slowed least: of the same metric if there is any."""
        figures = [
            (figure, its)
            for figure in self._calibrating.get(_workload(point), ())
            if (its := _unit(figure)) is not None and its.quantity in (Quantity.TIME, Quantity.RATE)
        ]
        same = [
            (figure, its)
            for figure, its in figures
            if its.quantity is unit.quantity and figure.metric == point.metric
        ]
        seen = once(
            Observation(_sharing(figure), its.cycle_s(figure.value, figure.copies))
            for figure, its in same or figures
        )
        if not seen:
            raise _NotKnown(Why.CALIBRATION, point.workload)
        times = {figure.sharing: self._shares.times(figure.sharing, job) for figure in seen}
        least = min(seen, key=lambda figure: (times[figure.sharing], figure.sharing.order))
        return least.cycle_s / times[least.sharing]


def observation(point: Measurement) -> Observation | None:
    """What a figure says of the time of a request or iteration; None for one that says nothing of it."""
    unit = _unit(point)
    if unit is None or unit.quantity is Quantity.UTILIZATION:
        return None
    return Observation(_sharing(point), unit.cycle_s(point.value, point.copies))


def _shows_residency(point: Measurement) -> bool:
    """Whether the figure is a utilization that was measured alone."""
    unit = _unit(point)
    return unit is not None and unit.quantity is Quantity.UTILIZATION and _sharing(point).is_whole


def _is_idle_cap(point: Measurement) -> bool:
    """Whether the figure names a thread percentage where no MPS is there to keep to it."""
    return point.mechanism != "mps" and point.thread_percent not in (None, 100)


def _workload(point: Measurement) -> _Workload:
    return (point.dataset, point.gpu, point.workload)


def _beside(point: Measurement, name: str) -> _Workload:
    return (point.dataset, point.gpu, name)


def _unit(point: Measurement) -> Unit | None:
    return unit_of(point.metric, point.unit)


def _size(point: Measurement) -> float:
    unit = _unit(point)
    return 1.0 if unit is None else unit.size


def _sharing(point: Measurement) -> Sharing:
    return Sharing(point.mechanism, point.gpu, point.profile, point.copies, point.thread_percent)
