"""What holds of every change of MIG layouts, whatever the scenario; counted from the Trace alone."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from labs.simulation.trace import (
    CardOffered,
    ContainerExited,
    ContextAllocated,
    MigLayoutChanged,
    MigModeSwitched,
    MigStateChanged,
    NodeCordoned,
    NodeRecord,
    NodeUncordoned,
    PodCreated,
    PodEvicted,
    PodScheduled,
    Record,
    SlotAllocated,
)
from tests.property.random_scenarios import scenarios
from tests.random_sample import examples
from tests.unit.scenarios import outcome

MANY = settings(max_examples=examples(30))
LONGEST_US = 35_000_000
cut_scenarios = st.deferred(lambda: scenarios(cut=True))


def told(text: str) -> tuple[Record, ...]:
    return outcome(text).trace.records


@MANY
@given(cut_scenarios)
def test_every_change_comes_to_one_end(text: str) -> None:
    """Success or failure, in order, within the longest time that a change takes; or the run ends before."""
    result = outcome(text)
    waiting: dict[str, int] = {}
    ends: Counter[str] = Counter()
    for record in result.trace.records:
        if not isinstance(record, MigStateChanged):
            continue
        node = record.node
        if record.state == "pending":
            assert node not in waiting
            waiting[node] = record.at_us
        else:
            assert record.at_us - waiting.pop(node) <= LONGEST_US
            ends[record.state] += 1
    for began in waiting.values():
        assert result.scenario.horizon_us - began <= LONGEST_US
    found = Counter(str(config.state) for config in result.mig_configs)
    assert +found == +(ends + Counter({"pending": len(waiting)}))


@MANY
@given(cut_scenarios)
def test_a_layout_changes_only_in_a_change_that_succeeds(text: str) -> None:
    pending: set[str] = set()
    changed: set[str] = set()
    outside, failed = [], []
    for record in told(text):
        if not isinstance(record, NodeRecord):
            continue
        node = record.node
        if isinstance(record, MigLayoutChanged):
            outside += [record] * (node not in pending)
            changed.add(node)
        elif isinstance(record, MigStateChanged) and record.state == "pending":
            pending.add(node)
        elif isinstance(record, MigStateChanged):
            pending.discard(node)
            failed += [record] * (record.state != "success" and node in changed)
            changed.discard(node)
    assert (outside, failed) == ([], [])


@MANY
@given(cut_scenarios)
def test_nobody_is_on_a_node_that_is_cut(text: str) -> None:
    """No process has a context when MIG mode is switched or the layout changes: nobody is moved.

    A container that has not used its GPU yet is in nobody's way.
    """
    inside: dict[str, str] = {}
    moved = []
    for record in told(text):
        if isinstance(record, ContextAllocated):
            inside[record.pod] = record.node
        elif isinstance(record, ContainerExited):
            inside.pop(record.pod, None)
        elif isinstance(record, MigModeSwitched | MigLayoutChanged):
            moved += [record] * (record.node in inside.values())
    assert moved == []


@MANY
@given(cut_scenarios)
def test_nothing_is_placed_where_the_plugin_is_away_or_the_node_is_drained(text: str) -> None:
    closed: Counter[str] = Counter()
    misplaced = []
    for record in told(text):
        if isinstance(record, PodScheduled):
            misplaced += [record] * bool(closed[record.node])
        elif isinstance(record, NodeCordoned):
            closed[record.node] += 1
        elif isinstance(record, NodeUncordoned):
            closed[record.node] -= 1
        elif isinstance(record, MigStateChanged):
            closed[record.node] += 1 if record.state == "pending" else -1
    assert misplaced == []


@MANY
@given(cut_scenarios)
def test_no_process_is_on_a_device_of_another_layout(text: str) -> None:
    present: dict[str, set[int]] = {}
    astray = []
    for record in told(text):
        if isinstance(record, MigLayoutChanged):
            present[record.node] = set()
        elif isinstance(record, CardOffered):
            present.setdefault(record.node, set()).add(record.gpu)
        elif isinstance(record, ContextAllocated | SlotAllocated):
            astray += [record] * (record.gpu not in present[record.node])
    assert astray == []


@MANY
@given(cut_scenarios)
def test_pods_are_conserved(text: str) -> None:
    """Who is evicted comes back as one Pod, only a drain evicts, and nobody is made or lost by a change."""
    result = outcome(text)
    drained: set[str] = set()
    created: Counter[str] = Counter()
    for record in result.trace.records:
        if isinstance(record, PodCreated):
            created[record.pod] += 1
        elif isinstance(record, NodeCordoned):
            drained.add(record.node)
        elif isinstance(record, NodeUncordoned):
            drained.discard(record.node)
        elif isinstance(record, PodEvicted):
            assert record.node in drained
    assert created == Counter(pod.name for pod in result.pods)
