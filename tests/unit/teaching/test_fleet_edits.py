"""Another number of nodes where nodes stand beside the rollout: each a line like the others, and names follow everywhere."""

from __future__ import annotations

import pytest

from labs.library import builtin_library
from labs.simulation.scenario.reader import read_scenario
from labs.simulation.scenario.rollout.reader import is_beside_nodes
from labs.teaching.rollout_lab.edits import NodeFault, event_nodes, fault_of, node_names_of
from labs.teaching.rollout_lab.fleet_edits import fleet_size, with_fleet_size
from labs.teaching.rollout_lab.lab import RolloutLab

LIBRARY = builtin_library()
LABS = [lab for lab in LIBRARY.rollouts.values() if is_beside_nodes(lab.scenario)]
BLOCKS = """\
format: 1
seed: 1
horizon: 15m
nodes:
# the first
- name: node-1
  gpus:
    model: t4-16gb
    count: 1
# the second
- name: node-2
  gpus:
    model: t4-16gb
    count: 1
rollout:
  behaviour: [{nodes: [node-2], revisions: [r2], pod: init-stuck}]
  events: [{at: 0, template: r2}, {at: 9, cordon: node-1}]
faults: [{at: 5m, node: node-2, gpu: 0, kind: card-lost}]
workloads:
- {name: node-2, request: {nvidia.com/gpu: 1}, memory: 1GiB, job: {kind: idle}}
"""


def names(text: str) -> list[str]:
    return [node.name for node in read_scenario(text, LIBRARY.catalog).nodes]


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.id)
@pytest.mark.parametrize("size", [1, 2, 7, 9, 10, 11, 60, 100])
def test_any_number_of_nodes_makes_a_scenario(lab: RolloutLab, size: int) -> None:
    changed = with_fleet_size(lab.scenario, size)
    assert fleet_size(changed) == len(names(changed)) == len(set(names(changed))) == size
    assert tuple(names(changed)) == node_names_of(changed)


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.id)
def test_a_larger_fleet_and_back_is_the_text_that_was(lab: RolloutLab) -> None:
    size = fleet_size(lab.scenario)
    assert size is not None
    assert with_fleet_size(with_fleet_size(lab.scenario, 60), size) == lab.scenario


def test_names_follow_and_what_is_on_a_node_that_went_goes_too() -> None:
    drift = LIBRARY.rollouts["config-drift"].scenario
    few = with_fleet_size(drift, 4)
    assert (len(event_nodes(drift)), len(event_nodes(few))) == (3, 2)
    many = with_fleet_size(LIBRARY.rollouts["half-and-half"].scenario, 5)
    assert fault_of(many) == NodeFault("unknown-label", "node-5")


def test_nodes_of_several_lines_are_nodes_too_and_pods_keep_their_names() -> None:
    more = with_fleet_size(BLOCKS, 10)
    assert names(more) == [f"node-{number:02d}" for number in range(1, 11)]
    assert "# the first\n- name: node-01\n" in more
    assert "# the second\n- name: node-02\n" in more
    assert "node: node-02, gpu: 0" in more
    assert "- {name: node-2, request" in more
    one = with_fleet_size(BLOCKS, 1)
    assert names(one) == ["node-1"]
    assert "node: node-1, gpu: 0" in one


@pytest.mark.parametrize(
    "changed",
    [
        BLOCKS.replace("count: 1\n# the", "count: 2\n# the"),
        BLOCKS.replace("name: node-1\n", "name: node-7\n"),
        BLOCKS.replace("name: node-2\n", "name: 'node-2'\n"),
        BLOCKS.replace("name: node-1\n", "name: gpu-1\n"),
        BLOCKS.replace("name: node-1\n", "name: node-1   # not like the second\n"),
        "nodes: [{name: node-1}, {name: node-2}]\nrollout: {}\n",
        "nodes: []\nrollout: {}\n",
        "nodes:\n- a\n- b\nrollout: {}\n",
        "nodes:\n- &one {name: node-1}\n- *one\nrollout: {}\n",
    ],
)
def test_nodes_that_are_not_alike_stay_as_they_are(changed: str) -> None:
    assert fleet_size(changed) is None
    assert with_fleet_size(changed, 5) == changed
