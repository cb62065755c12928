"""The picture of time, whole, against files; `GPULAB_UPDATE_GOLDEN=1 python3 dev.py test` rewrites them."""

from __future__ import annotations

import pytest

from labs.report.cards.scene import Width
from labs.report.drawing.svg import svg
from labs.report.time.picture import time_scene
from labs.report.time.text import time_text
from tests.golden.report.test_report_golden import golden
from tests.unit.report.stories import LANGUAGES, messages
from tests.unit.report.test_timeline_picture import view

FILES = {"utilization-trap@two": "time-trap", "blast-radius": "time-blast", "out of memory": "time-oom"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", list(FILES))
def test_terminal(name: str, language: str) -> None:
    found = time_text(view(name), messages(language)) + "\n"
    assert found == golden(f"{FILES[name]}.{language}.txt", found)


@pytest.mark.parametrize(
    ("name", "width", "language"),
    [
        ("utilization-trap@two", Width.WIDE, "en"),
        ("utilization-trap@two", Width.NARROW, "ja"),
        ("blast-radius", Width.WIDE, "ko"),
        ("out of memory", Width.NARROW, "en"),
    ],
)
def test_picture(name: str, width: Width, language: str) -> None:
    found = svg(time_scene(view(name), messages(language), width), "golden") + "\n"
    assert found == golden(f"{FILES[name]}.{width}.{language}.svg", found)
