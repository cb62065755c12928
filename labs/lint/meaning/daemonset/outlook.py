"""What a rollout of a DaemonSet comes to when something fails: asked of the controller's own sync, and as a scenario to try.

The numbers are those of the simulator: `tests/unit/lint/test_rollout_outlook.py` runs each scenario and compares.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from labs.cluster.daemonset import DaemonNode, DaemonPod, DaemonSetSpec, UpdateStrategy, status, sync
from labs.cluster.pod_phase import Phase
from labs.config.manifests import fields, mappings
from labs.lint.meaning.daemonset.rollouts import Rollout, whole

NODES = 10  # of a fleet of which nothing is known
NODES_MOST = 5_000  # that a scenario takes
OLD, NEW = "r1", "r2"
_NAME = re.compile(r"[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?")


@dataclass(frozen=True, slots=True)
class Outlook:
    """Where a rollout to `nodes` nodes stops when the new Pod of the first one never becomes available."""

    nodes: int
    updated: int
    available: int

    @property
    def left(self) -> int:
        """The nodes whose turn does not come."""
        return self.nodes - 1


def one_node_fails(strategy: UpdateStrategy, nodes: int) -> Outlook | None:
    """Where it stops; None where it goes on past that node."""
    old = DaemonPod("", OLD, 0, 0, Phase.RUNNING, 0, terminating=False, scheduled=True)
    new = DaemonPod("", NEW, 1, 1, Phase.RUNNING, None, terminating=False, scheduled=True)
    failing = (old, new) if strategy.allows_surge else (new,)
    fleet = [DaemonNode(f"{number:04}", True, True, (old,)) for number in range(1, nodes)]
    fleet.insert(0, DaemonNode("", True, True, failing))
    spec = DaemonSetSpec(strategy, NEW)
    if sync(fleet, spec, {}, 1):
        return None
    fleet_status = status(fleet, spec, 1)
    return Outlook(nodes, fleet_status.updated, fleet_status.available)


def scenario(rollout: Rollout, strategy: UpdateStrategy, nodes: int, behaviour: str) -> str:
    """The rollout as a scenario of `gpulab rollout`; `behaviour` is what new Pods do, as YAML in one line."""
    rolling = {"maxUnavailable": strategy.max_unavailable, "maxSurge": strategy.max_surge}
    rolling_text = ", ".join(
        f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in rolling.items()
    )
    named = [f"  name: {json.dumps(rollout.name)}"] if _NAME.fullmatch(rollout.name) else []
    lines = [
        "format: 1",
        "rollout:",
        *named,
        f"  nodes: {min(nodes, NODES_MOST)}",
        f"  updateStrategy: {{type: {strategy.type}, rollingUpdate: {{{rolling_text}}}}}",
        f"  minReadySeconds: {whole(rollout.min_ready) or 0}",
        *(["  tolerateAll: true"] if _tolerates_all(rollout) else []),
        f"  behaviour: [{behaviour}]",
        "  events:",
        f"    - {{at: 0, template: {NEW}}}",
    ]
    return "\n".join(lines) + "\n"


def _tolerates_all(rollout: Rollout) -> bool:
    spec = None if rollout.template is None else rollout.template.node
    tolerations = [
        {member.name: member.written for member in fields(each)} for each in mappings(spec, "tolerations")
    ]
    return {"operator": "Exists"} in tolerations


def first_node_fails(nodes: int) -> str:
    """That the new Pod of the first of so many nodes is never Ready."""
    return f"{{nodes: [node-{1:0{len(str(nodes))}d}], revisions: [{NEW}], pod: never-ready}}"


EVERY_POD_CRASHES = f"{{nodes: all, revisions: [{NEW}], pod: crash-loop, runSeconds: 15}}"
