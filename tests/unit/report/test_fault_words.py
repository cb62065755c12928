"""What a run with faults says: whom a fault hit, what has become of those, and the lines beside a card."""

from __future__ import annotations

from typing import Any

import pytest

from labs.library import builtin_library
from labs.report.cards.picture_words import callouts, description
from labs.report.cards.scene import Width, central_scene
from labs.report.drawing.shapes import Line, Text
from labs.report.result.sentence import sentences
from labs.report.result.text import picture_text
from labs.simulation.outcome.moment.moments import moments, snapshot
from labs.simulation.outcome.outcome import Outcome
from tests.unit.scenarios import node, outcome, pods, scenario, service

MESSAGES = builtin_library().messages["en"]
CRASH = {"at": "60s", "pod": "a-0", "kind": "process"}
ACCESS = {"at": "60s", "pod": "a-0", "kind": "illegal-access"}
LOST = {"at": "60s", "node": "node", "gpu": 0, "kind": "card-lost"}
RESET = {"at": "60s", "node": "node", "gpu": 0, "kind": "xid-reset"}
MPS = '{"version": "v1", "sharing": {"mps": {"resources": [{"name": "nvidia.com/gpu", "replicas": 4}]}}}'


def three(*faults: dict[str, Any], text: str | None = None, nodes: int = 1, **more: Any) -> Outcome:
    """Three services on one card."""
    made = [node("node", text=text, replicas=4), *(node(f"node-{n}") for n in range(1, nodes))]
    work = pods("a", 3, memory="1GiB", job=service("100ms", clients=1), **more)
    return outcome(scenario(made, [work], faults=list(faults)))


FIRST = [
    (three(CRASH), "After 1 min the process of a-0 died; no other Pod was hit."),
    (three(ACCESS), "After 1 min a-0 made an illegal memory access; no other Pod was hit."),
    (
        three(ACCESS, text=MPS),
        "After 1 min a-0 made an illegal memory access, and 2 other Pods were hit with it.",
    ),
    (three(RESET), "After 1 min GPU 0 had to be reset (Xid 95), which hit all 3 Pods on it."),
    (
        three(LOST, nodes=2, arrival="2m"),
        "After 1 min GPU 0 of node was lost (Xid 79); no Pod was on it, and no new one is placed there.",
    ),
    (
        three(CRASH, arrival="2m"),
        "After 1 min a fault was to hit a-0, which had no process that it could hit.",
    ),
]


@pytest.mark.parametrize(("result", "expected"), FIRST, ids=[expected for _, expected in FIRST])
def test_a_fault_is_told_with_whom_it_hit(result: Outcome, expected: str) -> None:
    assert sentences(result, MESSAGES)[0] == expected


AFTER = [
    (three(RESET), "3 Pods that were hit run again after a restart."),
    (three(LOST), "3 Pods are in CrashLoopBackOff: the containers start again on the same lost GPU."),
    (
        three(ACCESS, onFault="catch"),
        "1 Pod still shows Running, but its CUDA context is broken: it gets nothing done until somebody restarts it.",
    ),
    (three(CRASH, restartPolicy="Never"), "1 Pod failed."),
    (
        three(RESET),
        "The device plugin has marked 1 device as unhealthy: no new Pod gets a slot of it until the plugin starts again; "
        "whoever has one keeps it.",
    ),
]


@pytest.mark.parametrize(("result", "expected"), AFTER, ids=[expected for _, expected in AFTER])
def test_then_what_has_become_of_them(result: Outcome, expected: str) -> None:
    assert expected in sentences(result, MESSAGES)


def test_nobody_is_called_fine_whose_context_is_broken() -> None:
    told = sentences(three(ACCESS, text=MPS, onFault="catch"), MESSAGES)
    assert not any("memory they asked for" in sentence for sentence in told)


def test_many_faults_are_counted() -> None:
    faults = [CRASH | {"at": f"{minute}m"} for minute in range(1, 8)]
    told = sentences(three(*faults), MESSAGES)
    assert [sentence for sentence in told if "died" in sentence or "faults" in sentence] == [
        "After 1 min the process of a-0 died; no other Pod was hit.",
        "After 2 min the process of a-0 died; no other Pod was hit.",
        "5 more faults followed.",
    ]


def test_the_picture_says_beside_the_card_what_happened_there() -> None:
    result = three(LOST)
    last = snapshot(result.scenario, result.trace, moments(result.trace)[-1])
    lines = ["GPU lost: it takes no new Pods", "3 Pods hit by a fault: in CrashLoopBackOff"]
    assert [callout.text for callout in callouts(last.nodes[0], MESSAGES)] == lines
    for line in lines:
        assert line in picture_text(last, MESSAGES)
        assert line in description(last, MESSAGES)


def test_an_unhealthy_card_is_told_and_its_free_tickets_are_struck_and_it_is_not_crossed_out() -> None:
    result = three(RESET)
    last = snapshot(result.scenario, result.trace, moments(result.trace)[-1])
    assert "GPU unhealthy: it takes no new Pods" in picture_text(last, MESSAGES)
    assert "[4x]" in picture_text(last, MESSAGES).replace(" ", "")
    assert "GPU unhealthy: it takes no new Pods" in description(last, MESSAGES)
    css = [getattr(shape, "css", "") for shape in central_scene(last, MESSAGES, Width.WIDE).shapes]
    assert "gl-strike" in css
    assert crosses(result, last.at_us, Width.WIDE)[0] == 2, "the mark of the three that were hit"


def test_before_the_fault_the_picture_says_nothing_of_it() -> None:
    result = three(LOST)
    before = snapshot(result.scenario, result.trace, 59_000_000)
    assert not callouts(before.nodes[0], MESSAGES)


def crosses(result: Outcome, at_us: int, width: Width) -> tuple[int, list[str]]:
    """Strokes of crosses in the picture, and the words in the alarm's ink that are numbers."""
    shapes = central_scene(snapshot(result.scenario, result.trace, at_us), MESSAGES, width).shapes
    lines = [shape for shape in shapes if isinstance(shape, Line) and shape.css == "gl-cross"]
    numbers = [shape.text for shape in shapes if isinstance(shape, Text) and shape.text.isdigit()]
    return len(lines), [number for number in numbers if number == "3"]


@pytest.mark.parametrize("width", Width)
def test_the_picture_marks_a_card_that_a_fault_hit_and_crosses_out_a_lost_one(width: Width) -> None:
    assert crosses(three(RESET), 59_000_000, width)[0] == 0
    assert crosses(three(RESET), 61_000_000, width) == (2, ["3"])
    assert crosses(three(LOST), 61_000_000, width) == (4, ["3"])


def test_a_mig_device_is_marked_alone() -> None:
    gpus = {"model": "a100-40gb", "count": 1, "mig": ["3g.20gb", "3g.20gb"]}
    made = {"name": "node", "gpus": gpus, "config": '{"version": "v1", "flags": {"migStrategy": "single"}}'}
    fault = {"at": "60s", "node": "node", "gpu": 0, "mig": 1, "kind": "instance-fault"}
    result = outcome(scenario([made], [pods("a", 2, memory="1GiB")], faults=[fault]))
    assert crosses(result, 61_000_000, Width.WIDE)[0] == 2


@pytest.mark.parametrize("language", ["ja", "ko"])
def test_every_sentence_of_it_is_there_in_each_language(language: str) -> None:
    messages = builtin_library().messages[language]
    for result, _ in (*FIRST, *AFTER):
        assert sentences(result, messages)
        last = snapshot(result.scenario, result.trace, moments(result.trace)[-1])
        assert picture_text(last, messages)


def test_a_restart_is_no_help_to_whom_a_lost_card_left_running() -> None:
    said = sentences(three(LOST, onFault="catch"), MESSAGES)
    assert any("a restart gets them nothing" in sentence for sentence in said)
    assert not any("until somebody restarts" in sentence for sentence in said)
    broken = sentences(three(ACCESS, onFault="catch"), MESSAGES)
    assert any("until somebody restarts it" in sentence for sentence in broken)
