"""Findings as SARIF 2.1.0, the form in which code scanning services take results.

Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from labs.config.gojson import Json
from labs.config.goyaml import Span
from labs.lint.findings import Finding, Fix, Severity
from labs.lint.subject import Rule
from labs.report.findings.words import (
    Fragments,
    finding_words,
    lab_address,
    no_fragment,
    related_in_order,
    rule_prose,
)
from labs.report.writing import Messages

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def sarif(
    findings: Sequence[Finding],
    rules: Sequence[Rule],
    words: Messages,
    messages: Messages,
    version: str,
    fragments: Fragments = no_fragment,
    unread: Sequence[tuple[str, str]] = (),
) -> dict[str, Json]:
    """The log of one run. `rules` are those that were asked; those that found something are described.

    `unread` are files that were not read, each with the words for why.
    """
    codes = {finding.code for finding in findings}
    described = [rule for rule in rules if rule.code in codes]
    index = {rule.code: number for number, rule in enumerate(described)}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "gpulab",
                        "semanticVersion": version,
                        "rules": [_rule(rule, words) for rule in described],
                    }
                },
                **({"invocations": [_invocation(unread)]} if unread else {}),
                "language": words.language,
                "columnKind": "unicodeCodePoints",
                "results": [
                    _result(finding, index[finding.code], words, messages, lab_address(fragments(finding)))
                    for finding in findings
                ],
            }
        ],
    }


def _invocation(unread: Sequence[tuple[str, str]]) -> dict[str, Json]:
    notifications: list[Json] = [
        {
            "level": "warning",
            "message": {"text": words},
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": uri(path)}}}],
        }
        for path, words in unread
    ]
    return {"executionSuccessful": True, "toolExecutionNotifications": notifications}


def _rule(rule: Rule, words: Messages) -> dict[str, Json]:
    prose = rule_prose(rule, words)
    return {
        "id": rule.code,
        "name": rule.slug,
        "shortDescription": {"text": words.text(f"{rule.code}.title")},
        "fullDescription": {"text": prose["what"]},
        "help": {"text": prose["why"]},
        "defaultConfiguration": {"level": _LEVELS[rule.severity], "enabled": not rule.optional},
    }


def _result(finding: Finding, index: int, words: Messages, messages: Messages, lab: str) -> dict[str, Json]:
    said = finding_words(finding, words)
    result: dict[str, Json] = {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": _LEVELS[finding.severity],
        "message": {"text": f"{said.message}\n{said.help}"},
        "locations": [_location(finding.path, finding.span)],
    }
    if finding.related:
        result["relatedLocations"] = [
            {"id": number, **_location(place.path, place.span), "message": {"text": note}}
            for number, (place, note) in enumerate(related_in_order(finding, said))
        ]
    if lab:
        result["properties"] = {"lab": lab}
    if finding.fix is not None:
        result["fixes"] = [_fix(finding.path, finding.fix, messages)]
    return result


def _fix(path: str, fix: Fix, messages: Messages) -> dict[str, Json]:
    return {
        "description": {"text": messages.text("check.fix-safe" if fix.safe else "check.fix-unsafe")},
        "artifactChanges": [
            {
                "artifactLocation": {"uri": uri(path)},
                "replacements": [
                    {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.text}}
                    for edit in fix.edits
                ],
            }
        ],
    }


def _location(path: str, span: Span) -> dict[str, Json]:
    return {"physicalLocation": {"artifactLocation": {"uri": uri(path)}, "region": _region(span)}}


def _region(span: Span) -> dict[str, Json]:
    return {
        "startLine": span.start.line,
        "startColumn": span.start.column,
        "endLine": span.end.line,
        "endColumn": span.end.column,
    }


def uri(path: str) -> str:
    """A path as a reference: relative as it is given, absolute with its scheme; its bytes as the system has them."""
    if path == "-":
        return "stdin"
    escaped = quote(path.replace("\\", "/").encode("utf-8", "surrogateescape"), safe="/")
    return f"file://{escaped}" if escaped.startswith("/") else escaped
