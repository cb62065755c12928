"""The site for opening from a folder, by double click: scripts without modules, and Python in one of them.

From `file:` a browser takes neither modules nor fetch, so each entry is written with all that it imports as one plain
script, and what Python needs lies in a script as base64. `labs/web/folder/` has the two modules that differ.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path

_OWN = Path(__file__).parent.parent / "labs" / "web" / "folder"
_IMPORT = re.compile(r'^import \{ (?P<names>[^{}]+) \} from "\./(?P<file>[\w-]+\.js)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (?P<name>\w+))", re.MULTILINE)
_LEFT = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_TAG = '<script type="module" src='


def plain_page(html: str) -> str:
    """A page whose scripts are the plain ones, under the same names."""
    return html.replace(_TAG, "<script defer src=")


def plain_script(entry: Path) -> str:
    """A module and all that it imports as one script. Raises ValueError for forms of import and export not used here."""
    parts = [
        f"const {_variable(path)} = (() => {{\n{_body(path)}\n}})();" for path in _in_order(entry, set())
    ]
    head = "const address = globalThis.document?.currentScript.src;"
    return "\n".join(["(() => {", '"use strict";', head, *parts, "})();", ""])


def python_script(runtime: Path, worker: Path) -> str:
    """What labs/web/folder/source.js asks for: the packed runtime's files and the worker's script."""
    manifest = json.loads((runtime / "manifest.json").read_text("utf-8"))
    loader = runtime / manifest["pyodide"]
    paths = {name: loader / name for name in ("pyodide.js", "pyodide.asm.js", "pyodide.asm.wasm")}
    paths["python.zip"] = runtime / manifest["python"]
    files = {name: _packed(path.read_bytes()) for name, path in paths.items()}
    folder = {"worker": plain_script(worker), "entry": manifest["entry"], "files": files}
    return f"gpuLabFolder({json.dumps(folder)});\n"


def _packed(content: bytes) -> str:
    return base64.b64encode(gzip.compress(content, 9, mtime=0)).decode()


def _in_order(module: Path, seen: set[Path]) -> Iterator[Path]:
    """The modules that a module needs, each after those that it needs itself; its own last."""
    path = _OWN / module.name if (_OWN / module.name).exists() else module
    if path in seen:
        return
    seen.add(path)
    for found in _IMPORT.finditer(path.read_text("utf-8")):
        yield from _in_order(module.parent / found["file"], seen)
    yield path


def _variable(path: Path) -> str:
    return "module_" + re.sub(r"\W", "_", path.stem)


def _body(path: Path) -> str:
    source = path.read_text("utf-8")
    names = [found["name"] for found in _EXPORT.finditer(source)]
    body = _IMPORT.sub(
        lambda found: f"const {{ {found['names']} }} = {_variable(Path(found['file']))};", source
    )
    body = _EXPORT.sub("", body).replace("import.meta.url", "address")
    left = _LEFT.search(body)
    if left is not None:
        raise ValueError(f"{path}: a plain script cannot be made of: {left[0]}")
    return f"{body.rstrip()}\nreturn {{ {', '.join(names)} }};"
