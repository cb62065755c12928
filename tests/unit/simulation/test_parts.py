"""MIG devices and MPS clients in a run: own memory, own speed, own trouble."""

from __future__ import annotations

from math import fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.hardware.catalog import builtin_catalog
from labs.simulation.evaluate import evaluate
from labs.simulation.exclusive import Exclusive
from labs.simulation.mechanism import PPM, soft_roofline
from labs.simulation.mig_share import mig_share
from labs.simulation.mps import EXPONENT, Mps
from labs.simulation.outcome import Outcome
from labs.simulation.scenario import Job, JobKind

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


CLIENTS = st.builds(
    lambda kind, solo, residency, share, clients, rate: Job(
        kind,
        solo,
        residency,
        round(residency * share, 3),
        0.5 if kind is JobKind.TRAINING else 0.0,
        100 if kind is JobKind.TRAINING else 0,
        rate if kind is JobKind.SERVICE else None,
        0 if kind is JobKind.TRAINING or rate is not None else clients,
    ),
    st.sampled_from([JobKind.SERVICE, JobKind.TRAINING]),
    st.integers(1_000, 1_000_000),
    st.integers(1, 100).map(lambda percent: percent / 100),
    st.floats(0, 1),
    st.integers(1, 5),
    st.none() | st.floats(0.1, 20),
)


@given(st.lists(CLIENTS, min_size=1, max_size=6), st.sampled_from([10, 30, 100]))
def test_mps_clients_take_no_more_than_the_card_and_are_no_faster_than_alone(
    jobs: list[Job], percent: int
) -> None:
    told = Mps(percent).rates(jobs).jobs
    used = fsum(
        job.demand * job.solo_time_us * rate.requests_u / PPM / PPM
        if job.kind is JobKind.SERVICE
        else job.demand * rate.speed_ppm / PPM
        for job, rate in zip(jobs, told, strict=True)
    )
    if percent == 100:
        assert used <= 1.0001
    for job, rate in zip(jobs, told, strict=True):
        alone = Exclusive().rates((job,)).jobs[0]
        assert rate.speed_ppm <= alone.speed_ppm + 2
        assert rate.requests_u <= alone.requests_u + 2


@given(st.lists(CLIENTS, min_size=1, max_size=4), st.integers(1, 3))
def test_copies_more_make_no_mps_client_faster(jobs: list[Job], more: int) -> None:
    law = Mps(100)
    for job in jobs:
        few, many = law.rates((job,) * 2).jobs[0], law.rates((job,) * (2 + more)).jobs[0]
        assert many.speed_ppm <= few.speed_ppm + 2
        assert many.requests_u <= few.requests_u + 2


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


@pytest.mark.parametrize("percent", [7, 25, 50, 100])
def test_an_mps_job_is_never_faster_with_company(percent: int) -> None:
    job = Job(JobKind.TRAINING, 100_000, 0.9, 0.6, 0.5, 1000)
    law = Mps(percent)
    speeds = [law.rates((job,) * count).jobs[0].speed_ppm for count in range(1, 9)]
    assert speeds == sorted(speeds, reverse=True)
    assert law.rates(()).jobs == ()
