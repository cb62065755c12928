"""Snapshots: the two views of the cluster at any moment, and the moments worth looking at."""

from __future__ import annotations

import pytest

from labs.simulation.outcome.moment.moments import MOMENTS_LIMIT, moments, snapshot
from labs.simulation.outcome.moment.snapshot import SLOTS_LISTED, PodState, Slot, Snapshot
from tests.unit.scenarios import GIB, MIB, STORY, node, outcome, pods, scenario, training


def at(text: str, seconds: float) -> Snapshot:
    result = outcome(text)
    return snapshot(result.scenario, result.trace, round(seconds * 1_000_000))


def test_the_story_has_two_moments() -> None:
    assert moments(outcome(STORY).trace) == (0, 10_000_000)


def test_before_the_notebooks_come_the_big_pod_has_its_card_for_itself() -> None:
    (only,) = at(STORY, 9.999).nodes
    assert [card.held_bytes for card in only.cards] == [38 * GIB + 300 * MIB, 0, 0, 0]
    assert [slot.pod for card in only.cards for slot in card.slots if slot.pod] == ["big-0"]


def test_afterwards_every_slot_is_taken_and_one_card_has_refused_four() -> None:
    found = at(STORY, 10)
    (only,) = found.nodes
    assert all(slot.pod for card in only.cards for slot in card.slots)
    refused = [(card.number, len(card.refusals)) for card in only.cards]
    assert refused == [(0, 4), (1, 0), (2, 0), (3, 0)]
    states = [each.state for each in found.pods]
    assert states.count(PodState.OUT_OF_MEMORY) == 4
    assert states.count(PodState.RUNNING) == 16


def test_a_refusal_says_what_was_asked_for() -> None:
    asked = [refusal.asked_bytes for refusal in at(STORY, 10).nodes[0].cards[0].refusals]
    assert asked == [6 * GIB, 6 * GIB, 6 * GIB, 300 * MIB]


def test_a_refused_node_shows_its_error_and_no_slots() -> None:
    (only,) = at(scenario([node(cards=2, text="version: v9")], [pods("a")]), 0).nodes
    assert only.error is not None
    assert only.error.endswith("unknown version: v9")
    assert [(card.slot_count, card.slots) for card in only.cards] == [(0, ()), (0, ())]


def test_an_unshared_card_has_one_slot() -> None:
    (card,) = at(scenario([node()], [pods("a")]), 0).nodes[0].cards
    assert (card.mechanism, card.slots) == ("exclusive", (Slot(0, "a-0"),))


def test_millions_of_slots_are_counted_not_listed() -> None:
    (card,) = at(scenario([node(replicas=5_000_000)], [pods("a", 3)]), 0).nodes[0].cards
    assert (card.slot_count, len(card.slots)) == (5_000_000, SLOTS_LISTED)


def test_a_pod_that_left_is_on_no_card() -> None:
    found = at(scenario([node()], [pods("a", memory="1GiB", job=training("1s", 5))]), 5)
    (card,) = found.nodes[0].cards
    assert (card.blocks, card.slots, card.refusals) == ((), (Slot(0, None),), ())
    assert found.pods[0].state is PodState.SUCCEEDED


def test_a_pod_in_back_off_keeps_its_slot_holds_nothing_and_is_marked_on_the_card() -> None:
    found = at(scenario([node()], [pods("a", memory="90GiB")]), 5)
    (card,) = found.nodes[0].cards
    assert (card.blocks, card.slots) == ((), (Slot(0, "a-0"),))
    assert [(each.pod, each.state) for each in card.refusals] == [("a-0", PodState.BACK_OFF)]


@pytest.mark.parametrize("memory", ["20GiB", "0"])
def test_a_refusal_is_forgotten_once_the_pod_has_its_memory(memory: str) -> None:
    """Also where it was the context that did not fit, and there is nothing else."""
    text = scenario(
        [node(replicas=2)],
        [
            pods("trainer", memory="38GiB", job=training("1s", 15)),
            pods("other", memory=memory, contextMemory="2GiB"),
        ],
    )
    assert [each.pod for each in at(text, 14).nodes[0].cards[0].refusals] == ["other-0"]
    assert at(text, 40).nodes[0].cards[0].refusals == ()


def test_pods_are_shown_from_their_creation_on() -> None:
    text = scenario([node()], [pods("a", 3, arrival={"every": "10s"})])
    assert [len(at(text, seconds).pods) for seconds in (0, 9, 10, 25)] == [1, 1, 2, 3]


def test_many_moments_are_thinned_and_keep_the_first_and_the_last() -> None:
    text = scenario([node()], [pods("a", 1000, arrival={"every": "1s"})], horizon="1h")
    found = moments(outcome(text).trace)
    assert len(found) == MOMENTS_LIMIT
    assert (found[0], found[-1]) == (0, 999_000_000)
    assert list(found) == sorted(set(found))
