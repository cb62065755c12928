"""What the browser loads: the labs' part, its Python runtime and its head start under `assets/labs/`, and nothing unused."""

from __future__ import annotations

import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

_ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(_ROOT)]

from hooks.folder import plain_page, plain_script, python_script  # noqa: E402 (MkDocs loads hooks by path)
from hooks.stops import stop_files  # noqa: E402

_CACHE = _ROOT / ".cache"
_WEB, _RUNTIME, _EDITOR = _ROOT / "labs" / "web", _CACHE / "runtime", _CACHE / "editor"
_SITE_SCRIPT = "assets/site/site.js"
_NEEDED_TO_PACK = {".mjs", ".py"}  # in labs/web: what makes the runtime, not what the browser loads
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
        return _for_a_folder(files, config, shared)
    if shared:
        for path in sorted(_WEB.glob("*")):
            if path.is_file() and path.suffix not in _NEEDED_TO_PACK:
                files.append(_published(path, _WEB, f"assets/labs/{path.name}", config))
        for path in sorted(path for path in _RUNTIME.rglob("*") if path.is_file()):
            name = path.relative_to(_RUNTIME).as_posix()
            files.append(_published(path, _RUNTIME, f"assets/labs/runtime/{name}", config))
        for path in _EDITOR.glob("*.js"):  # none before it is packed
            files.append(_published(path, _EDITOR, "assets/labs/editor.js", config))
        for path in stop_files(_CACHE / "stops", make="shared_with" not in config.extra):
            files.append(_published(path, path.parent, f"assets/labs/stops/{path.name}", config))
    return files


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Where links lead to files, the site is for opening from a folder, and its pages load plain scripts."""
    return output if config.use_directory_urls else plain_page(output)


def _for_a_folder(files: Files, config: MkDocsConfig, shared: bool) -> Files:
    """What a site for opening from a folder loads instead. No address in it is missing, so no page says so."""
    config.theme.static_templates.discard("404.html")
    for file in [file for file in files if file.src_uri == _SITE_SCRIPT]:
        files.remove(file)
    if not shared:
        return files
    written = {
        _SITE_SCRIPT: plain_script(_ROOT / "theme" / _SITE_SCRIPT),
        "assets/labs/gpu-lab.js": plain_script(_WEB / "gpu-lab.js"),
        "assets/labs/gpu-check.js": plain_script(_WEB / "gpu-check.js"),
        "assets/labs/gpu-planner.js": plain_script(_WEB / "gpu-planner.js"),
        "assets/labs/gpu-form.js": plain_script(_WEB / "gpu-form.js"),
        "assets/labs/gpu-rollout.js": plain_script(_WEB / "gpu-rollout.js"),
        "assets/labs/runtime/folder.js": python_script(_RUNTIME, _WEB / "worker.js"),
    }
    for address, content in written.items():
        path = _CACHE / "folder" / address
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        files.append(_published(path, _CACHE / "folder", address, config))
    for name in ("labs.css", "checks.css", "planner.css", "forms.css", "rollout.css"):
        files.append(_published(_WEB / name, _WEB, f"assets/labs/{name}", config))
    files.append(_published(_EDITOR / "editor.js", _EDITOR, "assets/labs/editor.js", config))
    return files


def _published(path: Path, folder: Path, address: str, config: MkDocsConfig) -> File:
    name = path.relative_to(folder).as_posix()
    return File(name, str(folder), config.site_dir, use_directory_urls=False, dest_uri=address)
