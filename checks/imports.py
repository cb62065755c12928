"""The layers of `labs/`: arrows point one way, and only the edges touch the world.

Edges (`EDGES`) may use everything. Below them a layer uses itself and lower ones, SimPy, and the standard
library without its windows on the machine; SimPy only where processes run.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from checks.problem import Problem

LAYERS = ("hardware", "config", "cluster", "simulation", "lint", "report", "teaching")
"""From the lowest to the highest."""

EDGES = ("cli", "browser", "markdown", "library", "site_server", "__main__", "commands", "web")
"""`commands` is what `cli` is made of; `web` holds what packs the browser's part."""
SIMPY_LAYER = "simulation"
THIRD_PARTY_BELOW = ("simpy",)

WORLD_MODULES = frozenset(
    {
        "os", "time", "socket", "subprocess", "shutil", "tempfile", "glob", "urllib", "http", "ssl", "locale",
        "getpass", "platform", "signal", "select", "selectors", "asyncio", "threading", "multiprocessing",
        "concurrent", "secrets", "uuid", "logging", "argparse", "webbrowser", "ctypes", "zoneinfo",
    }
)  # fmt: skip
"""Modules of the standard library that read the clock, the machine or the network, or speak to the user."""

PURE_SUBMODULES = frozenset({"urllib.parse"})
"""Parts of those that only reckon."""

WORLD_MEMBERS = {
    "sys": frozenset(
        {"stdin", "stdout", "stderr", "argv", "exit", "path", "modules", "platform", "executable"}
    ),
    "pathlib": frozenset({"Path", "PosixPath", "WindowsPath"}),
    "io": frozenset({"open", "open_code", "FileIO"}),
}
WORLD_BUILTINS = frozenset({"open", "print", "input", "breakpoint", "hash"})
CLOCK_METHODS = frozenset({"now", "utcnow", "today"})
CLOCK_OWNERS = frozenset({"datetime", "date", "dt"})
RANDOM_ALLOWED = frozenset({"Random"})

EFFECT = "hand the value in from an edge (cli.py, browser.py, markdown.py, library.py)"


def check(root: Path) -> list[Problem]:
    """Every import against the arrows, and every touch of the world below the edges."""
    problems: list[Problem] = []
    for file in sorted((root / "labs").rglob("*.py")):
        path = file.relative_to(root)
        if "node_modules" in path.parts:
            continue
        tree = ast.parse(file.read_text(encoding="utf-8"), filename=str(file))
        problems.extend(_Module(path).problems(tree))
    return sorted(set(problems))


def layer_of(parts: tuple[str, ...]) -> str:
    """The layer, edge or other part that `labs/<parts>` belongs to; empty for the package itself."""
    name = parts[0].removesuffix(".py") if parts else ""
    return "" if name == "__init__" else name


class _Module:
    """One module of `labs/` under examination."""

    def __init__(self, path: Path) -> None:
        self._path = path.as_posix()
        self._layer = layer_of(path.parts[1:])
        self._is_edge = self._layer in EDGES
        self._package = path.parts[:-1]

    def problems(self, tree: ast.Module) -> Iterator[Problem]:
        if self._layer and self._layer not in (*LAYERS, *EDGES):
            places = f"put it into one of {', '.join(LAYERS)}, or list a new edge in checks/imports.py"
            yield self._problem(1, f'"{self._layer}" is neither a layer nor an edge', places)
            return
        for node in ast.walk(tree):
            for name, line in self._imported(node):
                yield from self._import(name, line)
            if not self._is_edge:
                yield from self._effects(node)

    def _problem(self, line: int, message: str, remedy: str) -> Problem:
        return Problem(self._path, line, message, remedy)

    def _imported(self, node: ast.AST) -> Iterator[tuple[str, int]]:
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = self._package[: len(self._package) - node.level + 1] if node.level else ()
            module = ".".join((*above, *filter(None, [node.module])))
            if module in {"labs", ""} or node.level:
                yield from ((f"{module}.{alias.name}", node.lineno) for alias in node.names)
            else:
                yield module, node.lineno

    def _import(self, name: str, line: int) -> Iterator[Problem]:
        top, *rest = name.split(".")
        if top == "labs":
            yield from self._direction(layer_of(tuple(rest)), line)
        elif top in {"mkdocs", "material", "mkdocs_static_i18n"}:
            yield self._problem(
                line, f'"{name}" ties the package to one site generator', "put it into hooks/"
            )
        elif top == "simpy" and self._layer != SIMPY_LAYER:
            yield self._problem(line, "SimPy is imported outside simulation/", "use what simulation/ offers")
        elif not self._is_edge and top in WORLD_MODULES and name not in PURE_SUBMODULES:
            yield self._problem(line, f'"{name}" reaches the world below the edges', EFFECT)
        elif not self._is_edge and top not in sys.stdlib_module_names and top not in THIRD_PARTY_BELOW:
            yield self._problem(
                line, f'"{name}" is third-party below the edges', "the browser has SimPy only"
            )

    def _direction(self, target: str, line: int) -> Iterator[Problem]:
        if self._is_edge or target not in (*LAYERS, *EDGES):
            return
        own = LAYERS.index(self._layer) if self._layer else -1
        height = LAYERS.index(target) if target in LAYERS else len(LAYERS)
        if height > own:
            lower = f"it may use {', '.join(LAYERS[: own + 1]) or 'nothing of labs'}"
            here = self._layer or "labs/__init__.py"
            yield self._problem(
                line, f'"{here}" imports "{target}", which is above it', f"{lower}: turn the arrow round"
            )

    def _effects(self, node: ast.AST) -> Iterator[Problem]:
        if isinstance(node, ast.ImportFrom) and node.module in (*WORLD_MEMBERS, "random"):
            for alias in node.names:
                yield from self._member(node.module, alias.name, node.lineno)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield from self._member(node.value.id, node.attr, node.lineno)
            if node.attr in CLOCK_METHODS and node.value.id in CLOCK_OWNERS:
                yield self._problem(node.lineno, f"{node.value.id}.{node.attr} reads the clock", EFFECT)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute):
            if node.attr in CLOCK_METHODS and node.value.attr in CLOCK_OWNERS:
                yield self._problem(node.lineno, f"{node.value.attr}.{node.attr} reads the clock", EFFECT)
        elif (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in WORLD_BUILTINS
        ):
            name = node.func.id
            why = "differs from run to run" if name == "hash" else "reaches the world below the edges"
            remedy = "use hashlib or a key of your own" if name == "hash" else EFFECT
            yield self._problem(node.lineno, f"{name}() {why}", remedy)

    def _member(self, module: str, name: str, line: int) -> Iterator[Problem]:
        if name in WORLD_MEMBERS.get(module, ()):
            yield self._problem(line, f"{module}.{name} reaches the world below the edges", EFFECT)
        elif module == "random" and name not in RANDOM_ALLOWED:
            yield self._problem(
                line, f"random.{name} draws from the global stream", "use random.Random(seed)"
            )
