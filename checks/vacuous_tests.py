"""Tests that can pass without asserting anything: all their assertions stand in loops and branches that may not run.

What counts as an assertion: `assert`, `pytest.raises` and its like, an `expect` of the browser's, and a call of a function
of the tests that asserts itself. A loop runs where what it goes through is written out, or is asserted to
be there (`tests.some`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from checks.problem import Problem

FOLDER = "tests"
_CONTEXTS = frozenset({"raises", "warns", "deprecated_call"})
_CALLS = frozenset({"expect", "fail"})
_PASSING_ON = frozenset(
    {"enumerate", "sorted", "reversed", "tuple", "list", "set", "zip", "product", "chain", "items"}
)
"""Calls whose result is empty only where an argument is (or, for `items`, what they are called on)."""

Function = ast.FunctionDef | ast.AsyncFunctionDef
Loop = ast.For | ast.AsyncFor


def check(root: Path) -> list[Problem]:
    """A problem for each test of which no assertion is sure to run."""
    trees = {path: ast.parse(path.read_text("utf-8")) for path in sorted((root / FOLDER).rglob("*.py"))}
    asserting = _asserting(
        [node for tree in trees.values() for node in ast.walk(tree) if isinstance(node, Function)]
    )
    return [
        Problem(
            path.relative_to(root).as_posix(),
            test.lineno,
            f"{test.name} can pass without an assertion",
            "assert first that there is what its loop goes through, or make the cases parameters",
        )
        for path, tree in trees.items()
        if path.name.startswith("test_")
        for test in _tests(tree)
        if _is_vacuous(test, _full_names(tree.body), asserting)
    ]


def _tests(tree: ast.Module) -> Iterator[Function]:
    for node in ast.walk(tree):
        if isinstance(node, Function) and node.name.startswith("test_"):
            yield node


def _asserting(functions: list[Function]) -> frozenset[str]:
    """The names of functions that assert, directly or through each other."""
    names: frozenset[str] = frozenset()
    while True:
        more = frozenset(
            one.name for one in functions if any(_asserts(node, names) for node in ast.walk(one))
        )
        if more == names:
            return names
        names = more


def _asserts(node: ast.AST, names: frozenset[str]) -> bool:
    if isinstance(node, ast.Assert):
        return True
    return isinstance(node, ast.Call) and _called(node) in _CONTEXTS | _CALLS | names


def _called(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _is_vacuous(test: Function, full: frozenset[str], names: frozenset[str]) -> bool:
    """Whether a test asserts, and may come to its end without."""
    if not any(_asserts(node, names) for node in ast.walk(test)):
        return False
    return not _sure(test.body, full | _full_names(test.body), names)


def _sure(body: list[ast.stmt], full: frozenset[str], names: frozenset[str]) -> bool:
    """Whether one of these statements asserts whatever happens, and none before it may leave."""
    for statement in body:
        if _is_sure(statement, full, names):
            return True
        if _leaves_silently(statement, full, names):
            return False
    return False


def _leaves_silently(statement: ast.stmt, full: frozenset[str], names: frozenset[str]) -> bool:
    if isinstance(statement, ast.If) and _sure(statement.body, full, names):
        return any(map(_may_leave, statement.orelse))
    return _may_leave(statement)


def _may_leave(node: ast.AST) -> bool:
    """Whether a statement may end the function, or this round of the loop that it stands in."""
    if isinstance(node, ast.Return | ast.Continue):
        return True
    if isinstance(node, Function | ast.Lambda):
        return False
    inside = (child for child in ast.iter_child_nodes(node) if _may_leave(child))
    if isinstance(node, Loop | ast.While):
        return any(isinstance(one, ast.Return) for child in inside for one in ast.walk(child))
    return any(True for _ in inside)


def _is_sure(statement: ast.stmt, full: frozenset[str], names: frozenset[str]) -> bool:
    match statement:
        case ast.For(iter=iterable, body=body) | ast.AsyncFor(iter=iterable, body=body):
            return (_is_full(iterable, full) or _asserts_in(iterable, names)) and _sure(body, full, names)
        case ast.While(test=ast.Constant(value=True), body=body):
            return _sure(body, full, names)
        case ast.While():
            return False
        case ast.If(body=body, orelse=orelse):
            return _sure(body, full, names) and _sure(orelse, full, names)
        case ast.Match(cases=cases):
            return all(_sure(case.body, full, names) for case in cases)
        case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
            return any(_asserts_in(item, names) for item in items) or _sure(body, full, names)
        case ast.Try(body=body, finalbody=finalbody):
            return _sure([*body, *finalbody], full, names)
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return False
        case _:
            return _asserts_in(statement, names)


def _asserts_in(node: ast.AST, names: frozenset[str]) -> bool:
    return any(_asserts(one, names) for one in ast.walk(node))


def _full_names(body: list[ast.stmt]) -> frozenset[str]:
    """Names that are given a written-out collection with something in it."""
    full: set[str] = set()
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                pass
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                pass
            case _:
                continue
        if _is_full(value, frozenset(full)):
            full.add(name)
    return frozenset(full)


def _is_full(node: ast.expr, full: frozenset[str]) -> bool:
    """Whether a collection is seen to have something in it."""
    match node:
        case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
            return any(not isinstance(one, ast.Starred) or _is_full(one.value, full) for one in elements)
        case ast.Dict(keys=keys):
            return any(key is not None for key in keys)
        case ast.Constant(value=str(text)):
            return bool(text)
        case ast.Name(id=name):
            return name in full
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return _is_full(left, full) or _is_full(right, full)
        case ast.Call(func=ast.Name(id="range"), args=[*_, ast.Constant(value=int(stop))]):
            return stop > 0
        case ast.Call(func=ast.Attribute(value=value, attr="items" | "values" | "keys" | "split")):
            return _is_full(value, full)
        case ast.Call(args=args) if args and _called(node) in _PASSING_ON:
            return all(_is_full(one, full) for one in args)
        case ast.ListComp(generators=[generator]) | ast.SetComp(generators=[generator]):
            return not generator.ifs and _is_full(generator.iter, full)
        case _:
            return False
