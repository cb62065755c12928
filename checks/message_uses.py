"""Where the code asks for its sentences: strings of `labs/` that are keys or begin them, and calls."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path("labs") / "messages"
METHODS = {"text": False, "count": True}
"""Methods of `Messages` that take a key first and values by name; true for those that choose by a number."""

_QUOTED = re.compile(r"""(["'`])((?:(?!\1)[^\\\n]|\\.)*)\1""")
_TEMPLATE_START = re.compile(r"[^$]*(?=\$\{)")
_DOTTED = re.compile(r"[\w-]+(?:\.[\w-]+)+")


@dataclass(frozen=True, slots=True)
class Call:
    """A call that names its key: the keys it may ask for, and its values (None where it spreads a dict)."""

    path: str
    line: int
    keys: tuple[str, ...]
    values: frozenset[str] | None
    counts: bool


@dataclass(frozen=True, slots=True)
class Uses:
    """What `labs/` asks for: keys, beginnings of keys up to a dot, and calls that name their key."""

    keys: frozenset[str]
    beginnings: tuple[str, ...]
    calls: tuple[Call, ...]

    def cover(self, key: str) -> bool:
        """Whether some code can ask for `key`."""
        stem = re.sub(r"\.(?:one|other)$", "", key)
        return key in self.keys or stem in self.keys or key.startswith(self.beginnings)


def find_uses(root: Path) -> Uses:
    """All uses in the Python, JavaScript, YAML and TOML files of `labs/`."""
    strings: set[str] = set()
    calls: list[Call] = []
    for file in sorted((root / "labs").rglob("*")):
        path = file.relative_to(root)
        if file.is_dir() or FOLDER in path.parents or "node_modules" in path.parts:
            continue
        if file.suffix == ".py":
            tree = ast.parse(file.read_text(encoding="utf-8"))
            strings.update(_python_strings(tree))
            calls.extend(_calls(path.as_posix(), tree))
        elif file.suffix in {".js", ".mjs", ".html"}:
            strings.update(_script_strings(file.read_text(encoding="utf-8")))
        elif file.suffix in {".yaml", ".yml", ".toml"}:
            strings.update(_DOTTED.findall(file.read_text(encoding="utf-8")))
    beginnings = tuple(sorted(text for text in strings if text.endswith(".") and _DOTTED.match(text + "x")))
    return Uses(frozenset(strings), beginnings, tuple(calls))


def _python_strings(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) and node.values and isinstance(node.values[0], ast.Constant):
            yield _to_last_dot(str(node.values[0].value))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _script_strings(source: str) -> Iterator[str]:
    for match in _QUOTED.finditer(source):
        yield match[2]
        if start := _TEMPLATE_START.match(match[2]):
            yield _to_last_dot(start[0])


def _to_last_dot(text: str) -> str:
    return text[: text.rfind(".") + 1]


def _calls(path: str, tree: ast.Module) -> Iterator[Call]:
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        stems = [stem for stem in _constants(node.args[0]) if _DOTTED.fullmatch(stem)]
        if not stems or node.func.attr not in METHODS:
            continue
        counts = METHODS[node.func.attr]
        keys = [f"{stem}.{form}" for stem in stems for form in ("one", "other")] if counts else stems
        names = [keyword.arg for keyword in node.keywords]
        values = None if None in names else frozenset(name for name in names if name)
        yield Call(path, node.lineno, tuple(keys), values, counts)


def _constants(node: ast.expr) -> Iterator[str]:
    """The strings that an expression can be, where it says so itself: a literal, or a choice of literals."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _constants(node.body)
        yield from _constants(node.orelse)
