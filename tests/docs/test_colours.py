"""The palette: readable in both schemes, and the same dark one whether chosen or taken from the system."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

TOKENS = (Path(__file__).parents[2] / "theme" / "assets" / "site" / "tokens.css").read_text("utf-8")
BLOCK = re.compile(r"color-scheme: (light|dark);(.*?)}", re.DOTALL)
LIGHT, DARK, SYSTEM_DARK = (
    dict(re.findall(r"--gl-([a-z-]+): (#[0-9a-f]{6});", body)) for _, body in BLOCK.findall(TOKENS)
)
GROUNDS = ["paper", "ticket"]
TEXTS = ["ink", "soft", "accent", "alarm", "running", "exclusive", "ts", "mps", "mig"]
ON_THEIR_OWN = ["exclusive", "ts", "mps", "mig", "alarm"]


def luminance(colour: str) -> float:
    """Relative luminance, WCAG 2.2."""
    channels = [int(colour[index : index + 2], 16) / 255 for index in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


PAIRS = [
    *product(TEXTS, GROUNDS),
    *((name, f"{name}-soft") for name in ON_THEIR_OWN),
    *(("ink", f"{name}-soft") for name in ON_THEIR_OWN),
]


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_text_keeps_aa(scheme: dict[str, str], text: str, ground: str) -> None:
    assert contrast(scheme[text], scheme[ground]) >= 4.5


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
def test_edges_of_controls_can_be_seen(scheme: dict[str, str]) -> None:
    assert contrast(scheme["edge"], scheme["paper"]) >= 3


def test_both_ways_into_the_dark_are_the_same() -> None:
    assert DARK == SYSTEM_DARK
    assert DARK.keys() == LIGHT.keys()
