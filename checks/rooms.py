"""The rooms of `labs/`: folders inside a layer, with arrows that point one way and one door each.

A room is a folder of code below a layer or below `commands/`; what lies in the layer's own folder is a room too, and so
is a module beside the layers. No circle of rooms and none of files, counting imports inside functions; who enters a room
from outside imports from the folder, where its `__init__` names what is for others. Rules are many and each enters
whatever it looks at: their families only have to stay without a circle.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from checks.imports import LAYERS
from checks.problem import Problem

MODULES_MOST = 25
"""Of one folder of code, its `__init__` aside."""
ROOMY = (*LAYERS, "commands")
"""Folders of `labs/` that have rooms."""
UNLIMITED = "labs.lint.rules"


@dataclass(frozen=True, slots=True)
class _Module:
    """A module by its dotted name, with the lines on which it imports modules of `labs` and folders of them."""

    name: str
    path: str
    tree: ast.Module
    is_folder: bool

    @property
    def room(self) -> str:
        """The folder that it lies in, or itself where it lies beside the layers."""
        folder = self.name if self.is_folder else self.name.rpartition(".")[0]
        return self.name if folder == "labs" else folder

    def names(self, module: str) -> bool:
        """Whether a door says that a module of its room is entered as such."""
        exported = ast.unparse(self.tree).partition("__all__")[2]
        return f"`{module}`" in (ast.get_docstring(self.tree) or "") or f"'{module}'" in exported


def check(root: Path) -> list[Problem]:
    """Circles of rooms and of files, doors that are passed by, folders too full, rooms that do not say what they are."""
    modules = {module.name: module for module in _modules(root)}
    arrows = {name: dict(_arrows(module, modules)) for name, module in modules.items()}
    problems = [*_unnamed(modules.values()), *_full(modules.values()), *_past_doors(modules)]
    problems += _circles(arrows, modules, "files")
    problems += _circles(_between_rooms(arrows, modules), modules, "rooms")
    return sorted(set(problems))


def _modules(root: Path) -> Iterator[_Module]:
    for file in sorted((root / "labs").rglob("*.py")):
        path = file.relative_to(root)
        if "node_modules" not in path.parts:
            is_folder = path.name == "__init__.py"
            name = ".".join(path.parent.parts if is_folder else path.with_suffix("").parts)
            tree = ast.parse(file.read_text(encoding="utf-8"), filename=str(file))
            yield _Module(name, path.as_posix(), tree, is_folder)


def _imports(module: _Module) -> Iterator[tuple[str, str, int]]:
    """What a module imports of `labs`: from where, which name ("" for a module as such), on which line."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "", node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from ((node.module, alias.name, node.lineno) for alias in node.names)


def _arrows(module: _Module, modules: Mapping[str, _Module]) -> Iterator[tuple[str, int]]:
    """The modules that it imports, each with a line. A folder's own door is not entered by those inside."""
    for source, name, line in _imports(module):
        target = f"{source}.{name}" if f"{source}.{name}" in modules else source
        if target in modules and target != module.name:
            yield target, line


def _between_rooms(
    arrows: Mapping[str, Mapping[str, int]], modules: Mapping[str, _Module]
) -> dict[str, dict[str, int]]:
    rooms: dict[str, dict[str, int]] = {}
    for name, targets in arrows.items():
        here = modules[name].room
        for target, line in targets.items():
            there = modules[target].room
            if there != here:
                rooms.setdefault(here, {}).setdefault(there, line)
    return rooms


def _circles(
    arrows: Mapping[str, Mapping[str, int]], modules: Mapping[str, _Module], what: str
) -> Iterator[Problem]:
    reached = {name: _reached(name, arrows) for name in arrows}
    for name in sorted(arrows):
        circle = sorted(other for other in reached[name] if name in reached.get(other, ()))
        if circle and name == circle[0]:
            path = modules[name].path if name in modules else name.replace(".", "/")
            words = f"a circle of {what}: {', '.join(circle)}"
            yield Problem(path, 0, words, "move what both need below both, or hand it in")


def _reached(start: str, arrows: Mapping[str, Mapping[str, int]]) -> set[str]:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        for target in arrows.get(waiting.pop(), {}):
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    return seen


def _past_doors(modules: Mapping[str, _Module]) -> Iterator[Problem]:
    for module in modules.values():
        for source, name, line in _imports(module):
            target = modules.get(source)
            parts = source.split(".")
            module_taken = modules.get(f"{source}.{name}")
            if module_taken is not None and not module_taken.is_folder and target is not None:
                if target.room != module.room and parts[1:2] and len(parts) > 2 and not target.names(name):
                    words = f'"{name}" is a module of the room {target.room}, whose door does not name it'
                    remedy = "name it between grave accents in the docstring of the room's __init__"
                    yield Problem(module.path, line, words, remedy)
                continue
            is_inside = target is not None and not target.is_folder and len(parts) > 3 and parts[1] in ROOMY
            if is_inside and target is not None and target.room != module.room:
                words = f'"{name or source}" is taken from inside the room {target.room}'
                remedy = f"import it from {target.room}, whose __init__ names what is for others"
                yield Problem(module.path, line, words, remedy)


def _full(modules: Iterable[_Module]) -> Iterator[Problem]:
    counts: dict[str, int] = {}
    for module in modules:
        if not module.is_folder and not module.name.startswith(UNLIMITED):
            folder = module.name.rpartition(".")[0]
            counts[folder] = counts.get(folder, 0) + 1
    for folder, count in sorted(counts.items()):
        if count > MODULES_MOST:
            words = f"{count} modules in one folder, and {MODULES_MOST} are allowed"
            yield Problem(folder.replace(".", "/"), 0, words, "give those that belong together a room")


def _unnamed(modules: Iterable[_Module]) -> Iterator[Problem]:
    for module in modules:
        if module.is_folder and not (ast.get_docstring(module.tree) or "").strip():
            words = "a room that does not say what it is"
            yield Problem(module.path, 1, words, "begin its __init__ with a docstring of one sentence")
