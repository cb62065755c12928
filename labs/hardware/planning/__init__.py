"""Plans for cards: which layout serves the wishes with least waste, and what would have to change."""

from labs.hardware.planning.advice import (
    IllegalStart,
    InTheWay,
    NoLayout,
    OtherWay,
    Reason,
    TooMuch,
    UnknownProfile,
    holders,
    why_refused,
)
from labs.hardware.planning.packing import MOST_CARDS, EmptyCard
from labs.hardware.planning.plan import Bound, CardPlan, Plan, Shortage, Wish, nearly_enough, plan_cards
from labs.hardware.planning.trial import Trial, try_out
from labs.hardware.planning.waste import wasted_compute_slices, wasted_memory_slices

__all__ = [
    "MOST_CARDS",
    "Bound",
    "CardPlan",
    "EmptyCard",
    "IllegalStart",
    "InTheWay",
    "NoLayout",
    "OtherWay",
    "Plan",
    "Reason",
    "Shortage",
    "TooMuch",
    "Trial",
    "UnknownProfile",
    "Wish",
    "holders",
    "nearly_enough",
    "plan_cards",
    "try_out",
    "wasted_compute_slices",
    "wasted_memory_slices",
    "why_refused",
]
