"""How each card is offered is written down once, and everything that asks "is it shared?" reads that."""

from __future__ import annotations

from labs.simulation.outcome.moment.moments import snapshot
from labs.simulation.outcome.outcome import CardUse, Outcome
from labs.simulation.outcome.totals import outcome_of
from labs.simulation.trace import CardOffered, NodeAdvertised, RunEnded, Trace
from tests.unit.scenarios import GIB, GPU, MIB, node, outcome, pod, pods, read, records, scenario, training

CONTEXT = 300 * MIB


def offered(result: Outcome) -> list[tuple[str | None, int | None, int | None, str | None]]:
    return [
        (record.node, record.gpu, record.slots, record.mechanism) for record in records(result, CardOffered)
    ]


def test_every_card_that_a_node_registers_is_written_down_with_its_slots_and_mechanism() -> None:
    nodes = [node("shared", cards=2, replicas=3), node("whole"), node("refused", text="version: v9")]
    result = outcome(scenario(nodes, [pods("a")]))
    assert offered(result) == [
        ("shared", 0, 3, "time-slicing"),
        ("shared", 1, 3, "time-slicing"),
        ("whole", 0, 1, "exclusive"),
    ]
    assert [(gpu.slots, gpu.mechanism) for gpu in result.gpus] == [
        (3, "time-slicing"),
        (3, "time-slicing"),
        (1, "exclusive"),
        (0, "exclusive"),
    ]


def test_a_card_that_nobody_may_ask_for_promises_nothing_and_counts_for_nothing() -> None:
    metrics = outcome(scenario([node("whole"), node("refused", text="version: v9")], [pods("a")])).metrics
    assert (metrics["slots"], metrics["slotsPerCard"]) == (1, 1)
    assert metrics["guaranteedMiB"] > 0


def uneven() -> Outcome:
    """A run told by hand: a node that offers its first card whole and its second four times, under two names."""
    told = read(scenario([node(cards=2)], [pods("a", job=training())]))
    trace = Trace(
        (
            NodeAdvertised(0, "node", GPU, 1),
            NodeAdvertised(0, "node", "nvidia.com/gpu.shared", 4),
            CardOffered(0, "node", 0, 1, "exclusive"),
            CardOffered(0, "node", 1, 4, "time-slicing"),
            RunEnded(told.horizon_us),
        )
    )
    return outcome_of(told, trace)


def test_cards_of_one_node_may_differ() -> None:
    result = uneven()
    assert (result.metrics["slots"], result.metrics["slotsPerCard"]) == (5, 4)
    assert result.metrics["guaranteedMiB"] == 0
    assert [error.mechanism for error in result.expected_errors] == ["time-slicing"]
    cards = snapshot(result.scenario, result.trace, 0).nodes[0].cards
    assert [(card.slot_count, card.mechanism, len(card.slots)) for card in cards] == [
        (1, "exclusive", 1),
        (4, "time-slicing", 4),
    ]


def test_a_pod_knows_its_cards_and_what_it_holds_there() -> None:
    result = outcome(scenario([node(cards=2)], [pods("both", units=2, memory="6GiB")]))
    found = pod(result, "both-0")
    assert found.cards == (
        CardUse(("node", 0), 1, CONTEXT, 6 * GIB),
        CardUse(("node", 1), 1, CONTEXT, 6 * GIB),
    )
    assert (found.peak_bytes, found.refused_on) == (2 * (CONTEXT + 6 * GIB), None)


def test_two_slots_of_one_card_are_one_card() -> None:
    found = pod(outcome(scenario([node(replicas=4)], [pods("two", units=2, memory="6GiB")])), "two-0")
    assert found.cards == (CardUse(("node", 0), 2, CONTEXT, 6 * GIB),)


def test_what_a_pod_held_at_most_outlives_it() -> None:
    steps = [{"at": "0s", "set": "9GiB"}, {"at": "1s", "set": "2GiB"}]
    found = pod(outcome(scenario([node()], [pods("a", memory=steps, job=training("1s", 5))])), "a-0")
    assert found.cards == (CardUse(("node", 0), 1, 0, 0),)
    assert found.peak_bytes == CONTEXT + 9 * GIB


def test_a_refused_pod_knows_the_card_that_refused_it() -> None:
    text = scenario(
        [node(cards=2, replicas=2)],
        [pods("full", 2, memory="30GiB"), pods("late", 2, memory="20GiB", onOOM="catch")],
    )
    result = outcome(text)
    assert [pod(result, f"late-{index}").refused_on for index in (0, 1)] == [("node", 0), ("node", 1)]
    assert pod(result, "full-0").refused_on is None
