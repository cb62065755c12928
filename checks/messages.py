"""The sentences of the code: one set of keys and placeholders for all languages, none empty or unused.

A key counts as used where a string of `labs/` equals it, where `count` asks for its `.one` and `.other`, or
where a string that code completes begins it up to a dot: `f"phase.{phase}"` uses every key under `phase.`.
Where a call names its key outright, the values that it hands over are held against the placeholders.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from checks.languages import LANGUAGES
from checks.message_uses import FOLDER, Call, Uses, find_uses
from checks.problem import Problem
from labs.report.writing import MessageError, Sentence

Catalog = Mapping[str, object]
"""The values of a language's files by their dotted keys."""

Places = dict[str, tuple[str, int]]
"""By key the file, from the root, and the line."""

_TABLE = re.compile(r"\s*\[([^\[\]]+)\]")
_KEY = re.compile(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")


def check(root: Path) -> list[Problem]:
    """All differences between the message files, and all between them and the code."""
    catalogs: dict[str, Catalog] = {}
    places: dict[str, Places] = {}
    problems: list[Problem] = []
    incomplete: set[str] = set()
    topics = sorted(
        {file.name for language in LANGUAGES for file in (root / FOLDER / language).glob("*.toml")}
    )
    for language in LANGUAGES:
        catalogs[language], places[language], found = _read(root, language, topics)
        problems.extend(found)
        incomplete |= {language} if found else set()
    broken = {problem.path for problem in problems}
    uses = find_uses(root)
    for language in catalogs:
        compared = _language(language, catalogs, places, uses)
        problems.extend(problem for problem in compared if problem.path not in broken)
    whole = {language: catalog for language, catalog in catalogs.items() if language not in incomplete}
    for call in uses.calls:
        problems.extend(_call(call, whole))
    return problems


def _read(root: Path, language: str, topics: Sequence[str]) -> tuple[Catalog, Places, list[Problem]]:
    """The values and the places of a language's keys, and what is wrong with its files."""
    catalog: dict[str, object] = {}
    places: Places = {}
    folder = (FOLDER / language).as_posix()
    problems = [] if topics else [Problem(folder, 0, "no file is there", "every language needs its messages")]
    for topic in topics:
        file = root / FOLDER / language / topic
        path = file.relative_to(root).as_posix()
        try:
            values = _flat(tomllib.loads(file.read_text(encoding="utf-8")))
        except FileNotFoundError:
            problems.append(Problem(path, 0, "the file is missing", "every language needs its messages"))
            continue
        except tomllib.TOMLDecodeError as error:
            problems.append(Problem(path, 0, f"this is not TOML: {error}", "correct it at the place named"))
            continue
        lines = _lines(file)
        for key in values:
            if key in catalog:
                message = f'"{key}" stands in {places[key][0]} too'
                problems.append(Problem(path, lines.get(key, 0), message, "keep one of them"))
            places[key] = (path, lines.get(key, 0))
        catalog |= values
    return catalog, places, problems


def _flat(tables: Mapping[str, object], above: str = "") -> dict[str, object]:
    flat: dict[str, object] = {}
    for name, value in tables.items():
        key = f"{above}.{name}" if above else name
        flat |= _flat(value, key) if isinstance(value, dict) else {key: value}
    return flat


def _lines(file: Path) -> dict[str, int]:
    """The line of each key that is written as `key =` under its `[table]`."""
    table = ""
    lines: dict[str, int] = {}
    for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), start=1):
        if header := _TABLE.match(line):
            table = f"{_bare(header[1])}."
        elif row := _KEY.match(line):
            lines.setdefault(table + _bare(row[1]), number)
    return lines


def _bare(key: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in key.split("."))


def _language(
    language: str, catalogs: Mapping[str, Catalog], places: Mapping[str, Places], uses: Uses
) -> Iterator[Problem]:
    for key in dict.fromkeys(key for catalog in catalogs.values() for key in catalog):
        place = places[language].get(key) or (_sibling(language, key, places), 0)
        if problem := _entry(language, place, key, catalogs):
            yield problem
        elif not uses.cover(key):
            yield Problem(
                *place, f'nothing uses "{key}"', "remove it in all languages, or name it in the code"
            )


def _sibling(language: str, key: str, places: Mapping[str, Places]) -> str:
    """The file in which a language lacks a key: the one that has it in another language."""
    path = next(found[key][0] for found in places.values() if key in found)
    return (FOLDER / language / Path(path).name).as_posix()


def _entry(
    language: str, place: tuple[str, int], key: str, catalogs: Mapping[str, Catalog]
) -> Problem | None:
    path, line = place
    others = [other for other in catalogs if other != language and key in catalogs[other]]
    if key not in catalogs[language]:
        return Problem(path, 0, f'the key "{key}" is missing', f"add it: {' and '.join(others)} have it")
    sentence = catalogs[language][key]
    if not isinstance(sentence, str):
        return Problem(path, line, f'"{key}" is no string', "a message is a string in quotes")
    if not sentence.strip() and any(_says_something(catalogs[other][key]) for other in others):
        return Problem(path, line, f'"{key}" is empty', "say something, or remove the key in all languages")
    try:
        own = placeholders(key, sentence)
    except MessageError as error:
        return Problem(path, line, f'"{key}" has a broken placeholder: {error}', "write a brace as {{ or }}")
    for other in others:
        theirs = _placeholders_or_none(key, catalogs[other][key])
        if theirs is not None and theirs != own:
            message = f'"{key}" has the placeholders {_set(own)}, in {other} {_set(theirs)}'
            return Problem(path, line, message, "use the same placeholders in all languages")
    return None


def _says_something(sentence: object) -> bool:
    """Whether a value is a sentence and no separator, which is a space in English and nothing in Japanese."""
    return isinstance(sentence, str) and any(letter.isalnum() for letter in sentence)


def placeholders(key: str, sentence: str) -> frozenset[str]:
    """The placeholders of a message; `n` of a `.one` is left out, since it is 1 whether said or not.

    Raises `MessageError` for braces that do not pair.
    """
    names = Sentence.parse(key, sentence).placeholders
    return names - {"n"} if key.endswith(".one") else names


def _placeholders_or_none(key: str, sentence: object) -> frozenset[str] | None:
    try:
        return placeholders(key, sentence) if isinstance(sentence, str) else None
    except MessageError:
        return None


def _set(names: frozenset[str]) -> str:
    return " ".join(f"{{{name}}}" for name in sorted(names)) or "(none)"


def _call(call: Call, catalogs: Mapping[str, Catalog]) -> Iterator[Problem]:
    """Keys of a call that are not there, and values that are not what the sentence wants."""
    for key in call.keys:
        lacking = [language for language in catalogs if key not in catalogs[language]]
        if lacking:
            message = f'there is no message "{key}" in {", ".join(lacking)}'
            yield Problem(call.path, call.line, message, "add it there, or correct the key")
            continue
        wanted = next((_placeholders_or_none(key, catalog[key]) for catalog in catalogs.values()), None)
        if wanted is None or call.values is None:
            continue
        given = call.values | (wanted & {"n"} if call.counts else frozenset())
        if given != wanted:
            message = f'"{key}" gets {_set(given)}, but wants {_set(wanted)}'
            yield Problem(call.path, call.line, message, "hand over exactly what the sentence wants")
