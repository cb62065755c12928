"""Edits of a rollout scenario's text: what somebody does, what goes wrong, how many nodes; the rest of the text stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.simulation.scenario.rollout.reader import read_rollout
from labs.teaching.rollout_lab.edits import (
    FAILURES,
    NO_FAILURE,
    UNKNOWN_LABEL,
    NodeFault,
    event_nodes,
    fault_of,
    node_names_of,
    with_event,
    with_fault,
    with_revision,
    without_event,
)
from labs.teaching.rollout_lab.fleet_edits import fleet_size, with_fleet_size

TEXT = """\
format: 1
rollout:
  nodes: 10                     # the fleet
  behaviour:
    - {nodes: [node-05], revisions: [r2], pod: init-stuck}   # one fails
  events:
    - {at: 0, template: r2}     # new
    - at: 90
      configMap:
        config: |
          version: v1
    # the end
  until: 900
"""
FLOW = "rollout: {nodes: 3, events: [{at: 0, template: r2}, {at: 5, undo: true}]}\n"
NONE = "rollout:\n  nodes: 3"
TEXTS = pytest.mark.parametrize("text", [TEXT, FLOW, NONE])


@TEXTS
def test_an_event_that_is_added_and_taken_back_leaves_the_same_rollout(text: str) -> None:
    added = with_event(text, "{at: 60, cordon: node-1}" if "10" not in text else "{at: 60, cordon: node-01}")
    assert len(event_nodes(added)) == len(event_nodes(text)) + 1
    assert len(read_rollout(added).events) == len(event_nodes(added))
    back = without_event(added, len(event_nodes(text)))
    assert read_rollout(back) == read_rollout(text)


def test_an_event_comes_behind_the_last_and_comments_stay() -> None:
    added = with_event(TEXT, "{at: 60, repair: node-05}")
    assert added.replace("    - {at: 60, repair: node-05}\n", "") == TEXT
    assert added.index("version: v1") < added.index("repair") < added.index("# the end")


@TEXTS
def test_without_all_its_events_a_scenario_still_reads(text: str) -> None:
    for _ in event_nodes(text):
        text = without_event(text, 0)
    assert event_nodes(text) == ()
    assert read_rollout(text).events == ()
    assert without_event(text, 0) == text


@TEXTS
@pytest.mark.parametrize("failure", [failure for failure in FAILURES if failure != UNKNOWN_LABEL])
def test_what_goes_wrong_is_read_back_as_it_was_written(text: str, failure: str) -> None:
    node = node_names_of(text)[1]
    changed = with_fault(text, NodeFault(failure, node))
    assert fault_of(changed) == (NodeFault(failure, node) if failure != NO_FAILURE else fault_of(changed))
    rollout = read_rollout(changed)
    assert len(rollout.behaviours) + len(rollout.before) == (failure != NO_FAILURE)
    healthy = with_fault(changed, NodeFault(NO_FAILURE, node))
    assert (read_rollout(healthy).behaviours, read_rollout(healthy).before) == ((), ())


@pytest.mark.parametrize(
    "faulty",
    [
        "{nodes: all, revisions: [r2], pod: init-stuck}",
        "{nodes: [node-1, node-2], revisions: [r2], pod: init-stuck}",
        "{nodes: [node-1], revisions: [r2], pod: pending}, {nodes: [node-2], revisions: [r2], pod: pending}",
    ],
)
def test_more_than_one_thing_on_one_node_is_nothing_that_the_form_says(faulty: str) -> None:
    text = f"rollout:\n  nodes: 3\n  behaviour: [{faulty}]\n"
    assert fault_of(text) is None
    assert with_fault(text, NodeFault("pending", "node-1")) == text


def test_names_follow_the_number_of_nodes_and_what_is_on_a_node_that_went_goes_too() -> None:
    text = with_event(TEXT, "{at: 99, cordon: node-09}")
    smaller = with_fleet_size(text, 9)
    assert (fault_of(smaller), len(event_nodes(smaller))) == (NodeFault("init-stuck", "node-5"), 3)
    assert "cordon: node-9}" in smaller
    few = with_fleet_size(text, 4)
    assert (fault_of(few), len(event_nodes(few))) == (NodeFault("init-stuck", "node-4"), 2)
    assert with_fleet_size(with_fleet_size(TEXT, 60), 10) == TEXT


@given(st.integers(1, 200))
def test_any_number_of_nodes_makes_a_scenario(size: int) -> None:
    changed = with_fleet_size(TEXT, size)
    assert fleet_size(changed) == len(read_rollout(changed).nodes) == len(node_names_of(changed)) == size


@pytest.mark.parametrize("text", ["", "a", "[1", "rollout: 5", "rollout: [a]", "- 1", "rollout: {nodes: x}"])
def test_a_text_that_is_no_such_scenario_stays_as_it_is(text: str) -> None:
    assert fault_of(text) is None
    assert (event_nodes(text), node_names_of(text)) == ((), ())
    assert with_fault(text, NodeFault("pending", "node-1")) == text
    assert with_fleet_size(text, 5) == text
    assert without_event(text, 0) == text


def test_a_revision_is_added_only_where_revisions_carry_something() -> None:
    assert with_revision(TEXT, "r3", "{config: a}") == TEXT
    carrying = 'rollout:\n  nodes: 1\n  revisions:\n    r1: {config: "version: v1"}\n'
    added = with_revision(carrying, "r2", '{config: "version: v1"}')
    assert [name for name, _ in read_rollout(added).config_maps] == ["r1", "r2"]
    assert with_revision(added, "r2", "{config: other}") == added
