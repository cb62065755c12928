"""Snapshots of a rollout: the fleet at one moment or at many, and the moments after which it differs.

Pure functions of a scenario and its Trace; the values are those of `snapshot.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from labs.cluster.pod_phase import Phase
from labs.hardware.units import SECOND_US
from labs.simulation.outcome.moment import Replay
from labs.simulation.outcome.rollout.replay import DaemonPodReplay, FleetNodeReplay, RolloutReplay
from labs.simulation.outcome.rollout.snapshot import (
    EVENTS_KEPT,
    DaemonPodView,
    FleetNodeView,
    FleetSnapshot,
    Trouble,
)
from labs.simulation.outcome.rollout.workloads import with_workloads
from labs.simulation.scenario import Scenario
from labs.simulation.scenario.rollout import Rollout
from labs.simulation.trace import (
    AdmissionFailed,
    AllocatableChanged,
    BackedOff,
    CapacityChanged,
    ContainerStarted,
    DaemonPodReady,
    PodCreated,
    PodEvicted,
    PodFailed,
    PodGone,
    PodScheduled,
    PodSucceeded,
    PodTerminating,
    PodUnschedulable,
    RolloutEnded,
    Trace,
)
from labs.simulation.world.rollout import restarts_since

SEEN = (
    CapacityChanged,
    AllocatableChanged,
    PodCreated,
    PodUnschedulable,
    PodScheduled,
    AdmissionFailed,
    ContainerStarted,
    BackedOff,
    PodSucceeded,
    PodFailed,
    PodEvicted,
    PodTerminating,
    PodGone,
)


def fleet_moments(rollout: Rollout, trace: Trace) -> tuple[int, ...]:
    """The times (microseconds, ascending) after which a snapshot differs from before; 0 is the first."""
    times = {0}
    times.update(record.at_us for record in trace.records if isinstance(record, SEEN))
    wait_us = rollout.min_ready_seconds * SECOND_US
    for record in trace.rollout:
        if not isinstance(record, RolloutEnded):
            times.add(record.at_us)
        if isinstance(record, DaemonPodReady) and record.at_us + wait_us <= rollout.until_us:
            times.add(record.at_us + wait_us)
    return tuple(sorted(times))


def fleet_snapshot(
    rollout: Rollout, trace: Trace, at_us: int, scenario: Scenario | None = None
) -> FleetSnapshot:
    """The fleet right after everything that happened up to and at `at_us`."""
    return next(iter(fleet_snapshots(rollout, trace, (at_us,), scenario)))


def fleet_snapshots(
    rollout: Rollout, trace: Trace, times_us: Iterable[int], scenario: Scenario | None = None
) -> Iterator[FleetSnapshot]:
    """The fleet at each of the times, which ascend, in one pass.

    With the `scenario` whose rollout it is also what nodes offer and which Pods of workloads they run.
    """
    reader = FleetReader(rollout, trace, scenario)
    for at_us in times_us:
        yield reader.at(at_us)


class FleetReader:
    """Reads a Trace forward, from one time to a later one."""

    def __init__(self, rollout: Rollout, trace: Trace, scenario: Scenario | None = None) -> None:
        self._trace = trace
        self._replay = RolloutReplay(rollout)
        self._beside = None if scenario is None else Replay(scenario)
        self._place = self._other_place = 0
        self.at_us = 0

    def at(self, at_us: int) -> FleetSnapshot:
        """The fleet at a time that is not before those asked for so far."""
        self.at_us = at_us
        records = self._trace.rollout
        while self._place < len(records) and records[self._place].at_us <= at_us:
            self._replay.see(records[self._place])
            self._place += 1
        if self._beside is None:
            return _snapshot(self._replay, at_us)
        others = self._trace.records
        while self._other_place < len(others) and others[self._other_place].at_us <= at_us:
            self._beside.see(others[self._other_place])
            self._other_place += 1
        return with_workloads(_snapshot(self._replay, at_us), self._beside)


def _snapshot(replay: RolloutReplay, at_us: int) -> FleetSnapshot:
    return FleetSnapshot(
        at_us,
        replay.revision,
        replay.status,
        replay.line,
        tuple(_node(replay, replay.nodes[name], at_us) for name in replay.names),
        tuple(replay.events[-EVENTS_KEPT:]),
        replay.strategy,
        replay.settled,
    )


def _node(replay: RolloutReplay, node: FleetNodeReplay, at_us: int) -> FleetNodeView:
    kept_away = (node.tainted or node.down) and not replay.rollout.tolerate_all
    should_run = node.selected and not kept_away
    aged = sorted(node.pods, key=lambda pod: pod.age_key)
    pods = tuple(_pod(replay, pod, at_us) for pod in aged)
    return FleetNodeView(
        name=node.name,
        should_run=should_run,
        selected=node.selected,
        cordoned=node.cordoned,
        tainted=node.tainted,
        down=node.down,
        pods=pods,
        label=node.label,
        trouble=_trouble(node, aged, pods, should_run=should_run),
        fails_anew=node.failed == replay.revision,
    )


def _pod(replay: RolloutReplay, pod: DaemonPodReplay, at_us: int) -> DaemonPodView:
    seen, wait_us = pod.seen(), replay.rollout.min_ready_seconds * SECOND_US
    init_restarts, init_restarted_us = restarts_since(pod.init_failed_us, at_us)
    return DaemonPodView(
        seen=seen,
        is_new=pod.revision == replay.revision,
        status="Terminating" if pod.terminating else pod.status,
        available=seen.available(wait_us, at_us),
        has_run=pod.has_run,
        restarts=pod.restarts,
        config=pod.config,
        containers=pod.containers,
        ready_containers=pod.ready_containers,
        crashed_us=pod.crashed_us,
        init_restarts=init_restarts,
        init_restarted_us=init_restarted_us,
        held=pod.held,
        comes_back=pod.comes_back,
        may_mend=pod.may_mend,
    )


def _trouble(
    node: FleetNodeReplay, aged: list[DaemonPodReplay], pods: tuple[DaemonPodView, ...], *, should_run: bool
) -> Trouble | None:
    """The first thing that is wrong on the node, in the order of `Trouble`."""
    if node.down:
        return Trouble.NODE_DOWN
    if not aged:
        return Trouble.NO_POD if should_run else None
    troubles = [_trouble_of(pod, view) for pod, view in zip(aged, pods, strict=True)]
    return next((trouble for trouble in Trouble if trouble in troubles), None)


def _trouble_of(pod: DaemonPodReplay, view: DaemonPodView) -> Trouble | None:
    if pod.terminating:
        return Trouble.TERMINATING
    if pod.phase is Phase.FAILED:
        return Trouble.FAILED
    if view.ready:
        return None if view.available else Trouble.NOT_AVAILABLE
    if not pod.scheduled:
        return Trouble.UNSCHEDULABLE
    if pod.waiting:
        return Trouble.WAITING
    if pod.restarts and pod.status not in (Phase.RUNNING, Phase.PENDING):
        return Trouble.CRASH_LOOP
    return Trouble.NOT_READY if pod.has_run else Trouble.STARTING
