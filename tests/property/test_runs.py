"""What holds for every run, whatever the scenario; counted from the Trace alone, not from what reads it."""

from __future__ import annotations

import json
from collections import Counter, defaultdict

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from labs.hardware.catalog import builtin_catalog
from labs.hardware.units import PPM
from labs.simulation.outcome.moment.moments import MOMENTS_LIMIT, moments, snapshot
from labs.simulation.outcome.moment.snapshot import PHASES
from labs.simulation.outcome.outcome import Outcome
from labs.simulation.scenario.reader import read_scenario
from labs.simulation.scenario.scenario import JobKind
from labs.simulation.trace import (
    AdmissionFailed,
    AllocationFailed,
    CardBusy,
    CardOffered,
    ContainerExited,
    ContainerStarted,
    ContextAllocated,
    MemoryAllocated,
    MigDeviceListed,
    MigLayoutChanged,
    MigStateChanged,
    NodeAdvertised,
    NodeCordoned,
    NodeUncordoned,
    PodEvicted,
    PodFailed,
    PodRecord,
    PodSucceeded,
    Record,
    RunEnded,
    SlotAllocated,
    SpeedChanged,
)
from labs.simulation.world.run import run
from tests.property.random_scenarios import scenarios
from tests.random_sample import examples
from tests.some import some
from tests.unit.scenarios import outcome

LAST = PodSucceeded | PodFailed | AdmissionFailed
MANY = settings(max_examples=examples(35))


def usable_bytes(result: Outcome) -> dict[tuple[str, int], int]:
    """Bytes that every device of a run has, those of all MIG layouts."""
    whole = {node.name: node.usable_bytes for node in result.scenario.nodes}
    found = {
        (record.node, record.gpu): whole[record.node]
        for record in result.trace.records
        if isinstance(record, CardOffered)
    }
    for record in result.trace.records:
        if isinstance(record, MigDeviceListed):
            found[record.node, record.gpu] = record.size_bytes
    return found


def first_devices(result: Outcome) -> dict[str, int]:
    """The number of the first device that each node has at the end; a new MIG layout goes on counting."""
    found: dict[str, int] = {}
    for record in result.trace.records:
        if isinstance(record, MigLayoutChanged):
            found.pop(record.node, None)
        elif isinstance(record, CardOffered):
            found.setdefault(record.node, record.gpu)
    return found


def memory_over_time(result: Outcome) -> list[dict[tuple[str, int], int]]:
    """Bytes held on every card after each record that changes them."""
    held: dict[tuple[str, str, int], list[int]] = {}
    seen = []
    for record in result.trace.records:
        if isinstance(record, ContextAllocated | MemoryAllocated):
            place = int(isinstance(record, MemoryAllocated))
            key = (record.pod, record.node, record.gpu)
            held.setdefault(key, [0, 0])[place] = record.size_bytes
        elif isinstance(record, ContainerExited):
            held = {key: sizes for key, sizes in held.items() if key[0] != record.pod}
        else:
            continue
        sums: dict[tuple[str, int], int] = defaultdict(int)
        for (_, node, gpu), sizes in held.items():
            sums[node, gpu] += sum(sizes)
        seen.append(dict(sums))
    return seen


def slots_held(result: Outcome) -> dict[tuple[str, str], int]:
    """How many slots of each (node, resource) are held at the end; fails where one is ever held twice.

    Slots of a MIG layout that is no more are nobody's, also where a Pod still waits for them.
    """
    resources = {workload.name: workload.request[0][0] for workload in result.scenario.workloads}
    owners: dict[tuple[str, int, int], str] = {}
    for record in result.trace.records:
        if isinstance(record, SlotAllocated):
            slot = (record.node, record.gpu, record.slot)
            assert slot not in owners
            owners[slot] = record.pod
        elif isinstance(record, LAST | PodEvicted):
            owners = {slot: pod for slot, pod in owners.items() if pod != record.pod}
        elif isinstance(record, MigLayoutChanged):
            owners = {slot: pod for slot, pod in owners.items() if slot[0] != record.node}
    return Counter((node, resources[pod.rpartition("-")[0]]) for (node, _, _), pod in owners.items())


def advertised(result: Outcome) -> dict[tuple[str, str], int]:
    """What each (node, resource) counts at the end."""
    found: dict[tuple[str, str], int] = {}
    for record in result.trace.records:
        if isinstance(record, MigLayoutChanged):
            found = {key: count for key, count in found.items() if key[0] != record.node}
        elif isinstance(record, NodeAdvertised):
            found[record.node, record.resource] = record.count
    return found


def closed_nodes(result: Outcome) -> set[str]:
    """The nodes on which nothing is placed at the end: drained, or without a device plugin while MIG is changed."""
    closed: dict[str, set[str]] = {"drained": set(), "paused": set()}
    for record in result.trace.records:
        if isinstance(record, NodeCordoned):
            closed["drained"].add(record.node)
        elif isinstance(record, NodeUncordoned):
            closed["drained"].discard(record.node)
        elif isinstance(record, MigStateChanged):
            (closed["paused"].add if record.state == "pending" else closed["paused"].discard)(record.node)
    return closed["drained"] | closed["paused"]


@MANY
@given(scenarios())
def test_memory_held_is_never_more_than_usable(text: str) -> None:
    result = outcome(text)
    usable = usable_bytes(result)
    assert [
        held
        for held in memory_over_time(result)
        if not all(0 <= size <= usable[device] for device, size in held.items())
    ] == []


@MANY
@given(scenarios())
def test_memory_is_refused_only_where_it_does_not_fit(text: str) -> None:
    """So whatever a process held is free again once it is gone."""
    result = outcome(text)
    usable = usable_bytes(result)
    held: dict[tuple[str, int], dict[str, list[int]]] = defaultdict(dict)
    fitting = []
    for record in result.trace.records:
        if isinstance(record, ContextAllocated | MemoryAllocated):
            place = int(isinstance(record, MemoryAllocated))
            held[record.node, record.gpu].setdefault(record.pod, [0, 0])[place] = record.size_bytes
        elif isinstance(record, ContainerExited):
            for holdings in held.values():
                holdings.pop(record.pod, None)
        elif isinstance(record, AllocationFailed):
            card = (record.node, record.gpu)
            asked = sum(map(sum, held[card].values())) + record.asked_bytes
            fitting += [record] * (asked <= usable[card])
    assert fitting == []


@MANY
@given(scenarios())
def test_started_is_ended_and_running(text: str) -> None:
    result = outcome(text)
    lives: dict[str, list[type[Record]]] = defaultdict(list)
    before_eviction: Counter[str] = Counter()
    for record in result.trace.records:
        if isinstance(record, PodEvicted):
            before_eviction[record.pod] = lives[record.pod].count(ContainerStarted)
        if isinstance(record, ContainerStarted | ContainerExited):
            lives[record.pod].append(type(record))
    assume(result.pods)
    for pod in some(result.pods):
        started = lives[pod.name].count(ContainerStarted)
        ended = lives[pod.name].count(ContainerExited)
        is_running = pod.phase == "Running" and pod.reason is None
        assert started == ended + is_running
        assert lives[pod.name] == [ContainerStarted, ContainerExited] * ended + [ContainerStarted] * (
            started - ended
        )
        assert pod.restarts == max(0, started - before_eviction[pod.name] - 1), (
            "after an eviction it is another Pod"
        )


@MANY
@given(scenarios())
def test_slots_taken_are_never_more_than_advertised(text: str) -> None:
    result = outcome(text)
    offered = advertised(result)
    for key, count in slots_held(result).items():
        assert count <= offered[key], "a lost card's slots stay with those who hold them"
    for node in result.nodes:
        if node.error is not None:
            assert [key for key in offered if key[0] == node.name] == []


@MANY
@given(scenarios())
def test_no_pod_waits_for_what_is_free(text: str) -> None:
    result = outcome(text)
    held = slots_held(result)
    closed = closed_nodes(result)
    free: dict[str, int] = defaultdict(int)
    for node in result.nodes:
        for resource, count in () if node.name in closed else node.resources:
            free[resource] = max(free[resource], count - held.get((node.name, resource), 0))
    requests = {workload.name: workload.request[0] for workload in result.scenario.workloads}
    for pod in result.pods:
        if pod.phase == "Pending":
            resource, units = requests[pod.workload]
            assert units > free[resource]
            assert pod.message is not None


@MANY
@given(scenarios())
def test_a_trace_is_in_order_and_ends_pods_once(text: str) -> None:
    records = outcome(text).trace.records
    assert [record.at_us for record in records] == sorted(record.at_us for record in records)
    assert [type(record) for record in records].count(RunEnded) == 1
    assert isinstance(records[-1], RunEnded)
    gone: set[str] = set()
    for record in records:
        if isinstance(record, PodRecord):
            assert record.pod not in gone
        if isinstance(record, LAST):
            gone.add(record.pod)


@MANY
@given(scenarios())
def test_training_that_succeeds_did_all_its_work_and_no_other_did(text: str) -> None:
    """Work is speed over time, in microseconds alone times parts per million."""
    result = outcome(text)
    jobs = {
        pod.name: next(w.job for w in result.scenario.workloads if w.name == pod.workload)
        for pod in result.pods
    }
    trainings = [pod for pod in result.pods if jobs[pod.name].kind is JobKind.TRAINING]
    assume(trainings)
    for pod in some(trainings):
        job = jobs[pod.name]
        asked = job.iterations * job.solo_time_us * PPM
        done = speed = since = 0
        for record in result.trace.records:
            is_own = isinstance(record, PodRecord) and record.pod == pod.name
            if not is_own and not isinstance(record, RunEnded):
                continue
            if isinstance(record, ContainerStarted):
                done = speed = 0
            if isinstance(record, SpeedChanged | ContainerExited | RunEnded):
                done += speed * (record.at_us - since)
                since = record.at_us
                speed = record.speed_ppm if isinstance(record, SpeedChanged) else 0
            if isinstance(record, ContainerExited):
                finished = record.exit_code == 0
                assert (asked <= done < asked + 2 * PPM) if finished else done <= asked + 2 * PPM
                done = 0
        assert done <= asked + 2 * PPM


@MANY
@given(scenarios())
def test_speeds_and_utilizations_are_shares(text: str) -> None:
    result = outcome(text)
    for record in result.trace.records:
        if isinstance(record, SpeedChanged):
            assert 0 <= record.speed_ppm <= PPM
        elif isinstance(record, CardBusy):
            assert 0 <= record.busy_ppm <= PPM
    assert all(0.0 <= gpu.utilization <= 1.0 for gpu in result.gpus)
    assert all(pod.slowdown is None or pod.slowdown >= 1.0 for pod in result.pods)
    for pod in result.pods:
        if pod.throughput is not None and pod.solo_throughput is not None:
            assert pod.throughput <= pod.solo_throughput * 1.000_01 + 1e-5


@MANY
@given(scenarios())
def test_the_same_text_gives_the_same_run(text: str) -> None:
    first, second = (run(read_scenario(text, builtin_catalog())) for _ in range(2))
    assert first == second
    assert first.hash() == second.hash()
    seen: list[float] = []
    assert run(read_scenario(text, builtin_catalog()), on_progress=seen.append).hash() == first.hash()


@settings(max_examples=examples(30))
@given(scenarios(random_arrivals=False))
def test_where_nothing_is_random_the_seed_does_not_matter(text: str) -> None:
    other = json.dumps(json.loads(text) | {"seed": 99})
    assert outcome(text).trace_hash == outcome(other).trace_hash


@MANY
@given(scenarios())
def test_the_last_snapshot_is_the_outcome(text: str) -> None:
    result = outcome(text)
    last = snapshot(result.scenario, result.trace, result.scenario.horizon_us)
    outcomes = {pod.name: pod for pod in result.pods}
    assert {pod.name for pod in last.pods} == outcomes.keys()
    for shown in last.pods:
        pod = outcomes[shown.name]
        assert PHASES[shown.state] == (pod.phase, pod.reason)
        assert (shown.node, shown.message) == (pod.node, pod.message)
    held = (memory_over_time(result) or [{}])[-1]
    first = first_devices(result)
    for node in last.nodes:
        for card in node.cards:
            assert card.held_bytes == held.get((node.name, first.get(node.name, 0) + card.number), 0)
            owners = [slot.pod for slot in card.slots if slot.pod]
            assert all(outcomes[name].finished_at is None for name in owners)
            if node.is_away:
                continue  # no slot is shown, and whoever has one keeps it
            assert {block.pod for block in card.blocks} <= set(owners)
            assert {refusal.pod for refusal in card.refusals} <= set(owners)
    phases = Counter(str(pod.phase) for pod in result.pods)
    for phase, key in {
        "Pending": "pendingPods",
        "Running": "runningPods",
        "Succeeded": "succeededPods",
        "Failed": "failedPods",
    }.items():
        assert result.metrics[key] == phases[phase]


@MANY
@given(scenarios())
def test_the_slots_told_and_drawn_are_those_that_are_allocatable(text: str) -> None:
    """On a lost card the picture shows those that there were, crossed out."""
    result = outcome(text)
    assert result.metrics["slots"] == sum(units for node in result.nodes for _, units in node.resources)
    for at_us in moments(result.trace):
        for node in snapshot(result.scenario, result.trace, at_us).nodes:
            drawn = sum(card.slot_count for card in node.cards if not card.is_unhealthy)
            assert drawn == sum(units for _, units in node.resources)


@MANY
@given(scenarios())
def test_moments_ascend_are_few_and_miss_nothing_that_is_seen(text: str) -> None:
    result = outcome(text)
    times = moments(result.trace)
    assert times[0] == 0
    assert list(times) == sorted(set(times))
    assert len(times) <= MOMENTS_LIMIT
    assert times[-1] <= result.scenario.horizon_us
    at_last = snapshot(result.scenario, result.trace, times[-1])
    at_end = snapshot(result.scenario, result.trace, result.scenario.horizon_us)
    assert (at_last.nodes, at_last.pods) == (at_end.nodes, at_end.pods)


@settings(max_examples=examples(30))
@given(scenarios(), st.sampled_from([2, 7]))
def test_a_longer_horizon_only_adds_to_what_happened(text: str, factor: int) -> None:
    raw = json.loads(text)
    longer = {"150us": "1ms", "30s": "1m", "5m": f"{5 * factor}m", "20m": "40m"}[raw["horizon"]]
    short = outcome(text).trace.records[:-1]
    long = outcome(json.dumps(raw | {"horizon": longer})).trace.records
    assert long[: len(short)] == short


@settings(max_examples=examples(30))
@given(scenarios())
def test_the_outcome_is_json_without_surprises(text: str) -> None:
    found = outcome(text).to_json()
    assert json.loads(json.dumps(found, allow_nan=False)) == found
