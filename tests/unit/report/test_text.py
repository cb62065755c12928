from __future__ import annotations

from dataclasses import replace

import pytest

from labs.report.result.text import picture_text, result_text
from labs.report.writing.measure import columns
from labs.simulation.outcome.outcome import Difference
from tests.unit.report.stories import LANGUAGES, messages, play, shared
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


def test_an_unmet_expectation_is_told() -> None:
    told = play(shared(big="6GiB"))
    outcome = replace(told.outcome, differences=(Difference("oom", "4", "0"),))
    text = result_text(outcome, told.snapshot, messages("en"))
    assert "The scenario expects oom: 4; this run has 0." in text.split("\n")
