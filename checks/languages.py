"""The languages of the site, and which of them stand apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

LANGUAGES = ("ja", "ko", "en")

V = TypeVar("V")


def apart(values: Mapping[str, V]) -> tuple[str, tuple[str, ...]]:
    """The language whose value the most share, and those whose value differs from it.

    No language is the source of the others, so two that agree outvote the third; where all differ, the first
    of `values` counts.
    """
    languages = list(values)
    shared = {one: len([other for other in languages if values[other] == values[one]]) for one in languages}
    model = max(languages, key=lambda language: shared[language])
    return model, tuple(language for language in languages if values[language] != values[model])
