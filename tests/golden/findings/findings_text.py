"""Findings as a person reads them, line by line, for golden files."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterator, Mapping, Sequence

from labs.config.documents.kinds import Kind
from labs.hardware.catalog import builtin_catalog
from labs.lint.core.explanation import ExampleFile
from labs.lint.core.linter import joined, lint, read
from labs.lint.core.selection import ALL, Selection
from labs.lint.findings.finding import Finding
from labs.lint.findings.fixing import fixed
from labs.lint.subject.rule import Rule
from labs.lint.subject.settings import Settings

KNOWING = Settings(catalog=builtin_catalog())
EVERYTHING = Selection(select=(ALL,))


def findings(
    texts: Mapping[str, str],
    settings: Settings = KNOWING,
    rules: Sequence[Rule] | None = None,
    kind: Kind | None = None,
) -> list[Finding]:
    """What is said of these files together, by these rules or by all."""
    alone = [read(path, text, settings, kind=kind) for path, text in texts.items()]
    sources = joined(alone, settings)
    return [one for found in lint(sources, settings, EVERYTHING, rules).values() for one in found]


def lines(found: Finding, texts: Mapping[str, str]) -> Iterator[str]:
    """A finding as a person reads it."""
    place = f"{found.path} {found.span.start}-{found.span.end}"
    yield f"{place} {found.code} {found.severity} {found.variant}".rstrip()
    if found.arguments:
        yield "    " + ", ".join(f"{name} {value!r}" for name, value in found.arguments)
    for other in found.related:
        yield f"    {other.note}: {other.path} {other.span.start}-{other.span.end}"
    if found.fix is not None:
        yield f"    fix, {'safe' if found.fix.safe else 'on demand'}:"
        before, after = (
            text.splitlines() for text in (texts[found.path], fixed(texts[found.path], [found]).text)
        )
        yield from (f"        - {line}" for line in before if line not in after)
        yield from (f"        + {line}" for line in after if line not in before)
    if found.scenario:
        yield f"    shown by {hashlib.sha256(found.scenario.encode()).hexdigest()[:12]}"


def told(title: str, texts: Mapping[str, str], said: Sequence[Finding]) -> str:
    """A heading and the findings below it."""
    return "\n".join([f"# {title}", *(line for each in said for line in lines(each, texts)), "", ""])


def by_path(files: Sequence[ExampleFile]) -> dict[str, str]:
    """The texts of an example's files."""
    return {file.path: file.text for file in files}


def settings_of(rule: Rule) -> Settings:
    """Those under which its examples are meant, with the catalog."""
    return dataclasses.replace(rule.example_settings, catalog=builtin_catalog())
