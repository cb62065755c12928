from __future__ import annotations

import pytest

from labs.report.measure import columns
from labs.report.text import picture_text
from tests.unit.report.stories import LANGUAGES, messages
from tests.unit.report.test_scene import NAMES, story


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_the_picture_fits_a_terminal(name: str, language: str) -> None:
    lines = picture_text(story(name).snapshot, messages(language)).split("\n")
    assert [line for line in lines if columns(line) > 80] == []


def test_taken_and_free_slots_and_what_was_refused() -> None:
    lines = picture_text(story("two-slots").snapshot, messages("en")).split("\n")
    assert "GPU 0  [ 1*][ 2*][ 3*][ 4*][ 5*]    GPU 0  |///////////////|xxxx 39.2/40 GiB" in lines
    assert "GPU 3  [16*][17*][18*][19*][20 ]    GPU 3  |/////////      |     25.2/40 GiB" in lines
