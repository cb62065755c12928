"""The metrics of a run: numbers by key, for tables, JSON and the references in prose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum

from labs.cluster.pod_phase import Phase, Reason
from labs.hardware.units import MIB, SECOND_US
from labs.simulation.outcome.outcome import GpuOutcome, NodeOutcome, PodOutcome
from labs.simulation.scenario import JobKind, Scenario


def metrics(
    scenario: Scenario,
    pods: Sequence[PodOutcome],
    gpus: Sequence[GpuOutcome],
    nodes: Sequence[NodeOutcome],
) -> Mapping[str, float]:
    """The metrics, in a fixed order; `gpus` and `nodes` at the end.

    `slots` allocatable in the cluster, `slotsPerCard` on the fullest card, `cards`, `pods` created; `oomPods`
    with a failed allocation and `oomEvents` failed allocations; Pods by what they are in the end;
    `guaranteedMiB` that a slot promises (0 on a shared card); `utilization` mean over cards and time (0 to 1);
    `peakMemoryMiB` of the fullest card. Where the plugin is rolled out: `terminatingPods`,
    which are in no phase here. Where the scenario has faults: `faultedPods` that one of them hit. Where Pods
    work: `workingUtilization`, as `utilization`, but over the time in which some Pod has its job on the card;
    `worstSlowdown` against the card alone, `worstP99Milliseconds` where every request is told,
    `completionSeconds` after which the last training job was done and `meanCompletionSeconds` that a training job took
    in the mean from its creation to its end (both left out while one is not done).
    """
    phases = [pod.phase for pod in pods if pod.reason is not Reason.TERMINATING]
    all_gpus, gpus = gpus, [gpu for gpu in gpus if gpu.until is None]
    weights = fsum(gpu.lived for gpu in all_gpus)
    return {
        "nodes": len(nodes),
        "cards": len(gpus),
        "slots": sum(gpu.allocatable for gpu in gpus),
        "slotsPerCard": max((gpu.allocatable for gpu in gpus), default=0),
        "guaranteedMiB": _guaranteed_mib(scenario, gpus),
        "pods": len(pods),
        "pendingPods": phases.count(Phase.PENDING),
        "runningPods": phases.count(Phase.RUNNING),
        "succeededPods": phases.count(Phase.SUCCEEDED),
        "failedPods": phases.count(Phase.FAILED),
        "refusedPods": sum(pod.reason is Reason.UNEXPECTED_ADMISSION_ERROR for pod in pods),
        "crashLoopingPods": sum(pod.reason is Reason.CRASH_LOOP_BACK_OFF for pod in pods),
        "oomPods": sum(pod.oom > 0 for pod in pods),
        "oomEvents": sum(pod.oom for pod in pods),
        "utilization": round(fsum(gpu.utilization * gpu.lived for gpu in all_gpus) / weights, 6)
        if weights
        else 0.0,
        "peakMemoryMiB": max((gpu.peak_memory_mib for gpu in all_gpus), default=0.0),
        **({"terminatingPods": len(pods) - len(phases)} if scenario.rollout is not None else {}),
        **({"faultedPods": sum(pod.faults > 0 for pod in pods)} if scenario.faults else {}),
        **_while_working(all_gpus),
        **_speeds(scenario, pods),
    }


def _while_working(gpus: Sequence[GpuOutcome]) -> dict[str, float]:
    """How busy the cards are while anybody works on them; nothing where nobody ever does."""
    worked = fsum(gpu.worked * gpu.lived for gpu in gpus)
    if not worked:
        return {}
    return {"workingUtilization": round(fsum(gpu.utilization * gpu.lived for gpu in gpus) / worked, 6)}


def _speeds(scenario: Scenario, pods: Sequence[PodOutcome]) -> dict[str, float]:
    """The metrics of Pods that work, those that apply."""
    speeds: dict[str, float] = {}
    slowdowns = [pod.slowdown for pod in pods if pod.slowdown is not None]
    if slowdowns:
        speeds["worstSlowdown"] = max(slowdowns)
    waits = [pod.latency.p99 for pod in pods if pod.latency is not None and pod.latency.p99 is not None]
    if waits:
        speeds["worstP99Milliseconds"] = max(waits)
    trains = {work.name: work.count for work in scenario.workloads if work.job.kind is JobKind.TRAINING}
    created = {
        name: at_us / SECOND_US
        for work in scenario.workloads
        for name, at_us in zip(work.pod_names(), work.arrivals_us, strict=True)
    }
    done = [
        (pod.finished_at, pod.finished_at - created[pod.instead_of or pod.name])
        for pod in pods
        if pod.workload in trains and pod.phase is Phase.SUCCEEDED and pod.finished_at is not None
    ]
    if done and len(done) == sum(trains.values()):
        speeds["completionSeconds"] = max(at for at, _ in done)
        speeds["meanCompletionSeconds"] = round(fsum(took for _, took in done) / len(done), 6)
    return speeds


def _guaranteed_mib(scenario: Scenario, gpus: Sequence[GpuOutcome]) -> float:
    """What every slot of the cluster has for itself whatever the others do.

    The card where it is the only one, else 0.
    """
    usable = {
        (node.name, device.number): device.usable_bytes
        for node in scenario.nodes
        for cut in scenario.layouts(node)
        for device in cut.devices
    }
    promised = [
        usable[gpu.node, gpu.index] // MIB if gpu.slots == 1 else 0 for gpu in gpus if gpu.allocatable
    ]
    return min(promised, default=0)
