"""How busy the cards are: the bars of the picture, their words, and the sentences."""

from __future__ import annotations

import pytest

from labs.report.cards.picture_words import busy_text
from labs.report.cards.scene import Width, central_scene
from labs.report.result.metric_words import metric_text
from labs.report.result.sentence import sentences
from labs.report.result.tables import pods_table
from labs.report.result.text import picture_text
from labs.simulation.outcome.moment.moments import moments, snapshot
from labs.simulation.outcome.moment.snapshot import Snapshot
from tests.unit.report.stories import LANGUAGES, messages, play, shared
from tests.unit.report.test_scene import flat, rects, texts
from tests.unit.scenarios import node, outcome, pods, scenario, service, training

TENTH = service("100ms", rate="1/s")
QUARTER = service("250ms", rate="1/s")


def last(text: str) -> Snapshot:
    result = outcome(text)
    return snapshot(result.scenario, result.trace, moments(result.trace)[-1])


def said(text: str, language: str = "en") -> list[str]:
    return list(sentences(outcome(text), messages(language)))


CARDS = scenario([node(cards=3)], [pods("a", job=TENTH), pods("b", job=QUARTER)])


class TestPicture:
    def test_every_card_has_a_bar_to_scale_and_its_number(self) -> None:
        scene = central_scene(last(CARDS), messages("en"), Width.WIDE)
        frames = [rect for rect in rects(scene, "gl-bar") if rect.height == 7]
        full = [rect for rect in rects(scene, "gl-exclusive") if rect.height == 7]
        assert len(frames) == 3
        assert [round(bar.width / frames[0].width, 3) for bar in full] == [0.1, 0.25]
        words = [text.text for text in texts(scene)]
        assert [word for word in words if word.endswith("%")] == ["10%", "25%", "0%"]
        assert {"busy", "share of time with a kernel running"} <= set(words)

    def test_where_no_job_ever_computes_there_are_no_bars(self) -> None:
        idle = play(shared()).snapshot
        scene = central_scene(idle, messages("en"), Width.WIDE)
        assert [shape for shape in flat(scene.shapes) if getattr(shape, "css", "") == "gl-bar"] == []
        assert busy_text(idle.nodes[0], messages("en")) == ""

    def test_the_words_stand_in_its_text_and_in_the_terminal(self) -> None:
        told = "Busy: 10% (GPU 0), 25% (GPU 1), 0% (GPU 2)"
        assert busy_text(last(CARDS).nodes[0], messages("en")) == told
        assert told in central_scene(last(CARDS), messages("en"), Width.NARROW).description
        assert told in picture_text(last(CARDS), messages("en")).split("\n")

    def test_cards_alike_are_told_together(self) -> None:
        alike = last(scenario([node(cards=4)], [pods("a", 3, job=TENTH)]))
        assert busy_text(alike.nodes[0], messages("en")) == "Busy: 10% (GPU 0–2), 0% (GPU 3)"

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_pods_wait_for_a_gpu_where_none_is_shared(self, language: str) -> None:
        whole = last(scenario([node()], [pods("a", 3, job=TENTH)]))
        sliced = last(scenario([node(replicas=2)], [pods("a", 3, job=TENTH)]))
        waiting, other = (picture_text(shown, messages(language)) for shown in (whole, sliced))
        assert messages(language).count("picture.list.pending_whole", 2) in waiting
        assert messages(language).count("picture.list.pending", 1) in other

    def test_a_queue_is_shown_pod_by_pod_up_to_a_number(self) -> None:
        def pills(count: int, width: Width) -> int:
            shown = last(scenario([node()], [pods("a", count + 1, job=TENTH)]))
            return len(rects(central_scene(shown, messages("en"), width), "gl-pill-waiting"))

        assert [pills(24, Width.WIDE), pills(25, Width.WIDE)] == [24, 1]
        assert [pills(12, Width.NARROW), pills(13, Width.NARROW)] == [12, 1]


class TestSentences:
    def test_a_queue_before_idle_cards(self) -> None:
        assert said(scenario([node()], [pods("a", 3, job=TENTH)])) == [
            "2 of 3 Pods stay Pending, yet the GPUs are busy only 10% of the time.",
            "The reason given: “0/1 nodes are available: 1 Insufficient nvidia.com/gpu.”",
            "The other one runs and has the memory it asked for.",
            "It holds a whole GPU, however little it uses.",
        ]

    def test_a_queue_before_busy_cards_is_no_wonder(self) -> None:
        told = said(scenario([node()], [pods("a", 3, job=service("900ms", rate="1/s"))]))
        assert told[0] == "2 of 3 Pods stay Pending."
        assert "It holds a whole GPU, however little it uses." not in told

    def test_a_queue_of_pods_that_never_compute_says_nothing_of_it(self) -> None:
        assert said(scenario([node()], [pods("a", 3)]))[0] == "2 of 3 Pods stay Pending."

    def test_shared_cards_tell_what_was_not_promised_and_what_it_costs(self) -> None:
        told = said(scenario([node(replicas=2)], [pods("a", 2, job=service("400ms", rate="1/s"))]))
        assert told[1] == "No slot promised it to them; it happens to fit."
        assert told[2].startswith("The GPUs are busy 8")

    def test_some_run_and_some_are_done(self) -> None:
        work = [pods("done", job=training(iterations=1)), pods("runs", 2)]
        assert said(scenario([node(cards=3)], work))[0] == (
            "Of all 3 Pods, 2 run with the memory they asked for and 1 finished."
        )

    def test_some_of_the_others_run_and_some_are_done(self) -> None:
        work = [pods("done", job=training(iterations=1)), pods("runs", 2, arrival="1m")]
        told = "Of the other 2, 1 run with the memory they asked for and 1 finished."
        assert told in said(scenario([node(cards=1)], work))


class TestFigures:
    def test_seldom_requests_are_told_by_the_hour_and_long_ones_in_seconds(self) -> None:
        table = pods_table(
            outcome(scenario([node()], [pods("a", job=service("20s", residency=0.8, rate="15/h"))], "24h")),
            messages("en"),
        )
        assert table.rows[0][-2:] == ("15/h", "21.1 s")

    def test_a_share_is_told_in_percent_and_a_count_as_it_is(self) -> None:
        assert metric_text("utilization", 0.079965, messages("en")) == "8%"
        assert metric_text("pods", 20, messages("en")) == "20"
