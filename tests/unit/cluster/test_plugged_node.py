"""A node whose device plugin comes and goes: what the scheduler counts, and what the kubelet gives."""

from __future__ import annotations

import pytest

from labs.cluster.advertise import AdvertisedDevice, Advertisement, advertise
from labs.cluster.allocation import SlotId
from labs.cluster.gpu import PhysicalGpu
from labs.cluster.plugged_node import PluggedNode
from labs.config.plugin import PluginSetting
from labs.config.plugin.loader import load

GPU = "nvidia.com/gpu"
CARD = PhysicalGpu("NVIDIA A100-SXM4-40GB", 40960, (8, 0))
GRACE = 300_000_000


def text(replicas: int, more: str = "") -> str:
    return f"sharing: {{timeSlicing: {{{more}resources: [{{name: {GPU}, replicas: {replicas}}}]}}}}"


def setting(config: str) -> PluginSetting:
    loaded = load(config)
    assert loaded.setting is not None, loaded.error
    return loaded.setting


def start(node: PluggedNode, config: str, cards: int = 2) -> tuple[str, ...]:
    numbers: dict[tuple[int, int | None], int] = {(index, None): 10 + index for index in range(cards)}
    return node.start_plugin(advertise(load(config), [CARD] * cards), setting(config), numbers)


def running(config: str = text(3), cards: int = 2) -> PluggedNode:
    node = PluggedNode("n", 4)
    start(node, config, cards)
    node.report(0)
    return node


def test_a_node_is_there_and_open_before_its_plugin_starts() -> None:
    node = PluggedNode("n", 4)
    assert (node.name, node.order, node.is_present, node.is_silent, node.taint) == ("n", 4, True, False, None)
    assert (node.listed, node.free(GPU), node.slots(10), node.has_plugin) == ((), 0, 0, False)


def test_the_api_server_sees_what_a_plugin_lists_with_the_next_node_status() -> None:
    node = PluggedNode("n", 0)
    assert start(node, text(3)) == (GPU,)
    assert node.has_plugin
    assert (node.listed, node.free(GPU)) == ((), 0)
    assert node.report(0) == (GPU,)
    assert (node.listed, node.seen, node.free(GPU)) == ((GPU,), {GPU: (6, 6)}, 6)


def test_a_node_status_that_says_the_same_changes_nothing() -> None:
    assert running().report(1) == ()


def test_each_device_has_the_number_that_the_node_gives_it() -> None:
    node = running()
    assert [node.slots(gpu) for gpu in (0, 10, 11)] == [0, 3, 3]


def test_slots_are_those_of_the_plugin_that_started_last() -> None:
    node = running(text(3))
    start(node, text(5))
    assert node.slots(10) == 5


def test_until_the_next_node_status_the_scheduler_counts_what_was() -> None:
    node = running(text(3))
    start(node, text(2))
    assert node.free(GPU) == 6
    node.report(0)
    assert node.free(GPU) == 4


def test_what_pods_request_is_not_free_until_they_end() -> None:
    node = running()
    allocation = node.allocate([(GPU, 4)])
    assert (node.free(GPU), node.used_ppm(GPU)) == (2, 666_666)
    node.release(allocation)
    assert (node.free(GPU), node.used_ppm(GPU)) == (6, 0)


def test_more_requested_than_there_is_leaves_nothing_free() -> None:
    node = running(text(3))
    node.allocate([(GPU, 6)])
    start(node, text(2))
    node.report(0)
    assert (node.free(GPU), node.used_ppm(GPU)) == (0, 1_500_000)


def test_a_node_with_nothing_allocatable_is_wholly_used() -> None:
    node = running()
    node.manager.disconnect(GPU, 0)
    node.report(0)
    assert (node.free(GPU), node.used_ppm(GPU)) == (0, 1_000_000)


def test_a_tainted_node_takes_no_pod() -> None:
    node = running()
    node.taint = "node.kubernetes.io/unreachable: "
    assert node.keeps_away == "node(s) had untolerated taint {node.kubernetes.io/unreachable: }"
    assert node.free(GPU) == 0
    open_again = running()
    open_again.taint = None
    assert (open_again.keeps_away, open_again.free(GPU)) == (None, 6)


def test_of_a_cordoned_node_with_a_taint_the_scheduler_tells_the_cordon() -> None:
    node = running()
    node.is_cordoned, node.taint = True, "x"
    assert node.keeps_away == "node(s) were unschedulable"
    assert node.free(GPU) == 0


def test_a_node_that_is_no_node_of_the_cluster_has_nothing_free() -> None:
    node = running()
    node.is_present = False
    assert node.free(GPU) == 0


def test_a_broken_card_is_seen_with_the_next_node_status_of_which_there_is_news() -> None:
    node = running()
    news: list[int] = []
    node.on_change = lambda: news.append(1)
    assert node.mark_unhealthy(10, for_good=True) == (GPU,)
    assert (news, node.free(GPU)) == ([1], 6)
    assert node.report(0) == (GPU,)
    assert node.seen == {GPU: (6, 3)}


def test_a_broken_card_without_anybody_to_tell_is_no_mistake() -> None:
    assert running().mark_unhealthy(12, for_good=True) == ()


def test_a_pod_gets_slots_of_its_own_and_knows_that_they_are_shared() -> None:
    allocation = running().allocate([(GPU, 2)])
    assert allocation.slots == {GPU: (SlotId(10, 0), SlotId(11, 0))}
    assert (allocation.units, set(allocation.shared), allocation.refusal) == ([(GPU, 2)], {GPU}, None)
    assert not allocation.is_unheard


def test_whole_cards_are_not_shared() -> None:
    assert running("version: v1").allocate([(GPU, 1)]).shared == frozenset()


def test_a_pod_that_the_kubelet_refuses_holds_nothing_but_counts() -> None:
    node = running()
    node.manager.disconnect(GPU, 0)
    allocation = node.allocate([(GPU, 2)])
    assert (allocation.slots, allocation.units) == ({}, [(GPU, 2)])
    assert (allocation.refusal or "").startswith("Pod was rejected: ")
    assert node.free(GPU) == 4
    node.release(allocation)
    assert node.free(GPU) == 6


def test_a_pod_that_the_plugin_refuses_holds_nothing() -> None:
    node = running(text(3, "failRequestsGreaterThanOne: true, "))
    allocation = node.allocate([(GPU, 2)])
    assert allocation.slots == {}
    assert "maximum request size for shared resources is 1; found 2" in (allocation.refusal or "")
    assert node.allocate([(GPU, 1)]).refusal is None


def test_a_silent_kubelet_gives_a_pod_its_devices_once_it_hears_of_it() -> None:
    node = running()
    node.is_silent = True
    waiting = node.allocate([(GPU, 2)])
    assert (waiting.slots, waiting.is_unheard, waiting.units) == ({}, True, [(GPU, 2)])
    assert node.free(GPU) == 4
    node.is_silent = False
    admitted = node.admit(waiting)
    assert admitted.slots == {GPU: (SlotId(10, 0), SlotId(11, 0))}
    assert node.admit(admitted) is admitted
    assert node.free(GPU) == 4


def test_after_a_reboot_a_pod_whose_card_is_broken_is_not_admitted_again() -> None:
    node = running()
    first, second = node.allocate([(GPU, 1)]), node.allocate([(GPU, 1)])
    node.mark_unhealthy(11, for_good=True)
    assert node.readmission_error(first) is None
    assert "no longer healthy" in (node.readmission_error(second) or "")


@pytest.mark.parametrize(
    ("replicas", "shared", "told"), [(1, True, False), (2, True, True), (1, False, False)]
)
def test_a_device_that_is_offered_once_keeps_its_own_id(*, replicas: int, shared: bool, told: bool) -> None:
    """Replicas of more have ids such as `UUID::0`, so who holds one holds nothing of the other offer."""
    node = PluggedNode("n", 0)
    offered = Advertisement({GPU: replicas}, {GPU: (AdvertisedDevice(0, None, None, replicas, shared),)})
    node.start_plugin(offered, setting("version: v1"), {(0, None): 0})
    assert node.manager.is_shared(GPU) is told


def test_what_is_never_registered_again_is_gone_after_five_minutes_but_stays_listed() -> None:
    node = running()
    node.manager.disconnect(GPU, 0)
    node.report(GRACE - 1)
    assert node.seen == {GPU: (6, 0)}
    assert node.report(GRACE) == (GPU,)
    assert (node.seen, node.listed) == ({GPU: (0, 0)}, (GPU,))
