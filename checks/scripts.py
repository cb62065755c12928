"""Letters that do not belong: another language's script in a page or message, and letters that cannot be seen.

Japanese has kana and kanji and no Hangul, Korean Hangul alone, English none of them. What stands in code is
not looked at; the name of a language may stand in its own script.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from checks.languages import LANGUAGES
from checks.problem import Problem
from checks.prose import all_prose

HANGUL = r"\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"
KANA = r"\u3040-\u30fa\u30fd-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # without ・ and ー
HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
UNSEEN = r"\u00a0\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff"

_STRAY = {
    "ja": re.compile(f"[{HANGUL}{UNSEEN}]+"),
    "ko": re.compile(f"[{KANA}{HAN}{UNSEEN}]+"),
    "en": re.compile(f"[{HANGUL}{KANA}{HAN}{UNSEEN}]+"),
}
_ALPHABETS = re.compile(r"[\u0370-\u052f\u0590-\u07ff\u0900-\u0dff]+")  # Greek to Sinhala
_GREEK_UNITS = {"μ"}
_NAMES = re.compile("日本語|한국어")


def check(root: Path) -> list[Problem]:
    """Letters of another script, and unseen ones, in the pages and messages of each language."""
    return sorted({problem for language in LANGUAGES for problem in _stray(root, language)})


def _stray(root: Path, language: str) -> Iterator[Problem]:
    for path, number, line in all_prose(root, language):
        text = _NAMES.sub("", line)
        for match in (*_STRAY[language].finditer(text), *_ALPHABETS.finditer(text)):
            if match[0] in _GREEK_UNITS:
                continue
            names = ", ".join(dict.fromkeys(unicodedata.name(letter, "a control") for letter in match[0]))
            around = text[max(match.start() - 8, 0) : match.end() + 8].strip()
            yield Problem(
                path,
                number,
                f'{match[0]!a} in "{around}" is of no script that this language is written in: {names}',
                "write it in the page's own letters, or as code",
            )
