"""From measurements to residency and demand, and back: round trips, and measurements that can't be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.hardware.catalog import builtin_catalog
from labs.simulation.evidence.calibration import Observation, Shares, Sharing, job_with
from labs.simulation.evidence.estimate import Conflict, Estimate, Origin, estimate
from labs.simulation.scenario.scenario import JobKind

CATALOG = builtin_catalog()
A100 = CATALOG.get("a100-80gb")
SHARES = Shares(CATALOG)
SLICE = Sharing("mig", "a100-80gb", "1g.10gb")


def found(*seen: Observation, solo_s: float = 0.1, utilization: float | None = None) -> Estimate:
    return estimate(JobKind.SERVICE, solo_s, seen, utilization, CATALOG, model=A100)


def conflicts(of: Estimate) -> list[Conflict]:
    return [each.conflict for each in of.contradictions]


@pytest.mark.parametrize(
    "sharing",
    [SLICE, Sharing("mps", "", None, 5), Sharing("mps", "", None, 1, 20), Sharing("mps", "", None, 4, 25)],
)
@given(demand=st.integers(5, 100).map(lambda percent: percent / 100))
def test_a_demand_comes_back_from_what_it_does(sharing: Sharing, demand: float) -> None:
    times = SHARES.times(sharing, job_with(JobKind.SERVICE, 1.0, demand))
    told = found(Observation(sharing, 0.1 * times))
    assert told.demand == pytest.approx(demand, abs=0.01)
    assert (told.demand_from, told.contradictions) == (Origin.MEASURED, ())


@given(
    residency=st.integers(10, 100).map(lambda percent: percent / 100),
    copies=st.integers(2, 8),
    kind=st.sampled_from([JobKind.SERVICE, JobKind.TRAINING]),
)
def test_a_residency_comes_back_from_time_sliced_copies(residency: float, copies: int, kind: JobKind) -> None:
    sharing = Sharing("time-slicing", "", None, copies)
    times = SHARES.times(sharing, job_with(kind, residency, residency))
    if times > 1.05:
        told = estimate(kind, 0.1, [Observation(sharing, 0.1 * times)], None, CATALOG)
        assert told.residency == pytest.approx(residency, abs=0.02)
        assert (told.residency_from, told.contradictions) == (Origin.TIME_SLICING, ())


def test_yolos_on_one_slice_tells_what_several_mps_copies_do() -> None:
    told = found(Observation(SLICE, 0.3424), solo_s=0.08815)
    by_copies = {
        each.sharing.copies: each
        for each in told.forecasts
        if each.sharing.mechanism == "mps" and each.sharing.thread_percent is None
    }
    for copies, measured in ((3, 0.164), (5, 0.2409), (7, 0.3198)):
        assert abs(by_copies[copies].cycle_s / measured - 1) * 100 <= by_copies[copies].error_percent


def test_utilization_is_the_residency_where_nothing_tells_more() -> None:
    told = found(utilization=0.4)
    assert (told.residency, told.residency_from) == (0.4, Origin.UTILIZATION)
    assert (told.demand, told.demand_from) == (0.4, Origin.ASSUMED)


def test_nothing_measured_is_the_worst_case() -> None:
    told = found()
    assert (told.residency, told.demand, told.contradictions) == (1.0, 1.0, ())
    assert told.residency_from is told.demand_from is Origin.ASSUMED


def test_forecasts_cover_every_way_and_every_profile() -> None:
    ways = [(each.sharing.mechanism, each.sharing.thread_percent) for each in found().forecasts]
    assert ways.count(("time-slicing", None)) == ways.count(("mps", None)) == 7
    assert ("mps", 12) in ways
    profiles = [each.sharing.profile for each in found().forecasts if each.sharing.profile]
    assert profiles == ["1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb"]


def test_more_pods_are_never_faster() -> None:
    told = found(Observation(SLICE, 0.3))
    for percent in (True, False):
        times = [
            each.cycle_s
            for each in told.forecasts
            if each.sharing.profile is None
            and (each.sharing.thread_percent is None) is percent
            and each.sharing.mechanism == "mps"
        ]
        assert times == sorted(times)


@pytest.mark.parametrize(
    ("seen", "utilization", "expected"),
    [
        ((Observation(SLICE, 0.08),), None, [Conflict.FASTER]),
        ((Observation(SLICE, 2.0),), None, [Conflict.SLOWER]),
        ((Observation(Sharing("time-slicing", "", None, 3), 0.5),), None, [Conflict.SLOWER]),
        ((Observation(SLICE, 0.6),), 0.3, [Conflict.DEMAND, Conflict.APART]),
        ((Observation(Sharing("time-slicing", "", None, 3), 0.32),), 0.3, [Conflict.APART]),
        ((Observation(SLICE, 0.6), Observation(Sharing("mps", "", None, 4), 0.1)), None, [Conflict.APART]),
    ],
)
def test_measurements_that_contradict_the_model_are_named(
    seen: tuple[Observation, ...], utilization: float | None, expected: list[Conflict]
) -> None:
    assert conflicts(found(*seen, utilization=utilization)) == expected


def test_what_is_faster_than_alone_tells_no_demand() -> None:
    told = found(Observation(SLICE, 0.08))
    assert told.demand_from is Origin.ASSUMED
