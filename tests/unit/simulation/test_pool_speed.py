"""How slow it gets in a pool at worst: whoever harms most is beside all the time."""

from __future__ import annotations

import pytest

from labs.cluster.pools.division import divide
from labs.cluster.pools.pools import Pool
from labs.cluster.pools.rules import Way
from labs.hardware.catalog import builtin_catalog
from labs.simulation.evidence.busy_card import BUSIEST, busy_times
from labs.simulation.evidence.calibration import job_with
from labs.simulation.evidence.pool_speed import group_profiles, pool_slowdowns
from labs.simulation.scenario.scenario import JobKind
from tests.unit.cluster.test_pools import group, nodes

CATALOG = builtin_catalog()


def pool_of(kind: str, count: int, gib: float, model: str = "a100-40gb") -> Pool:
    (pool,) = divide([group(kind, count, gib)], [nodes(model)]).pools
    return pool


def times(pool: Pool, residency: float | None = None, demand: float = 0.1) -> float:
    (one,) = pool.groups
    jobs = {} if residency is None else {one.name: job_with(JobKind.SERVICE, residency, demand)}
    slow = pool_slowdowns(pool, jobs, CATALOG)[one]
    assert slow is not None
    assert slow.assumed is (residency is None)
    return slow.times


@pytest.mark.parametrize(("kind", "strategy"), [("notebook", "time-slicing"), ("internal", "mps")])
def test_work_of_which_nothing_is_known_is_busy(kind: str, strategy: str) -> None:
    pool = pool_of(kind, 4, 5)
    assert str(pool.way) == strategy
    assert times(pool) == pytest.approx(busy_times(strategy, pool.room.replicas))
    assert times(pool, 0.3) < times(pool)


def test_whoever_is_hardly_there_slows_the_others_little() -> None:
    calm, busy = group("notebook", 1, 5, "calm"), group("notebook", 3, 5, "busy")
    (pool,) = divide([calm, busy], [nodes()]).pools
    jobs = {"calm": job_with(JobKind.SERVICE, 0.2, 0.1), "busy": job_with(JobKind.SERVICE, 1.0, 1.0)}
    beside_busy = pool_slowdowns(pool, jobs, CATALOG)[calm]
    beside_calm = pool_slowdowns(pool, dict.fromkeys(jobs, jobs["calm"]), CATALOG)[calm]
    assert beside_busy is not None
    assert beside_calm is not None
    assert beside_calm.times < beside_busy.times


def test_of_a_group_in_parts_each_part_has_its_own_slowdown() -> None:
    found = divide([group("notebook", 20, 5)], [nodes(count=1), nodes("t4-16gb", 9)])
    jobs = {"notebook": job_with(JobKind.SERVICE, 0.9, 0.4)}
    slow = [pool_slowdowns(pool, jobs, CATALOG)[pool.groups[0]] for pool in found.pools]
    assert len(slow) == 2
    assert [each is not None and not each.assumed for each in slow] == [True, True]
    assert len({each.times for each in slow if each is not None}) == 2


def test_a_mig_device_is_told_by_its_slowest_profile() -> None:
    pool = pool_of("production", 4, 8)
    assert pool.way is Way.MIG
    (one,) = pool.groups
    slow = pool_slowdowns(pool, {}, CATALOG)[one]
    assert slow is not None
    assert slow.profile in group_profiles(pool, one)
    assert slow.times > 1


def test_a_whole_gpu_is_not_slower() -> None:
    pool = pool_of("production", 2, 8, "t4-16gb")
    assert pool_slowdowns(pool, {}, CATALOG)[pool.groups[0]] is None


def test_more_busy_slots_make_nobody_faster() -> None:
    for strategy in ("time-slicing", "mps"):
        found = [busy_times(strategy, slots) for slots in range(2, BUSIEST + 1)]
        assert found == sorted(found)
        assert found[0] > 2
