"""Node files: what they may say, and what is said about those that say something else."""

from __future__ import annotations

import pytest

from labs.cluster.gpu import PhysicalGpu, UnknownNodeError, read_node_file
from labs.config.own.problem import ProblemsError

T4 = '{name: Tesla T4, memoryMiB: 15360, computeCapability: "7.5"}'


def test_a_file_may_be_one_node() -> None:
    nodes = read_node_file(f"gpus: [{T4}]")

    assert nodes.select(None) == (PhysicalGpu("Tesla T4", 15360, (7, 5)),)


def test_a_file_may_name_its_nodes() -> None:
    nodes = read_node_file(f"a: {{gpus: [{T4}]}}\nb: {{gpus: []}}")

    assert (len(nodes.select("a")), nodes.select("b")) == (1, ())


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
