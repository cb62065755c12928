"""Labs in which readers act on a DaemonSet rollout and watch where it stops."""

from labs.teaching.rollout_lab.kind import RolloutLabs
from labs.teaching.rollout_lab.lab import RolloutLab
from labs.teaching.rollout_lab.link import rollout_link
from labs.teaching.rollout_lab.results import RolloutResults, RolloutSettings

__all__ = [
    "RolloutLab",
    "RolloutLabs",
    "RolloutResults",
    "RolloutSettings",
    "rollout_link",
]
