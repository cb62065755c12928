"""Findings as commands of a GitHub Actions workflow, which shows them beside the lines of a change.

Source: GitHub Docs, Workflow commands for GitHub Actions: setting a notice, warning or error message.
"""

from __future__ import annotations

from labs.lint.findings import Finding, Severity
from labs.report.findings.words import finding_words
from labs.report.writing import Messages

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def annotation(finding: Finding, rules: Messages, tried: str = "") -> str:
    """One line; `tried` says where what is found can be tried."""
    words = finding_words(finding, rules)
    start, end = finding.span.start, finding.span.end
    properties = {
        "file": finding.path,
        "line": str(start.line),
        "endLine": str(max(start.line, end.line)),
        # Columns are only shown within one line.
        **({"col": str(start.column), "endColumn": str(end.column)} if start.line == end.line else {}),
        "title": f"{finding.code} {finding.slug}",
    }
    location = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    message = _data("\n".join(part for part in (words.message, words.help, tried) if part))
    return f"::{_COMMANDS[finding.severity]} {location}::{message}"


def notice(path: str, words: str) -> str:
    """One line about a whole file."""
    return f"::notice file={_property(path)}::{_data(words)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
