"""Findings for a terminal: the place, what is wrong, the source line with a caret under it, what to do."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from labs.config.goyaml import Span
from labs.lint.findings import Finding, Fix
from labs.report.findings.words import SEVERITIES, FindingWords, finding_words, related_in_order
from labs.report.writing import LINE_COLUMNS, Messages, columns, line_text, shown_text, source_line

NUMBER_COLUMNS = 5
MOST_CHANGED = 2_000
"""Characters of a file over which a fix may spread and be shown with its finding."""

_BREAK = re.compile(r"\r\n|[\n\r\x85\u2028\u2029]")


def finding_text(
    finding: Finding, messages: Messages, rules: Messages, sources: Mapping[str, str], lab: str = ""
) -> str:
    """A finding in a few lines. `sources` are the texts of the files by path; `lab` is where it can be tried."""
    words = finding_words(finding, rules)
    return "\n".join(_lines(finding, words, messages, sources, lab))


def _lines(
    finding: Finding, words: FindingWords, messages: Messages, sources: Mapping[str, str], lab: str
) -> Iterator[str]:
    start = finding.span.start
    severity = messages.text(f"severity.{finding.severity}")
    head = messages.text(
        "check.head", severity=severity, code=finding.code, slug=finding.slug, message=words.message
    )
    yield f"{finding.path}:{start.line}:{start.column}: {head}"
    yield from _source(sources.get(finding.path, ""), finding.span, "^")
    for place, note in related_in_order(finding, words):
        if place.path == finding.path:
            yield from _source(sources.get(place.path, ""), place.span, "-", note)
        else:
            yield f"{_margin('')}{place.path}:{place.span.start.line}:{place.span.start.column}: {note}"
            yield from _source(sources.get(place.path, ""), place.span, "-")
    yield _noted(messages.text("check.help", help=words.help))
    if finding.fix is not None:
        yield _noted(messages.text("check.fix-safe" if finding.fix.safe else "check.fix-unsafe"))
    if finding.fix is not None and not finding.fix.safe:
        yield from _changed(sources.get(finding.path, ""), finding.fix)
    if lab:
        yield _noted(messages.text("check.lab", address=lab))
    yield _noted(messages.text("check.explain", code=finding.code))


def _changed(text: str, fix: Fix) -> Iterator[str]:
    """The lines that a fix takes away and those that it writes; none for one that is too long to be looked at here."""
    first, last = fix.edits[0].span, fix.edits[-1].span
    start = first.start_offset - (first.start.column - 1)
    ends = _BREAK.search(text, last.end_offset)
    end = len(text) if ends is None else ends.start()
    if end - start > MOST_CHANGED:
        return
    moved = [(edit.span.start_offset - start, edit.span.end_offset - start, edit.text) for edit in fix.edits]
    before = after = text[start:end]
    for begin, stop, written in reversed(moved):
        after = after[:begin] + written + after[stop:]
    from difflib import ndiff  # needed for a few findings only

    for line in ndiff(_BREAK.split(before), _BREAK.split(after)):
        if line[0] in "-+":
            yield f"{_margin('|')}{line[:2]}{shown_text(line[2:].rstrip()[:LINE_COLUMNS])}"


def _source(text: str, span: Span, mark: str, note: str = "") -> Iterator[str]:
    """The line with marks under the span, as far as it goes on that line, and a note behind them."""
    line, caret = source_line(text, span.start.line, span.start.column)
    if not line:
        return
    before = columns(caret) - 1
    under = mark * max(1, min(_columns_on_line(text, span), columns(line) - before))
    yield f"{span.start.line:>{NUMBER_COLUMNS}} | {line}"
    yield f"{_margin('|')}{' ' * before}{under}{f' {note}' if note else ''}"


def _columns_on_line(text: str, span: Span) -> int:
    rest = line_text(text, span.start.line)[span.start.column - 1 :][:LINE_COLUMNS]
    return columns(shown_text(rest[: span.end_offset - span.start_offset]))


def _margin(sign: str) -> str:
    return f"{'':{NUMBER_COLUMNS}} {sign} " if sign else f"{'':{NUMBER_COLUMNS}}   "


def _noted(words: str) -> str:
    return f"{_margin('=')}{words}"


def summary(findings: Iterable[Finding], files: int, messages: Messages, unread: int = 0) -> str:
    """How much was found in how many files, and how much of it can be mended; of `unread` ones nothing is known."""
    all_findings = list(findings)
    checked = messages.count("check.files", files)
    if unread:
        rest = messages.count("check.unread-files", unread)
        checked = messages.text("check.read-of", files=checked, unread=rest)
    if not all_findings:
        return messages.text("check.clean", files=checked)
    counts = Counter(finding.severity for finding in all_findings)
    parts = [messages.count(f"check.count-{kind}", counts[kind]) for kind in SEVERITIES if counts[kind]]
    text = messages.text("check.found", files=checked, found=messages.join(parts))
    safe = sum(finding.fix is not None and finding.fix.safe for finding in all_findings)
    return text + (messages.count("check.fixable", safe) if safe else "")
