"""The lab in which readers cut a card into MIG instances."""

from labs.teaching.planner_lab.answer import Planning
from labs.teaching.planner_lab.cut import DEFAULT_CARD, PRESETS, UnreadableCutError, preset, read_cut
from labs.teaching.planner_lab.view import planner_html

__all__ = [
    "DEFAULT_CARD",
    "PRESETS",
    "Planning",
    "UnreadableCutError",
    "planner_html",
    "preset",
    "read_cut",
]
