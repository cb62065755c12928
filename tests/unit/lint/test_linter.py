"""The linter over whole files: the order of its findings, and how many it gives."""

from __future__ import annotations

import pytest

from labs.lint.core.linter import MOST_FINDINGS, lint, read
from labs.lint.findings import Finding
from labs.lint.subject import Settings


def findings_of(text: str) -> tuple[Finding, ...]:
    settings = Settings()
    return lint([read("a.yaml", text, settings)], settings)["a.yaml"]


@pytest.mark.parametrize("keys", [1, 999, 1_000, 1_001, 1_200])
def test_of_a_file_the_first_1000_findings_are_given(keys: int) -> None:
    findings = findings_of("version: v1\n" + "".join(f"unknown{number}: 1\n" for number in range(keys)))
    lines = [finding.span.start.line for finding in findings if finding.code == findings[-1].code]
    assert len(findings) == min(keys, MOST_FINDINGS)
    assert lines == list(range(2, 2 + len(lines)))
    assert MOST_FINDINGS == 1_000
