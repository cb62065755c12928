"""Points of every law that can be worked out by hand, each against the closed form beside it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb, factorial, sqrt

import pytest

from labs.hardware.units import PPM
from labs.simulation.laws import contexts, queueing
from labs.simulation.laws.contexts import Load, settle
from labs.simulation.laws.cpu_budget import under_cpu_limit
from labs.simulation.laws.exclusive import Exclusive
from labs.simulation.laws.mechanism import Rate, Rates, Split, competing, soft_roofline, works
from labs.simulation.laws.mig import Mig
from labs.simulation.laws.mps import CLIENT_STEPS, Mps
from labs.simulation.laws.part import against_whole, stretched
from labs.simulation.laws.queueing import ClassMeans, CustomerClass, solve, steps
from labs.simulation.laws.slowdowns import MOST, Neighbour, slowdowns
from labs.simulation.laws.time_slicing import TimeSlicing, load, shared_rates, shown_alone
from labs.simulation.scenario.scenario import Busy, Job, JobKind, MigShare

SOLO_US = 100_000


def serve(
    residency: float = 1.0, demand: float | None = None, clients: int = 1, *, overlap: float = 0.0
) -> Job:
    need = residency if demand is None else demand
    return Job(JobKind.SERVICE, SOLO_US, residency, need, overlap, clients=clients)


def stream(rate: float, residency: float = 1.0) -> Job:
    return Job(JobKind.SERVICE, SOLO_US, residency, residency, rate_per_s=rate)


def train(residency: float = 1.0, overlap: float = 0.0) -> Job:
    return Job(JobKind.TRAINING, SOLO_US, residency, residency, overlap, iterations=10)


def p_norm(demand: float, wanted: float, exponent: float) -> float:
    """`((1 - u^P) + w^P)^(1/P)`."""
    total: float = (1 - demand**exponent + wanted**exponent) ** (1 / exponent)
    return total


# The seam


def test_a_rate_without_more_said_answers_no_requests_and_has_no_latency() -> None:
    assert Rate(7) == Rate(speed_ppm=7, requests_u=0, latency_us=None)


def test_a_split_without_more_said_costs_nothing() -> None:
    assert Split((), True) == Split((), True, switch_tax=0.0, slower=(), beside=())


def test_an_idle_job_works_only_where_it_has_busy_periods() -> None:
    idle = Job(JobKind.IDLE)
    assert not works(idle)
    assert works(Job(JobKind.IDLE, busy=Busy(2, 1)))
    assert works(serve())
    assert works(train())


@pytest.mark.parametrize(
    ("demand", "wanted", "exponent", "times"),
    [
        (0.6, 0.8, 2.0, sqrt(1 - 0.36 + 0.64)),
        (0.6, 0.6, 2.0, 1.0),
        (0.6, 0.5, 2.0, 1.0),
        (0.0, 0.5, 2.0, 1.0),
        (0.25, 1.0, 1.5, (1 - 0.125 + 1) ** (2 / 3)),
        (1.0, 3.0, 1.5, 3.0),
    ],
)
def test_a_request_that_competes_is_longer_by_the_soft_roofline(
    demand: float, wanted: float, exponent: float, times: float
) -> None:
    assert competing(demand, wanted, exponent) == pytest.approx(times, abs=1e-9)


def test_less_than_a_whole_cards_capacity_missing_is_none_missing() -> None:
    assert soft_roofline(0.5, 0.5, 2.0) == 1.0
    assert soft_roofline(0.5, 2.0, 2.0) == pytest.approx(sqrt(0.75 + 1.0), abs=1e-9)


@pytest.mark.parametrize("demand", [0.31, 0.37, 0.43, 0.59])
def test_times_are_rounded_to_nine_digits(demand: float) -> None:
    """The last bit of a power differs between C libraries."""
    assert competing(demand, 0.91, 1.5) == round(p_norm(demand, 0.91, 1.5), 9)


# A job on a part of a card


def test_on_a_part_the_hosts_time_stays_and_the_gpus_grows() -> None:
    """100 ms, 40 of them on the host, become 150: 110 on the GPU, of which the work is half a card's for 100."""
    part = stretched(serve(0.6, 0.3), 1.5, 0.5)
    assert part.solo_time_us == 150_000
    assert part.residency == pytest.approx(110 / 150)
    assert part.demand == pytest.approx(50 / 150)


def test_on_a_part_no_less_of_the_gpus_time_is_busy_than_there_is_work() -> None:
    part = stretched(serve(0.2, 0.2), 1.25, 1.2)
    assert part.residency == part.demand == pytest.approx(0.96)
    assert stretched(serve(0.2, 0.2), 1.25, 9.0).demand == 1.0


def test_a_job_that_takes_no_longer_is_the_same() -> None:
    job = serve(0.6, 0.3)
    assert stretched(job, 1.0, 0.9) is job


def test_a_rate_is_told_against_the_whole_card() -> None:
    """Half as fast on a part where everything takes 5/4 is 2/5; a stream's speed is what it answers of what comes."""
    half = Rate(500_000, 3, 4)
    for job, speed in ((serve(), 400_000), (train(), 400_000), (stream(1.0), 500_000)):
        part = stretched(job, 1.25, 1.25)
        assert against_whole(Rates((half,), 7), (job,), (part,)) == Rates((Rate(speed, 3, 4),), 7)


def test_of_a_speed_told_against_the_whole_card_no_millionth_is_made_up() -> None:
    job = Job(JobKind.TRAINING, 2, 1.0, 1.0, iterations=1)
    part = Job(JobKind.TRAINING, 3, 1.0, 1.0, iterations=1)
    assert against_whole(Rates((Rate(PPM),), 0), (job,), (part,)).jobs == (Rate(666_666),)


def test_several_clients_are_told_against_what_they_get_done_together() -> None:
    """Two clients of half host, half GPU do 4/5 of two cycles in 100 ms, and on a part with twice the GPU time 6/7."""
    job = serve(0.5, 0.5, clients=2)
    part = stretched(job, 1.5, 1.0)
    together = Fraction(2) / (Fraction(1, 2) + Fraction(1, 2) * (1 + Fraction(1, 2)))
    on_a_part = Fraction(2) / (Fraction(1, 2) + 1 * (1 + Fraction(2, 3)))
    (rate,) = against_whole(Rates((Rate(PPM),), 0), (job,), (part,)).jobs
    assert rate.speed_ppm == pytest.approx(float(on_a_part / together) * PPM, abs=1)


def test_a_cpu_limit_makes_the_hosts_part_longer_and_is_then_spent() -> None:
    """40 ms on 3 of 2 cores take 60."""
    job = Job(JobKind.SERVICE, SOLO_US, 0.6, 0.3, clients=1, cpus=3, cpu_limit=2)
    part = under_cpu_limit(job)
    assert part.solo_time_us == 120_000
    assert [part.residency, part.demand] == pytest.approx([0.5, 0.25])
    assert (part.cpus, part.cpu_limit) == (None, None)


def test_a_cpu_limit_that_is_not_felt_is_left_out() -> None:
    plain = serve(0.6)
    assert under_cpu_limit(plain) is plain
    roomy = Job(JobKind.SERVICE, SOLO_US, 0.6, 0.6, clients=1, cpus=2, cpu_limit=3)
    assert under_cpu_limit(roomy) == plain


# Exclusive and MIG


def test_who_has_the_card_alone_takes_turns_with_nobody() -> None:
    job = serve(0.5)
    assert Exclusive().split([job]) == Split((job,), takes_turns=True, switch_tax=0.0)
    assert Exclusive().rates([]) == Rates((), 0)
    with pytest.raises(ValueError, match="2 jobs"):
        Exclusive().rates([job, job])


def test_on_a_mig_device_exponent_two_and_the_share_make_a_request_longer() -> None:
    """Demand 0.6 on a quarter of a card: sqrt(1 - 0.36 + 5.76)."""
    law = Mig(MigShare("a quarter", 1, 4.0), Exclusive())
    times = sqrt(1 - 0.36 + 2.4**2)
    (rate,) = law.rates([serve(1.0, 0.6)]).jobs
    assert rate.speed_ppm == pytest.approx(PPM / times, rel=1e-5)
    assert rate.latency_us == pytest.approx(SOLO_US * times, abs=1)
    (part,) = law.split([serve(1.0, 0.6)]).parts
    assert part.solo_time_us == round(SOLO_US * times)
    assert part.demand == pytest.approx(2.4 / times)


def test_training_on_a_mig_device_answers_no_requests() -> None:
    """Always on a quarter of a card that it needs whole, it takes four times as long."""
    assert Mig(MigShare("a quarter", 1, 4.0), Exclusive()).rates([train()]).jobs == (Rate(250_000, 0, None),)


def test_a_mig_device_is_named_so_unless_its_pods_share_it() -> None:
    share = MigShare("a quarter", 1, 4.0)
    assert Mig(share, Exclusive()).name == "mig"
    assert Mig(share, TimeSlicing(), "time-slicing").name == "time-slicing"


# Time-slicing


def test_turns_are_as_long_as_what_training_needs_of_its_residency() -> None:
    """Launched half ahead a fifth of the residency is not needed; a service needs all of it."""
    split = TimeSlicing(0.125).split([train(0.5, 0.5), serve(0.5, overlap=0.5)])
    assert [part.residency for part in split.parts] == [pytest.approx(0.4), 0.5]
    assert (split.takes_turns, split.switch_tax, split.slower, split.beside) == (True, 0.125, (), ())


@pytest.mark.parametrize(
    ("job", "asked"),
    [
        (serve(0.75, clients=3), (0.025, 0.075, 3, 0.0, -1.0)),
        (stream(2.5, 0.75), (0.025, 0.075, 1, 0.0, 2.5)),
        (train(0.5, 1.0), (0.06, 0.04, 1, 1.0, -1.0)),
    ],
)
def test_what_a_context_asks_of_the_card_in_seconds(job: Job, asked: tuple[float, ...]) -> None:
    assert load(job).order == pytest.approx(asked)


@pytest.mark.parametrize(
    ("job", "share"),
    [
        (serve(0.25), 0.25),
        (serve(0.5, clients=2), 0.8),  # 2 of 0.05 s in 0.05 + 0.05 x 3/2
        (stream(4.0, 0.5), 0.2),
        (stream(100.0, 0.5), 1.0),
        (train(0.5, 0.5), 0.5),
    ],
)
def test_alone_a_job_shows_the_share_of_time_in_which_it_has_a_kernel_on_the_card(
    job: Job, share: float
) -> None:
    assert shown_alone(job, load(job)) == pytest.approx(share)


def test_a_rate_tells_requests_and_latency_of_a_service_and_only_the_speed_of_training() -> None:
    """Three that are always on the card, with a switch of an eighth: 3.375 times as long, and four wait in line."""
    service, training, _ = shared_rates([serve(clients=4), train(), serve()], 0.125).jobs
    speed = round(PPM / 3.375)
    assert service == Rate(speed, round(PPM / 0.3375), 1_350_000)
    assert training == Rate(speed, 0, None)


def test_the_latency_of_a_stream_is_its_host_time_and_that_of_a_queue_at_the_gpu() -> None:
    """Two a second of 50 ms on the host and 50 on the GPU, which is busy for a tenth: 50 + 50 / 0.9."""
    assert shared_rates([stream(2.0, 0.5)], 0.0).jobs == (Rate(PPM, 2 * PPM, 105_556),)


def test_a_stream_that_the_card_cannot_keep_up_with_is_told_by_what_it_answers() -> None:
    """Beside one that is always busy the card answers 1 / (0.1 x 2 x 1.25) = 4 of 8 a second."""
    rate, _ = shared_rates([stream(8.0), serve()], 0.25).jobs
    assert rate == Rate(500_000, 4_000_000, None)


def test_working_out_a_card_is_told_to_the_budget_once() -> None:
    told: list[int] = []
    law = TimeSlicing(0.125, told.append)
    first = law.rates([serve(0.375)])
    assert law.rates([serve(0.375)]) is first
    assert told == [4]


# Contexts that take turns


def test_what_a_context_does_alone() -> None:
    assert Load(3.0, 1.0).cycles_alone == 0.25
    assert Load(1.0, 1.0, 2).cycles_alone == pytest.approx(0.8)
    assert Load(1.0, 0.5, open_rate=1.5).cycles_alone == 1.5
    assert Load(1.0, 0.5, open_rate=3.0).cycles_alone == 2.0
    assert Load(1.0, 0.0, open_rate=3.0).cycles_alone == 3.0


def test_contexts_have_a_total_order() -> None:
    assert Load(1.0, 2.0, 3, 0.5).order == (1.0, 2.0, 3, 0.5, -1.0)
    assert Load(1.0, 2.0, 3, 0.5, 0.25).order == (1.0, 2.0, 3, 0.5, 0.25)


def test_two_contexts_that_are_always_busy_take_two_rounds_to_settle() -> None:
    """5 steps a round: 2 for the one client inside, 3 for two equal contexts."""
    told: list[int] = []
    busy = Load(0.0, 0.0625)
    settled = settle({busy: 2}, 0.25, told.append)
    served = settled.served[busy]
    assert [served.cycles, served.request_time, served.times] == pytest.approx([6.4, 0.15625, 2.5])
    assert not served.keeps_up
    assert settled.busy == pytest.approx(1.0)
    assert (settled.steps, told) == (10, [5, 5])
    assert settle({busy: 2}, 0.25, told.append) is settled
    assert told == [5, 5, 10]


def test_a_card_settles_where_neither_turns_nor_switches_change() -> None:
    """Without a tax only turns do: one round to find them, and one more that changes nothing."""
    assert settle({Load(0.0, 0.03125): 2}, 0.0).steps == 10


def test_rounds_end_where_one_more_would_change_less_than_a_billionth(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each round told apart by allowing no more than it."""
    loads = {Load(0.5, 0.5, overlap=0.5): 2, Load(0.25, 0.5): 1}
    monkeypatch.setattr(contexts, "_known", {})
    enough = len(_rounds(loads, contexts.ROUNDS))
    times = []
    for rounds in range(1, enough + 1):
        monkeypatch.setattr(contexts, "ROUNDS", rounds)
        monkeypatch.setattr(contexts, "_known", {})
        assert len(_rounds(loads, rounds)) == rounds
        served = settle(loads, 0.25).served
        times.append([served[load].times for load in loads])
    last, before, earlier = times[-1], times[-2], times[-3]
    assert last == pytest.approx(before, rel=3e-9)
    assert before != pytest.approx(earlier, rel=1e-10)
    assert 5 < enough < 60


def _rounds(loads: dict[Load, int], at_most: int) -> list[int]:
    told: list[int] = []
    settled = settle(loads, 0.25, told.append)
    assert len(told) <= at_most
    assert settled.steps == sum(told)
    return told


def test_switches_are_no_share_of_a_card_that_nobody_shares() -> None:
    settled = settle({Load(0.75, 0.25): 1}, 0.5)
    assert (settled.busy, settled.steps) == (0.25, 4)


def test_an_open_service_keeps_up_while_its_context_has_time_to_spare() -> None:
    fine, behind = (
        settle({Load(0.0, 0.5, open_rate=rate): 1}, 0.0).served[Load(0.0, 0.5, open_rate=rate)]
        for rate in (1.5, 2.0)
    )
    assert [fine.cycles, behind.cycles] == pytest.approx([1.5, 2.0])
    assert [fine.keeps_up, behind.keeps_up] == [True, False]


def test_a_service_whose_context_is_busy_but_for_a_millionth_is_behind() -> None:
    always = contexts._Group(Load(0.0, contexts.KEEPS_UP, open_rate=1.0), 1)
    assert not always.served.keeps_up
    assert contexts._Group(Load(0.0, 0.99, open_rate=1.0), 1).served.keeps_up
    assert not contexts._Group(Load(0.0, 0.5), 1).served.keeps_up


def test_a_context_is_taxed_by_the_probability_that_another_has_work() -> None:
    halves = contexts._Group(Load(1.0, 1.0), 2, means=ClassMeans(0.0, 0.0, 0.5))
    quarter = contexts._Group(Load(2.0, 1.0), 1, means=ClassMeans(0.0, 0.0, 0.25))
    always = contexts._Group(Load(0.0, 1.0), 1, means=ClassMeans(0.0, 0.0, 1.0))
    contexts._charge_switches([halves, quarter], 0.5)
    assert halves.tax == pytest.approx(1 + 0.5 * (1 - 0.5 * 0.75))
    assert quarter.tax == pytest.approx(1 + 0.5 * (1 - 0.25))
    contexts._charge_switches([halves, always], 0.5)
    assert [halves.tax, always.tax] == pytest.approx([1.5, 1 + 0.5 * 0.75])


@pytest.mark.parametrize(
    ("load_of", "tax", "turns", "away"),
    [
        (Load(1.0, 0.5), 1.0, 3.0, 1.0),
        (Load(1.0, 0.5, overlap=0.5), 1.0, 3.0, 0.5),
        (Load(1.0, 0.5, overlap=0.5), 1.0, 9.0, 0.5),
        (Load(1.0, 0.5, overlap=0.5), 1.5, 1.0, 0.875),
        (Load(0.0, 0.5, open_rate=0.5), 1.0, 2.0, 1.0),
        (Load(0.0, 0.5, open_rate=0.5), 1.0, 9.0, 0.0),
        (Load(1.0, 1.0, 2), 1.0, 1.0, 0.25),  # two clients: 0.8 cycles in all, of 1.25 each
        (Load(0.0, 1.0, 2), 1.0, 1.0, 0.0),
    ],
)
def test_how_long_the_customer_that_stands_for_a_context_stays_away(
    load_of: Load, tax: float, turns: float, away: float
) -> None:
    assert contexts._time_away(contexts._Group(load_of, 1, tax, turns)) == pytest.approx(away)


def test_only_answers_about_few_loads_are_kept_and_the_oldest_go_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(contexts, "_known", {})
    monkeypatch.setattr(contexts, "KEPT", 3)
    few = [Load(1.0, float(number)) for number in range(1, contexts.KEPT_LOADS + 2)]
    settle(dict.fromkeys(few, 1), 0.0)
    assert not contexts._known
    settle(dict.fromkeys(few[:-1], 1), 0.0)
    assert len(contexts._known) == 1
    for each in few[:3]:
        settle({each: 1}, 0.0)
    assert [key[0] for key in contexts._known] == [((each, 1),) for each in few[:3]]


# The queue


@pytest.mark.parametrize(
    ("populations", "taken"),
    [((), 0), ((1,), 2), ((3,), 4), ((2, 3), 24), ((1, 1, 1), 20), ((19_999,), 20_000), ((20_000,), 60)],
)
def test_what_solving_the_queue_takes(populations: tuple[int, ...], taken: int) -> None:
    """(all + 1) x (all but the largest class + classes); where that is too much, 60 rounds over the classes."""
    assert steps([CustomerClass(1.0, 1.0, population) for population in populations]) == taken


@pytest.mark.parametrize(("host", "gpu"), [(1.0, 1.0), (3.0, 1.0), (9.0, 1.0), (0.25, 2.0)])
def test_the_weights_of_one_class_are_those_of_the_product_form(host: float, gpu: float) -> None:
    """So many of five at the GPU: choose them, times n! x gpu^n x host^(5 - n)."""
    weights = queueing._weights(CustomerClass(host, gpu, 5))
    form = [comb(5, n) * factorial(n) * gpu**n * host ** (5 - n) for n in range(6)]
    assert weights == pytest.approx([each * weights[0] / form[0] for each in form])
    assert max(weights) == 1.0


def test_customers_without_gpu_time_are_never_there() -> None:
    assert queueing._weights(CustomerClass(1.0, 0.0, 3)) == [1.0, 0.0, 0.0, 0.0]
    assert solve([CustomerClass(2.0, 0.0, 3)]) == (ClassMeans(0.5, 0.0, 0.0),)


@pytest.mark.parametrize("host", [0.125, 1.0, 2.0, 2.5, 16.0])
def test_a_customer_more_and_one_less_are_the_same_weights_again(host: float) -> None:
    customer = CustomerClass(host, 1.0, 1)
    weights = [1.0, 0.75, 0.5, 0.5]
    grown = queueing._with_one_more(weights, customer)
    by_hand = [
        host * 1.0,
        host * 0.75 + 1.0,
        host * 0.5 + 2 * 0.75,
        host * 0.5 + 3 * 0.5,
        4 * 0.5,
    ]
    assert grown == pytest.approx([each / max(by_hand) for each in by_hand])
    less = queueing._without_one(grown, customer)
    assert less == pytest.approx([each * less[0] for each in weights])
    assert less[0] == pytest.approx(1.0 / max(by_hand))


def test_the_mean_of_weights() -> None:
    assert queueing._mean([1.0, 2.0, 1.0]) == 1.0
    assert queueing._mean([0.0, 1.0, 3.0]) == 1.75


@pytest.mark.parametrize(("host", "population"), [(1.0, 30_000), (40_000.0, 30_000)])
def test_very_many_customers_are_solved_by_schweitzer(host: float, population: int) -> None:
    """A fixed point R = 1 + (N - 1) R / (host + R), for one class a quadratic."""
    (mean,) = solve([CustomerClass(host, 1.0, population)])
    b = host - population
    assert mean.gpu_time == pytest.approx((-b + sqrt(b * b + 4 * host)) / 2, rel=0.01)


def test_schweitzers_fixed_point_of_two_classes() -> None:
    """An arriving customer sees all queues less its own share of its own."""
    classes = [CustomerClass(40.0, 1.0, 20), CustomerClass(90.0, 2.0, 10)]
    first, second = queueing._schweitzer(classes)
    queues = [20 * first / (40 + first), 10 * second / (90 + second)]
    assert first == pytest.approx(1 + sum(queues) - queues[0] / 20, rel=1e-4)
    assert second == pytest.approx(2 * (1 + sum(queues) - queues[1] / 10), rel=1e-4)


def test_up_to_the_limit_of_steps_the_queue_is_solved_exactly() -> None:
    last = [CustomerClass(10_000.0, 1.0, 19_999)]
    assert solve(last)[0].gpu_time == queueing._exact(last)[0]
    assert solve(last)[0].gpu_time != pytest.approx(queueing._schweitzer(last)[0], rel=1e-6)


# Slowdowns


def test_a_neighbour_that_is_always_there_costs_what_it_costs_in_the_mean() -> None:
    assert slowdowns(0.5, 100.0, [Neighbour(1, 1.0, 100.0, 1.0)]) == [0.5]


def test_neighbours_share_the_mean_by_weight_and_count_and_cost_it_while_they_are_there() -> None:
    """Of 0.6 the two with weight 1 cause 0.2 each, and the one with 1/2 there half of the time 0.1 twice over, doubled."""
    always = [Neighbour(2, 1.0, 100.0, 1.0), Neighbour(1, 1.0, 100.0, 2.0)]
    assert slowdowns(0.6, 100.0, always) == [0.15, 0.3]
    outlasting = [Neighbour(2, 0.5, float("inf"), 1.0), Neighbour(1, 1.0, 100.0, 2.0)]
    assert slowdowns(0.6, 100.0, outlasting) == [0.3, 0.3]


@pytest.mark.parametrize(("there", "mean"), [(0.5, 0.25), (0.75, 0.5), (0.9, 1.0)])
def test_a_neighbour_that_comes_and_goes_within_a_request_costs_it_the_mean_speed(
    there: float, mean: float
) -> None:
    """The mean speed is that of the mean: 1 - p + p / (1 + x) = 1 / (1 + m), so x = q / (p - q) with q = m / (1 + m)."""
    lost = mean / (1 + mean)
    (slower,) = slowdowns(mean, 100.0, [Neighbour(1, there, 0.0, 1.0)])
    assert slower == pytest.approx(lost / (there - lost), rel=1e-6)


@pytest.mark.parametrize(("there", "gpu_us"), [(0.5, 200.0), (0.5, 50.0), (0.8, 1000.0)])
def test_between_the_two_a_request_outlasts_a_neighbour_in_proportion(there: float, gpu_us: float) -> None:
    """Within it the share 100 / (100 + what the other stays away) of coming and going; the mean comes out."""
    mean = 0.3
    within = 100.0 / (100.0 + gpu_us * (1 - there))
    (slower,) = slowdowns(mean, 100.0, [Neighbour(1, there, gpu_us, 1.0)])
    seen = 1 / (1 - there + there / (1 + slower))
    assert (1 - within) * (1 + there * slower) + within * seen == pytest.approx(1 + mean, abs=1e-7)


def test_several_neighbours_that_come_and_go_are_told_by_mean_and_variance() -> None:
    """Two there half of the time cost 0.4 each: mean 0.4, variance 2 x 0.16 / 4; one like them is there 2/3 of it."""
    mean, there = 0.4, 0.4**2 / (0.4**2 + 0.08)
    first, second = slowdowns(mean, 100.0, [Neighbour(1, 0.5, 0.0, 1.0), Neighbour(1, 0.5, 0.0, 1.0)])
    assert first == second
    times = first / 0.4
    assert 1 / (1 - there + there / (1 + times * mean / there)) == pytest.approx(1 + mean, abs=1e-7)


@pytest.mark.parametrize("longer", [1 / 3, 2 / 7, 5 / 9])
def test_slowdowns_are_rounded_to_nine_digits(longer: float) -> None:
    assert slowdowns(longer, 100.0, [Neighbour(1, 1.0, 1.0, 1.0)]) == [round(longer, 9)]


def test_a_rare_neighbour_costs_three_times_the_mean_at_most() -> None:
    (slower,) = slowdowns(1.0, 100.0, [Neighbour(1, 0.25, 0.0, 1.0)])
    assert slower == pytest.approx(MOST * 4.0)
    assert MOST == 3.0


@pytest.mark.parametrize(
    ("longer", "neighbour"),
    [
        (0.0, Neighbour(1, 1.0, 1.0, 1.0)),
        (-0.5, Neighbour(1, 1.0, 1.0, 1.0)),
        (1.0, Neighbour(1, 1.0, 1.0, 0.0)),
    ],
)
def test_no_slowdown_or_nobody_who_causes_it_is_none_for_each(longer: float, neighbour: Neighbour) -> None:
    assert slowdowns(longer, 1.0, [neighbour] * 3) == [0.0] * 3


def test_who_is_never_there_costs_nothing_and_a_request_without_gpu_time_outlasts_nobody() -> None:
    never, always = Neighbour(1, 0.0, 1.0, 1.0), Neighbour(1, 1.0, 1.0, 1.0)
    assert slowdowns(0.5, 100.0, [never, always]) == [0.0, 0.25]
    assert slowdowns(0.5, 0.0, [Neighbour(1, 0.5, 0.0, 1.0)]) == [1.0]


# MPS


def speeds(law: Mps, *jobs: Job) -> list[float]:
    return [rate.speed_ppm / PPM for rate in law.rates(jobs).jobs]


def test_a_capped_client_is_slower_by_its_cap_and_by_a_busy_neighbour() -> None:
    """Half of the threads: ((1 - 0.3^1.5) + 0.6^1.5)^(2/3), and 8 % more for what no cap divides."""
    job = serve(1.0, 0.3)
    cap = p_norm(0.3, 0.6, 1.5)
    assert speeds(Mps(50), job) == pytest.approx([1 / cap], rel=1e-5)
    assert speeds(Mps(50), job, job) == pytest.approx([1 / cap / 1.08] * 2, rel=1e-5)
    assert speeds(Mps(50, 0.25), job, job) == pytest.approx([1 / cap / 1.25] * 2, rel=1e-5)


def test_interference_counts_for_the_share_of_time_in_which_another_is_there() -> None:
    """A third of the threads; two neighbours with residency 1/2 and no work to speak of: 3/4 of the time one is there."""
    light = serve(0.5, 0.0)
    rates = Mps(33, 0.2).rates((serve(1.0, 0.0), light, light))
    assert rates.jobs[0].speed_ppm == pytest.approx(PPM / 1.15, abs=2)
    assert rates.jobs[1].speed_ppm == pytest.approx(PPM / 1.2, abs=2)
    assert rates.busy_ppm == PPM


def test_a_card_under_mps_is_busy_while_any_client_is() -> None:
    """Two with residency 1/2 and 4 % interference for half of the time: each is there 0.54 of 1.04."""
    rates = Mps(50).rates((serve(0.5, 0.0), serve(0.5, 0.0)))
    assert rates.busy_ppm == pytest.approx((1 - (0.5 / 1.04) ** 2) * PPM, abs=5)


def test_clients_without_a_cap_compete_for_what_the_others_take() -> None:
    """Demands 0.6 and 0.3, that one there 2/3 of its time: each sees the smaller load on top of its own."""
    large, small = serve(1.0, 0.6), serve(0.5, 0.3, clients=2)
    load_of_small = 0.3 * 2 / (0.5 + 0.5 * 1.5)
    assert speeds(Mps(100), large, small)[0] == pytest.approx(
        1 / p_norm(0.6, 0.6 + load_of_small, 1.5), rel=1e-5
    )
    assert speeds(Mps(100), serve(1.0, 0.6), serve(1.0, 0.6))[0] == pytest.approx(
        1 / p_norm(0.6, 1.2, 1.5), rel=1e-5
    )


def test_a_client_is_no_faster_than_the_queue_of_the_cards_work_allows() -> None:
    """A small one beside a whole card's: 1 - 0.2 + 0.2 x (1 + 1); the soft roofline alone would make it 1.1."""
    _, small = speeds(Mps(100), serve(1.0, 1.0), serve(1.0, 0.2))
    assert p_norm(0.2, 0.4, 1.5) < 1.2
    assert small == pytest.approx(1 / 1.2, rel=1e-5)


def test_a_stream_leaves_the_card_but_for_its_work() -> None:
    """Two a second of 0.1 s each; the soft roofline alone would make the other's requests no more than 1.2 as long."""
    assert speeds(Mps(100), serve(1.0, 1.0), stream(2.0))[0] == pytest.approx(1 - 0.2, rel=1e-5)


def test_training_competes_as_one_client_of_a_service_does() -> None:
    assert speeds(Mps(100), *[train(0.5)] * 3) == speeds(Mps(100), *[serve(0.5)] * 3)


def test_what_clients_need_of_the_card_keeps_it_busy() -> None:
    """Three of 0.5 each: 1.5 cards' work in a request that is ((1 - 0.5^1.5) + 1.5^1.5)^(2/3) as long."""
    there = 1.5 / p_norm(0.5, 1.5, 1.5)
    assert Mps(100).rates([serve(0.5)] * 3).busy_ppm == pytest.approx((1 - (1 - there) ** 3) * PPM, abs=5)


def test_clients_without_a_cap_and_without_work_to_compete_for_are_as_fast_as_alone() -> None:
    assert speeds(Mps(100), serve(1.0, 0.0), serve(1.0, 0.0)) == [1.0, 1.0]


def test_clients_that_fit_on_the_card_are_not_in_the_queue_of_its_work() -> None:
    """A small one at 25 % beside three large ones; in the queue it would take 0.8 + 0.2 x 4 times as long."""
    small, large = serve(1.0, 0.2), serve(1.0, 1.0)
    assert speeds(Mps(25, 0.0), small, large, large, large)[0] == pytest.approx(
        1 / p_norm(0.2, 0.8, 1.5), rel=1e-5
    )


def test_eight_clients_of_one_pod_get_a_quarter_of_a_card_and_no_more() -> None:
    (rate,) = Mps(25).rates([serve(0.4, clients=8)]).jobs
    assert 0.4 * 0.1 * rate.requests_u / PPM == pytest.approx(0.25, rel=0.01)


def test_caps_that_come_to_more_than_the_card_leave_a_client_as_slow_as_the_slower_of_cap_and_competition() -> (
    None
):
    """Three at 50 %: demand 0.4 capped is 0.8 and interfered, three compete for 1.2."""
    job = serve(1.0, 0.4)
    capped = p_norm(0.4, 0.8, 1.5) * 1.08
    competed = p_norm(0.4, 1.2, 1.5)
    assert competed > capped
    assert speeds(Mps(50), job, job, job) == pytest.approx([1 / competed] * 3, rel=1e-5)
    light = serve(1.0, 0.1)
    assert speeds(Mps(50), light, light, light) == pytest.approx(
        [1 / max(p_norm(0.1, 0.2, 1.5) * 1.08, p_norm(0.1, 0.3, 1.5))] * 3, rel=1e-5
    )


@pytest.mark.parametrize(
    ("percent", "most", "is_divided"), [(25, 4, True), (25, 5, False), (25, None, False), (100, 1, True)]
)
def test_a_card_is_divided_where_all_caps_together_fit_on_it(
    percent: int, most: int | None, is_divided: bool
) -> None:
    assert Mps(percent, most=most).is_divided is is_divided


def test_on_parts_of_their_own_clients_begin_as_their_cap_makes_them_and_feel_anybody_alike() -> None:
    """What interference adds is 8 % of the request, which is the more of the GPU's time the less of it that is."""
    job = serve(0.5, 0.0, overlap=0.5)
    split = Mps(50, most=2).split((job, job))
    assert split.beside == pytest.approx([0.08 / 0.5] * 2)
    assert (split.takes_turns, split.slower, split.switch_tax) == (False, (), 0.0)
    assert [(part.solo_time_us, part.overlap) for part in split.parts] == [(SOLO_US, 0.0)] * 2
    assert split.parts[0].residency == pytest.approx(0.5)
    assert Mps(50, most=2).split((serve(0.0, 0.0),)).beside == (0.0,)


def test_clients_that_compete_slow_each_other_by_what_they_take_of_the_card() -> None:
    """Always there, so that the mean is what they cost: of large beside two, each small one causes half."""
    large, small = serve(1.0, 0.6), serve(1.0, 0.2)
    split = Mps(100).split((large, small, small))
    own = p_norm(0.6, 1.0, 1.5) - 1
    assert split.slower[0][1:] == pytest.approx((own / 2, own / 2), rel=1e-4)
    others = max(p_norm(0.2, 0.6, 1.5), 1 / speeds(Mps(100), large, small, small)[1]) - 1
    assert (split.slower[1][0], split.slower[1][2]) == pytest.approx((others / 2, others / 2), rel=1e-4)
    assert split.slower[1] == split.slower[2]
    assert (split.takes_turns, split.beside) == (False, ())


def test_a_client_that_only_interferes_slows_all_alike() -> None:
    """Two of at most five at 25 %: nobody competes, and each costs the other 8 %."""
    job, other = serve(1.0, 0.2), serve(1.0, 0.6)
    split = Mps(25).split((job, other))
    assert split.slower[0][1] == pytest.approx(0.08, rel=1e-4)
    assert split.slower[1][0] == pytest.approx(0.08, rel=1e-4)
    assert split.parts[0].solo_time_us == round(SOLO_US * p_norm(0.2, 0.8, 1.5))


def test_working_out_clients_is_told_to_the_budget_by_kinds_and_once() -> None:
    told: list[int] = []
    law = Mps(25, spend=told.append)
    first = law.rates((serve(1.0, 0.2), serve(1.0, 0.2), serve(1.0, 0.6)))
    assert law.rates((serve(1.0, 0.2), serve(1.0, 0.2), serve(1.0, 0.6))) is first
    assert told == [2 * (CLIENT_STEPS + 2)]
    assert CLIENT_STEPS == 200


def test_as_many_clients_as_their_caps_have_room_for_do_not_compete() -> None:
    four, five = (Mps(25, 0.0).rates((serve(1.0, 0.9),) * count).jobs[0].speed_ppm for count in (4, 5))
    assert four == pytest.approx(PPM / p_norm(0.9, 3.6, 1.5), rel=1e-5)
    assert five == pytest.approx(PPM / p_norm(0.9, 4.5, 1.5), rel=1e-5)


def test_equal_contexts_are_counted_not_listed() -> None:
    told = settle(Counter([Load(0.0, 0.03125)] * 6), 0.0)
    assert told.served[Load(0.0, 0.03125)].times == pytest.approx(6.0)
