"""A finding as a command of a workflow is one line, and nothing in it ends the line or a property early."""

from __future__ import annotations

import pytest

from labs.lint.findings.finding import Severity
from labs.report.findings.github import annotation
from tests.unit.report.found import WORDS, finding

TEXT = "a: 1\nb: bad\nc: 3\n"


@pytest.mark.parametrize(
    ("severity", "command"),
    [(Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.INFO, "notice")],
)
def test_the_severity_is_the_command(severity: Severity, command: str) -> None:
    assert annotation(finding(TEXT, "bad", severity=severity), WORDS) == (
        f'::{command} file=a.yaml,line=2,endLine=2,col=4,endColumn=7,title=GL999 a-rule::It is "x"%0AWrite x'
    )


def test_a_span_over_several_lines_has_no_columns() -> None:
    line = annotation(finding(TEXT, "bad\nc"), WORDS)
    assert "line=2,endLine=3,title=" in line


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("50%", "50%25"),
        ("%0A", "%250A"),
        ("a\nb\r\nc", "a%0Ab%0D%0Ac"),
        ("::error::x, y: z", "::error::x, y: z"),
        ("枠、값", "枠、값"),
    ],
)
def test_a_message_keeps_all_but_percent_signs_and_breaks(value: str, said: str) -> None:
    line = annotation(finding(TEXT, "bad", value=value), WORDS)
    assert line.endswith(f'::It is "{said}"%0AWrite {said}')
    assert len(line.splitlines()) == 1


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("my configs/a b.yaml", "my configs/a b.yaml"),
        ("C:/a,b.yaml", "C%3A/a%2Cb.yaml"),
        ("100%/設定.yaml", "100%25/設定.yaml"),
        ("a\nb.yaml", "a%0Ab.yaml"),
    ],
)
def test_a_path_can_hold_anything(path: str, said: str) -> None:
    line = annotation(finding(TEXT, "bad", path=path), WORDS)
    assert line.startswith(f"::warning file={said},line=2,")
    assert len(line.splitlines()) == 1
