"""What the pages of the labs say of their situations in words, held against the runs."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from labs.library import builtin_library
from labs.report.writing.messages import Messages
from labs.simulation.outcome.outcome import Outcome
from labs.simulation.trace import PodScheduled, SlotAllocated
from labs.teaching.scenario_lab.controls import preset_text, with_change
from tests.unit.scenarios import SECOND, outcome, phases, pod, read, records

LIBRARY = builtin_library()
ENGLISH: Messages = LIBRARY.messages["en"]
BEFORE = LIBRARY.lab("before-sharing")
REQUEST = LIBRARY.lab("too-large-request")


def before(preset: str, **changes: str) -> Outcome:
    text = preset_text(BEFORE, preset)
    for control, value in changes.items():
        text = with_change(BEFORE, text, control, value)
    return outcome(text)


def request(preset: str, **changes: str) -> Outcome:
    text = preset_text(REQUEST, preset)
    for control, value in changes.items():
        text = with_change(REQUEST, text, control, value)
    return outcome(text)


def cards(result: Outcome, name: str) -> list[int]:
    """The card behind each slot of a Pod, a card once for every slot on it."""
    found = records(result, SlotAllocated)
    return [record.gpu for record in found if record.pod == name and record.gpu is not None]


class TestBeforeSharing:
    def test_the_cards_are_busy_8_percent_of_the_time_and_the_queue_is_full(self) -> None:
        result = before("before")
        assert ENGLISH.percent(result.metrics["utilization"]) == "8%"
        assert (result.metrics["pods"], result.metrics["pendingPods"]) == (20, 16)
        devices = [pod.device for pod in result.pods if pod.device]
        assert len(devices) == len(set(devices)) == result.metrics["cards"]

    def test_notebooks_and_a_service_hold_the_cards(self) -> None:
        running = [pod.workload for pod in before("before").pods if pod.device]
        assert sorted(running) == ["api", "notebook", "notebook", "notebook"]

    def test_more_cards_are_as_idle(self) -> None:
        result = before("bought")
        assert result.metrics["pendingPods"] == 12
        assert ENGLISH.percent(result.metrics["utilization"]) == "8%"

    def test_shared_everybody_runs_and_nobody_is_promised_memory(self) -> None:
        alone, shared = before("before").metrics, before("shared").metrics
        assert (shared["runningPods"], shared["pendingPods"], shared["oomPods"]) == (20, 0, 0)
        assert shared["utilization"] > 4 * alone["utilization"]
        assert (alone["guaranteedMiB"] > 0, shared["guaranteedMiB"]) == (True, 0)

    def test_sharing_is_the_only_difference(self) -> None:
        alone, shared = read(preset_text(BEFORE, "before")), read(preset_text(BEFORE, "shared"))
        assert alone.workloads == shared.workloads
        assert alone.horizon_us == shared.horizon_us == 24 * 3600 * SECOND
        (node,), (other,) = alone.nodes, shared.nodes
        assert asdict(node) | {"config": None, "config_line": 0} == asdict(other) | {
            "config": None,
            "config_line": 0,
        }

    def test_9_gib_for_each_notebook_are_too_many(self) -> None:
        result = before("crowded")
        assert result.metrics["oomPods"] > 0
        assert result.metrics["runningPods"] == result.metrics["pods"]

    def test_more_requests_raise_utilization_and_make_everybody_slower(self) -> None:
        calm, busy = before("shared"), before("shared", rate="2")
        assert busy.metrics["utilization"] > calm.metrics["utilization"]
        for slower, faster in zip(busy.pods, calm.pods, strict=True):
            assert slower.slowdown is not None
            assert faster.slowdown is not None
            assert slower.slowdown > faster.slowdown

    def test_alone_on_its_card_nobody_is_slow(self) -> None:
        assert {pod.slowdown for pod in before("before").pods if pod.device} == {1.0}


class TestTooLargeRequest:
    def test_with_the_switch_on_the_pairs_are_refused_after_the_scheduler_chose(self) -> None:
        result = request("refused")
        assert {name: phase for name, phase in phases(result).items() if name.startswith("pair")} == {
            f"pair-{n}": "Failed/UnexpectedAdmissionError" for n in range(3)
        }
        message = pod(result, "pair-0").message or ""
        assert (
            'invalid allocation request for "nvidia.com/gpu": invalid request: '
            "maximum request size for shared resources is 1; found 2"
        ) in message
        scheduled = [record.pod for record in records(result, PodScheduled)]
        assert {"pair-0", "pair-1", "pair-2"} <= set(scheduled)

    def test_with_it_off_one_pair_has_one_card_twice_and_two_have_luck(self) -> None:
        result = request("allowed")
        assert [cards(result, f"pair-{n}") for n in range(3)] == [[1, 1], [0, 1], [0, 1]]
        assert pod(result, "pair-0").device == "gpu-node-1/gpu1"

    def test_two_slots_on_a_card_are_no_double_share(self) -> None:
        result = request("allowed")
        slowdowns = {pod(result, f"pair-{n}").slowdown for n in range(3)}
        assert len(slowdowns) == 1
        assert slowdowns.pop() > 2  # type: ignore[operator]

    def test_batch_had_a_slot_on_gpu_1_and_was_done_before_the_pairs_came(self) -> None:
        result = request("allowed")
        assert cards(result, "batch-0") == [1]
        finished, started = pod(result, "batch-0").finished_at, pod(result, "pair-0").started_at
        assert finished is not None
        assert started is not None
        assert finished < started

    def test_packed_fills_one_card_first(self) -> None:
        result = request("packed")
        assert [cards(result, f"pair-{n}") for n in range(3)] == [[0, 0], [0, 1], [1, 1]]

    def test_on_one_card_there_is_no_luck(self) -> None:
        result = request("one-card")
        assert [cards(result, f"pair-{n}") for n in range(3)] == [[0, 0]] * 3

    @pytest.mark.parametrize("cards_there", ["3", "4"])
    def test_with_more_cards_every_pair_has_luck(self, cards_there: str) -> None:
        result = request("allowed", cards=cards_there)
        assert all(len(set(cards(result, f"pair-{n}"))) == 2 for n in range(3))

    def test_a_request_for_one_is_never_refused(self) -> None:
        assert request("refused", request="1").metrics["refusedPods"] == 0
