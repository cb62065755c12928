"""Labs in which readers check a config of their own: `gpulab check` on a page."""

from labs.teaching.check_lab.finding_link import lab_fragment
from labs.teaching.check_lab.kind import CheckLabs
from labs.teaching.check_lab.sample import CheckSample

__all__ = [
    "CheckLabs",
    "CheckSample",
    "lab_fragment",
]
