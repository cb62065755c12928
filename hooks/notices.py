"""Whose work a bundle of the built site is, and under which licence: read from the packages that are installed.

Where a package does not bring the text of its licence, `licences/kept.toml` has it. What has no notice raises
`UnknownLicenceError`, which ends the build.
"""

from __future__ import annotations

import functools
import importlib.metadata
import json
import tomllib
import zipfile
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import NamedTuple

_ROOT = Path(__file__).parent.parent
_NODE_MODULES, _KEPT = _ROOT / "node_modules", _ROOT / "licences"
_TEXT_NAMES = ("LICENSE", "LICENCE", "COPYING", "NOTICE")
# The sets of icons in Material's style sheet, which its own licence doesn't speak of. A test finds the sets.
MATERIAL_ICONS = {
    "material": ("Material Design Icons", "Apache-2.0"),
    "octicons": ("Octicons", "MIT"),
    "fontawesome": ("Font Awesome Free", "CC-BY-4.0"),
}


class UnknownLicenceError(Exception):
    """Something is in the site of which no notice says whose it is."""


class Notice(NamedTuple):
    """A work by others and its licence.

    Its name, version (where it has one of its own), the licence's SPDX name, the licence's text, and where its source code
    is, if the licence asks for that.
    """

    name: str
    version: str
    licence: str
    text: str
    source: str = ""


def distribution_notice(name: str) -> Notice:
    """The notice of an installed Python package, with the licence files beside its metadata."""
    package = importlib.metadata.distribution(name)
    metadata = package.metadata
    texts = [
        path.read_text("utf-8")
        for path in package.files or []
        if ".dist-info" in path.parts[0] and path.name.upper().startswith(_TEXT_NAMES)
    ]
    licence = next((metadata[key] for key in ("License-Expression", "License") if key in metadata), "")
    return _complete(metadata["Name"], package.version, licence, "\n".join(texts))


def node_notice(name: str) -> Notice:
    """The notice of an installed Node package, with the licence files in its folder."""
    folder = _NODE_MODULES / name
    package = json.loads((folder / "package.json").read_text("utf-8"))
    texts = [
        path.read_text("utf-8")
        for path in sorted(folder.iterdir())
        if path.name.upper().startswith(_TEXT_NAMES)
    ]
    return _complete(name, package["version"], package.get("license", ""), "\n".join(texts))


def kept_notice(key: str) -> Notice:
    """The notice in `licences/kept.toml`, good for one version of the package that it is about."""
    entry = tomllib.loads((_KEPT / "kept.toml").read_text("utf-8"))[key]
    installed = _version(entry["package"])
    if installed != entry["seen"]:
        raise UnknownLicenceError(
            f"{entry['package']} is {installed}, and licences/kept.toml was last looked at for {entry['seen']}: "
            f"see whether [{key}] still holds, and write the new version there"
        )
    text = (_KEPT / entry["text"]).read_text("utf-8")
    notice = _complete(entry["name"], installed, entry["licence"], text)
    return notice._replace(source=entry.get("source", ""))


def script_notices(packages: Path, part: str) -> list[Notice]:
    """The notices of the packages in a part of the scripts, which their packer lists; none before they are packed."""
    if not packages.exists():
        return []
    return [node_notice(name) for name in json.loads(packages.read_text("utf-8"))[part]]


def python_notices(packed: Path) -> list[Notice]:
    """The notices of the browser's Python; none before it is packed.

    Pyodide, CPython and each package in the zip that is not ours.
    """
    archive = next(packed.glob("python-*.zip"), None)
    return [] if archive is None else list(_archive_notices(archive))


@functools.cache  # its name changes with its content
def _archive_notices(archive: Path) -> tuple[Notice, ...]:
    with zipfile.ZipFile(_NODE_MODULES / "pyodide" / "python_stdlib.zip") as library:
        of_pyodide = _modules(library.namelist())
    with zipfile.ZipFile(archive) as zipped:
        others = _modules(zipped.namelist()) - of_pyodide - {"labs"}
    owners = importlib.metadata.packages_distributions()
    unknown = sorted(others - owners.keys())
    if unknown:
        raise UnknownLicenceError(
            f"{archive.name} holds {', '.join(unknown)}, which no installed package brings"
        )
    packages = sorted({owners[module][0] for module in others})
    return (kept_notice("pyodide"), kept_notice("cpython"), *map(distribution_notice, packages))


@functools.cache  # ten thousand icons are listed
def material_notices() -> tuple[Notice, ...]:
    """The notices of Material's style sheet and of the icons in it."""
    package = importlib.metadata.distribution("mkdocs-material")
    files = [path for path in package.files or [] if path.stem == "LICENSE"]
    notices = [distribution_notice("mkdocs-material")]
    for folder, (name, licence) in MATERIAL_ICONS.items():
        texts = [path.read_text("utf-8") for path in files if path.parent.parts[-2:] == (".icons", folder)]
        notices.append(_complete(name, "", licence, "\n".join(texts)))
    return tuple(notices)


def notices_text(notices: Iterable[Notice]) -> str:
    """Our own licence and those of the notices, each text once, under the names of all that it is for."""
    own = (_ROOT / "LICENSE").read_text("utf-8")
    package = (_ROOT / "NOTICE").read_text("utf-8").strip()
    parts = ["What this site holds, and under which licences.", f"The Python package in it:\n\n{package}"]
    works = {own.strip(): ["GPU Sharing Labs (Apache-2.0)"]}
    for notice in notices:
        title = f"{notice.name} {notice.version}".strip()
        source = f", source: {notice.source}" if notice.source else ""
        works.setdefault(notice.text.strip(), []).append(f"{title} ({notice.licence}{source})")
    parts += ["\n".join([*names, "", text]) for text, names in works.items()]
    rule = "-" * 72
    return f"\n\n{rule}\n\n".join(parts) + "\n"


def _complete(name: str, version: str, licence: str, text: str) -> Notice:
    if not licence or not text.strip():
        missing = "licence" if not licence else "text of a licence"
        raise UnknownLicenceError(
            f"{name} {version} is in the site and its package brings no {missing}: give it one in licences/kept.toml"
        )
    return Notice(name, version, licence, text)


def _version(package: str) -> str:
    kind, name = package.split(":", 1)
    if kind == "python":
        return importlib.metadata.version(name)
    if kind == "pyodide":
        lock = json.loads((_NODE_MODULES / "pyodide" / "pyodide-lock.json").read_text("utf-8"))
        return str(lock["info"][name])
    return str(json.loads((_NODE_MODULES / name / "package.json").read_text("utf-8"))["version"])


def _modules(names: Iterable[str]) -> set[str]:
    """The modules and packages at the top of an archive."""
    return {PurePosixPath(name).parts[0].partition(".")[0] for name in names}
