"""Node files: what they may say, and what is said about those that say something else."""

from __future__ import annotations

import pytest

from labs.cluster.gpu import PhysicalGpu, UnknownNodeError, read_node_file
from labs.cluster.sample_nodes import SAMPLE_NODES
from labs.config.own.problem import ProblemsError

T4 = '{name: Tesla T4, memoryMiB: 15360, computeCapability: "7.5"}'


def test_a_file_may_be_one_node() -> None:
    nodes = read_node_file(f"gpus: [{T4}]")

    assert nodes.select(None) == (PhysicalGpu("Tesla T4", 15360, (7, 5)),)


def test_a_file_may_name_its_nodes() -> None:
    nodes = read_node_file(f"a: {{gpus: [{T4}]}}\nb: {{gpus: []}}")

    assert (len(nodes.select("a")), nodes.select("b")) == (1, ())


def gpus(count: int = 1, mib: int = 15360, devices: int = 1) -> str:
    mig = f"[{', '.join(['1g.5gb'] * devices)}]"
    one = f'{{name: a, memoryMiB: {mib}, computeCapability: "8.0", mig: {mig}}}'
    return f"gpus: [{', '.join([one] * count)}]"


@pytest.mark.parametrize(
    ("text", "count"),
    [(gpus(1), 1), (gpus(1_000), 1_000), (gpus(mib=1), 1), (gpus(mib=2**30), 1), (gpus(devices=64), 1)],
)
def test_a_node_has_up_to_1000_gpus_of_up_to_64_mig_devices_and_one_pebibyte(text: str, count: int) -> None:
    assert len(read_node_file(text).select(None)) == count


@pytest.mark.parametrize("text", [gpus(1_001), gpus(mib=0), gpus(mib=2**30 + 1), gpus(devices=65)])
def test_a_node_has_no_more_than_that(text: str) -> None:
    with pytest.raises(ProblemsError) as caught:
        read_node_file(text)
    assert len(caught.value.problems) == 1


@pytest.mark.parametrize("key", ["name", "memoryMiB", "computeCapability", "mig"])
def test_a_key_written_wrong_is_told_with_the_one_that_is_meant(key: str) -> None:
    with pytest.raises(ProblemsError) as caught:
        read_node_file(f"gpus: [{T4[:-1]}, {key}s: 1}}]")
    assert [problem.values["near"] for problem in caught.value.problems] == [key]


def test_the_nodes_to_try_a_config_on() -> None:
    nodes = {
        name: [(gpu.name, gpu.memory_mib, gpu.mig) for gpu in gpus] for name, gpus in SAMPLE_NODES.items()
    }
    a100 = ("NVIDIA A100-SXM4-40GB", 40960)
    assert nodes == {
        "a100-40gb-x4": [(*a100, None)] * 4,
        "t4-x1": [("Tesla T4", 15360, None)],
        "v100-16gb-x1": [("Tesla V100-SXM2-16GB", 16384, None)],
        "a100-40gb-mig-7x1g-x2": [(*a100, ("1g.5gb",) * 7)] * 2,
        "a100-40gb-mig-mixed": [(*a100, ("3g.20gb", "2g.10gb", "1g.5gb", "1g.5gb")), (*a100, None)],
    }
    assert {name: gpus[0].compute_capability for name, gpus in SAMPLE_NODES.items()} == {
        name: (8, 0) if "a100" in name else (7, 0) if "v100" in name else (7, 5) for name in SAMPLE_NODES
    }


def test_a_file_without_a_node_misses_its_gpus() -> None:
    with pytest.raises(ProblemsError) as caught:
        read_node_file("")
    assert [dict(problem.values) for problem in caught.value.problems] == [{"key": "gpus"}]


def test_mig_mode_without_devices_is_not_the_same_as_mig_mode_off() -> None:
    (gpu,) = read_node_file(f"gpus: [{T4[:-1]}, mig: []}}]").select(None)

    assert (gpu.mig, gpu.mig_enabled) == ((), True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [(1, 1, "missing-key")]),
        ("- 1", [(1, 1, "wrong-type")]),
        ("gpus: 3", [(1, 7, "wrong-type")]),
        ("a: 3", [(1, 4, "wrong-type")]),
        ("gpus: [{name: T4}]", [(1, 8, "missing-key"), (1, 8, "missing-key")]),
        (f"gpus:\n  - {T4[:-1]}, memory: 1}}", [(2, 66, "unknown-key-near")]),
        ('gpus: [{name: T4, memoryMiB: -1, computeCapability: "7.5"}]', [(1, 30, "out-of-range")]),
        ("gpus: [{name: T4, memoryMiB: 1, computeCapability: 8}]", [(1, 52, "bad-compute-capability")]),
        (f"gpus: [{T4[:-1]}, mig: 1g.5gb}}]", [(1, 74, "wrong-type")]),
        ("gpus: [", [(1, 8, "yaml")]),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, expected: list[tuple[int, int, str]]) -> None:
    with pytest.raises(ProblemsError) as caught:
        read_node_file(text)

    assert [(found.line, found.column, found.key) for found in caught.value.problems] == expected


@pytest.mark.parametrize("name", [None, "aa"])
def test_a_node_that_is_not_there_is_told_from_those_that_are(name: str | None) -> None:
    nodes = read_node_file(f"a: {{gpus: [{T4}]}}\nb: {{gpus: []}}")

    with pytest.raises(UnknownNodeError) as caught:
        nodes.select(name)

    assert (caught.value.name, caught.value.known) == (name, ("a", "b"))
