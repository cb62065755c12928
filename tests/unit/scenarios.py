"""Builds the texts of sharing scenarios, and runs them against the package's own catalog.

A built scenario is JSON, which is YAML; where places in the text matter, tests write it by hand.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TypeVar

from labs.hardware.catalog import builtin_catalog
from labs.library import builtin_library
from labs.simulation.outcome.evaluate import evaluate
from labs.simulation.outcome.outcome import Outcome, PodOutcome
from labs.simulation.scenario.reader import read_scenario
from labs.simulation.scenario.scenario import Scenario
from labs.simulation.trace import Record
from labs.simulation.world.run import RECORD_LIMIT

Kind = TypeVar("Kind", bound=Record)
SECOND = 1_000_000
MIB = 2**20
GIB = 2**30
GPU = "nvidia.com/gpu"
STORY = builtin_library().lab("slots-and-memory").scenario


def config(
    replicas: int | None, *, fail_greater_than_one: bool | None = None, policy: str | None = None
) -> str | None:
    """A device plugin's file that time-slices every card `replicas` times (None: no file)."""
    if replicas is None:
        return None
    slicing: dict[str, Any] = {"resources": [{"name": GPU, "replicas": replicas}]}
    if fail_greater_than_one is not None:
        slicing["failRequestsGreaterThanOne"] = fail_greater_than_one
    file: dict[str, Any] = {"version": "v1", "sharing": {"timeSlicing": slicing}}
    if policy is not None:
        file["flags"] = {"plugin": {"sharedDevicesAllocationPolicy": policy}}
    return json.dumps(file)


def node(
    name: str = "node",
    *,
    model: str = "a100-40gb",
    cards: int = 1,
    replicas: int | None = None,
    text: str | None = None,
    **more: Any,
) -> dict[str, Any]:
    """A node; `text` is its config's own text, else one with `replicas`."""
    made = text if text is not None else config(replicas)
    return {
        "name": name,
        "gpus": {"model": model, "count": cards},
        **({} if made is None else {"config": made}),
        **more,
    }


def pods(name: str, count: int = 1, *, units: int = 1, **more: Any) -> dict[str, Any]:
    """A workload of `count` Pods that request `units` GPUs each; idle unless `more` says otherwise."""
    return {"name": name, "count": count, "request": {GPU: units}, **more}


def training(solo: str = "100ms", iterations: int = 100, **more: Any) -> dict[str, Any]:
    """A training job."""
    return {"kind": "training", "soloTime": solo, "iterations": iterations, **more}


def service(solo: str = "100ms", **more: Any) -> dict[str, Any]:
    """A service job."""
    return {"kind": "service", "soloTime": solo, **more}


def scenario(
    nodes: Sequence[dict[str, Any]], workloads: Sequence[dict[str, Any]], horizon: str = "10m", **more: Any
) -> str:
    """The text of a scenario."""
    whole = {"format": 1, "horizon": horizon, "nodes": list(nodes), "workloads": list(workloads), **more}
    return json.dumps(whole)


def read(text: str) -> Scenario:
    """The scenario in a text."""
    return read_scenario(text, builtin_catalog())


def outcome(text: str, *, record_limit: int = RECORD_LIMIT) -> Outcome:
    """What comes of running a text."""
    return evaluate(text, builtin_catalog(), record_limit=record_limit)


def pod(result: Outcome, name: str) -> PodOutcome:
    """The Pod of this name."""
    return next(found for found in result.pods if found.name == name)


def phases(result: Outcome) -> dict[str, str]:
    """`phase/reason` of every Pod by name (`Running` where there is no reason)."""
    return {
        found.name: str(found.phase) if found.reason is None else f"{found.phase}/{found.reason}"
        for found in result.pods
    }


def happened(result: Outcome, *kinds: type[Record]) -> list[tuple[float, str, Any, Any]]:
    """(seconds, what, Pod, value) of the rows of the records of these kinds, in order."""
    rows: list[list[Any]] = [[*record.to_row()] for record in records(result, *kinds)]
    return [(at_us / SECOND, kind, pod, value) for at_us, kind, pod, _, _, _, value, _ in rows]


def records(result: Outcome, *kinds: type[Kind]) -> list[Kind]:
    """The records of these kinds, in order."""
    return [record for record in result.trace.records if isinstance(record, kinds)]
