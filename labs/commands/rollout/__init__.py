"""`gpulab rollout`: a DaemonSet rollout in a terminal."""

from labs.commands.rollout.rollout import FORMATS, add_arguments, run, run_lab

__all__ = [
    "FORMATS",
    "add_arguments",
    "run",
    "run_lab",
]
