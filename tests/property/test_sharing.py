"""What holds however a card is shared, whatever jobs are on it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labs.hardware.units import PPM
from labs.simulation.laws.exclusive import Exclusive
from labs.simulation.laws.mechanism import Rate
from labs.simulation.laws.mig import Mig
from labs.simulation.laws.mps import Mps
from labs.simulation.scenario.scenario import Job, JobKind, MigShare
from tests.property.random_jobs import CAPACITY, SOME_JOBS, WAYS, all_work, jobs
from tests.unit.scenarios import node, outcome, pods, scenario, service, training

SOME = settings(max_examples=40)
SEVERAL = st.lists(SOME_JOBS, min_size=1, max_size=5)
KINDS = ("closed", "open", "training")


def is_no_faster(after: Rate, before: Rate) -> bool:
    """But for what rounding makes of a rate."""
    if after.speed_ppm > before.speed_ppm * 1.0001 + 2 or after.requests_u > before.requests_u * 1.0001 + 2:
        return False
    if before.latency_us is None or after.latency_us is None:
        return before.latency_us is not None or after.latency_us is None
    return after.latency_us >= before.latency_us * 0.9999 - 2


@pytest.mark.parametrize("way", WAYS)
@SOME
@given(several=SEVERAL)
def test_all_together_do_no_more_than_one_cards_work(way: str, several: list[Job]) -> None:
    rates = WAYS[way]().rates(several)
    assert all_work(way, several, rates) <= CAPACITY.get(way, 1.0) * 1.0001 + 1e-5
    assert 0 <= rates.busy_ppm <= PPM


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", KINDS)
@SOME
@given(several=SEVERAL, data=st.data())
def test_another_pod_makes_nobody_faster_and_the_card_no_less_busy(
    way: str, kind: str, several: list[Job], data: st.DataObject
) -> None:
    another = data.draw(jobs(kind) | st.sampled_from(several))
    law = WAYS[way]()
    before, after = law.rates(several), law.rates([*several, another])
    for job, was, now in zip(several, before.jobs, after.jobs, strict=False):
        assert is_no_faster(now, was), job
    assert after.busy_ppm >= before.busy_ppm - 50


@pytest.mark.parametrize("way", WAYS)
@SOME
@given(job=SOME_JOBS, most=st.integers(2, 8))
def test_one_copy_more_makes_no_copy_faster(way: str, job: Job, most: int) -> None:
    law = WAYS[way]()
    found = [law.rates([job] * copies).jobs[0] for copies in range(1, most + 1)]
    for fewer, more in pairwise(found):
        assert is_no_faster(more, fewer)


@pytest.mark.parametrize("way", ["time-slicing", "mps at 100 %"])
@SOME
@given(job=SOME_JOBS)
def test_one_job_has_a_shared_card_as_if_it_were_not_shared(way: str, job: Job) -> None:
    assert WAYS[way]().rates([job]) == Exclusive().rates([job])


@SOME
@given(job=SOME_JOBS, times_less=st.floats(1.0, 9.0))
def test_a_part_of_a_card_does_no_more_than_its_part(job: Job, times_less: float) -> None:
    rates = Mig(MigShare("part", 1, times_less), Exclusive()).rates([job])
    assert all_work("mig", [job], rates) <= 1.0001 / times_less + 1e-5
    assert is_no_faster(rates.jobs[0], Exclusive().rates([job]).jobs[0])


@pytest.mark.parametrize("way", WAYS)
@SOME
@given(several=SEVERAL)
def test_the_order_in_which_pods_came_does_not_matter(way: str, several: list[Job]) -> None:
    first, last = WAYS[way]().rates(several), WAYS[way]().rates(several[::-1])
    assert (first.jobs, first.busy_ppm) == (last.jobs[::-1], last.busy_ppm)


@SOME
@given(
    job=SOME_JOBS, copies=st.integers(1, 8), percents=st.lists(st.integers(1, 100), min_size=2, max_size=5)
)
def test_copies_are_never_faster_for_a_lower_thread_percentage(
    job: Job, copies: int, percents: list[int]
) -> None:
    found = [Mps(percent).rates([job] * copies).jobs[0] for percent in sorted(percents, reverse=True)]
    for higher, lower in pairwise(found):
        assert is_no_faster(lower, higher)


@pytest.mark.parametrize("percent", [1, 49, 50, 51, 90, 100])
def test_clients_that_fill_the_card_share_one_card_whatever_their_cap(percent: int) -> None:
    """Eight that could fill a card each do the work of eight caps or of one card, whichever is less."""
    job = Job(JobKind.TRAINING, 100_000, 1.0, 1.0, 0.0, iterations=10)
    together = 8 * Mps(percent).rates([job] * 8).jobs[0].speed_ppm / PPM
    expected = min(1.0, 8 * percent / 100)
    assert expected / 1.09 <= together <= expected * 1.0001


def test_an_idle_pod_slows_nobody_down() -> None:
    work = [
        pods("serve", memory="1GiB", job=service("50ms", rate="3/s", residency=0.8)),
        pods("train", memory="1GiB", job=training("120ms", 10_000, residency=0.9)),
    ]
    few, more = (
        outcome(scenario([node(replicas=4)], [*work, *idle], "20m")) for idle in ([], [pods("idle", 2)])
    )
    for before, after in zip(few.pods, more.pods, strict=False):
        assert (before.slowdown, before.throughput, before.latency) == (
            after.slowdown,
            after.throughput,
            after.latency,
        )
    assert few.gpus[0].utilization == more.gpus[0].utilization
