"""The result of a run as tables: Pods, GPUs, nodes, and how far off the figures are known to be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from labs.cluster.pod_phase import Phase
from labs.hardware.units import SECOND_US
from labs.report.writing import NOTHING, Column, Messages, Table
from labs.simulation.laws import works
from labs.simulation.outcome import GpuOutcome, Outcome, PodOutcome
from labs.simulation.outcome.rollout import FleetNodeView

PODS_EACH = 30  # above this number of Pods, equal ones share a row
SELDOM = 0.05  # events per second: below, they are told by the hour
ENGLISH = frozenset(
    {"phase", "reason", "resources", "mig-state", "error", "revision", "daemon-pod", "capacity"}
)
"""Columns of Kubernetes' and the plugin's own words."""


def tables(outcome: Outcome, messages: Messages) -> tuple[Table, ...]:
    """Pods, cards and nodes."""
    whole = [pods_table(outcome, messages), gpus_table(outcome, messages)]
    if outcome.nodes:
        whole.append(nodes_table(outcome, messages))
    return tuple(table.shortened(messages) for table in whole)


def pods_table(outcome: Outcome, messages: Messages) -> Table:
    """A row per Pod, or per workload, card and state where there are more than PODS_EACH."""
    groups: dict[tuple[str, ...], list[PodOutcome]] = {}
    for pod in outcome.pods:
        alike = (
            pod.workload,
            pod.node or "",
            pod.device or "",
            pod.phase,
            pod.reason or "",
            str(pod.oom > 0),
        )
        groups.setdefault((pod.name,) if len(outcome.pods) <= PODS_EACH else alike, []).append(pod)
    heads = (
        ("pod", False),
        ("node", False),
        ("gpu", False),
        ("phase", False),
        ("reason", False),
        ("memory", True),
        ("needs", True),
        ("oom", True),
        ("faults", True),
        ("completion", True),
        ("slowdown", True),
        ("throughput", True),
        ("latency", True),
        ("p50", True),
        ("p99", True),
    )
    rows = tuple(_pod_row(pods, outcome, messages) for pods in groups.values())
    caption = messages.text("table.pods")
    notes = tuple(_pod_notes(outcome, messages))
    return Table(caption, _columns(heads, messages), rows, notes).without_empty_columns()


def _pod_notes(outcome: Outcome, messages: Messages) -> Iterator[str]:
    """What has to be known of the figures: latencies that nobody has measured, Pods that are on several cards."""
    kinds = {work.name: work.job for work in outcome.scenario.workloads}
    opened = [pod for pod in outcome.pods if pod.latency and kinds[pod.workload].rate_per_s is not None]
    if opened:
        yield messages.text("table.note.open_latency")
    if any(pod.slowdown not in (None, 1.0) and pod.latency and pod.latency.p50 is None for pod in opened):
        yield messages.text("table.note.open_means")
    if any(pod.latency is not None and pod.latency.p50 is not None for pod in outcome.pods):
        yield messages.text("table.note.requests", seed=str(outcome.scenario.seed))
    several = [pod for pod in outcome.pods if len(pod.cards) > 1]
    if several:
        yield messages.text("table.note.several_memory")
    if any(works(kinds[pod.workload]) for pod in several):
        yield messages.text("table.note.several_speed")


def gpus_table(outcome: Outcome, messages: Messages) -> Table:
    """A row per card."""
    many = len(outcome.scenario.nodes) > 1
    rows = tuple(
        (
            _gpu_name(gpu, outcome.scenario.number_in_layout(gpu.node, gpu.index), messages),
            gpu.node if many else NOTHING,
            messages.percent(gpu.utilization),
            messages.mib_text(gpu.peak_memory_mib),
            messages.number(gpu.oom),
        )
        for gpu in outcome.gpus
    )
    heads = (("gpu", False), ("node", False), ("utilization", True), ("peak", True), ("oom", True))
    return Table(messages.text("table.gpus"), _columns(heads, messages), rows).without_empty_columns()


def _gpu_name(gpu: GpuOutcome, number: int, messages: Messages) -> str:
    if gpu.mig is None:
        name = messages.text("picture.gpu", n=number)
    else:
        name = messages.text("picture.mig", n=number, profile=gpu.mig)
    if gpu.until is None:
        return name
    return messages.text("table.until", gpu=name, time=messages.duration(round(gpu.until * SECOND_US)))


def nodes_table(outcome: Outcome, messages: Messages) -> Table:
    """A row per node: what it advertises, or why nothing; where its plugin is rolled out, how far that has come there."""
    rollout = outcome.rollout
    fleet = {node.name: node for node in rollout.nodes} if rollout is not None else {}
    rows = tuple(
        (
            node.name,
            *_daemon_cells(fleet.get(node.name)),
            ", ".join(f"{name}: {count}" for name, count in node.resources) or NOTHING,
            node.mig_state or NOTHING,
            node.error or NOTHING,
        )
        for node in outcome.nodes
    )
    names = ("node", "revision", "daemon-pod", "capacity", "resources", "mig-state", "error")
    heads = _columns(tuple((name, False) for name in names), messages)
    notes = () if rollout is None else (rollout.line,)
    return Table(messages.text("table.nodes"), heads, rows, notes).without_empty_columns()


def _daemon_cells(node: FleetNodeView | None) -> tuple[str, str, str]:
    """The revision of the plugin's Pod on a node, that Pod's state as kubectl shows it, and the node's capacity."""
    if node is None:
        return NOTHING, NOTHING, NOTHING
    pod = node.pods[0] if node.pods else None
    ready = "" if pod is None else f" {int(pod.ready)}/1"
    capacity = ", ".join(f"{offer.resource}: {offer.capacity}" for offer in node.offers)
    return node.revision or NOTHING, NOTHING if pod is None else pod.status + ready, capacity or NOTHING


def error_notes(outcome: Outcome, messages: Messages) -> tuple[str, ...]:
    """How far off the predictions are known to be, where jobs make progress: nothing to say about idle Pods."""
    if all(pod.slowdown is None and pod.throughput is None for pod in outcome.pods):
        return ()
    return tuple(
        messages.text(
            "table.expected_error",
            mechanism=messages.text(f"mechanism.{error.mechanism}"),
            percent=messages.number(error.percent),
            basis=messages.text(f"expected-error.{error.mechanism}"),
        )
        for error in outcome.expected_errors
    )


def _columns(heads: Sequence[tuple[str, bool]], messages: Messages) -> tuple[Column, ...]:
    return tuple(
        Column(messages.text(f"table.column.{key}"), figures, key in ENGLISH) for key, figures in heads
    )


def _pod_row(pods: Sequence[PodOutcome], outcome: Outcome, messages: Messages) -> tuple[str, ...]:
    first = pods[0]
    peak = max(pod.peak_bytes for pod in pods)
    gpus = ", ".join(str(outcome.scenario.number_in_layout(*use.card)) for use in first.cards)
    slowdowns = [pod.slowdown for pod in pods if pod.slowdown is not None]
    rates = [pod.throughput for pod in pods if pod.throughput is not None]
    return (
        first.name if len(pods) == 1 else f"{first.workload} × {messages.number(len(pods))}",
        (first.node if len(outcome.scenario.nodes) > 1 else None) or NOTHING,
        gpus or NOTHING,
        str(first.phase),
        first.reason or NOTHING,
        messages.bytes_text(peak) if gpus else NOTHING,
        messages.bytes_text(first.needs_bytes) if gpus and first.needs_bytes is not None else NOTHING,
        messages.number(sum(pod.oom for pod in pods)),
        messages.number(sum(pod.faults for pod in pods)) if outcome.scenario.faults else NOTHING,
        _completion(pods, messages),
        messages.text("unit.times", n=messages.number(max(slowdowns), 2)) if slowdowns else NOTHING,
        _rate(min(rates), messages) if rates else NOTHING,
        _latency([pod.latency.mean if pod.latency else None for pod in pods], pods, messages),
        _latency([pod.latency.p50 if pod.latency else None for pod in pods], pods, messages, NOTHING),
        _latency([pod.latency.p99 if pod.latency else None for pod in pods], pods, messages, NOTHING),
    )


def _completion(pods: Sequence[PodOutcome], messages: Messages) -> str:
    """How long the longest of those that are done took, from their first start to their end."""
    took = [
        pod.finished_at - pod.started_at
        for pod in pods
        if pod.phase is Phase.SUCCEEDED and pod.started_at is not None and pod.finished_at is not None
    ]
    return messages.duration(round(max(took) * SECOND_US)) if took else NOTHING


def _rate(per_second: float, messages: Messages) -> str:
    """A rate by the second, or by the hour where that is the larger number to read."""
    if 0 < per_second < SELDOM:
        return messages.text("unit.per_hour", n=messages.number(per_second * 3600))
    return messages.text("unit.per_second", n=messages.number(per_second, 2))


def _latency(
    latencies: Sequence[float | None],
    pods: Sequence[PodOutcome],
    messages: Messages,
    growing: str | None = None,
) -> str:
    """The longest of the latencies that were `latencies`; where some Pod's queue grows, that it does, or `growing`."""
    if any(pod.falls_behind for pod in pods):
        return growing or messages.text("table.grows")
    milliseconds = max((latency for latency in latencies if latency is not None), default=None)
    if milliseconds is None:
        return NOTHING
    if milliseconds < 1000:
        return messages.text("unit.milliseconds", n=messages.number(milliseconds))
    return messages.text("unit.seconds", n=messages.number(milliseconds / 1000))
