"""What stands above a lab whatever preset is chosen is true under every preset."""

from __future__ import annotations

import hashlib
import operator
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from labs.library import LANGUAGES, builtin_library
from labs.teaching.lab import LabKind

LIBRARY = builtin_library()
CLAIMS: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("lab_claims.toml").read_text("utf-8")
)
ABOVE = ("title", "try", "caption")
OPERATORS: dict[str, Callable[[float, float], bool]] = {
    "==": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def labs() -> Iterator[tuple[str, LabKind, str]]:
    """Every lab that prose may refer to, with its kind and where its words stand."""
    for entry in LIBRARY.kinds:
        kind = LIBRARY.opened()[entry.name]
        yield from ((lab, kind, f"{entry.words}.{lab}") for lab in kind.ids)


LABS = {lab: (kind, place) for lab, kind, place in labs()}


def digest(place: str) -> str:
    """Of the words above a lab, in all languages."""
    messages = [LIBRARY.messages[language] for language in LANGUAGES]
    words = [
        each.text(f"{place}.{key}") for each in messages for key in ABOVE if f"{place}.{key}" in each.keys
    ]
    return hashlib.sha256("\n".join(words).encode()).hexdigest()[:12]


def broken(kind: LabKind, lab: str, preset: str | None, claims: list[str]) -> list[str]:
    """The claims that a preset makes false."""
    return [claim for claim in claims if not holds(kind, lab, preset, claim)]


def holds(kind: LabKind, lab: str, preset: str | None, claim: str) -> bool:
    left, sign, right = claim.split()
    return OPERATORS[sign](value(kind, lab, preset, left), value(kind, lab, preset, right))


def value(kind: LabKind, lab: str, preset: str | None, term: str) -> float:
    try:
        return float(term)
    except ValueError:
        return kind.figure(lab, preset, term, LIBRARY.messages["en"]).value


def test_every_lab_with_presets_says_what_it_claims() -> None:
    assert sorted(CLAIMS) == sorted(LABS)
    assert {lab: claims["words"] for lab, claims in CLAIMS.items()} == {
        lab: digest(place) for lab, (_, place) in LABS.items()
    }


@pytest.mark.parametrize("lab", sorted(LABS))
def test_what_stands_above_a_lab_holds_under_every_preset(lab: str) -> None:
    kind, _ = LABS[lab]
    assert {
        preset: broken(kind, lab, preset, CLAIMS[lab]["every"]) for preset in (None, *kind.presets(lab))
    } == {preset: [] for preset in (None, *kind.presets(lab))}


@pytest.mark.parametrize(
    ("lab", "claim", "false_under"),
    [
        ("slots-and-memory", "oomPods == 4", {"small", "refused", "two", "agreed"}),
        ("before-sharing", "pendingPods > 0", {"shared", "crowded"}),
        ("stops-on-one-node", "updated < desired", {"healthy", "last", "two-at-once"}),
    ],
)
def test_a_claim_that_a_preset_makes_false_is_found(lab: str, claim: str, false_under: set[str]) -> None:
    kind, _ = LABS[lab]
    assert {preset for preset in kind.presets(lab) if broken(kind, lab, preset, [claim])} == false_under
