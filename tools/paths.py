"""Where things lie in this folder."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".cache"
SITE = ROOT / "site"
FOLDER_SITE = ROOT / "site-folder"  # the same, for opening from a folder

VENV = ROOT / ".venv"
VENV_BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
VENV_PYTHON = VENV_BIN / ("python.exe" if os.name == "nt" else "python")
REQUIREMENTS = ROOT / "requirements"

NODE_MODULES = ROOT / "node_modules"
PACKAGE_JSON = ROOT / "package.json"
PACKAGE_LOCK = ROOT / "package-lock.json"

# What reads the Japanese prose has packages of its own, installed when it is first used.
PROSE_JSON = ROOT / "checks" / "wording" / "package.json"
PROSE_LOCK = ROOT / "checks" / "wording" / "package-lock.json"
TEXTLINT = CACHE / "textlint"


def from_root(path: Path) -> str:
    """A path as one says it: from the project's root, with slashes."""
    return path.relative_to(ROOT).as_posix()
