"""The colours that a lab brings along for pages that have none: the site's own, readable, and the same list twice."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
CSS = (ROOT / "labs" / "web" / "css" / "labs.css").read_text("utf-8")
TOKENS = (ROOT / "theme" / "assets" / "site" / "tokens.css").read_text("utf-8")


def colours(css: str) -> list[dict[str, str]]:
    """The colour lists of a style sheet, in order."""
    blocks = [dict(re.findall(r"(--gl-[a-z-]+): (#[0-9a-f]{6});", block)) for block in css.split("}")]
    return [block for block in blocks if "--gl-paper" in block]


def luminance(colour: str) -> float:
    channels = [int(colour[index : index + 2], 16) / 255 for index in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_both_dark_lists_are_equal() -> None:
    _, dark, by_system = colours(CSS)
    assert dark == by_system


@pytest.mark.parametrize("index", [0, 1])
def test_they_are_the_sites(index: int) -> None:
    own, sites = colours(CSS)[index], colours(TOKENS)[index]
    assert own == {name: sites[name] for name in own}


@pytest.mark.parametrize(
    ("index", "pair"),
    list(
        product(
            range(2),
            [
                ("ink", "paper"),
                ("soft", "paper"),
                ("ink", "ticket"),
                ("alarm", "paper"),
                ("alarm", "alarm-soft"),
            ],
        )
    ),
)
def test_text_is_readable(index: int, pair: tuple[str, str]) -> None:
    text, ground = (colours(CSS)[index][f"--gl-{name}"] for name in pair)
    assert contrast(text, ground) >= 4.5


@pytest.mark.parametrize(
    ("index", "pair"),
    list(product(range(2), [("edge", "paper"), ("ts", "ts-soft"), ("exclusive", "exclusive-soft")])),
)
def test_shapes_can_be_told_from_their_ground(index: int, pair: tuple[str, str]) -> None:
    shape, ground = (colours(CSS)[index][f"--gl-{name}"] for name in pair)
    assert contrast(shape, ground) >= 3


def test_no_inline_looks_and_nothing_that_glows() -> None:
    rules = re.sub(r"/\*.*?\*/", "", CSS, flags=re.DOTALL)
    assert re.findall(r"gradient|text-shadow|box-shadow: [^n]|!important", rules) == []
