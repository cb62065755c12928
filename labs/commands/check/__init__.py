"""`gpulab check`: its options, its answers and its fixes."""

from labs.commands.check.check import FORMATS, add_arguments, run

__all__ = [
    "FORMATS",
    "add_arguments",
    "run",
]
