"""Figures: values that know where they come from.

Every fact about a card is a `Figure`. A value nobody could source stays `None`, so that whoever needs
it can say which figure is missing instead of computing with a guess.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

T_co = TypeVar("T_co", covariant=True)


class Confidence(StrEnum):
    """How well a figure is supported."""

    TWO_SOURCES = "two_sources"
    ONE_SOURCE = "one_source"
    INFERRED = "inferred"


@dataclass(frozen=True, slots=True)
class Figure(Generic[T_co]):
    """A value with its provenance.

    `sources` are keys of `Catalog.sources`. A figure without a value has neither sources nor a
    confidence; its `note` may say why. `basis` tells a reported value from one derived from a rounded one.
    """

    value: T_co | None
    sources: tuple[str, ...] = ()
    confidence: Confidence | None = None
    note: str | None = None
    basis: str | None = None

    @property
    def known(self) -> bool:
        """Whether there is a value."""
        return self.value is not None
