"""A figure of a lab that prose refers to: `{{slots-and-memory@small.oomPods}}`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """A number and the words for it in a language, unit included.

    `unmet` says, in English, what the situation was expected to come to and does not; empty where nothing is.
    """

    value: float
    words: str
    unmet: str = ""


class UnknownMetricError(LookupError):
    """A reference names a preset or metric that is not there; `known` are those that are."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        super().__init__(name)
        self.name = name
        self.known = tuple(known)
