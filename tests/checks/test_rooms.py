"""Rooms: circles, doors, sizes and names of the folders inside layers."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks import rooms
from tests.checks.trees import write

ROOM = {
    "labs/__init__.py": '"""The package."""\n',
    "labs/config/__init__.py": '"""A layer."""\n',
    "labs/config/own/__init__.py": '"""A room."""\n\nfrom labs.config.own.text import read\n',
    "labs/config/own/text.py": "def read(): ...\n",
    "labs/config/yaml/__init__.py": '"""Another room."""\n',
}

BAD = [
    (
        {"labs/config/yaml/tree.py": "from labs.config.own.text import read\n"},
        ("labs/config/yaml/tree.py", 1, '"read" is taken from inside the room labs.config.own'),
    ),
    (
        {"labs/library.py": "def f():\n    import labs.config.own.text\n"},
        ("labs/library.py", 2, '"labs.config.own.text" is taken from inside the room labs.config.own'),
    ),
    (
        {"labs/library.py": "from labs.config.own import text\n"},
        ("labs/library.py", 1, '"text" is a module of the room labs.config.own, whose door does not name it'),
    ),
    (
        {
            "labs/config/yaml/tree.py": "from labs.config.own import read\n",
            "labs/config/own/text.py": "def f():\n    from labs.config.yaml import tree\n",
        },
        ("labs/config/own/__init__.py", 0, "a circle of rooms: labs.config.own, labs.config.yaml"),
    ),
    (
        {
            "labs/config/yaml/a.py": "from labs.config.yaml import b\n",
            "labs/config/yaml/b.py": "def f():\n    from labs.config.yaml.a import x\n",
        },
        ("labs/config/yaml/a.py", 0, "a circle of files: labs.config.yaml.a, labs.config.yaml.b"),
    ),
    (
        {"labs/config/json/__init__.py": "x = 1\n"},
        ("labs/config/json/__init__.py", 1, "a room that does not say what it is"),
    ),
    (
        {f"labs/config/yaml/m{number}.py": "" for number in range(26)},
        ("labs/config/yaml", 0, "26 modules in one folder, and 25 are allowed"),
    ),
]


@pytest.mark.parametrize(("files", "problem"), BAD, ids=[problem[2][:40] for _, problem in BAD])
def test_what_blurs_the_rooms_is_reported(
    tmp_path: Path, files: dict[str, str], problem: tuple[str, int, str]
) -> None:
    write(tmp_path, {**ROOM, **files})
    reported = [(each.path, each.line, each.message) for each in rooms.check(tmp_path)]
    assert problem in reported


def test_a_room_that_is_entered_at_its_door_passes(tmp_path: Path) -> None:
    write(tmp_path, {**ROOM, "labs/config/yaml/tree.py": "from labs.config.own import read\n"})
    assert rooms.check(tmp_path) == []


def test_a_module_that_the_door_names_may_be_entered(tmp_path: Path) -> None:
    door = {"labs/config/own/__init__.py": '"""A room; `text` is entered as a module."""\n'}
    write(tmp_path, {**ROOM, **door, "labs/config/yaml/tree.py": "from labs.config.own import text\n"})
    assert rooms.check(tmp_path) == []


def test_rules_may_be_many(tmp_path: Path) -> None:
    rules = {f"labs/lint/rules/pods/m{number}.py": "" for number in range(40)}
    doors = {f"labs/lint/{name}__init__.py": '"""A folder."""\n' for name in ("", "rules/", "rules/pods/")}
    write(tmp_path, {**ROOM, **doors, **rules})
    assert rooms.check(tmp_path) == []
