"""Findings as the JSON of `gpulab check`. Lines and columns are 1-based in code points; an end is behind the last one."""

from __future__ import annotations

from collections.abc import Sequence

from labs.config.gojson import Json
from labs.config.goyaml import Span
from labs.lint.findings import Finding, Fix
from labs.report.findings.words import Fragments, finding_words, lab_address, no_fragment, related_in_order
from labs.report.writing import Messages


def findings_json(
    findings: Sequence[Finding], rules: Messages, fragments: Fragments = no_fragment
) -> list[Json]:
    """The list under `findings`."""
    return [finding_json(finding, rules, lab_address(fragments(finding))) for finding in findings]


def finding_json(finding: Finding, rules: Messages, lab: str = "") -> dict[str, Json]:
    """One finding with its words, and where it can be tried, if it can."""
    words = finding_words(finding, rules)
    return {
        "code": finding.code,
        "slug": finding.slug,
        "severity": str(finding.severity),
        "path": finding.path,
        **_places(finding.span),
        "message": words.message,
        "help": words.help,
        "related": [
            {"path": place.path, **_places(place.span), "message": note}
            for place, note in related_in_order(finding, words)
        ],
        "fix": None if finding.fix is None else _fix(finding.fix),
        **({"lab": lab} if lab else {}),
    }


def _fix(fix: Fix) -> dict[str, Json]:
    return {"safe": fix.safe, "edits": [{**_places(edit.span), "text": edit.text} for edit in fix.edits]}


def _places(span: Span) -> dict[str, Json]:
    return {
        "line": span.start.line,
        "column": span.start.column,
        "endLine": span.end.line,
        "endColumn": span.end.column,
    }
