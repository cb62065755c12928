"""Pods that share a card stay on it when a later config shares it no more: what is said of them then."""

from __future__ import annotations

from typing import Any

import pytest

from labs.report.cards.picture_words import cards_text, slots_text, tile_text
from labs.report.result.sentence import sentences
from labs.simulation.outcome.moment.moments import moments, snapshot
from labs.simulation.outcome.outcome import Outcome
from tests.unit.report.stories import LANGUAGES, messages
from tests.unit.scenarios import config, node, outcome, pods, scenario

LIGHT = {"kind": "service", "soloTime": "100ms", "rate": "1/s", "residency": 0.1}


def unshared_at_last(pods_more: int = 0) -> Outcome:
    """Four Pods of a card with four slots, of which an undo leaves one; and some that come too late."""
    rollout: dict[str, Any] = {
        "revisions": {"r1": {"config": "version: v1"}, "r2": {"config": config(4)}},
        "events": [{"at": 10, "template": "r2"}, {"at": 120, "undo": True}],
    }
    some = pods("nb", 4 + pods_more, memory="5GiB", job=LIGHT, arrival="1m")
    return outcome(scenario([node("n1", cards=1)], [some], rollout=rollout, horizon="6m"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_not_drawn_as_a_card_of_one(language: str) -> None:
    found = unshared_at_last()
    last = snapshot(found.scenario, found.trace, moments(found.trace)[-1])
    [card] = last.nodes[0].cards
    assert (card.slot_count, card.taken + card.kept) == (1, 4)
    spoken, [view] = messages(language), last.nodes
    assert slots_text(view, spoken) == spoken.count("picture.slots.shared", 1, taken=4)
    assert cards_text(view, spoken).endswith(spoken.text("picture.cards.shared", cards="").lstrip())
    assert tile_text(view, spoken) == spoken.text("picture.slots.of", taken=4, n=1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_nobody_is_said_to_have_a_card_to_itself(language: str) -> None:
    found = unshared_at_last(1)
    assert messages(language).count("sentence.fine.whole", 4) not in list(
        sentences(found, messages(language))
    )


def test_the_error_of_taking_turns_stands_beside_their_speed() -> None:
    assert [error.mechanism for error in unshared_at_last().expected_errors] == ["time-slicing"]
