"""Pods that hold several slots: what is drawn, listed and said of them."""

from __future__ import annotations

from functools import cache

import pytest

from labs.report.cards.picture_words import SEVERAL_TOLD, several_slots, several_texts
from labs.report.cards.scene import Width, central_scene
from labs.report.drawing.shapes import Path
from labs.report.result.sentence import sentences
from labs.report.result.text import picture_text
from labs.simulation.outcome.moment.moments import moments, snapshot
from labs.simulation.outcome.moment.snapshot import Snapshot
from tests.unit.report.stories import LANGUAGES, messages
from tests.unit.report.test_scene import flat, texts
from tests.unit.scenarios import config, node, outcome, pods, scenario, training

WORK = training(iterations=1_000_000, residency=0.9)


def said(text: str, language: str = "en") -> list[str]:
    return list(sentences(outcome(text), messages(language)))


def shared(
    cards: int = 1, replicas: int = 10, nodes: int = 1, policy: str = "distributed"
) -> list[dict[str, object]]:
    text = config(replicas, fail_greater_than_one=False, policy=policy)
    return [node(f"node-{n}", cards=cards, text=text) for n in range(nodes)]


@cache
def last(text: str) -> Snapshot:
    result = outcome(text)
    return snapshot(result.scenario, result.trace, moments(result.trace)[-1])


ONE = scenario(shared(), [pods("pair", units=2)])
THREE = scenario(shared(), [pods("pair", 3, units=2)])
PACKED = scenario(shared(2, 5, policy="packed"), [pods("a"), pods("pair", 4, units=2)])


class TestSentences:
    @pytest.mark.parametrize(
        ("count", "units", "told"),
        [
            (1, 2, "pair-0 holds two slots, both on GPU 0: that is one GPU, not two."),
            (2, 2, "pair-0 and pair-1 hold two slots each, both on one card: that is one GPU each, not two."),
            (1, 3, "pair-0 holds 3 slots, all on GPU 0: that is one GPU, not 3."),
            (
                5,
                2,
                "pair-0, pair-1 and 3 more hold two slots each, both on one card: that is one GPU each, not two.",
            ),
        ],
    )
    def test_the_same_card_twice(self, count: int, units: int, told: str) -> None:
        assert said(scenario(shared(), [pods("pair", count, units=units)]))[0] == told

    def test_the_node_is_named_where_there_are_several(self) -> None:
        told = said(scenario(shared(nodes=2), [pods("pair", units=2)]))[0]
        assert told == "pair-0 holds two slots, both on GPU 0 of node-0: that is one GPU, not two."

    def test_several_cards_are_luck(self) -> None:
        told = said(scenario(shared(2), [pods("pair", units=2)]))[0]
        assert told == "pair-0 holds 2 slots on 2 GPUs; that is luck, no request can ask for it."

    def test_on_cards_of_ones_own_there_is_nothing_to_say(self) -> None:
        assert said(scenario([node(cards=2)], [pods("pair", units=2)])) == [
            "The Pod runs and has the memory it asked for."
        ]

    def test_more_slots_are_no_more_turns(self) -> None:
        told = said(scenario(shared(), [pods("pair", units=2, job=WORK), pods("one", job=WORK)]))
        times = next(iter(outcome(scenario(shared(), [pods("a", 2, job=WORK)])).pods)).slowdown
        assert times is not None
        assert told[-1] == (
            f"On GPU 0, pair-0 gets no more turns than one-0 with fewer slots there: both take {times:.1f} times "
            "as long as alone."
        )

    def test_those_who_are_refused_hold_nothing(self) -> None:
        text = config(10, fail_greater_than_one=True)
        told = said(scenario([node(text=text)], [pods("pair", units=2)]))
        assert not any("slots, both" in sentence for sentence in told)

    @pytest.mark.parametrize("language", LANGUAGES)
    @pytest.mark.parametrize("text", [ONE, THREE, PACKED])
    def test_every_language_has_the_words(self, text: str, language: str) -> None:
        assert "pair-0" in said(text, language)[0]


class TestPicture:
    def test_the_tickets_of_each_are_listed_with_the_number_of_gpus(self) -> None:
        (view,) = last(PACKED).nodes
        assert [(held.pod, held.tickets, held.cards) for held in several_slots(view)] == [
            ("pair-0", (2, 3), (0,)),
            ("pair-1", (4, 5), (0,)),
            ("pair-2", (6, 7), (1,)),
            ("pair-3", (8, 9), (1,)),
        ]
        assert several_texts(view, messages("en"))[0] == "pair-0 holds tickets 2 and 3: one GPU"

    @pytest.mark.parametrize("width", list(Width))
    def test_the_same_words_stand_in_the_picture_its_text_and_the_terminal(self, width: Width) -> None:
        told = "pair-0 holds tickets 1 and 2: one GPU"
        scene = central_scene(last(ONE), messages("en"), width)
        assert told in [text.text for text in texts(scene)]
        assert told in scene.description
        assert told in picture_text(last(ONE), messages("en"))

    def test_tickets_side_by_side_have_a_bracket(self) -> None:
        def brackets(text: str) -> int:
            scene = central_scene(last(text), messages("en"), Width.WIDE)
            found = [
                shape.d for shape in flat(scene.shapes) if isinstance(shape, Path) and shape.css == "gl-bar"
            ]
            return sum(d.count("M") for d in found)

        assert brackets(THREE) == 2  # the second pair's stand in two rows
        assert brackets(PACKED) == 4
        assert brackets(scenario(shared(2), [pods("pair", units=2)])) == 0
        assert brackets(scenario(shared(), [pods("one", 5)])) == 0

    def test_many_such_pods_have_letters_only(self) -> None:
        many = last(scenario(shared(2), [pods("pair", SEVERAL_TOLD + 1, units=2)]))
        words = [text.text for text in texts(central_scene(many, messages("en"), Width.WIDE))]
        assert "Tickets with the same letter belong to one Pod." in words
        assert several_texts(many.nodes[0], messages("en")) == []

    def test_whose_whole_card_it_is_stands_beside_its_ticket(self) -> None:
        whole = last(scenario([node(cards=2)], [pods("one")]))
        words = [text.text for text in texts(central_scene(whole, messages("en"), Width.WIDE))]
        assert "one-0" in words
