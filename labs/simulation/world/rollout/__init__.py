"""The world of a rollout: people act, kubelets follow, and the controller syncs once a second."""

from labs.simulation.world.rollout import world
from labs.simulation.world.rollout.fleet import CONTROLLER, LONG_AGO_US, PERSON
from labs.simulation.world.rollout.no_effect import CONFIG_LABEL
from labs.simulation.world.rollout.nodes import FleetNode
from labs.simulation.world.rollout.quiet import QuietNodes
from labs.simulation.world.rollout.waits import INIT_CRASH_LOOP, restarts_since
from labs.simulation.world.rollout.world import (
    VISIT_LIMIT,
    RolloutTooLargeError,
    RolloutWorld,
    run_rollout,
    too_large,
)

__all__ = [
    "CONFIG_LABEL",
    "CONTROLLER",
    "INIT_CRASH_LOOP",
    "LONG_AGO_US",
    "PERSON",
    "VISIT_LIMIT",
    "FleetNode",
    "QuietNodes",
    "RolloutTooLargeError",
    "RolloutWorld",
    "restarts_since",
    "run_rollout",
    "too_large",
    "world",
]
