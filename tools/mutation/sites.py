"""The mutants of a module: one small fault each, made in its syntax tree.

Texts are left as they are (messages have golden files), but one entry of a table of texts may go missing. Annotations,
decorators, docstrings and `__all__` are no behaviour and stay.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

Function = ast.FunctionDef | ast.AsyncFunctionDef
Edit = tuple[Any, str | int, Any]
"""A node or a list of nodes, the attribute or the index in it, and what is put there."""

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
_UNOBSERVED = frozenset({"strict", "frozen", "slots", "kw_only", "repr", "maxsize"})
"""Keywords that guard or speed up: a change of them shows only where the code is wrong anyway."""
_BODIES = ("body", "handlers", "orelse", "finalbody", "cases")
CONTEXT = 30
"""Characters shown to each side of a fault."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A fault: its file, the function that holds it (`""`: run on import), its line, the code before and after.

    `first_line` is the line where that function's code starts, counted as Python does, with its decorators.
    """

    path: str
    function: str
    first_line: int
    line: int
    was: str
    becomes: str
    number: int  # among the mutants of its file

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.function or 'module'}: `{self.was}` -> `{self.becomes}`"


class Module:
    """The syntax tree of a source file, and its mutants in the order of the text."""

    def __init__(self, path: str, source: str) -> None:
        self.path = path
        self.tree = ast.parse(source)
        self._edits: list[Edit] = []
        self.mutants: list[Mutant] = []
        for statement, function in _statements(self.tree):
            for line, edit in _faults(statement):
                self._note(function, statement, line, edit)

    def _note(self, function: tuple[str, int], statement: ast.stmt, line: int, edit: Edit) -> None:
        before = _header(statement)
        with _made(edit):
            after = _header(statement)
        self.mutants.append(Mutant(self.path, *function, line, *_difference(before, after), len(self._edits)))
        self._edits.append(edit)

    @contextmanager
    def mutated(self, number: int) -> Iterator[ast.Module]:
        """The tree with the fault of that number in it."""
        with _made(self._edits[number]):
            yield self.tree


@contextmanager
def _made(edit: Edit) -> Iterator[None]:
    holder, place, new = edit
    if isinstance(holder, list):
        assert isinstance(place, int)
        old = holder[place]
        holder[place : place + 1] = [] if new is None else [new]
        yield
        holder[place : place + (0 if new is None else 1)] = [old]
    else:
        assert isinstance(place, str)
        old = getattr(holder, place)
        setattr(holder, place, new)
        yield
        setattr(holder, place, old)


def _header(statement: ast.stmt) -> str:
    return ast.unparse(statement).partition("\n")[0]


def _difference(before: str, after: str) -> tuple[str, str]:
    """Where two lines of code differ, each with what stands around it."""
    start = _common(before, after)
    end = _common(before[start:][::-1], after[start:][::-1])
    return _cut(before, start, len(before) - end), _cut(after, start, len(after) - end)


def _common(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _cut(text: str, start: int, end: int) -> str:
    return text[max(start - CONTEXT, 0) : end + CONTEXT]


def _statements(tree: ast.Module) -> Iterator[tuple[ast.stmt, tuple[str, int]]]:
    """Each statement, with the name and the first line of the outermost function that runs it (none: `""`, 0)."""
    todo: list[tuple[ast.stmt, tuple[str, ...], tuple[str, int]]] = [
        (statement, (), ("", 0)) for statement in reversed(tree.body)
    ]
    while todo:
        statement, names, function = todo.pop()
        if not isinstance(statement, ast.ClassDef):
            yield statement, function
        if isinstance(statement, Function | ast.ClassDef):
            names = (*names, statement.name)
            if isinstance(statement, Function) and not function[0]:
                function = (".".join(names), _first_line(statement))
        for field in reversed(_BODIES):
            for child in reversed(getattr(statement, field, [])):
                inner = child.body if isinstance(child, ast.ExceptHandler | ast.match_case) else [child]
                todo.extend((part, names, function) for part in reversed(inner))


def _first_line(function: Function) -> int:
    return min([function.lineno, *(one.lineno for one in function.decorator_list)])


def _is_behaviour(statement: ast.stmt) -> bool:
    """Not so of imports, docstrings, assertions and `__all__`."""
    if isinstance(statement, ast.Import | ast.ImportFrom | ast.Assert):
        return False
    if isinstance(statement, ast.Expr):
        return not isinstance(statement.value, ast.Constant)
    return not (
        isinstance(statement, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id.startswith("__") for target in statement.targets)
    )


def _faults(statement: ast.stmt) -> Iterator[tuple[int, Edit]]:
    """The faults of a statement itself, without those of the statements inside it."""
    if not _is_behaviour(statement):
        return
    if isinstance(statement, ast.Break | ast.Continue):
        other = ast.Continue if isinstance(statement, ast.Break) else ast.Break
        yield statement.lineno, (statement, "__class__", other)
    if isinstance(statement, ast.Return) and not _is_nothing(statement.value):
        yield statement.lineno, (statement, "value", ast.Constant(None))
    for parent in _walk(statement.args if isinstance(statement, Function) else statement):
        for name, value in _fields(parent):
            if isinstance(value, list):
                for index, child in enumerate(value):
                    yield from _faults_at(value, index, child)
            else:
                yield from _faults_at(parent, name, value)
        yield from _left_out(parent)


def _is_nothing(node: ast.expr | None) -> bool:
    """Whether None in its place would be no other answer: `return False` is tried as `return True`."""
    return node is None or (isinstance(node, ast.Constant) and (node.value is None or node.value is False))


def _fields(node: ast.AST) -> Iterator[tuple[str, Any]]:
    for name, value in ast.iter_fields(node):
        if name not in (*_BODIES, "annotation", "targets") or not isinstance(node, ast.stmt):
            yield name, value


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """A node and those below it that are behaviour and no statements, in the order of the text."""
    yield node
    for _, value in _fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not (
                isinstance(child, ast.JoinedStr | ast.arg)
                or (isinstance(child, ast.keyword) and child.arg in _UNOBSERVED)
            ):
                yield from _walk(child)


def _faults_at(holder: Any, place: str | int, node: Any) -> Iterator[tuple[int, Edit]]:
    line = getattr(node, "lineno", 0)
    match node:
        case ast.Compare(ops=ops):
            for index, operator in enumerate(ops):
                yield line, (ops, index, _COMPARISONS[type(operator)]())
        case ast.BoolOp(op=operator):
            yield line, (node, "op", ast.Or() if isinstance(operator, ast.And) else ast.And())
        case ast.BinOp(op=operator, left=left, right=right):
            if type(operator) in _OPERATORS and not (_is_text(left) or _is_text(right)):
                yield line, (node, "op", _OPERATORS[type(operator)]())
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield line, (holder, place, operand)
        case ast.IfExp(body=body, orelse=orelse):
            yield line, (holder, place, ast.IfExp(test=node.test, body=orelse, orelse=body))
        case ast.Constant(value=bool(value)):
            yield line, (node, "value", not value)
        case ast.Constant(value=int(value)):
            yield line, (node, "value", value + 1)
            if value > 0:
                yield line, (node, "value", value - 1)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _left_out(node: ast.AST) -> Iterator[tuple[int, Edit]]:
    """One entry missing in a table of texts; of a dict, the key is set to one that nobody asks for."""
    if isinstance(node, ast.Set | ast.Tuple | ast.List) and len(node.elts) > 1:
        for index, element in enumerate(node.elts):
            if _is_text(element):
                yield element.lineno, (node.elts, index, None)
    if isinstance(node, ast.Dict):
        for index, key in enumerate(node.keys):
            if key is not None and _is_text(key):
                yield key.lineno, (node.keys, index, ast.Constant("\0"))
