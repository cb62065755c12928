"""A comment that is meant to silence a finding and does not.

## What it does
Finds `# gpulab: ignore[…]` comments that give no reason, name no rule or one that there is not, or are written in another
form.

## Why it matters
Such a comment silences nothing. A reason is asked for since whoever reads the file next has to decide whether it still
holds.

## Example
```yaml
version: v1
flags:
  migStrategy: none # gpulab: ignore[number-form]
```

## Use instead
```yaml
version: v1
flags:
  migStrategy: none # gpulab: ignore[number-form] the DaemonSet of our tests reads it in this form
```

## References
- gpulab check, comments that silence findings
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence

from labs.config.editing import line_index
from labs.lint.findings import Finding, Ignore, Severity, ignores
from labs.lint.refusals import bounded
from labs.lint.subject import LintDocument, Rule, Subject

_ANY = re.compile(r"#[ \t]*gpulab:[ \t]*(?P<rest>[^\n\r]*)")
_MOST = 100


def check(subject: Subject) -> Iterator[Finding]:
    """Points at each comment that silences nothing."""
    seen: set[str] = set()
    for document in subject.documents:
        if document.path in seen or document.document.host is not None:
            continue
        seen.add(document.path)
        text = document.file_text
        if "gpulab:" not in text:
            continue
        comments = ignores(text)[:_MOST]
        names = subject.rule_names() if comments else ()
        for comment in comments:
            yield from _of_comment(document, comment, names)
        known = {comment.span.start_offset for comment in comments}
        index = line_index(text)
        for match in list(_ANY.finditer(text))[:_MOST]:
            if match.start() not in known and match["rest"].startswith("ignore"):
                place = index.span(match.start(), match.end())
                yield RULE.at(document, place, variant="form", comment=bounded(match[0]))


def _of_comment(document: LintDocument, comment: Ignore, names: Sequence[str]) -> Iterator[Finding]:
    if not comment.codes:
        yield RULE.at(document, comment.span, variant="no-rule")
        return
    for code in comment.codes:
        if code not in names:
            yield RULE.at(
                document, comment.span, variant="unknown", code=bounded(code), near=_near(code, names)
            )
            return
    if not comment.reason:
        yield RULE.at(document, comment.span, codes=bounded(", ".join(comment.codes)))


def _near(code: str, names: Sequence[str]) -> str:
    matches = difflib.get_close_matches(code[:40], names, 1)
    return matches[0] if matches else names[0]


RULE = Rule(
    "GL110",
    "ignore-without-reason",
    Severity.WARNING,
    "0.1",
    check,
    __doc__,
    variants=("unknown", "no-rule", "form"),
)
