"""Which pictures a result is shown with."""

from __future__ import annotations

from enum import StrEnum


class Picture(StrEnum):
    """What the cards have at one moment, who ran when over the whole run, or both."""

    CARDS = "cards"
    TIME = "time"
    BOTH = "both"

    @property
    def has_cards(self) -> bool:
        """Whether slots and memory are shown."""
        return self is not Picture.TIME

    @property
    def has_time(self) -> bool:
        """Whether time is shown."""
        return self is not Picture.CARDS
