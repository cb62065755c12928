"""The house keeps its arrows: this very package, looked at by the check of imports."""

from __future__ import annotations

from pathlib import Path

from checks import imports, rooms

ROOT = Path(__file__).parents[2]


def test_the_package_keeps_its_layers_and_touches_the_world_at_the_edges_only() -> None:
    assert [str(problem) for problem in imports.check(ROOT)] == []


def test_no_room_is_in_a_circle_too_full_or_entered_past_its_door() -> None:
    assert [str(problem) for problem in rooms.check(ROOT)] == []
