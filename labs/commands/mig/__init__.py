"""`gpulab mig profiles|place|plan`."""

from labs.commands.mig.mig import FORMATS, add_arguments, run

__all__ = [
    "FORMATS",
    "add_arguments",
    "run",
]
