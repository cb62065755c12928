"""A Korean particle agrees with the last sound of what stands before it, also of a number that is computed."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.docs.built_page import BuiltPage

AFTER_A_CONSONANT = ("이다", "이고", "이며", "이라", "이면", "은", "을", "과", "이", "으로")
AFTER_A_VOWEL = ("다", "고", "며", "라", "면", "는", "를", "와", "가", "로")
"""The same particles after the two kinds of sounds; 이고 and the like are tried before 이."""

_SPOKEN = dict(zip("0123456789%", "영일이삼사오육칠팔구트", strict=True))
_COMPUTED = re.compile(r'<data class="gl-computed"[^>]*>(?P<number>[^<]+)</data>(?P<after>[가-힣]+)')
_L = 8


def _wrong(number: str, after: str) -> bool:
    last = _SPOKEN.get(number[-1], number[-1])
    if not "가" <= last <= "힣":
        return False
    final = (ord(last) - ord("가")) % 28
    if final == 0 or (final == _L and after.startswith(("로", "으로"))):
        return after.startswith(AFTER_A_CONSONANT)
    return after in AFTER_A_VOWEL


def mistakes(html: str) -> Iterator[str]:
    """Computed numbers of a page with a particle that belongs after another sound."""
    for found in _COMPUTED.finditer(html):
        if _wrong(found["number"], found["after"]):
            yield found["number"] + found["after"]


@pytest.mark.parametrize(
    ("number", "after", "wrong"),
    [
        ("30분", "다", True),
        ("30분", "이다", False),
        ("37분 48초", "가", False),
        ("37분 48초", "이", True),
        ("3", "를", True),
        ("2", "를", False),
        ("1", "로", False),
        ("3", "으로", False),
        ("8%", "는", False),
        ("8%", "은", True),
        ("8%", "인데", False),
        ("10", "개다", False),
        ("40GiB", "를", False),
    ],
)
def test_a_particle_is_right_or_wrong(number: str, after: str, wrong: bool) -> None:
    assert bool(list(mistakes(f'<data class="gl-computed" value="1">{number}</data>{after}'))) is wrong


def test_particles_after_computed_numbers_agree_with_them(pages: dict[str, BuiltPage]) -> None:
    korean = {address: page for address, page in pages.items() if address.startswith("ko/")}
    assert any(_COMPUTED.search(page.html) for page in korean.values())
    assert {address: wrong for address, page in korean.items() if (wrong := list(mistakes(page.html)))} == {}
