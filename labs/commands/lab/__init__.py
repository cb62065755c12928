"""`gpulab lab list|show|run`: the site's labs in a terminal."""

from labs.commands.lab.lab import FORMATS, add_arguments, run

__all__ = [
    "FORMATS",
    "add_arguments",
    "run",
]
