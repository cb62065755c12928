"""A hash of files of the package, by which what is made from them is made anew only when they have changed."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

_LABS = Path(__file__).parent.parent / "labs"


def package_digest(elsewhere: tuple[str, ...]) -> str:
    """Of all files of `labs/` but those whose path there begins with one of `elsewhere`, and of this Python."""
    total = hashlib.sha256(repr(sys.version_info[:2]).encode())
    for path in sorted(_LABS.rglob("*")):
        name = path.relative_to(_LABS).as_posix()
        if path.is_file() and not name.startswith(elsewhere) and "__pycache__" not in path.parts:
            content = path.read_bytes()
            total.update(f"\n{name} {len(content)}\n".encode() + content)
    return total.hexdigest()[:16]
