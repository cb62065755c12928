"""What the browser loads: the labs' part and its Python runtime under `assets/labs/`, and nothing that no page uses."""

from __future__ import annotations

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

_ROOT = Path(__file__).parent.parent
_SOURCES = {_ROOT / "labs" / "web": "assets/labs", _ROOT / ".cache" / "runtime": "assets/labs/runtime"}
# Of Material only this style sheet is used. Its script names other origins and is not published.
_MATERIAL_KEPT = "assets/stylesheets/main."
_MATERIAL_FOLDERS = ("assets/javascripts/", "assets/stylesheets/", "assets/images/")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the labs' files with the default language (all languages share them); drops Material's unused files."""
    for file in list(files):
        used = file.src_uri.startswith(_MATERIAL_KEPT) and file.src_uri.endswith(".css")
        if file.src_uri.startswith(_MATERIAL_FOLDERS) and not used:
            files.remove(file)
    if config.theme["language"] == "ja":
        for folder, destination in _SOURCES.items():
            for path in sorted(folder.rglob("*")):
                if path.is_file():
                    files.append(_published(path, folder, destination, config.site_dir))
    return files


def _published(path: Path, folder: Path, destination: str, site_dir: str) -> File:
    name = path.relative_to(folder).as_posix()
    return File(name, str(folder), site_dir, use_directory_urls=False, dest_uri=f"{destination}/{name}")
