"""One word for one thing, and one voice: the glossary's words, spacing and sentence endings in ja and ko.

`terms.tsv` is the glossary. `forms.tsv` lists, as regular expressions, the forms that it or the style rules
out; nothing else is judged, so that a free sentence never raises an alarm. Code is not looked at, and
sentence endings are not looked at inside quotations and in tables, where fragments stand.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from checks.problem import Problem
from checks.prose import all_prose, without_quotations

_FOLDER = Path(__file__).parent

PLAIN_JAPANESE = re.compile(
    r"(?:である|であった|だった|だろう|(?<=[ぁ-んァ-ヶー一-龠A-Za-z0-9])だ|ない|[するむうぶぐぬ]|[しっれいえけき]た)。"
)
"""Sentences that end in the plain style; nouns, which end a sentence now and then, are none."""

POLITE_JAPANESE = re.compile(r"(?:です|ます|でした|ました|ません|ませんでした|でしょう|ましょう)。")

_FINAL_BIEUP = "".join(chr(code) for code in range(0xAC00, 0xD7A4) if (code - 0xAC00) % 28 == 17)

POLITE_KOREAN = re.compile(
    rf"(?:[{_FINAL_BIEUP}](?:니다|니까|시다)|세요|어요|아요|여요|해요|예요|에요|네요|군요|나요|까요|데요|지요|[가-힣]죠)"
    r"[.!?](?=\s|$|[)\"”’])"
)
"""Sentences that end in -ㅂ니다 or -요; 아니다 ends in 니다 too, but no ㅂ stands before it."""

PLAIN_KOREAN = re.compile(rf"(?<![{_FINAL_BIEUP}]니)다(?:$|[.!?](?=\s|$|[)\"”’]))")
"""Sentences and lines that end in -다 but not in -ㅂ니다."""

LETTERS = "notice.toml"
"""What somebody sends to colleagues: in Korean in the formal polite style, unlike pages and the program's own words."""


@dataclass(frozen=True, slots=True)
class Term:
    """A row of the glossary: a thing in English, its words in ja and ko, and others that may be used."""

    en: str
    ja: str
    ja_also: str
    ko: str
    ko_also: str


@dataclass(frozen=True, slots=True)
class Form:
    """A way of writing that a language rules out, and what stands instead; `term` is the glossary's row."""

    language: str
    pattern: re.Pattern[str]
    instead: str
    term: str
    why: str


def read_terms() -> tuple[Term, ...]:
    """The glossary."""
    rows = [row for row in _rows("terms.tsv") if not row["en"].startswith("#")]
    return tuple(Term(row["en"], row["ja"], row["ja_also"], row["ko"], row["ko_also"]) for row in rows)


def read_forms() -> tuple[Form, ...]:
    """The forms that are ruled out."""
    return tuple(
        Form(row["language"], re.compile(row["pattern"]), row["instead"], row["term"], row["why"])
        for row in _rows("forms.tsv")
    )


def _rows(name: str) -> Iterator[dict[str, str]]:
    with (_FOLDER / name).open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield {key: value or "" for key, value in row.items() if key}


def check(root: Path) -> list[Problem]:
    """Forms ruled out, and sentences in the wrong voice, in the pages and messages of ja and ko."""
    problems: list[Problem] = []
    forms = read_forms()
    for language in ("ja", "ko"):
        own = [form for form in forms if form.language == language]
        for path, number, line in all_prose(root, language):
            problems.extend(_ruled_out(path, number, line, own))
            problems.extend(_voice(path, number, line, language))
    return sorted(set(problems))


def _ruled_out(path: str, number: int, line: str, forms: list[Form]) -> Iterator[Problem]:
    for form in forms:
        for match in form.pattern.finditer(line):
            around = line[max(match.start() - 8, 0) : match.end() + 8].strip()
            term = f' (the glossary\'s word for "{form.term}")' if form.term else ""
            yield Problem(
                path,
                number,
                f'"{match[0]}" in "{around}" is ruled out: {form.why}',
                f"write {form.instead}{term}",
            )


def _voice(path: str, number: int, line: str, language: str) -> Iterator[Problem]:
    if line.lstrip().startswith("|"):
        return
    said = without_quotations(line)
    pattern, style = PLAIN_JAPANESE, "です・ます"
    if language == "ko":
        is_letter = path.endswith(f"/{LETTERS}")
        pattern, style = (PLAIN_KOREAN, "합쇼체(-습니다)") if is_letter else (POLITE_KOREAN, "평어체(-다)")
    for match in pattern.finditer(said):
        start = max(match.start() - 12, 0)
        if language == "ja" and POLITE_JAPANESE.search(said, start, match.end()):
            continue
        yield Problem(
            path,
            number,
            f'the sentence ending "{said[start : match.end()].strip()}" is not in the style {style}',
            "change the ending, or put a quotation in quotation marks",
        )
