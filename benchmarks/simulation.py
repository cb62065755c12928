"""How fast the simulator is: beside the naive model, and for a day of a large fleet."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import pairwise
from math import fsum, log

from benchmarks import fleet, naive
from benchmarks.table import Cell, Result, Table
from labs.hardware.catalog import Catalog
from labs.library import builtin_library
from labs.simulation.outcome import outcome_of
from labs.simulation.scenario import read_scenario
from labs.simulation.world import run
from tools.paths import ROOT

NODES = (1, 10, 100, 1_000)
DAY_NODES = (10, 100, 1_000)
CARDS, PODS = 8, 5
HOUR_S = 3_600
SOLO_US, RESIDENCY = 120_000, 0.9
NAIVE_BUDGET_S = 10.0  # of the naive model's own time, from a first guess of 60 000 slices a second
GUESSED_SLICES = 60_000
SHORTEST_S = 0.3  # of simulated time: shorter, and the start, where nobody waits yet, would show


def against_naive(nodes: Sequence[int] = NODES, budget_s: float = NAIVE_BUDGET_S) -> Result:
    """An hour of training Pods, five on every card, here and in the naive model."""
    catalog = builtin_library().catalog
    rows = [_compared(count, catalog, budget_s) for count in nodes]
    table = Table(
        f"An hour of {PODS} training Pods on each of {CARDS} cards a node, against one event per 2 ms slice",
        (
            "nodes",
            "Pods",
            "records",
            "run, s",
            "Pods/s",
            "records/s",
            "naive: simulated s",
            "naive: s",
            "naive: slices/s",
            "naive: s per hour",
            "times as fast",
            "a Pod's speed",
            "naive: speed",
        ),
        tuple(rows),
        (
            "The naive model runs for the simulated seconds given and is extrapolated to the hour (nothing changes in it).",
            "Seconds are the processor's, so that a busy machine changes little. Nodes, Pods and jobs are the same in both.",
            "A record is an entry of the Trace. Speed is that of a Pod, of 1 alone on a card; the two models must agree.",
        ),
    )
    return Result((table,))


def _compared(nodes: int, catalog: Catalog, budget_s: float) -> tuple[Cell, ...]:
    pods = nodes * CARDS * PODS
    scenario = read_scenario(fleet.full_house(nodes, cards=CARDS, pods=PODS), catalog)
    started = time.process_time()
    trace = run(scenario)
    outcome = outcome_of(scenario, trace)
    ours = time.process_time() - started
    speed = 1 / outcome.pods[0].slowdown if outcome.pods[0].slowdown else None
    simulated_s = min(budget_s * GUESSED_SLICES / (nodes * CARDS * 500), float(HOUR_S))
    simulated_s = max(simulated_s, SHORTEST_S)
    started = time.process_time()
    slow = naive.run(
        nodes=nodes,
        cards=CARDS,
        pods=PODS,
        solo_us=SOLO_US,
        residency=RESIDENCY,
        horizon_us=round(simulated_s * 1e6),
    )
    spent = time.process_time() - started
    per_hour = spent * HOUR_S / simulated_s
    naive_speed = slow.work_us / 1e6 / (RESIDENCY * pods * simulated_s)
    return (
        nodes,
        pods,
        len(trace.records),
        ours,
        pods / ours,
        len(trace.records) / ours,
        simulated_s,
        spent,
        slow.slices / spent,
        per_hour,
        per_hour / ours,
        speed,
        naive_speed,
    )


def days(nodes: Sequence[int] = DAY_NODES) -> Result:
    """A day of mixed work with 100 Pods a node, and a week of as many for the largest fleet."""
    return Result((_spans(nodes, 1, "A day"), _spans(nodes[-1:], 7, "A week")))


def _spans(nodes: Sequence[int], days: int, name: str) -> Table:
    """Runs of so many days, each in a process of its own, so that its memory can be told."""
    rows: list[tuple[Cell, ...]] = []
    for count in nodes:
        command = [sys.executable, "-m", "benchmarks.simulation", str(count), str(days)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        row = tuple(json.loads(done.stdout))
        rows.append((*row, _growth(rows[-1], row) if rows else None))
    return Table(
        f"{name}: nodes of {CARDS} cards in 4 slots each, 100 Pods a node, mixed training and services",
        (
            "nodes",
            "Pods",
            "records",
            "read, s",
            "run, s",
            "add up, s",
            "all, s",
            "by the clock, s",
            "peak memory, MB",
            "Pods/s",
            "records/s",
            "growth by n log n",
        ),
        tuple(rows),
        (
            "Seconds are the processor's, but for those by the clock. Growth is that of all seconds from the line above,",
            "as a multiple of n log n of the nodes. The target: 1,000 nodes in 60 s and 1,000 MB, growth at most 1.",
        ),
    )


def _growth(before: Sequence[Cell], after: Sequence[Cell]) -> float:
    """How many times as much of the processor the later row took as n log n lets it."""
    (small, less), (large, more) = ((float(row[0] or 0), float(row[6] or 0)) for row in (before, after))
    return more / less / (large * log(large) / (small * log(small))) if small > 1 else float("nan")


def one_run(nodes: int, days: int) -> tuple[Cell, ...]:
    """The row of one run over so many days, measured in this process."""
    catalog = builtin_library().catalog
    text = fleet.day(nodes, cards=CARDS, days=days)
    times, started = [time.process_time()], time.perf_counter()
    scenario = read_scenario(text, catalog)
    times.append(time.process_time())
    trace = run(scenario)
    times.append(time.process_time())
    outcome = outcome_of(scenario, trace)
    times.append(time.process_time())
    steps = [later - earlier for earlier, later in pairwise(times)]
    wall = time.perf_counter() - started
    total, pods, records = fsum(steps), len(outcome.pods), len(trace.records)
    return (nodes, pods, records, *steps, total, wall, peak_memory_mb(), pods / total, records / total)


def peak_memory_mb() -> float | None:
    """The most memory that this process has held, in megabytes; None where the system does not tell."""
    if find_spec("resource") is None:
        return None
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


if __name__ == "__main__":
    print(json.dumps(one_run(int(sys.argv[1]), int(sys.argv[2]))))
