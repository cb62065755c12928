"""What mig-parted's configs mean: which entry is for which cards, and which config is chosen."""

from labs.lint.meaning.mig.cards import Cards, most_devices, names, nearest_profile
from labs.lint.meaning.mig.chosen import in_effect
from labs.lint.meaning.mig.entries import Chosen, EntryPlace, configs, entries, refused_entries
from labs.lint.meaning.mig.reach import Reach
from labs.lint.meaning.mig.strategy import MIXED, SINGLE, mig_strategy

__all__ = [
    "MIXED",
    "SINGLE",
    "Cards",
    "Chosen",
    "EntryPlace",
    "Reach",
    "configs",
    "entries",
    "in_effect",
    "mig_strategy",
    "most_devices",
    "names",
    "nearest_profile",
    "refused_entries",
]
