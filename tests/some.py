"""For loops that assert."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

Case = TypeVar("Case")


def some(cases: Iterable[Case]) -> list[Case]:
    """The cases, of which there must be one at least: a loop over none would assert nothing."""
    present = list(cases)
    assert present, "there is nothing to go through"
    return present
