"""The lab in which readers cut a card into MIG instances."""

from labs.teaching.planner_lab.kind import PlannerLabs

__all__ = [
    "PlannerLabs",
]
