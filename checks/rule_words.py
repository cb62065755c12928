"""The words of the lint rules: the same keys and placeholders in all languages, those that the rules use and no others.

A rule's table has `title`, `message`, `help`, `what` and `why`; `message-x` and `help-x` where the rule's module names the
variant "x", and a note "x" where it names that.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from checks.languages import LANGUAGES
from checks.messages import placeholders
from checks.problem import Problem
from labs.lint.registry import RULES
from labs.lint.subject import Rule
from labs.report.writing import MessageError

FOLDER = "labs/messages/rules"
NEEDED = ("title", "message", "help", "what", "why")
PLAIN = ("title", "what", "why")

_FRAME = frozenset({"labs.lint.registry", "labs.lint.core.linter"})
"""These know all rules, so that every word is in what they import."""

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
                problems.append(Problem(path, 0, f"{code} has no words", f"write {', '.join(NEEDED)}"))
            else:
                problems.extend(_table(path, rule, language, words))
    return problems


def _table(path: str, rule: Rule, language: str, words: Mapping[str, Words]) -> Iterator[Problem]:
    own = words[language][rule.code]
    for key in NEEDED:
        if key not in own and not (key == "message" and any(name.startswith("message-") for name in own)):
            yield Problem(path, 0, f"{rule.code} has no {key}", "write it")
    named = _named(rule.check.__module__)
    for key, value in own.items():
        if not isinstance(value, str) or not value.strip():
            yield Problem(path, 0, f"{rule.code}.{key} is no text", "write a sentence in quotes")
            continue
        part = key.removeprefix("message-").removeprefix("help-")
        if key not in NEEDED and not re.fullmatch(named, part):
            yield Problem(path, 0, f"nothing uses {rule.code}.{key}", "remove it, or name it in the rule")
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
    for other in LANGUAGES:
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


@functools.cache
def _named(module: str) -> str:
    """A pattern of the words in quotes in the rule's module and in what it imports of lint and hardware, by any detour."""
    sources: dict[str, str] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in sources or (name in _FRAME and name != module):
            continue
        sources[name] = inspect.getsource(importlib.import_module(name))
        waiting += re.findall(r"^ *from (labs\.(?:lint|hardware)[\w.]*) import", sources[name], re.MULTILINE)
    text = "\n".join(sources.values())
    words = re.findall(r"[\"']([a-z][a-z0-9-]*)[\"']", text)
    made = [_pattern(found) for found in re.findall(r"f\"([a-z0-9{][^\"\n]*)\"", text) if "{" in found]
    return "|".join([*map(re.escape, dict.fromkeys(words)), *dict.fromkeys(filter(None, made))])


def _pattern(text: str) -> str:
    """What an f-string may come to, where it is a word with holes: each of some letters, never all of it."""
    parts = re.split(r"\{[^{}]*\}", text)
    if not re.fullmatch(r"[a-z0-9-]*", "".join(parts)) or not any(len(part) > 2 for part in parts):
        return ""
    return "[a-z0-9-]+".join(map(re.escape, parts))
