"""What rules say, whole, against files: places, arguments, other places and fixes.

`GPULAB_UPDATE_GOLDEN=1 python3 dev.py test tests/golden/findings` writes them anew; read what changed.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from labs.config.documents.kinds import Kind
from labs.hardware.catalog import builtin_catalog
from labs.lint.core.explanation import ExampleFile, explanation
from labs.lint.core.linter import lint, read
from labs.lint.core.selection import ALL, Selection
from labs.lint.findings.finding import Finding
from labs.lint.findings.fixing import fixed
from labs.lint.registry import RULES
from labs.lint.subject.rule import Rule
from labs.lint.subject.settings import Settings
from tests.unit.config.cases import rows
from tests.unit.lint import test_daemonsets, test_deployment, test_sharing

FOLDER = Path(__file__).parent
FAMILIES = sorted({rule.check.__module__.split(".")[3] for rule in RULES})
KNOWING = Settings(catalog=builtin_catalog())
EVERYTHING = Selection(select=(ALL,))


def golden(name: str, found: str) -> str:
    """The text of a golden file, written anew on demand; a missing one fails."""
    path = FOLDER / name
    if os.environ.get("GPULAB_UPDATE_GOLDEN"):
        path.write_text(found, "utf-8", newline="\n")
    assert path.exists(), f"{name} is missing: write it with GPULAB_UPDATE_GOLDEN=1 and read it"
    return path.read_text("utf-8")


def findings(
    texts: Mapping[str, str],
    settings: Settings = KNOWING,
    rules: Sequence[Rule] | None = None,
    kind: Kind | None = None,
) -> list[Finding]:
    sources = [read(path, text, settings, kind=kind) for path, text in texts.items()]
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
    return "\n".join([f"# {title}", *(line for each in said for line in lines(each, texts)), "", ""])


def by_path(files: Sequence[ExampleFile]) -> dict[str, str]:
    return {file.path: file.text for file in files}


def given(rule: Rule) -> Settings:
    return dataclasses.replace(rule.given, catalog=builtin_catalog())


# Examples, each with what all rules say of it


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_said_of_the_examples(family: str) -> None:
    rules = [rule for rule in RULES if rule.check.__module__.split(".")[3] == family]
    found = "".join(
        told(f"{rule.code} {rule.slug}, {which}", texts, findings(texts, given(rule)))
        for rule in rules
        for which, texts in (
            ("bad", by_path(explanation(rule).bad)),
            ("good", by_path(explanation(rule).good)),
        )
    )
    assert found == golden(f"examples-{family}.txt", found)


# The tables of the tests of rules


def numbered(texts: Sequence[str]) -> dict[str, str]:
    return {f"{index}.yaml": text for index, text in enumerate(texts)}


def test_what_is_said_of_daemon_sets() -> None:
    found = "".join(
        told(name, numbered(texts), findings(numbered(texts)))
        for name, (_, texts, _) in test_daemonsets.SAID.items()
    )
    assert found == golden("daemonsets.txt", found)


def test_what_is_said_of_deployments() -> None:
    tables = {
        **{name: texts for name, (_, texts, _) in test_deployment.CASES.items()},
        **{f"fix: {name}": (text,) for name, (_, text, _, _) in test_deployment.FIXES.items()},
    }
    found = "".join(told(name, numbered(texts), findings(numbered(texts))) for name, texts in tables.items())
    assert found == golden("deployments.txt", found)


def test_what_is_said_of_sharing() -> None:
    found = "".join(
        told(f"{code} {name}", numbered(texts), findings(numbered(texts), settings))
        for name, code, settings, texts, *_ in [*test_sharing.SPEAKS, *test_sharing.SILENT]
    )
    assert found == golden("sharing.txt", found)


@pytest.mark.parametrize("kind", [Kind.DEVICE_PLUGIN, Kind.MIG_PARTED])
def test_what_is_said_of_the_cases_of_the_loaders(kind: Kind) -> None:
    cases = {row["id"]: row["yaml"] for row in rows("config.jsonl") if row["kind"] == kind.value}
    found = "".join(
        told(name, {"it": text}, findings({"it": text}, kind=kind)) for name, text in cases.items()
    )
    assert found == golden(f"cases-{kind.value}.txt", found)


# Examples with something else in them


def variations(text: str) -> Iterator[str]:
    """The text without one of its lines, and with one of its numbers one less or more."""
    parts = text.splitlines(keepends=True)
    for number in range(len(parts)):
        yield "".join(parts[:number] + parts[number + 1 :])
    for match in re.finditer(r"\d+", text):
        for other in (int(match[0]) - 1, int(match[0]) + 1):
            yield f"{text[: match.start()]}{other}{text[match.end() :]}"


@pytest.mark.parametrize("rule", RULES, ids=[rule.code for rule in RULES])
def test_what_a_rule_says_of_its_varied_examples(rule: Rule) -> None:
    """Kept as a hash of all that is said: whoever means to change a rule writes it anew."""
    told_of: list[str] = []
    for files in (explanation(rule).bad, explanation(rule).good):
        texts = by_path(files)
        for path, text in texts.items():
            for other in variations(text):
                changed = {**texts, path: other}
                told_of.append(told(path, changed, findings(changed, given(rule), [rule])))
    found = hashlib.sha256("".join(told_of).encode()).hexdigest()[:16]
    assert found == varied(rule.code, found)


def varied(code: str, found: str) -> str:
    """The hash that is kept of a rule."""
    path = FOLDER / "varied.json"
    kept: dict[str, str] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    if os.environ.get("GPULAB_UPDATE_GOLDEN"):
        kept = dict(sorted({**kept, code: found}.items()))
        path.write_text(json.dumps(kept, indent=1) + "\n", "utf-8", newline="\n")
    return kept[code]
