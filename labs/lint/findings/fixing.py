"""Applying fixes to a file's text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from labs.config.editing import Edit, edited
from labs.lint.findings.finding import Finding


@dataclass(frozen=True, slots=True)
class Fixed:
    """A text with fixes in it: those that were `applied`, and those `left` since they touch the same places."""

    text: str
    applied: tuple[Finding, ...]
    left: tuple[Finding, ...]


def fixed(text: str, findings: Sequence[Finding]) -> Fixed:
    """The text with the fixes of these findings; of two that overlap the first. All else stays, character by character."""
    taken: list[Edit] = []
    applied: list[Finding] = []
    left: list[Finding] = []
    for finding in findings:
        if finding.fix is None:
            continue
        if any(_overlap(edit, other) for edit in finding.fix.edits for other in taken):
            left.append(finding)
        else:
            taken.extend(finding.fix.edits)
            applied.append(finding)
    return Fixed(edited(text, taken), tuple(applied), tuple(left))


def _overlap(edit: Edit, other: Edit) -> bool:
    """Whether two edits touch the same text; two insertions at one place do."""
    if edit.span.start_offset == other.span.start_offset:
        return True
    first, second = sorted((edit, other), key=lambda each: each.span.start_offset)
    return first.span.end_offset > second.span.start_offset
