"""`gpulab rollout --watch`: the state as it changes over simulated time, much as `kubectl get -w` would print it."""

from __future__ import annotations

import json
from collections.abc import Iterator

from labs.commands.rollout.text import clock
from labs.simulation.outcome.rollout import USER, RolloutReplay
from labs.simulation.scenario.rollout import Rollout
from labs.simulation.trace import (
    AdmissionFailed,
    AllocatableChanged,
    Answer,
    CapacityChanged,
    DaemonPodNotReady,
    DaemonPodReady,
    PodEvicted,
    PodGone,
    PodScheduled,
    PodTerminating,
    PodUnschedulable,
    Record,
    RolloutLineChanged,
    RolloutRecord,
    StatusChanged,
    Trace,
)

COUNTS = ("DESIRED", "CURRENT", "READY", "UP-TO-DATE", "AVAILABLE")
COLUMNS = ("node", "pod", "reason", "value", "counts")  # of a record's row: those that are shown


def watched_text(rollout: Rollout, trace: Trace) -> Iterator[str]:
    """A line for everything that a person who watches would see change."""
    yield f"{'TIME':>7}  {rollout.name}: {' '.join(COUNTS)}"
    for record, words in _changes(rollout, trace):
        yield f"{clock(record.at_us)}  {words}"


def watched_json(rollout: Rollout, trace: Trace) -> Iterator[str]:
    """The same as lines of JSON: `{"at" (seconds), "what", ...}` with the fields of the record that apply."""
    for record, _ in _changes(rollout, trace):
        cells = record.cells()
        columns = {name: cells[name] for name in COLUMNS if name in cells}
        yield json.dumps({"at": record.at_us / 1_000_000, "what": record.kind, **columns}, ensure_ascii=False)


def _changes(rollout: Rollout, trace: Trace) -> Iterator[tuple[Record | RolloutRecord, str]]:
    """What changes, with its words; a line of `rollout status` only where it differs from the one before."""
    line = ""
    replay = RolloutReplay(rollout)
    for record in _in_order(trace):
        words = _rollout_words(replay, record) if isinstance(record, RolloutRecord) else _words(record)
        if isinstance(record, RolloutLineChanged):
            words, line = ("" if words == line else words), words
        if words:
            yield record, words


def _in_order(trace: Trace) -> list[Record | RolloutRecord]:
    """By time; at one instant the rollout first, which is what the rest follows from."""
    return sorted((*trace.rollout, *trace.records), key=lambda record: record.at_us)


def _rollout_words(replay: RolloutReplay, record: RolloutRecord) -> str:
    """The words of a record, which the replay then has seen."""
    name, events = replay.rollout.name, len(replay.events)
    replay.see(record)
    match record:
        case StatusChanged(status=status):
            counts = (status.desired, status.current, status.ready, status.updated, status.available)
            numbers = (str(count).rjust(len(title)) for count, title in zip(counts, COUNTS, strict=True))
            return f"daemonset/{name}: {' '.join(numbers)}"
        case RolloutLineChanged(line=line):
            return line
        case DaemonPodReady() | DaemonPodNotReady():
            pod = replay.pod(record.pod)
            return f"pod/{record.pod} on {record.node}: {pod.ready_containers}/{pod.containers}"
    if len(replay.events) == events:
        return ""
    event = replay.events[-1]
    if isinstance(record, Answer):
        return f"# {event.message}"
    if event.kind == USER:
        return " ".join(part for part in ("#", event.reason, event.name, event.message) if part)
    return f"{event.kind.lower()}/{event.name}: {event.reason}: {event.message}"


def _words(record: Record) -> str:
    match record:
        case CapacityChanged() | AllocatableChanged():
            return f"node/{record.node}: {record.kind} {record.resource}: {record.count}"
        case PodScheduled():
            return f"pod/{record.pod}: Scheduled: to {record.node}"
        case PodUnschedulable():
            return f"pod/{record.pod}: FailedScheduling: {record.message}"
        case AdmissionFailed():
            return f"pod/{record.pod}: UnexpectedAdmissionError: {record.message}"
        case PodEvicted():
            return f"pod/{record.pod}: Evicted: on {record.node}"
        case PodTerminating():
            return f"pod/{record.pod}: TaintManagerEviction: on {record.node}"
        case PodGone():
            return f"pod/{record.pod}: Deleted: on {record.node}"
        case _:
            return ""
