"""Comments in a file that silence findings: `# gpulab: ignore[GL201] reason`, on the line or on the one before it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from labs.config.goyaml import LineIndex, Span
from labs.lint.findings.finding import Finding

_COMMENT = re.compile(r"#[ \t]*gpulab:[ \t]*ignore\[(?P<codes>[^\]\n]*)\](?P<reason>[^\n\r]*)")


@dataclass(frozen=True, slots=True)
class Ignore:
    """One comment: the codes or slugs it names, its reason (empty: none given), its line, the lines it is for."""

    codes: tuple[str, ...]
    reason: str
    span: Span
    lines: tuple[int, ...]

    def silences(self, finding: Finding) -> bool:
        """Whether it is about this finding. A comment without a reason silences nothing."""
        named = finding.code in self.codes or finding.slug in self.codes
        return bool(self.reason) and named and finding.span.start.line in self.lines


def ignores(text: str) -> tuple[Ignore, ...]:
    """The comments of a file, in order."""
    comments: list[Ignore] = []
    if "gpulab:" not in text:
        return ()
    index = LineIndex(text)
    for match in _COMMENT.finditer(text):
        span = index.span(match.start(), match.end())
        line = span.start.line
        before = text[: match.start()].rpartition("\n")[2]
        alone = not before.strip()
        codes = tuple(code.strip() for code in match["codes"].split(",") if code.strip())
        lines = (line, line + 1) if alone else (line,)
        comments.append(Ignore(codes, match["reason"].strip(" \t:-"), span, lines))
    return tuple(comments)


def unsilenced(findings: Sequence[Finding], comments: Sequence[Ignore]) -> tuple[Finding, ...]:
    """The findings of a file that no comment silences."""
    return tuple(finding for finding in findings if not any(each.silences(finding) for each in comments))
