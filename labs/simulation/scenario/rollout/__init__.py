"""What a rollout scenario asks for: fleet, DaemonSet, revisions, behaviours and events."""

from labs.simulation.scenario.rollout.config_map_reader import refuse_mps
from labs.simulation.scenario.rollout.limits import MAX_NODES, SCENARIO_LIMITS
from labs.simulation.scenario.rollout.plugin_config import ConfigMap, PluginConfigs, Reading
from labs.simulation.scenario.rollout.reader import (
    is_alone,
    is_beside_nodes,
    read_rollout,
    read_rollout_beside,
)
from labs.simulation.scenario.rollout.rollout import (
    FIRST_REVISION,
    NEVER_STARTS,
    Action,
    Before,
    Behaviour,
    NoEffect,
    PodBehaviour,
    Rollout,
    RolloutEvent,
)
from labs.simulation.scenario.rollout.values import MAX_SECONDS, seconds_us

__all__ = [
    "FIRST_REVISION",
    "MAX_NODES",
    "MAX_SECONDS",
    "NEVER_STARTS",
    "SCENARIO_LIMITS",
    "Action",
    "Before",
    "Behaviour",
    "ConfigMap",
    "NoEffect",
    "PluginConfigs",
    "PodBehaviour",
    "Reading",
    "Rollout",
    "RolloutEvent",
    "is_alone",
    "is_beside_nodes",
    "read_rollout",
    "read_rollout_beside",
    "refuse_mps",
    "seconds_us",
]
