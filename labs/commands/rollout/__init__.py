"""`gpulab rollout`: a DaemonSet rollout in a terminal."""

from labs.commands.rollout import rollout
from labs.commands.rollout.rollout import FORMATS, add_arguments, run

__all__ = [
    "FORMATS",
    "add_arguments",
    "rollout",
    "run",
]
