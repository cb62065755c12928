from __future__ import annotations

from dataclasses import replace

import pytest

from labs.cluster.pod_phase import Phase
from labs.report.result.sentence import sentences
from labs.simulation.outcome.outcome import Outcome
from tests.unit.report.stories import LANGUAGES, TOO_MANY, messages, play, shared
from tests.unit.scenarios import node, outcome, pods, scenario, service, training

REFUSED = "while decoding JSON: number of replicas must be >= 2"
SLOW = "{kind: training, soloTime: 100ms, iterations: 1000, residency: 0.9, demand: 0.5}"


def said(outcome: Outcome, language: str = "en") -> list[str]:
    return list(sentences(outcome, messages(language)))


class TestStories:
    def test_the_article(self) -> None:
        assert said(play(shared()).outcome) == [
            "4 of 20 Pods ran out of GPU memory although all are Running.",
            "They share GPU 0 with big-0, which holds 38 GiB.",
            "The other 16 run and have the memory they asked for.",
        ]

    def test_the_article_in_japanese(self) -> None:
        assert said(play(shared()).outcome, "ja") == [
            "20個のPodはすべてRunningですが、そのうち4個はGPUメモリが足りなくなりました。",
            "いずれも、38GiBを抱えるbig-0と同じGPU 0に乗り合わせています。",
            "残りの16個は、要求どおりのメモリを確保して動いています。",
        ]

    def test_the_article_in_korean(self) -> None:
        assert said(play(shared()).outcome, "ko") == [
            "파드 20개가 모두 Running인데, 그중 4개는 GPU 메모리가 모자랐다.",
            "모두 38GiB를 잡고 있는 big-0 파드와 같은 카드(GPU 0)에 있다.",
            "나머지 16개는 요청한 메모리를 받아 돌고 있다.",
        ]

    def test_all_fits(self) -> None:
        assert said(play(shared(big="6GiB")).outcome) == [
            "All 20 Pods run and have the memory they asked for.",
            "No slot promised it to them; it happens to fit.",
        ]

    def test_whole_cards_promise(self) -> None:
        assert said(play(shared(count=3), 1).outcome) == [
            "All 4 Pods run and have the memory they asked for."
        ]

    def test_a_refused_config(self) -> None:
        assert said(play(shared(), 1, error=REFUSED).outcome) == [
            "gpu-node-1 offers no GPU; its device plugin refuses the config.",
            f"The reason given: “{REFUSED}”.",
            "Set replicas to 2 or more, or leave the sharing block out.",
            "All 20 Pods stay Pending.",
        ]

    def test_another_refused_config_on_many_nodes(self) -> None:
        assert said(play(shared(nodes=5), 1, error="unknown version: ").outcome)[0] == (
            "gpu-node-1, gpu-node-2 and 3 more offer no GPUs; their device plugins refuse the config."
        )

    def test_refused_at_admission(self) -> None:
        assert said(play(shared(request=2), refuse_many=True).outcome) == [
            "The kubelet refused 19 of 20 Pods with UnexpectedAdmissionError.",
            f"The reason given: “{TOO_MANY}”.",
            "They stay Failed until somebody deletes them; ask for one slot per Pod, since two slots need not be a "
            "bigger share of a GPU.",
            "The other one runs and has the memory it asked for.",
        ]

    def test_waiting_and_out_of_memory(self) -> None:
        assert said(play(shared(count=22)).outcome) == [
            "4 of 23 Pods ran out of GPU memory and still show Running.",
            "They share GPU 0 with big-0, which holds 38 GiB.",
            "3 of 23 Pods stay Pending.",
            "The reason given: “0/1 nodes are available: 1 Insufficient nvidia.com/gpu.”",
            "The other 16 run and have the memory they asked for.",
        ]

    def test_crash_loops(self) -> None:
        assert said(play(shared(on_oom="exit")).outcome)[:2] == [
            "4 of 20 Pods run out of GPU memory at every start: they are in CrashLoopBackOff.",
            "They share GPU 0 with big-0, which holds 38 GiB.",
        ]

    def test_failed_for_good(self) -> None:
        assert said(play(shared(on_oom="exit", policy="Never")).outcome)[0] == (
            "4 of 20 Pods ran out of GPU memory and Failed."
        )

    def test_who_came_late(self) -> None:
        assert said(play(shared(cards=1, big="9GiB", others="9GiB", count=4)).outcome)[:2] == [
            "1 of 5 Pods ran out of GPU memory although all are Running.",
            "On GPU 0, 4 Pods were there first and hold 37.2 GiB.",
        ]

    def test_on_several_cards(self) -> None:
        assert said(play(shared(others="30GiB", cards=2, count=9)).outcome)[1] == "They are on GPU 0–1."

    def test_on_several_nodes(self) -> None:
        outcome = play(shared(nodes=2, cards=1, big="30GiB", others="30GiB", count=9)).outcome
        assert said(outcome)[1] == "They are on GPU 0 of gpu-node-1 and GPU 0 of gpu-node-2."

    def test_a_single_pod(self) -> None:
        outcome = play(shared(cards=1, big="39.5GiB", count=1)).outcome
        alone = replace(outcome, pods=outcome.pods[:1])
        assert said(alone)[0] == "The Pod ran out of GPU memory although it is Running."

    def test_slow_work(self) -> None:
        outcome = play(shared(job=SLOW, big="6GiB")).outcome
        pods = tuple(replace(pod, phase=Phase.SUCCEEDED, slowdown=4.3) for pod in outcome.pods)
        assert said(replace(outcome, pods=pods)) == [
            "All 20 Pods finished their work.",
            "The slowest takes 4.3 times as long as alone on a whole GPU.",
        ]

    def test_more_requests_than_can_be_answered(self) -> None:
        result = outcome(scenario([node()], [pods("a", job=service("100ms", rate="50/s"))]))
        assert said(result) == [
            "The Pod gets more requests than its GPU can answer: its queue grows for as long as that lasts."
        ]

    def test_one_falls_behind_and_the_others_do_not(self) -> None:
        """The neighbours run; nobody says that all is well, nor how slow the slowest of all is."""
        workloads = [
            pods("flooded", job=service("100ms", rate="50/s")),
            pods("calm", 2, job=service("100ms", rate="1/s")),
            pods("worker", job=training("100ms", 10**6)),
        ]
        told = said(outcome(scenario([node(replicas=4)], workloads)))
        assert told[:2] == [
            "1 of 4 Pods gets more requests than its GPU can answer: its queue grows for as long as that lasts.",
            "The other 3 run and have the memory they asked for.",
        ]
        assert "GPUs are busy" not in " ".join(told)

    @pytest.mark.parametrize("language", LANGUAGES)
    @pytest.mark.parametrize("count", [1, 3])
    def test_falling_behind_is_never_told_as_fine(self, language: str, count: int) -> None:
        workloads = [pods("a", count, job=service("100ms", rate="50/s"))]
        assert len(said(outcome(scenario([node(replicas=4)], workloads)), language)) == 1

    def test_no_pods(self) -> None:
        assert said(replace(play(shared()).outcome, pods=())) == ["No Pod was created."]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("on_oom", ["catch", "exit"])
@pytest.mark.parametrize("policy", ["Always", "Never"])
@pytest.mark.parametrize("count", [1, 2, 30])
@pytest.mark.parametrize("cards", [1, 4])
@pytest.mark.parametrize("big", ["6GiB", "39.5GiB"])
def test_every_combination_has_words(
    language: str, on_oom: str, policy: str, count: int, cards: int, big: str
) -> None:
    text = shared(cards=cards, nodes=2, count=count, on_oom=on_oom, policy=policy, big=big)
    for replicas in (1, 3):
        for error in (None, REFUSED):
            assert all(said(play(text, replicas, error=error).outcome, language))


@pytest.mark.parametrize(("limit", "told"), [("1", True), ("3900m", False), ("8", False)])
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_cpu_limit_has_to_do_with_it_is_told_where_it_is_felt(
    language: str, limit: str, told: bool
) -> None:
    job = service(clients=1, cpus=4, cpuLimit=limit) | {"residency": 0.5}
    found = outcome(scenario([node(replicas=2)], [pods("a", job=job), pods("b", job=service(clients=1))]))
    expected = messages(language).text("sentence.cpu-limit", workload="a", times="4")
    assert (expected in said(found, language)) is told
    assert any("CPU" in sentence for sentence in said(found, language)) is told
