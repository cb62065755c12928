"""Makes the one zip that Python in the browser starts from. Runs inside Pyodide under Node (see python.mjs).

Bytecode only loads in the Python that wrote it, so Pyodide compiles for itself. The zip holds the application
with its data, and of the standard library just the modules that it was seen to load or is written to load.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import importlib.util
import io
import json
import marshal
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

STANDARD_LIBRARY = f"/lib/python{sys.version_info.major}{sys.version_info.minor}.zip"
APPLICATION = "/tmp/application.zip"

# Loaded by name while text is decoded, or only where something fails: no import statement shows them.
ALWAYS = (
    *(f"encodings.{name}" for name in ("ascii", "cp437", "latin_1", "utf_8", "utf_8_sig")),
    *(f"encodings.utf_{width}{order}" for width in (16, 32) for order in ("", "_be", "_le")),
    *("encodings.raw_unicode_escape", "encodings.unicode_escape"),
    *("linecache", "textwrap", "tokenize", "traceback"),
)


BY_NAME = "labs/lint/"  # a family of rules is imported by its name: no import statement shows it


def freeze(application: Mapping[str, bytes], entry: str, requests: Sequence[str]) -> tuple[bytes, list[str]]:
    """The zip, and the answers to `requests` (JSON text) that it must give as well.

    `application` maps names in the zip (`labs/browser.py`, `labs/messages/en/lab.toml`) to bytes; `entry` is
    the module whose `respond` answers. Raises what an import of the application raises.
    """
    with zipfile.ZipFile(APPLICATION, "w") as archive:
        for name, content in application.items():
            archive.writestr(name, content)
    sys.path.insert(0, APPLICATION)
    answers = _load_everything(application, entry, requests)

    with zipfile.ZipFile(STANDARD_LIBRARY) as library:
        sources = {name: library.read(name) for name in _loaded_from(STANDARD_LIBRARY)}
    sources |= {name: application[name] for name in _loaded_from(APPLICATION)}
    data = {name: content for name, content in application.items() if not name.endswith(".py")}
    return _zip_of({**{f"{name}c": _bytecode(name, text) for name, text in sources.items()}, **data}), answers


def _load_everything(application: Mapping[str, bytes], entry: str, requests: Sequence[str]) -> list[str]:
    """Loads whatever may be needed: the entry, what is imported by name, imports in functions, real work.

    What only a terminal or the site's build makes use of is not loaded.
    """
    respond = importlib.import_module(entry).respond
    answers = [respond(request) for request in requests]
    for path in application:
        if path.startswith(BY_NAME) and path.endswith(".py"):
            importlib.import_module(path.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
    read: set[str] = set()
    while new := sorted(_loaded_from(APPLICATION) - read):
        read.update(new)
        for module in (module for name in new for module in _imports_in(application[name])):
            with contextlib.suppress(ImportError):
                importlib.import_module(module)
    for module in ALWAYS:
        importlib.import_module(module)
    return answers


def _imports_in(source: bytes) -> Iterator[str]:
    """The absolute names in any import statement, also inside functions."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def _loaded_from(archive: str) -> set[str]:
    """Names within that zip of the source files of all loaded modules."""
    specs = [getattr(module, "__spec__", None) for module in sys.modules.values()]
    origins = [spec.origin or "" for spec in specs if spec is not None]
    start = f"{archive}/"
    return {origin.removeprefix(start) for origin in origins if origin.startswith(start)}


def _bytecode(name: str, source: bytes) -> bytes:
    """A .pyc that is used without looking for its source.

    Our own assertions and docstrings stay, so that the page and the terminal run the same code; a dataclass
    without a docstring would also work one out at every start. Others' code goes without, and so do the lint rules:
    their docstrings are what `gpulab explain` and the reference pages are made of, and no small part of the zip.
    """
    whole = name.startswith("labs/") and not name.startswith("labs/lint/rules/")
    code = compile(source, name, "exec", dont_inherit=True, optimize=0 if whole else 2)
    unchecked_hash = (1).to_bytes(4, "little") + importlib.util.source_hash(source)
    return importlib.util.MAGIC_NUMBER + unchecked_hash + marshal.dumps(code)


def _zip_of(files: Mapping[str, bytes]) -> bytes:
    """A zip whose bytes depend on names and contents only; stored, since web servers compress better."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return target.getvalue()


def freeze_folder(source: str, target: str, entry: str, requests: str) -> str:
    """Freezes the files under a folder into the zip `target`; `requests` and the answers are JSON lists."""
    root = Path(source)
    paths = [path for path in root.rglob("*") if path.is_file()]
    application = {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}
    archive, answers = freeze(application, entry, json.loads(requests))
    Path(target).write_bytes(archive)
    return json.dumps(answers)
