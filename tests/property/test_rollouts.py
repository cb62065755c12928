"""Laws of every rollout: the budget, the way back, convergence, the accounting of what nodes offer."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from labs.cluster.daemonset.spec import budgets as counted
from labs.hardware.units import SECOND_US
from labs.library import builtin_library
from labs.simulation.outcome.moment.moments import snapshot
from labs.simulation.outcome.rollout.halt import is_halted
from labs.simulation.outcome.rollout.metrics import slots_offered
from labs.simulation.outcome.rollout.moments import fleet_moments, fleet_snapshots
from labs.simulation.outcome.rollout.notes import had_no_effect, rollout_notes
from labs.simulation.outcome.rollout.snapshot import FleetSnapshot
from labs.simulation.outcome.totals import outcome_of
from labs.simulation.scenario.reader import read_scenario
from labs.simulation.scenario.rollout.reader import read_rollout
from labs.simulation.scenario.rollout.rollout import Action, NoEffect, Rollout
from labs.simulation.trace import (
    AdmissionFailed,
    AllocatableChanged,
    ContainerExited,
    KubectlPrinted,
    PodEvicted,
    PodFailed,
    PodGone,
    PodScheduled,
    RolloutEnded,
    RolloutRecord,
    SlotAllocated,
    SpecRefused,
    Trace,
)
from labs.simulation.world.rollout.world import RolloutEnd, run_rollout
from labs.simulation.world.run import run
from tests.property.random_rollouts import (
    actions,
    all_actions,
    fleets,
    names,
    scenarios,
    silences,
    trouble,
)
from tests.random_sample import examples
from tests.some import some

SAID = (KubectlPrinted, SpecRefused)


def played(rollout: dict[str, Any]) -> tuple[RolloutEnd, list[FleetSnapshot]]:
    """The end of a rollout, and the fleet at every moment."""
    found = read_rollout(yaml.safe_dump({"rollout": rollout}))
    end = run_rollout(found)
    return end, list(fleet_snapshots(found, end.trace, fleet_moments(found, end.trace)))


@given(st.data())
def test_unavailable_nodes_are_never_more_than_the_budget(data: st.DataObject) -> None:
    """Where all old Pods are available: those that are not go outside the budget."""
    fleet = data.draw(fleets(surge=False))
    count = fleet["nodes"]
    behaviour = data.draw(trouble(count))
    end, moments = played({**fleet, "behaviour": behaviour, "events": [{"at": 0, "template": "r2"}]})
    budget, _ = counted(end.spec.strategy, count)
    for fleet_then in moments:
        assert sum(not node.is_available for node in fleet_then.nodes) <= budget
    stuck = sum(pod.revision == "r2" and not pod.ready for node in end.nodes for pod in node.pods)
    assert stuck <= budget
    if len(behaviour) < budget:
        assert end.status.updated == count


@given(st.data())
def test_with_surge_no_node_is_ever_without_an_available_pod(data: st.DataObject) -> None:
    fleet = data.draw(fleets().filter(lambda found: "maxSurge" in found["updateStrategy"]["rollingUpdate"]))
    behaviour = data.draw(trouble(fleet["nodes"]))
    _, moments = played({**fleet, "behaviour": behaviour, "events": [{"at": 0, "template": "r2"}]})
    for fleet_then in some(moments):
        assert all(any(pod.available for pod in node.pods) for node in fleet_then.nodes)


@given(st.data(), st.integers(1, 90))
def test_an_undone_rollout_ends_where_it_began(data: st.DataObject, undone_at: int) -> None:
    fleet = data.draw(fleets())
    events = [{"at": 0, "template": "r2"}, {"at": undone_at, "undo": True}]
    end, moments = played({**fleet, "behaviour": data.draw(trouble(fleet["nodes"])), "events": events})
    assert end.settled
    assert moments[-1].is_done
    assert {pod.revision for node in end.nodes for pod in node.pods} == {"r1"}
    assert end.status == moments[0].status
    assert [len(node.pods) for node in end.nodes] == [1] * fleet["nodes"]


@given(st.data())
def test_a_healthy_fleet_always_converges(data: st.DataObject) -> None:
    """Whatever is done to it, on the last template: that replaces Pods that stay not Ready."""
    fleet = data.draw(fleets())
    count = fleet["nodes"]
    end, moments = played({**fleet, "events": [*data.draw(actions(count)), {"at": 90, "template": "r9"}]})
    assert end.settled
    assert moments[-1].is_done
    assert (end.status.desired, end.status.updated, end.status.available) == (count, count, count)
    assert all(node.trouble is None for node in moments[-1].nodes)


@settings(max_examples=examples(40))
@given(st.data())
def test_an_event_is_noted_where_and_only_where_nothing_comes_of_it(data: st.DataObject) -> None:
    """Without it the fleet is the same at every moment; what kubectl says to `undo`, and to a refused budget, is told.

    By name: an action lets the controller look once more, which draws another order.
    """
    fleet = {**data.draw(fleets()), "order": "name"}
    count = fleet["nodes"]
    events = data.draw(all_actions(count))
    scenario = {**fleet, "until": 380, "events": events}
    rollout = read_rollout(json.dumps({"rollout": scenario}))
    trace = run_rollout(rollout).trace
    told = rollout_notes(rollout, trace.rollout)  # a label that nothing reads is there all the same
    notes, times = (
        [note for note in told if note.why is not NoEffect.NO_MANAGER],
        fleet_moments(rollout, trace),
    )
    said = {record.at_us for record in trace.rollout if isinstance(record, SAID)}
    for event in some(rollout.events):
        kept = [other for other in events if other["at"] * SECOND_US != event.at_us]
        other = read_rollout(
            json.dumps({"rollout": {**scenario, "events": [*kept, {"at": 402, "addNode": "late"}]}})
        )
        is_same = seen(rollout, trace, times) == seen(other, run_rollout(other).trace, times)
        is_said = event.action in (Action.UNDO, Action.PATCH) and event.at_us in said
        assert is_same is had_no_effect(event, notes) or (is_same and is_said), event


def seen(rollout: Rollout, trace: Trace, times: tuple[int, ...]) -> list[FleetSnapshot]:
    """The fleet at some times, without what is said of it; Pods have other names where another one has come before."""
    return [
        replace(
            fleet,
            events=(),
            settled=False,
            nodes=tuple(
                replace(node, pods=tuple(replace(pod, seen=replace(pod.seen, name="")) for pod in node.pods))
                for node in fleet.nodes
            ),
        )
        for fleet in fleet_snapshots(rollout, trace, times)
    ]


@given(scenarios())
def test_what_nodes_offer_adds_up_and_no_rollout_ends_a_pod(given_scenario: dict[str, Any]) -> None:
    scenario = read_scenario(yaml.safe_dump(given_scenario, sort_keys=False), builtin_library().catalog)
    trace = run(scenario)
    assert trace.hash() == run(scenario).hash()
    rollout = scenario.rollout
    assert rollout is not None
    requests = {name: dict(work.request) for work in scenario.workloads for name in work.pod_names()}
    allocatable: dict[tuple[str, str], int] = {}
    requested: Counter[tuple[str, str]] = Counter()
    for record in trace.records:
        assert not isinstance(record, ContainerExited | PodEvicted | PodFailed)
        if isinstance(record, AllocatableChanged):
            allocatable[record.node, record.resource] = record.count
        if isinstance(record, PodScheduled | AdmissionFailed):
            sign = 1 if isinstance(record, PodScheduled) else -1
            for resource, units in requests[record.pod].items():
                requested[record.node, resource] += sign * units
                if sign > 0:
                    assert requested[record.node, resource] <= allocatable[record.node, resource]
    for found in fleet_snapshots(rollout, trace, fleet_moments(rollout, trace), scenario):
        for node in found.nodes:
            for offer in node.offers:
                assert 0 <= offer.allocatable <= offer.capacity
                assert offer.requested >= 0


@given(scenarios())
def test_the_slots_told_and_drawn_are_those_that_are_allocatable(given_scenario: dict[str, Any]) -> None:
    """By the metric, the table, the picture of cards and the fleet, at every moment; also while a plugin is away."""
    scenario = read_scenario(yaml.safe_dump(given_scenario, sort_keys=False), builtin_library().catalog)
    rollout = scenario.rollout
    assert rollout is not None
    trace = run(scenario)
    found = outcome_of(scenario, trace)
    told = sum(units for node in found.nodes for _, units in node.resources)
    assert found.rollout is not None
    assert found.metrics["slots"] == told == slots_offered(found.rollout)
    times = fleet_moments(rollout, trace)[::5]
    for at_us, fleet in zip(times, fleet_snapshots(rollout, trace, times, scenario), strict=True):
        cards = snapshot(scenario, trace, at_us).nodes
        assert {node.name: sum(card.slot_count for card in node.cards) for node in cards} == {
            node.name: sum(offer.allocatable for offer in node.offers) for node in fleet.nodes
        }
        assert {node.name: sum(card.taken for card in node.cards) for node in cards} == {
            node.name: sum(min(offer.allocatable, offer.requested) for offer in node.offers)
            for node in fleet.nodes
        }


@given(scenarios(), st.data())
def test_whatever_nodes_do_no_pod_is_lost_or_there_twice(
    given_scenario: dict[str, Any], data: st.DataObject
) -> None:
    """As many Pods of a workload as it has are there besides those that are being deleted, and no device has two of them."""
    count = len(given_scenario["nodes"])
    more = {
        "events": data.draw(silences(count)),
        "rebootSeconds": data.draw(st.sampled_from([1, 30, 120, 600])),
    }
    works = [
        {**work, "tolerationSeconds": data.draw(st.sampled_from([0, 100, 300]))}
        for work in given_scenario["workloads"]
    ]
    rollout = {**given_scenario["rollout"], "behaviour": [], **more}
    text = yaml.safe_dump(
        {**given_scenario, "horizon": "20m", "workloads": works, "rollout": rollout}, sort_keys=False
    )
    scenario = read_scenario(text, builtin_library().catalog)
    trace = run(scenario)
    assert trace.hash() == run(scenario).hash()
    found = outcome_of(scenario, trace)
    there = Counter(pod.workload for pod in found.pods if pod.reason != "Terminating")
    assert there == {work.name: work.count for work in scenario.workloads}
    assert len({pod.name for pod in found.pods}) == len(found.pods)
    assert found.metrics["slots"] == sum(units for node in found.nodes for _, units in node.resources)
    silent = {node.name for node in found.rollout.nodes if node.down} if found.rollout else set()
    for pod in found.pods:
        assert pod.reason != "Terminating" or pod.node in silent
    holders: dict[tuple[str, int, int], str] = {}
    for record in trace.records:
        if isinstance(record, SlotAllocated):
            holders[record.node, record.gpu, record.slot] = record.pod
        elif isinstance(record, PodGone | PodEvicted | AdmissionFailed):
            holders = {key: pod for key, pod in holders.items() if pod != record.pod}
    assert set(holders.values()) <= {pod.name for pod in found.pods}
    for at_us in (
        (*fleet_moments(scenario.rollout, trace)[::7], scenario.horizon_us) if scenario.rollout else ()
    ):
        for node in snapshot(scenario, trace, at_us).nodes:
            for card in node.cards:
                assert card.held_bytes <= card.total_bytes


@given(scenarios())
def test_a_rollout_beside_workloads_ends_as_it_would_alone(given_scenario: dict[str, Any]) -> None:
    """Nodes' cards and the workloads on them change nothing for the DaemonSet."""
    full = read_scenario(yaml.safe_dump(given_scenario, sort_keys=False), builtin_library().catalog)
    assert full.rollout is not None
    alone = replace(full.rollout, until_us=full.horizon_us - 1)
    assert told(run(full).rollout) == told(run_rollout(alone).trace.rollout)


def told(records: tuple[RolloutRecord, ...]) -> list[RolloutRecord]:
    """All but the end, which has another time."""
    return [record for record in records if not isinstance(record, RolloutEnded)]


@given(st.data())
def test_a_rollout_that_has_stopped_goes_no_further_before_somebody_acts(data: st.DataObject) -> None:
    """No node becomes updated, but one whose Pod is created anew and fails, and `kubectl rollout status` does not end."""
    fleet = data.draw(fleets())
    nodes = names(fleet["nodes"])
    crash = st.fixed_dictionaries(
        {"nodes": st.sampled_from(nodes).map(lambda name: [name]), "revisions": st.just(["r2"])},
        optional={"readyAfterSeconds": st.sampled_from([2, 20, 90])},
    ).map(lambda found: {**found, "pod": "crash-loop", "runSeconds": 3})
    state = st.sampled_from(["down", "broken", "tainted"])
    repair = st.integers(20, 60).flatmap(
        lambda at_s: st.sampled_from(nodes).map(lambda name: {"at": at_s, "repair": name})
    )
    events = [
        {"at": 0, "template": "r2"},
        *data.draw(actions(len(nodes))),
        *data.draw(st.lists(repair, max_size=1)),
    ]
    states = data.draw(st.lists(state, max_size=1))
    rollout = {
        **fleet,
        "behaviour": [*data.draw(trouble(len(nodes))), *data.draw(st.lists(crash, max_size=1))],
        "before": [{"nodes": nodes[:1], "state": found} for found in states],
        "events": events,
    }
    end, moments = played(rollout)
    read = read_rollout(yaml.safe_dump({"rollout": rollout}))
    ended, further = [], []
    for place, fleet_then in enumerate(moments):
        if not is_halted(read, fleet_then):
            continue
        anew = {node.name for node in fleet_then.nodes if node.fails_anew}
        later_us = (event.at_us for event in read.events if event.at_us > fleet_then.at_us)
        next_us = min(later_us, default=end.at_us + 1)
        for later in moments[place + 1 :]:
            if later.at_us < next_us:
                ended += [later] * later.is_done
                further += [updated(later) - updated(fleet_then) - anew]
    assert ended == []
    assert not any(further)


def updated(fleet: FleetSnapshot) -> set[str]:
    """The nodes that should run the DaemonSet and have a new Pod as the one that counts."""
    return {node.name for node in fleet.nodes if node.should_run and node.is_updated}
