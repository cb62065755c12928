"""What a DaemonSet's manifest means: on which nodes it runs, and how its rollout goes."""

from labs.lint.meaning.daemonset.nodes import (
    desired_nodes,
    given_nodes,
    is_meant_for,
    operator_nodes,
    tolerates,
)
from labs.lint.meaning.daemonset.outlook import (
    EVERY_POD_CRASHES,
    NODES,
    first_node_fails,
    one_node_fails,
    scenario,
)
from labs.lint.meaning.daemonset.rollouts import (
    MOST_INT32,
    Rollout,
    daemonset_specs,
    int_or_percent,
    rollouts,
    whole,
)

__all__ = [
    "EVERY_POD_CRASHES",
    "MOST_INT32",
    "NODES",
    "Rollout",
    "daemonset_specs",
    "desired_nodes",
    "first_node_fails",
    "given_nodes",
    "int_or_percent",
    "is_meant_for",
    "one_node_fails",
    "operator_nodes",
    "rollouts",
    "scenario",
    "tolerates",
    "whole",
]
