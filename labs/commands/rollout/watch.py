"""`gpulab rollout --watch`: the state as it changes over simulated time, much as `kubectl get -w` would print it."""

from __future__ import annotations

import json
from collections.abc import Iterator

from labs.commands.rollout.text import clock
from labs.simulation.outcome.rollout import PRINTED, USER, RolloutReplay
from labs.simulation.scenario.rollout import Rollout
from labs.simulation.trace import Happening, Record, RolloutHappening, RolloutRecord, Trace

COUNTS = ("DESIRED", "CURRENT", "READY", "UP-TO-DATE", "AVAILABLE")
PLACES = (0, 1, 3, 4, 5)  # of these in a record's counts
PODS = {
    Happening.POD_SCHEDULED: "Scheduled",
    Happening.POD_UNSCHEDULABLE: "FailedScheduling",
    Happening.ADMISSION_FAILED: "UnexpectedAdmissionError",
    Happening.POD_EVICTED: "Evicted",
    Happening.POD_TERMINATING: "TaintManagerEviction",
    Happening.POD_GONE: "Deleted",
}


def watched_text(rollout: Rollout, trace: Trace) -> Iterator[str]:
    """A line for everything that a person who watches would see change."""
    yield f"{'TIME':>7}  {rollout.name}: {' '.join(COUNTS)}"
    for record, words in _changes(rollout, trace):
        yield f"{clock(record.at_us)}  {words}"


def watched_json(rollout: Rollout, trace: Trace) -> Iterator[str]:
    """The same as lines of JSON: `{"at" (seconds), "what", ...}` with the fields of the record that apply."""
    for record, _ in _changes(rollout, trace):
        told: dict[str, object] = {"at": record.at_us / 1_000_000, "what": str(record.what)}
        told |= {"node": record.node, "pod": record.pod, "reason": record.reason}
        if isinstance(record, Record):
            told["value"] = record.value
        else:
            told["counts"] = record.counts
        yield json.dumps({key: value for key, value in told.items() if value is not None}, ensure_ascii=False)


def _changes(rollout: Rollout, trace: Trace) -> Iterator[tuple[Record | RolloutRecord, str]]:
    """What changes, with its words; a line of `rollout status` only where it differs from the one before."""
    line = ""
    replay = RolloutReplay(rollout)
    for record in _in_order(trace):
        words = _rollout_words(replay, record) if isinstance(record, RolloutRecord) else _words(record)
        if record.what is RolloutHappening.ROLLOUT_STATUS:
            words, line = ("" if words == line else words), words
        if words:
            yield record, words


def _in_order(trace: Trace) -> list[Record | RolloutRecord]:
    """By time; at one instant the rollout first, which is what the rest follows from."""
    return sorted((*trace.rollout, *trace.records), key=lambda record: record.at_us)


def _rollout_words(replay: RolloutReplay, record: RolloutRecord) -> str:
    """The words of a record, which the replay then has seen."""
    name, told = replay.rollout.name, len(replay.events)
    replay.see(record)
    if record.what is RolloutHappening.STATUS and record.counts is not None:
        counts = (
            str(record.counts[place]).rjust(len(name)) for place, name in zip(PLACES, COUNTS, strict=True)
        )
        return f"daemonset/{name}: {' '.join(counts)}"
    if record.what is RolloutHappening.ROLLOUT_STATUS:
        return record.reason or ""
    if record.what in (RolloutHappening.POD_READY, RolloutHappening.POD_NOT_READY):
        pod = replay.pod(record.pod or "")
        return f"pod/{record.pod} on {record.node}: {pod.ready_containers}/{pod.containers}"
    if len(replay.events) == told:
        return ""
    event = replay.events[-1]
    if record.what in PRINTED:
        return f"# {event.message}"
    if event.kind == USER:
        return " ".join(part for part in ("#", event.reason, event.name, event.message) if part)
    return f"{event.kind.lower()}/{event.name}: {event.reason}: {event.message}"


def _words(record: Record) -> str:
    if record.what in (Happening.CAPACITY, Happening.ALLOCATABLE):
        return f"node/{record.node}: {record.what} {record.reason}: {record.value}"
    if record.what in PODS:
        where = record.reason or f"{'to' if record.what is Happening.POD_SCHEDULED else 'on'} {record.node}"
        return f"pod/{record.pod}: {PODS[record.what]}: {where}"
    return ""
