"""What the browser loads: the labs' part, its Python runtime and its head start under `assets/labs/`, and nothing unused."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

_ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(_ROOT)]

from hooks.stops import stop_files  # noqa: E402 (MkDocs loads hooks by path)

_CACHE = _ROOT / ".cache"
_STYLES, _RUNTIME = _ROOT / "labs" / "web" / "css", _CACHE / "runtime"
_MODULE, _PLAIN = '<script type="module" src=', "<script defer src="
# Of Material only its style sheet is used, under a name without a version, for layers.css to import.
# Its script names other origins and is not published.
_MATERIAL = ("assets/javascripts/", "assets/stylesheets/", "assets/images/")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds what all languages share once, with the default language, and drops Material's own files.

    `tools.language_pages`, which builds languages one by one, says in `extra` which of them it is to go with, and makes the
    answers of `hooks.stops` apart: a lab without them asks Python.
    """
    shared = config.theme["language"] == config.extra.get("shared_with", "ja")
    for file in [file for file in files if file.src_uri.startswith(_MATERIAL)]:
        files.remove(file)
        if shared and file.src_uri.startswith("assets/stylesheets/main.") and file.src_uri.endswith(".css"):
            path = Path(file.abs_src_path or "")
            files.append(_published(path, path.parent, "assets/site/material.css", config))
    if not config.use_directory_urls:
        config.theme.static_templates.discard("404.html")  # no address in a folder is missing
    if shared:
        for file in _of_labs(config):
            files.append(file)
    return files


def _of_labs(config: MkDocsConfig) -> Iterator[File]:
    """The labs' files; for a site that is opened from a folder, their scripts hold Python and nothing is fetched."""
    in_folder = not config.use_directory_urls
    scripts = _CACHE / "scripts-folder" if in_folder else _CACHE / "scripts"
    yield from _all_of(_STYLES, "assets/labs", config)
    yield from _all_of(scripts, "assets/labs", config)
    for path in (_CACHE / "editor").glob("*.js"):  # none before it is packed
        yield _published(path, path.parent, f"assets/labs/{path.name}", config)
    if in_folder:
        return
    yield from _all_of(_RUNTIME, "assets/labs/runtime", config)
    for path in stop_files(_CACHE / "stops", make="shared_with" not in config.extra):
        yield _published(path, path.parent, f"assets/labs/stops/{path.name}", config)


def _all_of(folder: Path, address: str, config: MkDocsConfig) -> Iterator[File]:
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = path.relative_to(folder).as_posix()
        yield _published(path, folder, f"{address}/{name}", config)


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Where links lead to files, the site is for opening from a folder, and its pages load plain scripts."""
    return output if config.use_directory_urls else output.replace(_MODULE, _PLAIN)


def _published(path: Path, folder: Path, address: str, config: MkDocsConfig) -> File:
    name = path.relative_to(folder).as_posix()
    return File(name, str(folder), config.site_dir, use_directory_urls=False, dest_uri=address)
