"""`dev.py mutate`: which faults are made, whom they are shown to, and that a list of equivalent ones stays true."""

from __future__ import annotations

import ast

import pytest

from tests.some import some
from tools.mutation import equivalents
from tools.mutation.__main__ import AREAS, _interval, _nearest
from tools.mutation.sites import Module
from tools.paths import ROOT


def faults(source: str) -> list[str]:
    """What the lines of a source become, one fault at a time."""
    module = Module("a.py", source)
    sources = []
    for mutant in module.mutants:
        with module.mutated(mutant.number) as tree:
            sources.append(ast.unparse(tree))
    assert ast.unparse(module.tree) == ast.unparse(ast.parse(source)), "a fault was left in the tree"
    return sources


@pytest.mark.parametrize(
    ("source", "becomes"),
    [
        ("a < b", ["a <= b"]),
        ("a >= b", ["a > b"]),
        ("a == b", ["a != b"]),
        ("a in b", ["a not in b"]),
        ("a is None", ["a is not None"]),
        ("a < b <= c", ["a <= b <= c", "a < b < c"]),
        ("a and b", ["a or b"]),
        ("not a", ["a"]),
        ("x = -a", ["x = a"]),
        ("a + b", ["a - b"]),
        ("a * b", ["a // b"]),
        ("a // b", ["a * b"]),
        ("x = 3", ["x = 4", "x = 2"]),
        ("x = 0", ["x = 1"]),
        ("x = True", ["x = False"]),
        ("x = {'a', 'b'}", ["x = {'b'}", "x = {'a'}"]),
        ("x = {'a': b}", ["x = {'\\x00': b}"]),
        ("x = a if b else c", ["x = c if b else a"]),
        ("def f():\n    return a", ["def f():\n    return None"]),
        ("def f(a=1):\n    pass", ["def f(a=2):\n    pass", "def f(a=0):\n    pass"]),
        ("for a in b:\n    break", ["for a in b:\n    continue"]),
        ("while a < b:\n    pass", ["while a <= b:\n    pass"]),
    ],
)
def test_a_fault_is_one_small_change(source: str, becomes: list[str]) -> None:
    assert faults(source) == becomes


@pytest.mark.parametrize(
    "source",
    [
        "'a text'",
        "x = 'a text'",
        "x = f'{a + 1} of {b}'",
        "x = 'a' + b",
        "x: int",
        "def f(a: Literal[1]) -> Literal[2]:\n    pass",
        "@lru_cache(maxsize=8)\ndef f():\n    return None",
        "import a",
        "assert a < b",
        "__all__ = ['a', 'b']",
        "zip(a, b, strict=True)",
    ],
)
def test_texts_types_and_guards_stay(source: str) -> None:
    assert faults(source) == []


def test_a_mutant_knows_the_outermost_function_that_runs_it() -> None:
    source = "x = 1\nclass A:\n    @cached\n    def f(self):\n        def g():\n            return 0\n        return g\n"
    mutants = Module("a.py", source).mutants
    assert {(mutant.function, mutant.first_line) for mutant in mutants} == {("", 0), ("A.f", 3)}


def test_what_is_listed_as_equivalent_is_a_mutant_of_the_code_and_has_a_reason() -> None:
    known = equivalents.load()
    paths = {path for path, *_ in known}
    mutants = {
        equivalents.key(mutant)
        for path in paths
        for mutant in Module(path, (ROOT / path).read_text("utf-8")).mutants
    }
    assert [key for key in known if key not in mutants] == []
    assert all(known.values())


@pytest.mark.parametrize("area", AREAS)
def test_an_area_and_its_tests_are_there(area: str) -> None:
    assert (ROOT / area).is_dir()
    for folder in some(_nearest(area)):
        assert (ROOT / folder).exists()


def test_a_file_is_shown_to_the_tests_of_its_area_and_any_other_to_all() -> None:
    assert _nearest("labs/hardware/mig/search.py") == _nearest("labs/hardware")
    assert set(_nearest("labs/report")) == {folder for folders in AREAS.values() for folder in folders}


@pytest.mark.parametrize(
    ("noticed", "of", "percent"), [(60, 60, (94, 100)), (54, 60, (80, 95)), (0, 0, (0, 100))]
)
def test_a_score_has_its_interval(noticed: int, of: int, percent: tuple[int, int]) -> None:
    low, high = _interval(noticed, of)
    assert (round(low * 100), round(high * 100)) == percent
