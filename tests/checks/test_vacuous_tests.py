"""Tests that may come to their end without an assertion are found, and no others."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from checks import vacuous_tests
from tests.checks.trees import write

SOME = "def some(cases):\n    assert cases\n    return cases\n"
VACUOUS = [
    "for case in cases():\n    assert case",
    "while more():\n    assert next(cases)",
    "if cases():\n    assert True",
    "for case in CASES[:0]:\n    assert case",
    "for case in ():\n    assert case",
    "if not cases():\n    return\nassert cases()",
    "for case in (1, 2):\n    if case:\n        assert case",
    "for case in (1, 2):\n    if case:\n        continue\n    assert case",
    "for case in some(cases()):\n    for part in case:\n        assert part",
    "try:\n    cases()\nexcept ValueError:\n    assert True",
    "for tab in tabs():\n    expect(tab).to_be_visible()",
    "for case in cases():\n    holds(case)",
    "def inner():\n    assert True\nfor case in cases():\n    assert case",
]
SURE = [
    "assert cases()",
    "for case in cases():\n    print(case)\nassert cases()",
    "for case in (1, 2):\n    assert case",
    "for case in range(3):\n    assert case",
    "for case in CASES:\n    assert case",
    "for number, case in enumerate([*CASES, 3]):\n    assert case",
    "own = {'a': 1}\nfor key, value in own.items():\n    assert value",
    "for case in some(cases()):\n    assert case",
    "if cases():\n    assert True\nelse:\n    assert False",
    "if cases():\n    assert True\n    return\nassert False",
    "for case in cases():\n    if case:\n        continue\nassert cases()",
    "with pytest.raises(ValueError):\n    cases()",
    "with opened():\n    assert True",
    "holds(cases())",
    "expect(tab).to_be_visible()",
    "cases()",
]


def tree(tmp_path: Path, body: str) -> None:
    test = f"CASES = (1, 2)\n\n\ndef test_it():\n{textwrap.indent(body, '    ')}\n"
    write(tmp_path, {"tests/some.py": SOME + "def holds(case):\n    assert case\n", "tests/test_it.py": test})


@pytest.mark.parametrize("body", VACUOUS)
def test_a_test_whose_assertions_may_never_run_is_reported(tmp_path: Path, body: str) -> None:
    tree(tmp_path, body)
    assert [(problem.path, problem.line) for problem in vacuous_tests.check(tmp_path)] == [
        ("tests/test_it.py", 4)
    ]


@pytest.mark.parametrize("body", SURE)
def test_a_test_that_is_sure_to_assert_is_not(tmp_path: Path, body: str) -> None:
    tree(tmp_path, body)
    assert vacuous_tests.check(tmp_path) == []


def test_helpers_are_no_tests(tmp_path: Path) -> None:
    write(tmp_path, {"tests/laws.py": "def test_like(cases):\n    for case in cases:\n        assert case\n"})
    assert vacuous_tests.check(tmp_path) == []
