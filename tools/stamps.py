"""Stamps: a hash of what a thing was made from, kept beside it, so that it is made again only after a change."""

from __future__ import annotations

import hashlib
from pathlib import Path


def digest(*parts: str | bytes | Path) -> str:
    """A hash of texts and of the contents of files, each with its length, so that no two lists look alike."""
    total = hashlib.sha256()
    for part in parts:
        data = part.read_bytes() if isinstance(part, Path) else part
        data = data.encode() if isinstance(data, str) else data
        total.update(b"%d:" % len(data) + data)
    return total.hexdigest()


def is_stamped(stamp: Path, value: str) -> bool:
    """Whether the thing beside the stamp was made from that."""
    return stamp.is_file() and stamp.read_text("utf-8") == value
