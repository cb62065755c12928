"""Copies of one workload under four ways: as published, within laws, with scenarios that anybody can run again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labs.hardware.catalog import builtin_catalog
from labs.simulation.evidence.copies import Came, Copies
from labs.simulation.evidence.copies_layout import Reason, copies_layout, cuts
from labs.simulation.evidence.copies_scenario import WAYS, Side, Situation
from labs.simulation.evidence.estimate import ERRORS
from labs.simulation.evidence.published import Published, builtin_published
from labs.simulation.outcome.evaluate import evaluate
from labs.simulation.scenario.reader import read_scenario
from labs.simulation.scenario.scenario import Job, JobKind
from labs.simulation.scenario.workloads import builtin_workloads

CATALOG = builtin_catalog()
COPIES = Copies(CATALOG)
YOLOS = "yolos-small-a100-80gb"
A100 = CATALOG.get("a100-80gb")
GIB = 1024**3
SITUATION = Situation(builtin_workloads()[YOLOS].job, YOLOS, "a100-80gb", 6 * 1024, capped=False)
each_way = pytest.mark.parametrize("way", WAYS)


def side(way: str, copies: int, situation: Situation = SITUATION, chosen: str | None = None) -> Side:
    known = cuts(CATALOG.get(situation.card))
    layout = copies_layout(known, copies, situation.memory_mib * 1024**2, chosen)
    return Side(way, copies, situation, layout)


def came(way: str, copies: int, situation: Situation = SITUATION, chosen: str | None = None) -> Came:
    return COPIES.of(side(way, copies, situation, chosen))


@pytest.mark.parametrize("one", builtin_published().of(YOLOS), ids=lambda one: f"{one.way}-{one.copies}")
def test_yolos_comes_out_as_published_within_the_error_printed_beside_it(one: Published) -> None:
    predicted = came(one.way, one.copies, chosen=one.profile).cycle_s
    assert predicted is not None
    allowed = 1 + ERRORS[one.way] / 100
    assert one.cycle_s / allowed <= predicted <= one.cycle_s * allowed


@each_way
def test_one_copy_is_alone(way: str) -> None:
    alone = came(way, 1)
    assert (alone.working, alone.waiting, alone.out_of_memory) == (1, 0, 0)
    assert alone.slowdown == (1.0181 if way == "mig" else 1.0)  # MIG mode takes SMs from its largest device


@each_way
@pytest.mark.parametrize("capped", [True, False])
def test_a_copy_more_never_makes_another_one_faster(way: str, capped: bool) -> None:
    situation = replace(SITUATION, capped=capped)
    slower = [came(way, copies, situation).slowdown for copies in range(2, 9)]
    assert slower == sorted(one for one in slower if one is not None)


@each_way
def test_no_way_does_more_than_a_card_whole(way: str) -> None:
    whole = 1 / (SITUATION.job.solo_time_us * 1e-6 * SITUATION.job.demand)
    assert all(came(way, copies).per_s <= whole * 1.001 for copies in range(1, 9))


def test_under_exclusive_use_the_others_wait_and_training_takes_its_turn() -> None:
    assert [came("exclusive", copies).waiting for copies in (1, 4, 8)] == [0, 3, 7]
    training = Situation(Job(JobKind.TRAINING, 100_000, 0.9, 0.6, 0.5, 1), None, "a100-80gb", 6 * 1024, False)
    three = came("exclusive", 3, training)
    assert (three.working, three.waiting) == (3, 2)
    assert three.done_s == pytest.approx(1_800, rel=1e-3)


def test_time_slicing_is_charged_by_residency_and_mps_by_demand() -> None:
    needs_little = replace(SITUATION, job=replace(SITUATION.job, demand=0.05), use=None)
    rests_often = replace(SITUATION, job=replace(SITUATION.job, residency=0.5, demand=0.48), use=None)
    assert came("time-slicing", 4, needs_little).slowdown == came("time-slicing", 4).slowdown
    assert (came("mps", 4, needs_little).slowdown or 9) < 1.2 < (came("mps", 4).slowdown or 0)
    assert (came("time-slicing", 4, rests_often).slowdown or 9) < (came("time-slicing", 4).slowdown or 0)


def test_mps_of_the_plugin_leaves_each_client_its_share_of_the_memory() -> None:
    large = replace(SITUATION, memory_mib=12 * 1024, capped=True)
    assert (came("mps", 7, large).out_of_memory, came("mps", 6, large).out_of_memory) == (7, 0)
    assert came("time-slicing", 7, large).out_of_memory == 1


@pytest.mark.parametrize(("way", "hit"), [("exclusive", 1), ("time-slicing", 1), ("mps", 5), ("mig", 1)])
def test_a_fault_of_one_hits_whom_the_way_lets_it_hit(way: str, hit: int) -> None:
    assert COPIES.hit(side(way, 5)) == hit


@each_way
def test_a_scenario_taken_along_has_the_same_trace(way: str) -> None:
    scenario = side(way, 3).text
    again = evaluate("# with a comment before it\n" + scenario, CATALOG, workloads=builtin_workloads)
    assert again.trace_hash == COPIES.trace_hash(side(way, 3))


def shares() -> st.SearchStrategy[float]:
    """As the form has them."""
    return st.integers(0, 10_000).map(lambda whole: whole / 10_000)


@st.composite
def situations(draw: st.DrawFn) -> Situation:
    """What the form of the lab can ask for: a named workload, or one's own numbers."""
    use = draw(st.sampled_from([None, *builtin_workloads()]))
    kind = draw(st.sampled_from([JobKind.SERVICE, JobKind.TRAINING]))
    solo_us, residency = draw(st.integers(100, 60_000_000)), draw(shares().filter(bool))
    own = Job(kind, solo_us, residency, round(residency * draw(shares()), 4), draw(shares()))
    card = draw(st.sampled_from([one.id for one in CATALOG.models if one.memory_mib.value is not None]))
    job = own if use is None else builtin_workloads()[use].job
    return Situation(job, use, card, draw(st.integers(1, 80)) * 1024, draw(st.booleans()))


@each_way
@settings(max_examples=60)
@given(situation=situations(), copies=st.integers(1, 8))
def test_a_scenario_is_what_is_read_from_its_text(way: str, situation: Situation, copies: int) -> None:
    one = side(way, copies, situation)
    assert one.scenario(CATALOG) == read_scenario(one.text, CATALOG, builtin_workloads)


@each_way
@settings(max_examples=40)
@given(situation=situations(), copies=st.integers(1, 8))
def test_memory_that_fits_makes_no_difference(way: str, situation: Situation, copies: int) -> None:
    """What is kept for all memory that fits is what a run with this one comes to; where it does not fit, nothing is kept."""
    one = side(way, copies, situation)
    found, fresh = came(way, copies, situation), Copies(CATALOG)
    assert found == fresh._came(one)
    assert COPIES.hit(one) == fresh._hit(one)


@pytest.mark.parametrize(
    ("copies", "gib", "profile", "count", "reason"),
    [
        (1, 6, "7g.80gb", 1, Reason.LARGEST),
        (2, 6, "3g.40gb", 2, Reason.LARGEST),
        (3, 6, "2g.20gb", 3, Reason.LARGEST),
        (4, 6, "1g.20gb", 4, Reason.LARGEST),
        (7, 6, "1g.10gb", 7, Reason.LARGEST),
        (8, 6, "1g.10gb", 7, Reason.SMALLEST),
        (5, 12, "1g.20gb", 4, Reason.MEMORY),
        (2, 60, "7g.80gb", 1, Reason.MEMORY),
        (2, 200, "7g.80gb", 1, Reason.TOO_SMALL),
    ],
)
def test_the_layout_is_the_largest_of_which_there_are_enough(
    copies: int, gib: int, profile: str, count: int, reason: Reason
) -> None:
    found = copies_layout(cuts(A100), copies, gib * GIB, None)
    assert found is not None
    assert (found.profile, found.count, found.reason) == (profile, count, reason)


def test_a_profile_that_was_chosen_stays_and_a_card_without_mig_has_none() -> None:
    chosen = copies_layout(cuts(A100), 8, 6 * GIB, "2g.20gb")
    assert chosen is not None
    assert (chosen.devices, chosen.reason) == (("2g.20gb",) * 3, Reason.CHOSEN)
    assert copies_layout(cuts(CATALOG.get("t4-16gb")), 2, 6 * GIB, None) is None


@settings(max_examples=40, deadline=None)
@given(
    card=st.sampled_from([one.id for one in CATALOG.models if cuts(one)]),
    copies=st.integers(1, 8),
    gib=st.integers(1, 200),
)
def test_every_layout_runs(card: str, copies: int, gib: int) -> None:
    situation = replace(SITUATION, card=card, memory_mib=gib * 1024)
    found = came("mig", copies, situation)
    assert found.error is None
    assert found.working + found.out_of_memory + found.waiting == copies
