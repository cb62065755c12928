"""The metrics of a run: numbers by key, for tables, for the JSON, and for the references in the articles'
prose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum

from labs.cluster.pod_phase import Phase, Reason
from labs.simulation.outcome import GpuOutcome, NodeOutcome, PodOutcome
from labs.simulation.scenario import JobKind, Scenario

MIB = 1024 * 1024


def metrics(
    scenario: Scenario,
    pods: Sequence[PodOutcome],
    gpus: Sequence[GpuOutcome],
    nodes: Sequence[NodeOutcome],
) -> Mapping[str, float]:
    """The metrics, in a fixed order.

    `slots` advertised in the cluster, `slotsPerCard` on the fullest card, `cards`, `pods` created; `oomPods`
    with a failed allocation and `oomEvents` failed allocations; Pods by what they are in the end;
    `guaranteedMiB` that a slot promises (0 on a shared card); `utilization` mean over cards (0 to 1);
    `peakMemoryMiB` of the fullest card. Where Pods work: `worstSlowdown` against the card alone, and
    `completionSeconds` after which the last training job was done (left out while one is not).
    """
    cards = {node.name: node.count for node in scenario.nodes}
    offered = {node.name: sum(count for _, count in node.resources) for node in nodes}
    phases = [pod.phase for pod in pods]
    return {
        "nodes": len(nodes),
        "cards": len(gpus),
        "slots": sum(offered.values()),
        "slotsPerCard": max((offered[name] // cards[name] for name in offered), default=0),
        "guaranteedMiB": _guaranteed_mib(scenario, offered),
        "pods": len(pods),
        "pendingPods": phases.count(Phase.PENDING),
        "runningPods": phases.count(Phase.RUNNING),
        "succeededPods": phases.count(Phase.SUCCEEDED),
        "failedPods": phases.count(Phase.FAILED),
        "refusedPods": sum(pod.reason is Reason.UNEXPECTED_ADMISSION_ERROR for pod in pods),
        "crashLoopingPods": sum(pod.reason is Reason.CRASH_LOOP_BACK_OFF for pod in pods),
        "oomPods": sum(pod.oom > 0 for pod in pods),
        "oomEvents": sum(pod.oom for pod in pods),
        "utilization": round(fsum(gpu.utilization for gpu in gpus) / len(gpus), 6) if gpus else 0.0,
        "peakMemoryMiB": max((gpu.peak_memory_mib for gpu in gpus), default=0.0),
        **_speeds(scenario, pods),
    }


def _speeds(scenario: Scenario, pods: Sequence[PodOutcome]) -> dict[str, float]:
    """The metrics of Pods that work, those that apply."""
    found: dict[str, float] = {}
    slowdowns = [pod.slowdown for pod in pods if pod.slowdown is not None]
    if slowdowns:
        found["worstSlowdown"] = max(slowdowns)
    trains = {work.name: work.count for work in scenario.workloads if work.job.kind is JobKind.TRAINING}
    done = [pod.finished_at for pod in pods if pod.workload in trains and pod.phase is Phase.SUCCEEDED]
    if done and len(done) == sum(trains.values()):
        found["completionSeconds"] = max(at for at in done if at is not None)
    return found


def _guaranteed_mib(scenario: Scenario, offered: Mapping[str, int]) -> float:
    """What every slot of the cluster has for itself whatever the others do: the card where it is the only
    one, else 0."""
    promised = [
        0 if offered[node.name] > node.count else node.usable_bytes // MIB
        for node in scenario.nodes
        if offered[node.name]
    ]
    return min(promised, default=0)
