"""Names in `labs/` that say nothing of what they hold: `found` for a result, `one` for whatever a loop goes through.

Looked at are parameters, what is assigned (fields, attributes, loops and comprehensions included), functions and classes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from checks.problem import Problem

EMPTY = frozenset({"found", "told", "given", "one", "shown"})
"""Participles and pronouns, as they are or with underscores around."""
REMEDY = "use the noun of what it holds: pod, finding, words, match, rows"


def check(root: Path) -> list[Problem]:
    """The names that are bound, by file and line."""
    problems = []
    for file in sorted((root / "labs").rglob("*.py")):
        path = file.relative_to(root)
        if "node_modules" not in path.parts:
            tree = ast.parse(file.read_text(encoding="utf-8"), filename=str(file))
            problems += [
                Problem(path.as_posix(), line, f'the name "{name}" says nothing', REMEDY)
                for name, line in _bound(tree)
                if name.strip("_").lower() in EMPTY
            ]
    return sorted(set(problems))


def _bound(tree: ast.Module) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        match node:
            case ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name, node.lineno
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name, node.lineno
            case ast.ExceptHandler(name=str(name)) | ast.alias(asname=str(name)):
                yield name, node.lineno
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name, node.lineno
