"""Names that say nothing: where they are looked for, and what passes."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks import names
from tests.checks.trees import write

BINDINGS = {
    "a variable": "found = 1\n",
    "a parameter": "def rows(told): ...\n",
    "a parameter by name": "def rows(*, given=()): ...\n",
    "a loop": "for one in (): ...\n",
    "a comprehension": "rows = [shown for shown in ()]\n",
    "a walrus": "if (found := 1): ...\n",
    "a lambda": "rows = lambda one: 1\n",
    "a function": "def _told(): ...\n",
    "a class": "class Told: ...\n",
    "a constant": "_SHOWN = 1\n",
    "a field": "class Row:\n    found: int\n",
    "an attribute": "def keep(self):\n    self._found = 1\n",
    "an import": "from labs import rows as found\n",
    "an exception": "try: ...\nexcept OSError as given: ...\n",
    "a pattern": "match 1:\n    case one: ...\n",
}


@pytest.mark.parametrize("text", BINDINGS.values(), ids=BINDINGS)
def test_a_name_that_says_nothing_is_reported(tmp_path: Path, text: str) -> None:
    write(tmp_path, {"labs/report/rows.py": text})
    assert [(problem.path, problem.remedy) for problem in names.check(tmp_path)] == [
        ("labs/report/rows.py", names.REMEDY)
    ]


def test_it_is_reported_with_its_line(tmp_path: Path) -> None:
    write(tmp_path, {"labs/library.py": "rows = ()\nfound = 1\n"})
    (problem,) = names.check(tmp_path)
    assert (problem.line, problem.message) == (2, 'the name "found" says nothing')


@pytest.mark.parametrize(
    "text",
    [
        "rows = text('check.found', found=1)\n",
        "words = messages.found\n",
        "one_line = found_bytes = 1\n",
        "values = {'told': 1}\n",
    ],
)
def test_what_a_name_only_contains_or_others_call_so_passes(tmp_path: Path, text: str) -> None:
    write(tmp_path, {"labs/report/rows.py": text})
    assert names.check(tmp_path) == []


def test_outside_the_package_names_are_free(tmp_path: Path) -> None:
    write(tmp_path, {"tests/test_rows.py": "found = 1\n"})
    assert names.check(tmp_path) == []
