"""MIG devices and MPS clients in a run: own memory, own speed, own trouble."""

from __future__ import annotations

import pytest

from labs.hardware.catalog import builtin_catalog
from labs.hardware.units import PPM
from labs.simulation.laws.exclusive import Exclusive
from labs.simulation.laws.mechanism import Mechanism, soft_roofline
from labs.simulation.laws.mig import Mig
from labs.simulation.laws.mps import EXPONENT, Mps
from labs.simulation.outcome.evaluate import evaluate
from labs.simulation.outcome.outcome import Outcome
from labs.simulation.scenario.mig_share import mig_share
from labs.simulation.scenario.scenario import Job, JobKind, MigShare

MIG_MIXED = "version: v1\n      flags: {migStrategy: mixed}"
MIG_SINGLE = "version: v1\n      flags: {migStrategy: single}"
YOLOS = "{kind: service, soloTime: 88ms, residency: 1.0, demand: 0.44}"
TRAINING = "{kind: training, soloTime: 100ms, iterations: 100, residency: 0.9, demand: 0.5}"


def outcome(gpus: str, config: str, *workloads: str, node: str = "") -> Outcome:
    lines = "".join(f"  - {workload}\n" for workload in workloads)
    text = f"""format: 1
horizon: 10m
nodes:
  - name: gpu-node-1
    gpus: {gpus}
    config: |
      {config}
{node}workloads:
{lines}"""
    return evaluate(text, builtin_catalog())


def pods(
    count: int, resource: str, job: str = "{kind: idle}", memory: str = "1GiB", name: str = "pod"
) -> str:
    return f"{{name: {name}, count: {count}, request: {{{resource}: 1}}, memory: {memory}, job: {job}, onOOM: catch}}"


def test_a_mig_device_has_its_own_memory_and_hurts_nobody() -> None:
    found = outcome(
        "{model: a100-40gb, count: 1, mig: [3g.20gb, 2g.10gb, 1g.5gb, 1g.5gb]}",
        MIG_MIXED,
        pods(1, "nvidia.com/mig-3g.20gb", memory="38GiB", name="big"),
        pods(2, "nvidia.com/mig-1g.5gb", memory="4GiB", name="small"),
    )
    assert [(pod.name, pod.oom) for pod in found.pods] == [("big-0", 1), ("small-0", 0), ("small-1", 0)]
    assert [pod.device for pod in found.pods] == [f"gpu-node-1/gpu0:{index}" for index in (0, 2, 3)]
    assert [(gpu.gpu, gpu.mig, gpu.mechanism) for gpu in found.gpus][:2] == [
        (0, "3g.20gb", "mig"),
        (0, "2g.10gb", "mig"),
    ]
    assert found.nodes[0].resources == (
        ("nvidia.com/mig-1g.5gb", 2),
        ("nvidia.com/mig-2g.10gb", 1),
        ("nvidia.com/mig-3g.20gb", 1),
    )


def test_under_single_equal_mig_devices_are_gpus() -> None:
    found = outcome(
        "{model: a100-40gb, count: 2, mig: [3g.20gb, 3g.20gb]}", MIG_SINGLE, pods(4, "nvidia.com/gpu")
    )
    assert found.nodes[0].resources == (("nvidia.com/gpu", 4),)
    assert sorted(str(pod.device) for pod in found.pods) == [
        f"gpu-node-1/gpu{gpu}:{index}" for gpu in (0, 1) for index in (0, 1)
    ]


def test_under_single_differing_mig_devices_are_refused_in_the_plugins_words() -> None:
    found = outcome(
        "{model: a100-40gb, count: 1, mig: [3g.20gb, 2g.10gb]}", MIG_SINGLE, pods(1, "nvidia.com/gpu")
    )
    assert "more than one MIG device type present on node" in str(found.nodes[0].error)
    assert str(found.pods[0].phase) == "Pending"


def test_a_cards_whole_in_mig_mode_is_its_first_mig_device() -> None:
    found = outcome(
        "{model: a100-40gb, count: 1, mig: [2g.10gb, 3g.20gb]}", "version: v1", pods(1, "nvidia.com/gpu")
    )
    assert found.pods[0].device == "gpu-node-1/gpu0:0"


def test_neighbours_on_mig_devices_leave_each_others_speed_alone() -> None:
    speeds = [
        outcome(
            f"{{model: a100-80gb, count: 1, mig: [{', '.join(['1g.10gb'] * 7)}]}}",
            MIG_MIXED,
            pods(count, "nvidia.com/mig-1g.10gb", YOLOS),
        )
        .pods[0]
        .latency
        for count in (1, 7)
    ]
    assert speeds[0] == speeds[1]


def test_pods_take_turns_on_a_mig_device_that_is_offered_twice() -> None:
    config = (
        "version: v1\n      flags: {migStrategy: mixed}\n      sharing: {timeSlicing: {resources: "
        "[{name: nvidia.com/mig-3g.20gb, replicas: 2}]}}"
    )
    gpus = "{model: a100-40gb, count: 1, mig: [3g.20gb, 3g.20gb]}"
    found = outcome(gpus, config, pods(4, "nvidia.com/mig-3g.20gb", YOLOS, memory="11GiB"))
    assert [gpu.mechanism for gpu in found.gpus] == ["time-slicing", "time-slicing"]
    assert sum(pod.oom > 0 for pod in found.pods) == 2
    one = outcome(gpus, config, pods(1, "nvidia.com/mig-3g.20gb", YOLOS)).pods[0].slowdown
    two = outcome(gpus, config, pods(4, "nvidia.com/mig-3g.20gb", YOLOS)).pods[0].slowdown
    assert one is not None
    assert two is not None
    assert two == pytest.approx(one * 2 * 1.08, rel=0.01)


def mps(replicas: int, count: int, job: str, memory: str = "1GiB", node: str = "") -> Outcome:
    config = f"version: v1\n      sharing: {{mps: {{resources: [{{name: nvidia.com/gpu, replicas: {replicas}}}]}}}}"
    return outcome(
        "{model: a100-80gb, count: 1}", config, pods(count, "nvidia.com/gpu", job, memory), node=node
    )


def test_an_mps_client_has_its_share_of_the_memory_and_no_more() -> None:
    found = mps(4, 4, "{kind: idle}", "20GiB")
    assert found.metrics["oomPods"] == 1  # four data sets fit, but the last context does not
    assert mps(4, 1, "{kind: idle}", "21GiB").metrics["oomPods"] == 1
    assert mps(4, 1, "{kind: idle}", "19GiB").metrics["oomPods"] == 0


def test_an_mps_client_is_as_slow_alone_as_its_share_of_the_threads() -> None:
    (alone,) = mps(4, 1, YOLOS).pods
    assert alone.slowdown == pytest.approx(soft_roofline(0.44, 4.0, EXPONENT), rel=1e-3)
    four = mps(4, 4, YOLOS).pods[0]
    assert four.slowdown == pytest.approx(soft_roofline(0.44, 4.0, EXPONENT) * 1.08, rel=1e-3)


def test_mps_clients_without_a_cap_share_by_demand() -> None:
    node = "    mps: {activeThreadPercentage: 100}\n"
    assert mps(7, 1, YOLOS, node=node).pods[0].slowdown == 1.0
    seven = mps(7, 7, YOLOS, node=node).pods[0].slowdown
    assert seven is not None
    assert 7 * 0.44 <= seven <= 1 + 6 * 0.44
    assert seven == pytest.approx(soft_roofline(0.44, 7.0, EXPONENT), rel=1e-3)


def test_an_mps_client_hardly_feels_one_that_is_hardly_there() -> None:
    busy = Job(JobKind.SERVICE, 100_000, 1.0, 0.6, clients=1)
    rare = Job(JobKind.SERVICE, 100_000, 1.0, 0.6, rate_per_s=0.01)
    small = Job(JobKind.SERVICE, 100_000, 1.0, 0.02, clients=1)
    law = Mps(100)
    assert law.rates((busy, rare)).jobs[0].speed_ppm > 0.999 * PPM
    assert law.rates((busy, small)).jobs[0].speed_ppm > 0.95 * PPM
    assert law.rates((small, busy, busy, busy)).jobs[0].speed_ppm > 0.95 * PPM


def test_one_mps_client_has_the_card_as_if_it_were_not_shared() -> None:
    for clients in (1, 4):
        job = Job(JobKind.SERVICE, 100_000, 0.8, 0.3, clients=clients)
        assert Mps(100).rates((job,)).jobs == Exclusive().rates((job,)).jobs


def test_mps_clients_of_different_size_share_one_card() -> None:
    """A large one and two small ones: nearly all of the card is used, and the large one gets what the small ones leave."""
    large = Job(JobKind.SERVICE, 200_000, 1.0, 1.0, clients=1)
    small = Job(JobKind.SERVICE, 20_000, 1.0, 0.3, clients=1)
    speeds = [rate.speed_ppm / PPM for rate in Mps(100).rates((large, small, small)).jobs]
    assert 0.95 < speeds[0] + 0.3 * sum(speeds[1:]) <= 1.0001
    assert 0.5 < speeds[0] < speeds[1] == speeds[2]


def test_caps_that_come_to_more_than_the_card_create_no_capacity() -> None:
    """Eight Pods that need four fifths of a card each are as slow with 90 % of the threads as without a cap."""
    job = Job(JobKind.SERVICE, 100_000, 1.0, 0.8, clients=1)
    capped, free = (Mps(percent).rates((job,) * 8).jobs[0].requests_u / PPM for percent in (90, 100))
    assert capped == free
    assert 8 * 0.8 * 0.1 * capped <= 1.0


@pytest.mark.parametrize("percent", [12, 50])
def test_caps_that_come_to_the_card_or_less_leave_nothing_to_compete_for(percent: int) -> None:
    """Beside neighbours of any size a client is as slow as its cap and what no cap divides make it."""
    job = Job(JobKind.SERVICE, 100_000, 1.0, 0.3, clients=1)
    beside = [
        Mps(percent).rates(
            (job,) + (Job(JobKind.SERVICE, 50_000, 1.0, demand, clients=1),) * (100 // percent - 1)
        )
        for demand in (0.1, 1.0)
    ]
    times = [PPM / rates.jobs[0].speed_ppm for rates in beside]
    assert times == pytest.approx([soft_roofline(0.3, 100 / percent, EXPONENT) * 1.08] * 2, rel=1e-4)


@pytest.mark.parametrize("mechanism", [Mps(25), Mig(MigShare("a quarter", 1, 4.0), Exclusive())])
def test_clients_of_one_pod_get_no_more_out_of_a_part_of_a_card_than_it_has(mechanism: Mechanism) -> None:
    """Eight clients keep a quarter of a card busy: it does a quarter of a card's work."""
    job = Job(JobKind.SERVICE, 100_000, 0.4, 0.4, clients=8)
    (rate,) = mechanism.rates((job,)).jobs
    assert 0.4 * 0.1 * rate.requests_u / PPM == pytest.approx(0.25, rel=0.01)
    alone = Exclusive().rates((job,)).jobs[0]
    assert rate.speed_ppm / PPM == pytest.approx(rate.requests_u / alone.requests_u, rel=1e-3)


def test_more_mps_replicas_than_the_daemon_takes_leave_the_node_without_gpus() -> None:
    found = mps(49, 1, "{kind: idle}")
    assert "invalid device maximum allowed replicas exceeded: 49 > 48" in str(found.nodes[0].error)
    assert str(found.pods[0].phase) == "Pending"


def test_a_soft_roofline_is_amdahl_at_exponent_1_and_hard_at_a_large_one() -> None:
    assert soft_roofline(0.5, 4.0, 1.0) == 2.5
    assert soft_roofline(0.5, 4.0, 60.0) == pytest.approx(2.0)
    assert soft_roofline(0.5, 1.0, 3.0) == soft_roofline(0.0, 9.0, 3.0) == 1.0


def test_a_mig_share_counts_sms_three_quarters_and_memory_a_quarter() -> None:
    model = builtin_catalog().get("a100-80gb")
    profile = model.mig_profile("1g.10gb")
    assert profile is not None
    assert mig_share(model, profile).times_less == pytest.approx(0.75 * 108 / 14 + 0.25 * 8)


def test_a_training_job_on_a_mig_device_takes_as_many_times_longer_as_its_slowdown_says() -> None:
    found = outcome(
        "{model: a100-40gb, count: 1, mig: [3g.20gb]}", MIG_MIXED, pods(1, "nvidia.com/mig-3g.20gb", TRAINING)
    )
    (pod,) = found.pods
    assert pod.slowdown is not None
    assert pod.finished_at is not None
    assert pod.slowdown > 1
    assert pod.finished_at == pytest.approx(10 * pod.slowdown, rel=1e-4)


def test_nobody_at_work_leaves_a_card_under_mps_idle() -> None:
    rates = Mps(100).rates(())
    assert (rates.jobs, rates.busy_ppm) == ((), 0)
