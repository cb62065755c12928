"""The page on the architecture names what is there: rooms by their own words, files by their paths."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "en" / "contributing" / "architecture.md").read_text(encoding="utf-8")


def rooms() -> dict[str, str]:
    """The first line of each room's `__init__`, by the room's path below `labs/`; rules and commands aside."""
    named = {}
    for door in sorted((ROOT / "labs").rglob("__init__.py")):
        path = door.parent.relative_to(ROOT / "labs")
        if len(path.parts) > 1 and path.parts[0] != "commands" and "rules" not in path.parts:
            doc = ast.get_docstring(ast.parse(door.read_text(encoding="utf-8")))
            named[path.as_posix()] = (doc or "").splitlines()[0]
    return named


def test_it_lists_every_room_in_its_own_words() -> None:
    listed = PAGE.partition("{#rooms}")[2].partition("\n## ")[0]
    assert dict(re.findall(r"^\| `([a-z_/]+)` \| (.+) \|$", listed, re.MULTILINE)) == rooms()


def test_each_file_and_folder_that_it_names_is_there() -> None:
    named = re.findall(r"`((?:labs|hooks|theme|docs|tools|checks|tests)/[\w/.-]*)`", PAGE)
    assert len(named) > 15
    assert [path for path in named if not (ROOT / path).exists()] == []
