"""What a rule's docstring says, heading by heading: for `gpulab explain`, the reference pages, the tests of examples."""

from __future__ import annotations

import re
from dataclasses import dataclass

from labs.lint.subject import Rule

HEADINGS = ("What it does", "Why it matters", "Example", "Use instead", "References")
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
_FENCE = re.compile(r"^```yaml(?: (?P<name>\S+))?\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


class ExplanationError(ValueError):
    """A docstring that lacks a heading, or has them in another order."""


@dataclass(frozen=True, slots=True)
class ExampleFile:
    """A file of an example. A fence names it, ```` ```yaml pod.yaml ````; without a name it is `config.yaml`."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """The parts of a docstring: prose in English, the files that the rule is about, and how they should be."""

    what: str
    why: str
    bad: tuple[ExampleFile, ...]
    good: tuple[ExampleFile, ...]
    references: tuple[str, ...]


def explanation(rule: Rule) -> Explanation:
    """A rule's explanation. Raises `ExplanationError` for a docstring that is not of the form."""
    doc = rule.doc or ""
    headings = _HEADING.findall(doc)
    if tuple(headings) != HEADINGS:
        raise ExplanationError(
            f"{rule.code} {rule.slug}: the headings are {headings}; they must be {list(HEADINGS)}"
        )
    parts = [part.strip() for part in _HEADING.split(doc)[2::2]]
    return Explanation(
        what=_prose(parts[0]),
        why=_prose(parts[1]),
        bad=_files(parts[2]),
        good=_files(parts[3]),
        references=tuple(_prose(line.removeprefix("- ")) for line in re.split(r"\n(?=- )", parts[4])),
    )


def _prose(text: str) -> str:
    return " ".join(text.split())


def _files(part: str) -> tuple[ExampleFile, ...]:
    return tuple(
        ExampleFile(match["name"] or "config.yaml", match["body"]) for match in _FENCE.finditer(part + "\n")
    )
