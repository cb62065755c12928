"""The answers to what readers do first in a lab (`labs.teaching.stops`), worked out again only when `labs/` has changed."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from pathlib import Path

from labs.browser import respond
from labs.library import LANGUAGES, builtin_library
from labs.teaching.stops import packed_stops

_LABS = Path(__file__).parent.parent / "labs"


def stop_files(cache: Path) -> list[Path]:
    """`<lab>.<language>.bin` for every lab of the package, below `cache`, which keeps them for the next build."""
    folder = cache / _digest()
    if not folder.is_dir():
        fresh = cache / f"new-{os.getpid()}"
        shutil.rmtree(cache, ignore_errors=True)
        fresh.mkdir(parents=True)
        for lab in builtin_library().labs.values():
            for language, content in packed_stops(lab, LANGUAGES, respond).items():
                (fresh / f"{lab.id}.{language}.bin").write_bytes(content)
        fresh.rename(folder)
    return sorted(folder.iterdir())


def _digest() -> str:
    """Of what the answers depend on: the package without the browser's part, and this Python."""
    total = hashlib.sha256(repr(sys.version_info[:2]).encode())
    for path in sorted(_LABS.rglob("*")):
        name = path.relative_to(_LABS).as_posix()
        if path.is_file() and not name.startswith("web/") and "__pycache__" not in path.parts:
            content = path.read_bytes()
            total.update(f"\n{name} {len(content)}\n".encode() + content)
    return total.hexdigest()[:16]
