"""The words of the lint rules: the same keys and placeholders in all languages, those that the rules declare and no others.

A rule's table has `title`, `message` and `help`; of each variant that it declares `message-<variant>`, `help-<variant>` or
both; each of its notes; and `what` and `why`, which English leaves to the rule's docstring.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from checks.languages import LANGUAGES
from checks.messages import placeholders
from checks.problem import Problem
from labs.lint.registry import RULES
from labs.lint.subject import Rule
from labs.report.findings import DOCSTRINGS
from labs.report.writing import MessageError

FOLDER = "labs/messages/rules"
NEEDED = ("title", "message", "help")
PROSE = ("what", "why")
PLAIN = ("title", *PROSE)

Words = Mapping[str, Mapping[str, object]]
"""The tables of a language by the rules' codes."""


def check(root: Path) -> list[Problem]:
    """All differences between the languages, and between them and the rules."""
    problems: list[Problem] = []
    words: dict[str, dict[str, Mapping[str, object]]] = {language: {} for language in LANGUAGES}
    files: dict[tuple[str, str], str] = {}
    for language in LANGUAGES:
        for file in sorted((root / FOLDER / language).glob("*.toml")):
            path = file.relative_to(root).as_posix()
            try:
                tables = tomllib.loads(file.read_text(encoding="utf-8"))
            except tomllib.TOMLDecodeError as error:
                problems.append(
                    Problem(path, 0, f"this is not TOML: {error}", "correct it at the place named")
                )
                continue
            for code, table in tables.items():
                if code in words[language]:
                    problems.append(Problem(path, 0, f"{code} has words elsewhere too", "keep one of them"))
                words[language][code] = table
                files[language, code] = path
    by_code = {rule.code: rule for rule in RULES}
    for language in LANGUAGES:
        for code in sorted({*by_code, *words[language]}):
            path = files.get((language, code), f"{FOLDER}/{language}")
            rule = by_code.get(code)
            if rule is None:
                problems.append(Problem(path, 0, f"there is no rule {code}", "remove its words"))
            elif code not in words[language]:
                problems.append(
                    Problem(path, 0, f"{code} has no words", f"write {', '.join(needed(language))}")
                )
            else:
                problems.extend(_table(path, rule, language, words))
    return problems


def needed(language: str) -> tuple[str, ...]:
    """The keys that every rule has in a language."""
    return NEEDED if language == DOCSTRINGS else (*NEEDED, *PROSE)


def _table(path: str, rule: Rule, language: str, words: Mapping[str, Words]) -> Iterator[Problem]:
    own = words[language][rule.code]
    wanted = {*needed(language), *rule.notes}
    of_variants = {f"{part}-{variant}" for variant in rule.variants for part in ("message", "help")}
    for key in sorted(wanted - own.keys()):
        yield Problem(path, 0, f"{rule.code} has no {key}", "write it")
    for variant in rule.variants:
        if own.keys().isdisjoint({f"message-{variant}", f"help-{variant}"}):
            yield Problem(
                path, 0, f"{rule.code} has no words for its variant {variant}", "write message-, or help-"
            )
    for key, value in own.items():
        if not isinstance(value, str) or not value.strip():
            yield Problem(path, 0, f"{rule.code}.{key} is no text", "write a sentence in quotes")
        elif language == DOCSTRINGS and key in PROSE:
            yield Problem(path, 0, f"the docstring says {rule.code}.{key}", "remove it here")
        elif key not in wanted | of_variants:
            yield Problem(path, 0, f"nothing uses {rule.code}.{key}", "remove it, or declare it in the rule")
        else:
            yield from _level(path, rule.code, key, value, words, language)


def _level(
    path: str, code: str, key: str, value: str, words: Mapping[str, Words], language: str
) -> Iterator[Problem]:
    try:
        own = placeholders(key, value)
    except MessageError as error:
        yield Problem(path, 0, f"{code}.{key} has a broken placeholder: {error}", "write a brace as {{ or }}")
        return
    if key in PLAIN and own:
        yield Problem(path, 0, f"{code}.{key} has placeholders", "it is said without a finding: remove them")
    for other in (other for other in LANGUAGES if key not in PROSE or other != DOCSTRINGS):
        theirs = words[other].get(code, {}).get(key)
        if theirs is None:
            yield Problem(path, 0, f"{code}.{key} is missing in {other}", "add it there, or remove it here")
        elif isinstance(theirs, str) and other != language:
            try:
                differs = placeholders(key, theirs) != own
            except MessageError:
                continue  # told of where it stands
            if differs:
                yield Problem(
                    path, 0, f"{code}.{key} has other placeholders in {other}", "use the same in all"
                )
