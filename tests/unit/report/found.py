"""Findings made by hand: a place in a text, and words that say what they are given."""

from __future__ import annotations

from labs.config.editing import Edit
from labs.config.goyaml.positions import LineIndex
from labs.lint.findings.finding import Finding, Fix, Related, Severity
from labs.report.writing.messages import Messages

WORDS = Messages(
    "en",
    {
        "GL999": {
            "title": "A title",
            "message": 'It is "{value}"',
            "message-other": 'Otherwise it is "{value}"',
            "help": "Write {value}",
            "note": 'Here too: "{value}"',
        }
    },
)


def finding(
    text: str,
    part: str,
    *,
    path: str = "a.yaml",
    value: str = "x",
    severity: Severity = Severity.WARNING,
    related: tuple[Related, ...] = (),
    fix: Fix | None = None,
) -> Finding:
    """About the first place where `part` stands in the text; at the end of the text for an empty one."""
    start = text.index(part) if part else len(text)
    span = LineIndex(text).span(start, start + len(part))
    return Finding("GL999", "a-rule", severity, path, span, (("value", value),), related=related, fix=fix)


def related(text: str, part: str, path: str = "a.yaml") -> Related:
    """Another place of a finding."""
    start = text.index(part)
    return Related(path, LineIndex(text).span(start, start + len(part)), "note")


def edit(text: str, part: str, new: str) -> Edit:
    """The edit that writes something else there."""
    start = text.index(part)
    return Edit(LineIndex(text).span(start, start + len(part)), new)
