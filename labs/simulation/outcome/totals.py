"""Adds a Trace up to an `Outcome`: per Pod, card and node, the metrics, and what the scenario expected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from labs.hardware.units import MIB, PPM, SECOND_US
from labs.simulation.laws import Rate, shared_rates, works
from labs.simulation.outcome.expected_error import EXPECTED_ERRORS
from labs.simulation.outcome.metrics import metrics
from labs.simulation.outcome.moment import (
    PHASES,
    CardReplay,
    FaultReplay,
    MigReplay,
    PodReplay,
    PodState,
    Replay,
)
from labs.simulation.outcome.outcome import (
    CardUse,
    Difference,
    ExpectedError,
    FaultOutcome,
    GpuOutcome,
    Latency,
    MigConfigOutcome,
    NodeOutcome,
    Outcome,
    PodOutcome,
)
from labs.simulation.outcome.rollout import fleet_snapshot, rollout_notes, with_workloads
from labs.simulation.scenario import Fault, Job, JobKind, Scenario
from labs.simulation.trace import MeanLatency, MedianLatency, P99Latency, Trace
from labs.simulation.world import OFF


def outcome_of(scenario: Scenario, trace: Trace) -> Outcome:
    """Everything a report says about the run that wrote `trace`."""
    replay = Replay(scenario)
    replay.see_all(trace.records)
    end_us = replay.now_us
    for card in replay.cards.values():
        card.busy.turn_to(0, end_us)
        card.there.turn_to(card.there.rate, end_us)
    jobs = {workload.job for workload in scenario.workloads}
    solo = {job: Rate(0) if job.kind is JobKind.IDLE else shared_rates((job,), 0.0).jobs[0] for job in jobs}
    pods = tuple(
        _pod(pod, replay, solo[pod.workload.job])
        for pod in replay.pods_in_order()
        if pod.state is not PodState.GONE
    )
    gpus = tuple(
        GpuOutcome(
            node=node,
            index=number,
            slots=card.slots,
            allocatable=replay.allocatable(node, card),
            health=card.health,
            mechanism=card.mechanism,
            utilization=round(card.busy.total / (PPM * there_us), 6) if there_us else 0.0,
            peak_memory_mib=round(card.peak_bytes / MIB, 3),
            oom=card.oom,
            gpu=replay.devices[node, number].gpu,
            mig=None if (share := replay.devices[node, number].mig) is None else share.profile,
            lived=there_us / end_us if end_us else 1.0,
            until=_seconds(card.until_us),
            worked=round(card.busy.active_us / there_us, 6) if there_us else 0.0,
        )
        for (node, number), card in replay.cards.items()
        if card.since_us is not None
        for there_us in (card.there.total,)
    )
    states = {config.node: config.state for config in replay.mig}
    nodes = tuple(
        NodeOutcome(
            node.name,
            tuple(replay.resources[node.name]),
            replay.errors.get(node.name),
            states.get(node.name),
        )
        for node in scenario.nodes
        if node.name in replay.present
    )
    return Outcome(
        scenario=scenario,
        trace=trace,
        trace_hash=trace.hash(),
        pods=pods,
        gpus=gpus,
        nodes=nodes,
        metrics=metrics(scenario, pods, gpus, nodes),
        expected_errors=_expected_errors(scenario, replay.cards.values(), gpus),
        differences=_differences(scenario, pods),
        faults=tuple(_fault(fault) for fault in replay.faults),
        mig_configs=tuple(_mig_config(config) for config in replay.mig),
        rollout=None
        if scenario.rollout is None
        else with_workloads(fleet_snapshot(scenario.rollout, trace, end_us), replay),
        notes=(
            *scenario.notes,
            *(() if scenario.rollout is None else rollout_notes(scenario.rollout, trace.rollout)),
        ),
    )


def _mig_config(config: MigReplay) -> MigConfigOutcome:
    profiles = () if config.profiles == OFF else tuple(config.profiles.split(", "))
    return MigConfigOutcome(
        config.node,
        profiles,
        config.at_us,
        config.state,
        config.ended_us,
        config.in_the_way,
        config.evicted,
        config.mode,
    )


def _fault(replayed: FaultReplay) -> FaultOutcome:
    record = replayed.record
    fault = Fault(record.at_us, record.fault, record.pod, record.node, record.card, record.mig)
    return FaultOutcome(fault, tuple(replayed.hit))


def _pod(pod: PodReplay, replay: Replay, solo: Rate) -> PodOutcome:
    phase, reason = PHASES[pod.state]
    until_us = replay.now_us if pod.finished_us is None else pod.finished_us
    for meter in (pod.speed, pod.requests, pod.waiting):
        meter.turn_to(0, until_us)
    job, ran_us = pod.workload.job, until_us - (pod.started_us or 0)
    throughput = _throughput(pod, ran_us) if pod.started_us is not None else None
    solo_throughput, solo_latency = _solo(job, solo)
    needs = pod.workload.needs_bytes
    return PodOutcome(
        name=pod.name,
        workload=pod.workload.name,
        node=pod.node,
        device=", ".join(f"{pod.node}/gpu{replay.devices[pod.node or '', gpu].label}" for gpu in pod.gpus)
        or None,
        phase=phase,
        reason=reason,
        message=pod.message,
        oom=pod.oom,
        started_at=_seconds(pod.started_us),
        finished_at=_seconds(pod.finished_us),
        slowdown=_slowdown(pod, ran_us, solo),
        throughput=throughput,
        latency=_latency(pod),
        solo_throughput=solo_throughput,
        solo_latency_ms=solo_latency,
        restarts=pod.restarts,
        cards=_cards(pod, replay),
        peak_bytes=pod.peak_bytes,
        instead_of=pod.instead_of,
        faults=pod.faults,
        cuda_error=pod.cuda_error,
        is_broken=pod.state is PodState.FAULTED,
        needs_bytes=None if needs is None else needs * max(1, len(pod.gpus)),
        refused_on=None if pod.refused_on is None else (pod.node or "", pod.refused_on),
    )


def _cards(pod: PodReplay, replay: Replay) -> tuple[CardUse, ...]:
    slots = Counter(gpu for gpu, _ in pod.slots)
    return tuple(
        CardUse((pod.node or "", gpu), slots[gpu], *replay.held(pod, gpu), replay.found_bytes(pod, gpu))
        for gpu in pod.gpus
    )


def _throughput(pod: PodReplay, ran_us: int) -> float | None:
    """Iterations or requests per second over the time the Pod has been there; None for idle Pods."""
    job = pod.workload.job
    if job.kind is JobKind.IDLE or not ran_us:
        return None
    if job.kind is JobKind.SERVICE:
        if pod.answered is not None:
            return round(pod.answered * SECOND_US / ran_us, 6)
        return round(pod.requests.total / ran_us / PPM, 6)
    return round(_worked(pod) / PPM / job.solo_time_us * SECOND_US / ran_us, 6)


def _worked(pod: PodReplay) -> int:
    """Microseconds alone, times PPM, that the Pod's work so far would have taken.

    What a training job did before it died and began anew is lost: once it is done, its work is its iterations.
    """
    job = pod.workload.job
    if job.kind is JobKind.TRAINING and pod.state is PodState.SUCCEEDED:
        return job.iterations * job.solo_time_us * PPM
    return pod.speed.total


def _latency(pod: PodReplay) -> Latency | None:
    """By requests where these are told, else the mean by rates; nothing of a queue that grows without bound."""
    expected = _expected_latency(pod)
    if expected is None or expected.mean is None or pod.answered is None:
        return expected
    numbers = (MeanLatency, MedianLatency, P99Latency)
    return Latency(*(round(pod.answered_us[number] / 1000, 3) for number in numbers))


def _expected_latency(pod: PodReplay) -> Latency | None:
    if pod.workload.job.kind is not JobKind.SERVICE or not pod.requests.total:
        return None
    return Latency(None if pod.unbounded else round(pod.waiting.total / pod.requests.total / 1000, 3))


def _slowdown(pod: PodReplay, ran_us: int, solo: Rate) -> float | None:
    """How many times longer than alone; None for a Pod that made no progress at all.

    That is the completion time of training, the latency of open services, the cycle time of others; of an idle Pod that
    computes now and then, the time of its busy periods. By rates, which no luck of the draw moves, where requests are
    told too.
    """
    job = pod.workload.job
    if not pod.speed.total:
        return None
    if job.kind is JobKind.IDLE:
        return round(pod.speed.active_us * PPM / pod.speed.total, 4)
    if job.rate_per_s is not None:
        latency = _expected_latency(pod)
        if latency is None or latency.mean is None or solo.latency_us is None:
            return None
        return round(latency.mean * 1000 / solo.latency_us, 4)
    return round(ran_us * PPM / _worked(pod), 4)


def _solo(job: Job, solo: Rate) -> tuple[float | None, float | None]:
    """Throughput (per second) and latency (ms) of the job alone on a whole card."""
    if job.kind is JobKind.IDLE:
        return None, None
    if job.kind is JobKind.TRAINING:
        return round(SECOND_US / job.solo_time_us, 6), None
    latency = None if solo.latency_us is None else round(solo.latency_us / 1000, 3)
    return round(solo.requests_u / PPM, 6), latency


def _seconds(at_us: int | None) -> float | None:
    return None if at_us is None else at_us / SECOND_US


def _expected_errors(
    scenario: Scenario, cards: Iterable[CardReplay], gpus: tuple[GpuOutcome, ...]
) -> tuple[ExpectedError, ...]:
    """The known errors of the mechanisms by which some Pod's speed was predicted, be it before a config took them away."""
    used = {name for card in cards for name in card.mechanisms}
    used |= {"mig" for gpu in gpus if gpu.mig is not None}
    predicts = any(works(workload.job) for workload in scenario.workloads)
    return tuple(error for error in EXPECTED_ERRORS if error.mechanism in used) if predicts else ()


def _differences(scenario: Scenario, pods: tuple[PodOutcome, ...]) -> tuple[Difference, ...] | None:
    expect = scenario.expect
    if expect is None:
        return None
    differences: list[Difference] = []
    oom = sum(pod.oom > 0 for pod in pods)
    if expect.oom_pods is not None and oom != expect.oom_pods:
        differences.append(Difference("oom", str(expect.oom_pods), str(oom)))
    for workload, phase in expect.phases:
        counts = Counter(str(pod.phase) for pod in pods if pod.workload == workload)
        others = {name: count for name, count in sorted(counts.items()) if name != phase}
        if others or not counts:
            words = ", ".join(f"{count} {name}" for name, count in others.items()) or "0 Pods"
            differences.append(Difference(f"pods.{workload}", phase, words))
    return tuple(differences)
