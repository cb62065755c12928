"""`parity.lock`: what each section said, in each language, when the three last agreed.

TOML, one table for a section, sorted, with an empty line between: changes of different sections merge by
themselves. A table holds a hash for each language and, where only some languages changed and someone
said that this is right, `changed` (which) and `reason` (why).
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from checks.languages import LANGUAGES
from checks.markdown_page import Page
from checks.problem import Problem

LOCK = "parity.lock"
UPDATE = "run python -m checks parity --update"

_HEADER = """\
# What each section of docs/ said in each language when the three last agreed.
# Written by: python -m checks parity --update
# A change that concerns one language only: python -m checks parity --acknowledge PAGE#SECTION --reason "why"
"""

Key = tuple[str, str]
"""A page's path and a section's id."""

Pages = Mapping[str, Mapping[str, Page]]


class LockError(ValueError):
    """The lock cannot be read, or what was asked of it makes no sense; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A section in the lock: a hash for each language; which of them changed alone at last, and why."""

    digests: Mapping[str, str]
    changed: tuple[str, ...] = ()
    reason: str = ""


def read_lock(root: Path) -> dict[Key, Entry]:
    """The entries of the lock; none where there is no lock. Raises `LockError` where it is not readable."""
    try:
        text = (root / LOCK).read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    try:
        tables = tomllib.loads(text)
        return {
            (page, section): Entry(
                {language: str(entry[language]) for language in LANGUAGES},
                tuple(entry.get("changed", ())),
                str(entry.get("reason", "")),
            )
            for page, sections in tables.items()
            for section, entry in sections.items()
        }
    except (tomllib.TOMLDecodeError, KeyError, AttributeError, TypeError) as error:
        raise LockError(
            f"{LOCK} cannot be read ({error}): resolve its merge conflict, or write it anew"
        ) from error


def write_lock(root: Path, entries: Mapping[Key, Entry]) -> None:
    """Write the lock, sorted."""
    parts = [_HEADER]
    for (page, section), entry in sorted(entries.items()):
        rows = [f"[{json.dumps(page)}.{json.dumps(section)}]"]
        rows += [f"{language} = {json.dumps(entry.digests[language])}" for language in sorted(entry.digests)]
        if entry.reason:
            rows += [f"changed = {json.dumps(list(entry.changed))}"]
            rows += [f"reason = {json.dumps(entry.reason, ensure_ascii=False)}"]
        parts.append("\n".join(rows) + "\n")
    (root / LOCK).write_text("\n".join(parts), encoding="utf-8", newline="\n")


def current_sections(pages: Pages) -> dict[Key, dict[str, str]]:
    """The hash of every section that all languages have."""
    sections: dict[Key, dict[str, str]] = {}
    for page, versions in pages.items():
        digests = {language: version.digests() for language, version in versions.items()}
        if set(digests) != set(LANGUAGES):
            continue
        for section in digests[LANGUAGES[0]]:
            if all(section in digests[language] for language in LANGUAGES):
                sections[page, section] = {language: digests[language][section] for language in LANGUAGES}
    return sections


def changed_languages(entry: Entry, digests: Mapping[str, str]) -> tuple[str, ...]:
    """The languages in which a section no longer says what the lock remembers."""
    return tuple(language for language in LANGUAGES if entry.digests[language] != digests[language])


def compare_with_lock(root: Path, pages: Pages) -> list[Problem]:
    """Sections that changed in some languages only, and entries of the lock that are out of date."""
    try:
        entries = read_lock(root)
    except LockError as error:
        return [Problem(LOCK, 0, str(error), UPDATE)]
    problems = []
    sections = current_sections(pages)
    for (page, section), digests in sections.items():
        entry = entries.get((page, section))
        changed = changed_languages(entry, digests) if entry else ()
        place = f"{page}#{section}"
        if entry is None:
            problems.append(Problem(LOCK, 0, f"{place} is new", UPDATE))
        elif len(changed) == len(LANGUAGES):
            problems.append(Problem(LOCK, 0, f"{place} changed in all languages", UPDATE))
        elif changed:
            problems += [
                _left_behind(pages[page][language], language, page, section, changed)
                for language in LANGUAGES
                if language not in changed
            ]
    for page, section in entries.keys() - sections.keys():
        problems.append(Problem(LOCK, 0, f"{page}#{section} is no section of all languages any more", UPDATE))
    return sorted(problems)


def _left_behind(version: Page, language: str, page: str, section: str, changed: tuple[str, ...]) -> Problem:
    found = version.section(section)
    return Problem(
        f"docs/{language}/{page}",
        found.line if found else 0,
        f"section #{section} changed in {' and '.join(changed)}, not in {language}",
        "bring it in step, or say why it may stay: "
        f'python -m checks parity --acknowledge "{page}#{section}" --reason "..."',
    )


def update(root: Path, pages: Pages) -> tuple[int, int]:
    """Rewrite what is new, gone or changed in all languages; returns how many were written and remain.

    A section that changed in some languages only keeps its entry, so that it goes on being reported.
    """
    entries, sections = read_lock(root), current_sections(pages)
    kept: dict[Key, Entry] = {}
    written = remaining = 0
    for key, digests in sections.items():
        entry = entries.get(key)
        changed = changed_languages(entry, digests) if entry else LANGUAGES
        if entry and len(changed) < len(LANGUAGES):
            kept[key] = entry
            remaining += bool(changed)
        else:
            kept[key] = Entry(digests)
            written += 1
    write_lock(root, kept)
    return written, remaining


def acknowledge(root: Path, pages: Pages, place: str, reason: str) -> tuple[str, ...]:
    """Accept that a section (`PAGE#SECTION`) changed in some languages only; returns these languages.

    Raises `LockError` for a place that is not in step with the lock's, or a reason without words.
    """
    page, _, section = place.partition("#")
    entries, sections = read_lock(root), current_sections(pages)
    if not reason.strip():
        raise LockError('an acknowledgement needs a reason: --reason "why the others may stay as they are"')
    if (page, section) not in sections:
        raise LockError(
            f'"{place}" is no section of all languages: write it as articles/some-page.md#section-id'
        )
    if (page, section) not in entries:
        raise LockError(f"{place} is not in {LOCK} yet: {UPDATE}")
    digests = sections[page, section]
    changed = changed_languages(entries[page, section], digests)
    if not changed or len(changed) == len(LANGUAGES):
        raise LockError(f"{place} has not changed in some languages only: there is nothing to acknowledge")
    entries[page, section] = Entry(digests, changed, reason.strip())
    write_lock(root, entries)
    return changed
