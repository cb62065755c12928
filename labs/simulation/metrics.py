"""The metrics of a run: numbers by key, for tables, for the JSON, and for the references in the articles'
prose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum

from labs.simulation.outcome import GpuOutcome, NodeOutcome, Phase, PodOutcome
from labs.simulation.scenario import Scenario

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
    `peakMemoryMiB` of the fullest card.
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
        "refusedPods": sum(pod.reason == "UnexpectedAdmissionError" for pod in pods),
        "crashLoopingPods": sum(pod.reason == "CrashLoopBackOff" for pod in pods),
        "oomPods": sum(pod.oom > 0 for pod in pods),
        "oomEvents": sum(pod.oom for pod in pods),
        "utilization": round(fsum(gpu.utilization for gpu in gpus) / len(gpus), 6) if gpus else 0.0,
        "peakMemoryMiB": max((gpu.peak_memory_mib for gpu in gpus), default=0.0),
    }


def _guaranteed_mib(scenario: Scenario, offered: Mapping[str, int]) -> float:
    """What every slot of the cluster has for itself whatever the others do: the card where it is the only
    one, else 0."""
    promised = [
        0 if offered[node.name] > node.count else node.usable_bytes // MIB
        for node in scenario.nodes
        if offered[node.name]
    ]
    return min(promised, default=0)
