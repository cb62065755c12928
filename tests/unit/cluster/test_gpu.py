"""Node files: what they may say, and what is said about those that say something else."""

from __future__ import annotations

import pytest

from labs.cluster.gpu import NodeFileError, PhysicalGpu, read_node_file

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
    ("text", "place", "words"),
    [
        ("", None, "a node file is a map"),
        ("- 1", (1, 1), "a node file is a map"),
        ("gpus: 3", (1, 7), "gpus is a list of GPUs"),
        ("a: 3", (1, 4), '"a" is no node'),
        ("gpus: [{name: T4}]", (1, 8), "the GPU has no memoryMiB and no computeCapability"),
        (f"gpus:\n  - {T4[:-1]}, memory: 1}}", (2, 66), 'did you mean "memoryMiB"?'),
        ('gpus: [{name: T4, memoryMiB: -1, computeCapability: "7.5"}]', (1, 30), "whole number above 0"),
        ("gpus: [{name: T4, memoryMiB: 1, computeCapability: 8}]", (1, 52), "two numbers with a point"),
        (f"gpus: [{T4[:-1]}, mig: 1g.5gb}}]", (1, 74), "mig is a list of profiles"),
        ("gpus: [", (1, 8), "did not find expected node content"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, place: tuple[int, int] | None, words: str) -> None:
    with pytest.raises(NodeFileError) as caught:
        read_node_file(text)

    position = caught.value.position
    assert (None if position is None else (position.line, position.column)) == place
    assert words in caught.value.message


@pytest.mark.parametrize(
    ("name", "words"),
    [(None, "choose one of a, b"), ("aa", 'did you mean "a"?'), ("zzz", "the file has a, b")],
)
def test_a_node_that_is_not_there_is_told_from_those_that_are(name: str | None, words: str) -> None:
    nodes = read_node_file(f"a: {{gpus: [{T4}]}}\nb: {{gpus: []}}")

    with pytest.raises(NodeFileError, match=words.replace("?", r"\?")):
        nodes.select(name)
