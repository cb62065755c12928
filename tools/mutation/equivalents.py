"""Mutants that behave as the code does, so that no test can tell them from it; each with its reason."""

from __future__ import annotations

import tomllib
from pathlib import Path

from tools.mutation.sites import Mutant

FILE = Path(__file__).with_name("equivalents.toml")


def load() -> dict[tuple[str, str, str, str], str]:
    """The reason by file, function, code before and after."""
    entries = tomllib.loads(FILE.read_text("utf-8")).get("mutant", [])
    return {(one["path"], one["function"], one["was"], one["becomes"]): one["reason"] for one in entries}


def key(mutant: Mutant) -> tuple[str, str, str, str]:
    """What `load` knows a mutant by; its line may change."""
    return mutant.path, mutant.function, mutant.was, mutant.becomes
