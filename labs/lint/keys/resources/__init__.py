"""Names of resources and filters of cards that nothing has, and what each was meant to be."""

from labs.lint.keys.resources.mig_filters import meant
from labs.lint.keys.resources.misnomers import Slip, is_gpu_resource, is_mig_resource, mig_resources, misnomer

__all__ = [
    "Slip",
    "is_gpu_resource",
    "is_mig_resource",
    "meant",
    "mig_resources",
    "misnomer",
]
