"""The GPU Operator of a run: it has the device plugin as a DaemonSet, whose rollout goes on beside everything else.

The rollout has an event loop of its own (`rollout/fleet.py`). One SimPy process advances it, so that both have one clock.
"""

from __future__ import annotations

import simpy

from labs.simulation.scenario.rollout import Action, Rollout
from labs.simulation.trace import RolloutRecord
from labs.simulation.world.mig_manager import Layout
from labs.simulation.world.plugged_nodes import PluggedNodes
from labs.simulation.world.rollout import RolloutWorld


class GpuOperator:
    """The rollout on `nodes`, which begins with this; mig-manager's `Operator`."""

    def __init__(self, env: simpy.Environment, rollout: Rollout, nodes: PluggedNodes) -> None:
        self._env = env
        self._nodes = nodes
        self._rollout_world = RolloutWorld(rollout, nodes)
        self._wake = env.event()
        nodes.start()
        env.process(self._run())

    def records(self) -> tuple[RolloutRecord, ...]:
        """Those of the rollout; it ends with that."""
        self._rollout_world.finish()
        return tuple(self._rollout_world.fleet.records)

    def _run(self) -> simpy.events.ProcessGenerator:
        while True:
            at_us = self._rollout_world.next_us()
            self._wake = self._env.event()
            if at_us is None:
                yield self._wake
                continue
            alarm = self._env.timeout(at_us - int(self._env.now))
            yield alarm | self._wake
            if alarm.processed:
                self._rollout_world.step(at_us)

    def pause(self, node: str) -> None:
        """The DaemonSet leaves the node."""
        self._select(node, Action.DESELECT)

    def is_gone(self, node: str) -> bool:
        """Whether no Pod of the DaemonSet is there any more."""
        there = self._rollout_world.fleet.nodes.get(node)
        return there is None or not there.pods

    def resume(self, node: str) -> None:
        """The DaemonSet comes back."""
        self._select(node, Action.SELECT)

    def heard(self, node: str) -> simpy.Event | None:
        """What happens when the node's kubelet, which is silent, is heard again."""
        return self._nodes.heard(node)

    def recut(self, node: str, layout: Layout) -> None:
        """The node's cards are cut so now."""
        self._nodes.recut(node, layout)

    def _select(self, node: str, action: Action) -> None:
        self._rollout_world.do_now(node, action, int(self._env.now))
        if not self._wake.triggered:
            self._wake.succeed()
