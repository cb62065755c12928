"""How wide text is: in terminal columns (East Asian characters take two) and, estimated, in a picture.

No font can be asked at build time, so widths in a picture are upper estimates for common sans-serif fonts: labels that
are laid out by them do not touch their neighbours.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Callable

_Fits = Callable[[str], bool]

_NARROW = frozenset("fijlrtI.,:;'|!()[]{}/ ·-\u00a0")
_WIDE = frozenset("mwMW@%—×")
_NO_LINE_START = frozenset("、。，．）」』】・：；？！ー％%),.:;!?ぁぃぅぇぉっゃゅょァィゥェォッャュョ")
_KATAKANA = frozenset(map(chr, range(ord("ァ"), ord("ヺ") + 1))) | {"ー"}
_NO_LINE_END = frozenset("（「『【([")
ELLIPSIS = "…"
# Spaces at which no line breaks: 6 GiB, 3 × 6.
_GLUED = re.compile(r" (?=×|[KMGT]iB)|(?<=×) ")
_GLUE = "\u00a0"
KEPT = 4_096  # characters, and texts with their lines


def columns(text: str) -> int:
    """The terminal columns that `text` takes: 2 for wide characters, 0 for combining and control ones."""
    return sum(_columns_of(character) for character in text)


def pixels(text: str, size: float, bold: bool = False) -> float:
    """The estimated width of `text` set in a sans-serif of `size` units."""
    ems = 0.0
    for character in text:
        ems += _ems(character)
    return ems * size * (1.06 if bold else 1.0)


@functools.lru_cache(maxsize=KEPT)
def _ems(character: str) -> float:
    """Of one character, in the size of its font."""
    if _columns_of(character) == 2:
        return 1.0
    if character in _NARROW:
        return 0.37
    if character in _WIDE:
        return 0.9
    return 0.7 if character.isupper() else 0.6


def pad(text: str, width: int, right: bool = False) -> str:
    """`text` filled with spaces to `width` columns (at its left for `right`)."""
    space = " " * max(0, width - columns(text))
    return space + text if right else text + space


def cut(text: str, width: int) -> str:
    """`text` in at most `width` columns, its end replaced by an ellipsis where it is longer."""
    if columns(text) <= width:
        return text
    kept = ""
    for character in text:
        if columns(kept + character) > width - 1:
            break
        kept += character
    return kept + ELLIPSIS


def fit(text: str, width: float, size: float, bold: bool = False) -> str:
    """`text` in at most `width` units of a picture, its end replaced by an ellipsis where it is longer."""
    if pixels(text, size, bold) <= width:
        return text
    while text and pixels(text + ELLIPSIS, size, bold) > width:
        text = text[:-1]
    return text.rstrip() + ELLIPSIS


def wrap(text: str, width: int) -> list[str]:
    """Lines of at most `width` columns."""
    return _lines(text, lambda part: columns(part) <= width)


def wrap_pixels(text: str, width: float, size: float, bold: bool = False) -> list[str]:
    """Lines of at most `width` units of a picture."""
    return [*_wrapped(text, width, size, bold)]


@functools.lru_cache(maxsize=KEPT)
def _wrapped(text: str, width: float, size: float, bold: bool) -> tuple[str, ...]:
    """The same; a picture that a reader changes has most of its words again."""
    return tuple(_lines(text, lambda part: pixels(part, size, bold) <= width))


def wrap_at_most(text: str, most: int, width: float, size: float) -> list[str]:
    """At most so many lines of `width` units of a picture; where there are more, the last ends in an ellipsis."""
    lines = wrap_pixels(text, width, size)
    return (
        lines if len(lines) <= most else [*lines[: most - 1], fit(" ".join(lines[most - 1 :]), width, size)]
    )


def _lines(text: str, fits: _Fits) -> list[str]:
    lines = [""]
    for piece in _pieces(_GLUED.sub(_GLUE, text)):
        if fits((lines[-1] + piece).rstrip()):
            lines[-1] += piece
            continue
        if lines[-1].strip():
            lines.append("")
        for character in piece.lstrip():
            if lines[-1] and not fits(lines[-1] + character):
                lines.append("")
            lines[-1] += character
    return [line.strip().replace(_GLUE, " ") for line in lines if line.strip()] or [""]


def _pieces(text: str) -> list[str]:
    """The parts between which a line may break: after a space, and around Japanese characters (not Hangul)."""
    pieces: list[str] = [""]
    for before, character in zip(" " + text, text, strict=False):
        if _breaks_between(before, character):
            pieces.append("")
        pieces[-1] += character
    return [piece for piece in pieces if piece]


def _breaks_between(before: str, after: str) -> bool:
    if after == " " or after in _NO_LINE_START or before in _NO_LINE_END:
        return False
    if before == " ":
        return True
    counted = before.isdigit() and _breaks_around(after)  # a number stays with its counter: 20個
    inside = _KATAKANA.issuperset((before, after))  # of a word: メモリ
    return not counted and not inside and (_breaks_around(before) or _breaks_around(after))


def _breaks_around(character: str) -> bool:
    return _columns_of(character) == 2 and not "가" <= character <= "힣"


@functools.lru_cache(maxsize=KEPT)
def _columns_of(character: str) -> int:
    if unicodedata.east_asian_width(character) in "WF":
        return 2
    return 0 if unicodedata.category(character) in {"Mn", "Me", "Cf", "Cc"} else 1
