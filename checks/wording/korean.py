"""Korean spacing read by kiwipiepy, whose model comes with it and asks no network.

A line's own spacing is compared with the model's. Only a boundary between two Hangul syllables is judged:
beside Latin letters, digits and signs both ways of writing are in use. Before 하다 nothing is judged either,
for the model joins 해야 한다, which is wrong, and cannot tell 동작하나 from 동작 하나. The glossary's words are made
known to the model; `korean.tsv` holds further words and forms that it reads wrongly.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

from checks.glossary import read_terms
from checks.problem import Problem
from checks.prose import Line, docs_prose
from checks.wording.sources import spoken_messages
from tools import prose

_HANGUL = re.compile("[가-힣]")
_NOUN = re.compile("[가-힣]+(?<!다)")
_BEFORE_HADA = "하한할함합해했"
_SCORE = 10.0


class _Model(Protocol):
    def add_user_word(self, word: str, tag: str, score: float) -> object: ...

    def space(self, text: str) -> str: ...


@dataclass(frozen=True, slots=True)
class Words:
    """What the model is told: words with their part of speech (Sejong tags), and forms that are right."""

    known: tuple[tuple[str, str], ...]
    right: tuple[re.Pattern[str], ...]


@cache
def read_words() -> Words:
    """The project's words and forms: those of the glossary, then those of `korean.tsv`."""
    terms = [re.sub(r"\(.*\)", "", word) for term in read_terms() for word in (term.ko, term.ko_also)]
    nouns = [(word, "NNG") for word in terms if _NOUN.fullmatch(word)]
    with (Path(__file__).parent / "korean.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return Words(
        (*nouns, *((row["form"], row["kind"]) for row in rows if row["kind"] != "right")),
        tuple(re.compile(row["form"]) for row in rows if row["kind"] == "right"),
    )


def read(root: Path, sources: Sequence[str]) -> list[Problem]:
    """Spaces that are missing or too many in these pages and messages (paths from the root)."""
    if not sources:
        return []
    model = _model()
    lines = [line for line in (*docs_prose(root, "ko"), *spoken_messages(root, "ko")) if line[0] in sources]
    return sorted({problem for line in lines for problem in _problems(line, model)})


@cache
def _model() -> _Model:
    prose.set_up()
    from kiwipiepy import Kiwi  # installed just now, if not before

    model: _Model = Kiwi(num_workers=1)
    for word, tag in read_words().known:
        model.add_user_word(word, tag, _SCORE)
    return model


def _problems(line: Line, model: _Model) -> Iterator[Problem]:
    path, number, prose = line
    text = " ".join(prose.split())
    places = [place for place, letter in enumerate(text) if letter != " "]
    spaced = _starts_words(model.space(text))
    right = [match.span() for form in read_words().right for match in form.finditer(text)]
    for place, should_have in list(zip(places, spaced, strict=True))[1:]:
        has = text[place - 1] == " "
        before, after = text[: place - has], text[place:]
        if has == should_have or not (_HANGUL.match(before[-1]) and _HANGUL.match(after)):
            continue
        if after[0] not in _BEFORE_HADA and not any(start < place < end for start, end in right):
            what = "a space seems to be too many" if has else "a space seems to be missing"
            remedy = (
                "mend it; a word or form that the model does not know goes into checks/wording/korean.tsv"
            )
            yield Problem(path, number, f'{what} at the mark in "{before[-10:]}|{after[:10]}"', remedy)


def _starts_words(text: str) -> list[bool]:
    """For each letter of a text, without its spaces, whether a space stands before it."""
    return [before == " " for before, letter in zip(" " + text, text, strict=False) if letter != " "]
