"""No false alarm: of the files in `tests/correct`, which are right, next to nothing is said."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from labs.lint.core import lint
from labs.lint.findings import Severity
from tests.report_cases import KNOWING, sources

FOLDER = Path(__file__).parents[2] / "correct"
FILES = sorted(FOLDER.rglob("*.yaml"))
ALONE = [[file] for file in FILES if file.relative_to(FOLDER).parts[0] != "together"]
TOGETHER = [sorted(folder.glob("*.yaml")) for folder in sorted((FOLDER / "together").iterdir())]


@pytest.fixture(scope="module")
def severities() -> Counter[Severity]:
    """How many findings there are of each severity; a document that its loader refuses counts as one more error."""
    counts: Counter[Severity] = Counter()
    for files in (*ALONE, *TOGETHER):
        judged = sources({file.relative_to(FOLDER).as_posix(): file.read_text("utf-8") for file in files})
        findings = lint(judged, KNOWING)
        counts.update(finding.severity for of_file in findings.values() for finding in of_file)
        counts[Severity.ERROR] += sum(
            document.loads is False for source in judged for document in source.documents
        )
    return counts


def test_there_are_at_least_300_files_of_all_kinds() -> None:
    assert len({file.read_bytes() for file in FILES}) >= 300
    assert sum(map(len, (*ALONE, *TOGETHER))) == len(FILES)
    assert len({file.relative_to(FOLDER).parts[0] for file in FILES}) >= 14


def test_no_error_and_at_most_one_warning_in_a_hundred_files(severities: Counter[Severity]) -> None:
    assert severities[Severity.ERROR] == 0
    assert severities[Severity.WARNING] * 100 <= len(FILES)


def test_the_figures_of_the_page_are_these(severities: Counter[Severity]) -> None:
    page = (FOLDER / "README.md").read_text("utf-8")
    figures = [len(FILES), *(severities[each] for each in (Severity.ERROR, Severity.WARNING, Severity.INFO))]
    assert re.findall(r"^\| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", page, re.MULTILINE) == [
        tuple(map(str, figures))
    ]
