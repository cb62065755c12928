"""What the browser loads: the labs' part, its Python runtime and its head start under `assets/labs/`, and nothing unused."""

from __future__ import annotations

import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

_ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(_ROOT)]

from hooks.stops import stop_files  # noqa: E402 (MkDocs loads hooks by path, not as a package)

_SOURCES = {_ROOT / "labs" / "web": "assets/labs", _ROOT / ".cache" / "runtime": "assets/labs/runtime"}
_NEEDED_TO_PACK = {".mjs", ".py"}  # in labs/web: what makes the runtime, not what the browser loads
# Of Material only its style sheet is used, under a name without a version, for layers.css to import.
# Its script names other origins and is not published.
_MATERIAL = ("assets/javascripts/", "assets/stylesheets/", "assets/images/")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds what all languages share once, with the default language, and drops Material's own files."""
    shared = config.theme["language"] == "ja"
    for file in [file for file in files if file.src_uri.startswith(_MATERIAL)]:
        files.remove(file)
        if shared and file.src_uri.startswith("assets/stylesheets/main.") and file.src_uri.endswith(".css"):
            path = Path(file.abs_src_path or "")
            files.append(_published(path, path.parent, "assets/site/material.css", config))
    for folder, destination in _SOURCES.items() if shared else ():
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not (folder.name == "web" and path.suffix in _NEEDED_TO_PACK):
                name = path.relative_to(folder).as_posix()
                files.append(_published(path, folder, f"{destination}/{name}", config))
    for path in stop_files(_ROOT / ".cache" / "stops") if shared else ():
        files.append(_published(path, path.parent, f"assets/labs/stops/{path.name}", config))
    return files


def _published(path: Path, folder: Path, address: str, config: MkDocsConfig) -> File:
    name = path.relative_to(folder).as_posix()
    return File(name, str(folder), config.site_dir, use_directory_urls=False, dest_uri=address)
