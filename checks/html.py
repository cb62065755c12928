"""Markup is made in one place: templates are written out where they are used, and nothing else is called `Html`.

What a page shows has the type `Html` (`labs/report/writing/markup.py`), so the type checker finds a text that nobody
escaped. That holds only as long as the templates of `html` and what `join` puts between are literals, and nobody wraps a
text in `Html` elsewhere.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from checks.problem import Problem

MARKUP = "labs/report/writing/markup.py"


def check(root: Path) -> list[Problem]:
    """Templates and separators that are no literals, and texts that are called `Html` outside of `markup.py`."""
    problems: list[Problem] = []
    for file in sorted((root / "labs").rglob("*.py")):
        path = file.relative_to(root).as_posix()
        if path != MARKUP and "node_modules" not in path:
            source = file.read_text(encoding="utf-8")
            if any(word in source for word in ("Html", "html(", "join(")):
                problems += [
                    Problem(path, line, words, remedy) for line, words, remedy in _slips(ast.parse(source))
                ]
    return problems


def _slips(tree: ast.Module) -> Iterator[tuple[int, str, str]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        if _is_html_type(node.func) or (_name_of(node.func) == "cast" and _is_html_type(node.args[0])):
            yield node.lineno, "a text is called Html", "make it by escape, html or join"
        if not isinstance(node.func, ast.Name):
            continue
        if node.func.id == "join" and not all(isinstance(each, ast.Constant) for each in _between(node)):
            yield node.lineno, "what joins parts is no literal", "write it out, or make it a part"
        elif node.func.id == "html" and not _is_literal(node):
            yield node.lineno, "a template that is no literal", "write it out, and hand in its parts"
        elif node.func.id == "html" and _places(node) != len(node.args) - 1 and not _has_star(node):
            words = f"{len(node.args) - 1} parts for {_places(node)} places"
            yield node.lineno, words, "give each place its part; double the template's own braces"


def _is_html_type(node: ast.expr) -> bool:
    return _name_of(node) == "Html" or (isinstance(node, ast.Constant) and node.value == "Html")


def _name_of(node: ast.expr) -> str:
    """The last part of a name, `markup.Html` included; empty for anything else."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _between(call: ast.Call) -> Iterator[ast.expr]:
    yield from call.args[1:]
    yield from (named.value for named in call.keywords if named.arg == "between")


def _is_literal(call: ast.Call) -> bool:
    template = call.args[0] if call.args else None
    return isinstance(template, ast.Constant) and isinstance(template.value, str)


def _places(call: ast.Call) -> int:
    template = call.args[0]
    assert isinstance(template, ast.Constant)
    return str(template.value).replace("{{", "").replace("}}", "").count("{}")


def _has_star(call: ast.Call) -> bool:
    return any(isinstance(part, ast.Starred) for part in call.args)
