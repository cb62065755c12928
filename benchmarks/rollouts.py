"""How fast rollouts are: alone and beside nodes and workloads, and against a controller that looks at every node."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING
from unittest.mock import patch

from benchmarks.table import Cell, Result, Table
from labs.commands.run import collecting_seldom
from labs.library import builtin_library
from labs.simulation.scenario import read_scenario
from labs.simulation.scenario.rollout import read_rollout
from labs.simulation.world import run
from labs.simulation.world.rollout import QuietNodes, RolloutTooLargeError, run_rollout
from labs.simulation.world.rollout import world as rollout_world

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labs.cluster.daemonset import BackOff
from labs.cluster.daemonset import DaemonNode, DaemonSetSpec

NODES = (10, 100, 1_000, 5_000)
BUDGETS = ("1", "10%")
NAIVE_VISITS = 3_000_000  # of nodes; a longer run is extrapolated from these
CARDS, PODS, BEFORE, AFTER = 8, 16, 2, 5  # a node; slots of a card in the old config and the new one


class _EveryNode(QuietNodes):
    """No node is quiet: each sync looks at all of them, as the real controller does."""

    def settle(self, node: DaemonNode, spec: DaemonSetSpec, back_off: BackOff | None, now_us: int) -> bool:
        return False


def rollouts(nodes: Sequence[int] = NODES) -> Result:
    """A healthy fleet from one template to the next."""
    alone = [_alone(count, budget) for count in nodes for budget in BUDGETS]
    beside = [_beside(count, budget) for count in nodes for budget in BUDGETS]
    return Result(
        (
            Table(
                "A rollout alone, against a controller that looks at every node in every sync",
                (
                    "nodes",
                    "maxUnavailable",
                    "records",
                    "simulated s",
                    "run, s",
                    "every node: s",
                    "times as fast",
                ),
                tuple(alone),
                (
                    "Seconds are the processor's. Beyond 3 million nodes looked at, the slow one is extrapolated "
                    "from the simulated time that it came to.",
                ),
            ),
            Table(
                f"A rollout from {BEFORE} to {AFTER} slots a card, {CARDS} cards and {PODS} Pods a node",
                ("nodes", "maxUnavailable", "Pods", "records", "run, s"),
                tuple(beside),
                (),
            ),
        )
    )


def _alone(nodes: int, budget: str) -> tuple[Cell, ...]:
    strategy = f"updateStrategy: {{rollingUpdate: {{maxUnavailable: {budget}}}}}"
    text = f"rollout: {{nodes: {nodes}, until: 100000, {strategy}, events: [{{at: 0, template: r2}}]}}"
    rollout = read_rollout(text)
    with collecting_seldom():
        started = time.process_time()
        end = run_rollout(rollout)
        ours = time.process_time() - started
    assert end.status.updated == nodes
    done_us = end.lines[-1][0]
    slow = _looking_at_all(text, done_us)
    return (
        nodes,
        budget,
        len(end.trace.rollout),
        done_us / 1e6,
        round(ours, 3),
        round(slow, 2),
        round(slow / ours, 1),
    )


def _looking_at_all(text: str, done_us: int) -> float:
    """Seconds that the rollout takes where no node is left out."""
    with _every_node(), collecting_seldom():
        started = time.process_time()
        try:
            run_rollout(read_rollout(text), visit_limit=NAIVE_VISITS)
            came_to_us = done_us
        except RolloutTooLargeError as error:
            came_to_us = error.at_us
        return (time.process_time() - started) * done_us / came_to_us


@contextmanager
def _every_node() -> Iterator[None]:
    with patch.object(rollout_world, "QuietNodes", _EveryNode):
        yield


def _beside(nodes: int, budget: str) -> tuple[Cell, ...]:
    listed = "".join(
        f"  - {{name: n{number:04d}, gpus: {{model: a100-80gb, count: {CARDS}}}}}\n"
        for number in range(nodes)
    )
    revisions = ", ".join(
        f"{name}: {{config: '{_config(slots)}'}}" for name, slots in (("r1", BEFORE), ("r2", AFTER))
    )
    text = (
        f"format: 1\nhorizon: 24h\nnodes:\n{listed}workloads:\n"
        f"  - {{name: w, count: {nodes * PODS}, request: {{nvidia.com/gpu: 1}}, job: {{kind: idle}}}}\n"
        f"rollout:\n  updateStrategy: {{rollingUpdate: {{maxUnavailable: {budget}}}}}\n"
        f"  revisions: {{{revisions}}}\n  events: [{{at: 60, template: r2}}]\n"
    )
    scenario = read_scenario(text, builtin_library().catalog)
    with collecting_seldom():
        started = time.process_time()
        trace = run(scenario)
        ours = time.process_time() - started
    return nodes, budget, nodes * PODS, len(trace.records) + len(trace.rollout), round(ours, 2)


def _config(replicas: int) -> str:
    return f"{{version: v1, sharing: {{timeSlicing: {{resources: [{{name: nvidia.com/gpu, replicas: {replicas}}}]}}}}}}"
