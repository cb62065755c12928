"""What the nodes offer under the configs that are given, and where each file says so."""

from labs.lint.meaning.market.offer_places import (
    SHARED,
    Market,
    fail_place,
    market,
    related,
    rename_place,
    sharing_place,
)
from labs.lint.meaning.market.offers import MIG_PREFIX, Offer, offers

__all__ = [
    "MIG_PREFIX",
    "SHARED",
    "Market",
    "Offer",
    "fail_place",
    "market",
    "offers",
    "related",
    "rename_place",
    "sharing_place",
]
