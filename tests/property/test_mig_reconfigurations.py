"""What holds of every change of MIG layouts, whatever the scenario; counted from the Trace alone."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from labs.simulation.trace.trace import Happening, Record
from tests.property.random_scenarios import scenarios
from tests.unit.scenarios import outcome

MANY = settings(max_examples=60)
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
        node = record.node or ""
        if record.what is not Happening.MIG_STATE:
            continue
        if record.reason == "pending":
            assert node not in waiting
            waiting[node] = record.at_us
        else:
            assert record.at_us - waiting.pop(node) <= LONGEST_US
            ends[record.reason or ""] += 1
    for began in waiting.values():
        assert result.scenario.horizon_us - began <= LONGEST_US
    found = Counter(str(config.state) for config in result.mig_configs)
    assert +found == +(ends + Counter({"pending": len(waiting)}))


@MANY
@given(cut_scenarios)
def test_a_layout_changes_only_in_a_change_that_succeeds(text: str) -> None:
    pending: set[str] = set()
    changed: set[str] = set()
    for record in told(text):
        node = record.node or ""
        if record.what is Happening.MIG_LAYOUT:
            assert node in pending
            changed.add(node)
        elif record.what is Happening.MIG_STATE and record.reason == "pending":
            pending.add(node)
        elif record.what is Happening.MIG_STATE:
            pending.discard(node)
            assert record.reason == "success" or node not in changed
            changed.discard(node)


@MANY
@given(cut_scenarios)
def test_nobody_is_on_a_node_that_is_cut(text: str) -> None:
    """No process has a context when MIG mode is switched or the layout changes: nobody is moved.

    A container that has not used its GPU yet is in nobody's way.
    """
    inside: dict[str, str] = {}
    for record in told(text):
        if record.what is Happening.CONTEXT_ALLOCATED:
            inside[record.pod or ""] = record.node or ""
        elif record.what is Happening.CONTAINER_EXITED:
            inside.pop(record.pod or "", None)
        elif record.what in (Happening.MIG_MODE, Happening.MIG_LAYOUT):
            assert record.node not in inside.values()


@MANY
@given(cut_scenarios)
def test_nothing_is_placed_where_the_plugin_is_away_or_the_node_is_drained(text: str) -> None:
    closed: Counter[str] = Counter()
    for record in told(text):
        node = record.node or ""
        if record.what is Happening.POD_SCHEDULED:
            assert not closed[node]
        elif record.what is Happening.NODE_CORDONED:
            closed[node] += 1
        elif record.what is Happening.NODE_UNCORDONED:
            closed[node] -= 1
        elif record.what is Happening.MIG_STATE:
            closed[node] += 1 if record.reason == "pending" else -1


@MANY
@given(cut_scenarios)
def test_no_process_is_on_a_device_of_another_layout(text: str) -> None:
    present: dict[str, set[int]] = {}
    for record in told(text):
        node = record.node or ""
        if record.what is Happening.MIG_LAYOUT:
            present[node] = set()
        elif record.what is Happening.CARD_OFFERED:
            present.setdefault(node, set()).add(record.gpu or 0)
        elif record.what in (Happening.CONTEXT_ALLOCATED, Happening.SLOT_ALLOCATED):
            assert record.gpu in present[node]


@MANY
@given(cut_scenarios)
def test_pods_are_conserved(text: str) -> None:
    """Who is evicted comes back as one Pod, only a drain evicts, and nobody is made or lost by a change."""
    result = outcome(text)
    drained: set[str] = set()
    created: Counter[str] = Counter()
    for record in result.trace.records:
        if record.what is Happening.POD_CREATED:
            created[record.pod or ""] += 1
        elif record.what is Happening.NODE_CORDONED:
            drained.add(record.node or "")
        elif record.what is Happening.NODE_UNCORDONED:
            drained.discard(record.node or "")
        elif record.what is Happening.POD_EVICTED:
            assert record.node in drained
    assert created == Counter(pod.name for pod in result.pods)
