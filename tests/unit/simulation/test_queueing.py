"""Mean value analysis against closed forms and against the Markov chain that it stands for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labs.simulation.laws.queueing import EXACT_STEPS, CustomerClass, _exact, _schweitzer, solve, steps


def throughputs_of_the_chain(classes: Sequence[CustomerClass]) -> list[float]:
    """Cycles per customer and class of the Markov chain with exponential phases and processor sharing.

    Its state is how many customers of each class are at the GPU. Solved by power iteration on the uniformized
    chain, without anything that mean value analysis knows.
    """
    states = list(product(*(range(cls.population + 1) for cls in classes)))
    rates: dict[tuple[int, ...], list[tuple[tuple[int, ...], float]]] = {}
    for state in states:
        moves = []
        for index, cls in enumerate(classes):
            if state[index] < cls.population:
                up = (*state[:index], state[index] + 1, *state[index + 1 :])
                moves.append((up, (cls.population - state[index]) / cls.host))
            if state[index]:
                down = (*state[:index], state[index] - 1, *state[index + 1 :])
                moves.append((down, state[index] / sum(state) / cls.gpu))
        rates[state] = moves
    pace = 1.05 * max(sum(rate for _, rate in moves) for moves in rates.values())
    share = {state: 1.0 / len(states) for state in states}
    for _ in range(20_000):
        following = dict.fromkeys(states, 0.0)
        for state, here in share.items():
            leaving = 0.0
            for other, rate in rates[state]:
                following[other] += here * rate / pace
                leaving += rate / pace
            following[state] += here * (1.0 - leaving)
        settled = max(abs(following[state] - share[state]) for state in states) < 1e-14
        share = following
        if settled:
            break
    return [
        sum(
            here * state[index] / sum(state) / cls.gpu / cls.population
            for state, here in share.items()
            if sum(state)
        )
        for index, cls in enumerate(classes)
    ]


def test_one_customer_never_waits() -> None:
    (mean,) = solve([CustomerClass(host=3.0, gpu=1.0, population=1)])
    assert (mean.throughput, mean.gpu_time, mean.presence) == (0.25, 1.0, 0.25)


@pytest.mark.parametrize("population", [1, 2, 5, 40, EXACT_STEPS - 1, 2 * EXACT_STEPS])
def test_customers_without_host_time_share_the_gpu_equally(population: int) -> None:
    (mean,) = solve([CustomerClass(0.0, 2.0, population)])
    assert mean.gpu_time == pytest.approx(2.0 * population)
    assert mean.presence == pytest.approx(1.0)


def test_two_equal_customers_by_hand() -> None:
    """R(2) = gpu x (1 + Q(1)) with Q(1) = gpu / (host + gpu) = 1/2."""
    (mean,) = solve([CustomerClass(1.0, 1.0, 2)])
    assert (mean.gpu_time, mean.throughput) == (1.5, 0.4)


def test_two_classes_by_hand() -> None:
    """Each sees the other alone: R_a = 1 x (1 + 2/6), R_b = 2 x (1 + 1/2)."""
    first, second = solve([CustomerClass(1.0, 1.0, 1), CustomerClass(4.0, 2.0, 1)])
    assert [first.gpu_time, second.gpu_time] == pytest.approx([4 / 3, 3.0])


@pytest.mark.parametrize(
    "classes",
    [
        [CustomerClass(1.0, 1.0, 3)],
        [CustomerClass(0.5, 2.0, 4)],
        [CustomerClass(1.0, 0.3, 2), CustomerClass(0.2, 1.0, 2)],
        [CustomerClass(3.0, 1.0, 1), CustomerClass(0.1, 0.4, 2), CustomerClass(1.0, 0.2, 3)],
    ],
)
def test_the_means_are_those_of_the_markov_chain(classes: list[CustomerClass]) -> None:
    found = [mean.throughput for mean in solve(classes)]
    assert found == pytest.approx(throughputs_of_the_chain(classes), rel=1e-7)


times = st.floats(0.01, 10.0)
some_classes = st.lists(st.builds(CustomerClass, times, times, st.integers(1, 4)), min_size=1, max_size=3)


@given(some_classes)
def test_the_gpu_is_never_more_than_fully_used(classes: list[CustomerClass]) -> None:
    means = solve(classes)
    used = sum(mean.throughput * cls.gpu * cls.population for mean, cls in zip(means, classes, strict=True))
    assert used <= 1.0 + 1e-9


@given(some_classes)
def test_the_time_of_a_cycle_is_host_time_and_gpu_time(classes: list[CustomerClass]) -> None:
    for mean, cls in zip(solve(classes), classes, strict=True):
        assert mean.gpu_time >= cls.gpu
        assert mean.throughput * (cls.host + mean.gpu_time) == pytest.approx(1.0)
        assert mean.presence == pytest.approx(mean.throughput * mean.gpu_time)
        assert 0.0 <= mean.presence <= 1.0 + 1e-12


@given(some_classes)
def test_the_order_of_the_classes_does_not_matter(classes: list[CustomerClass]) -> None:
    turned = [*classes[1:], *classes[:1]]
    by_place = [mean.gpu_time for mean in solve(classes)]
    assert [mean.gpu_time for mean in solve(turned)] == pytest.approx([*by_place[1:], by_place[0]], rel=1e-12)


@given(some_classes, st.builds(CustomerClass, times, times, st.just(1)))
def test_one_customer_more_makes_nobody_wait_less(classes: list[CustomerClass], more: CustomerClass) -> None:
    for before, after in zip(solve(classes), solve([*classes, more]), strict=False):
        assert after.gpu_time >= before.gpu_time * (1 - 1e-12)


@pytest.mark.parametrize(("host", "gpu"), [(1e-9, 1.0), (1.0, 1e-9), (1e300, 1e-300), (0.0, 1.0), (1.0, 0.0)])
def test_times_of_any_length_are_told_apart(host: float, gpu: float) -> None:
    """Beside a customer that is always there, and forty more of its own: nobody waits for more than all of them."""
    own, busy = solve([CustomerClass(host, gpu, 41), CustomerClass(0.0, 1.0, 1)])
    assert gpu <= own.gpu_time <= 42 * gpu
    assert 1.0 <= busy.gpu_time <= 42.0


def test_sixty_different_customers_are_no_more_work_than_their_square() -> None:
    classes = [CustomerClass(1.0 + number, 0.1 * number, 1) for number in range(60)]
    assert steps(classes) <= 2 * 60 * 61
    used = sum(mean.throughput * cls.gpu for mean, cls in zip(solve(classes), classes, strict=True))
    assert used == pytest.approx(1.0, abs=1e-3)


many = st.lists(st.builds(CustomerClass, times, times, st.integers(15, 25)), min_size=2, max_size=2)


@settings(max_examples=20)
@given(many)
def test_the_approximation_for_large_populations_is_near(classes: list[CustomerClass]) -> None:
    for exact, near in zip(_exact(classes), _schweitzer(classes), strict=True):
        assert near == pytest.approx(exact, rel=0.05)
