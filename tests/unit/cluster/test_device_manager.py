"""The kubelet's device manager: what it reports, holds and refuses while plugins come and go."""

from __future__ import annotations

import pytest

from labs.cluster.allocation import AllocationPolicy, SlotId
from labs.cluster.device_manager import DeviceManager, Devices

GPU, OTHER = "nvidia.com/gpu", "nvidia.com/gpu.shared"
MINUTE = 60_000_000
GRACE = 5 * MINUTE  # endpointStopGracePeriod of Kubernetes' device manager


def devices(cards: int = 2, replicas: int = 3, *, shared: bool = True) -> Devices:
    return Devices(tuple(range(cards)), (replicas,) * cards, shared, AllocationPolicy.DISTRIBUTED)


def manager(**resources: Devices) -> DeviceManager:
    made = DeviceManager()
    for resource, listed in (resources or {GPU: devices()}).items():
        made.register(resource, listed)
    return made


def rejected(reason: str) -> str:
    return f"Pod was rejected: Allocate failed due to {reason}, which is unexpected"


def test_a_kubelet_without_plugins_lists_nothing() -> None:
    empty = DeviceManager()
    assert (empty.resources, empty.reported(0), empty.has_plugin) == ((), {}, False)
    assert empty.expires_us(GPU) is None
    assert not empty.is_shared(GPU)


def test_what_a_plugin_lists_is_capacity_and_allocatable() -> None:
    running = manager()
    assert running.reported(0) == {GPU: (6, 6)}
    assert running.resources == (GPU,)
    assert running.has_plugin


def test_units_that_pods_hold_stay_allocatable() -> None:
    running = manager()
    running.allocate([(GPU, 4)])
    assert running.reported(0) == {GPU: (6, 6)}


def test_without_its_plugin_a_resource_keeps_its_capacity_for_five_minutes_and_its_name_for_ever() -> None:
    running = manager()
    running.disconnect(GPU, MINUTE)
    assert running.expires_us(GPU) == MINUTE + GRACE
    assert running.reported(MINUTE) == {GPU: (6, 0)}
    assert running.reported(MINUTE + GRACE - 1) == {GPU: (6, 0)}
    assert running.reported(MINUTE + GRACE) == {GPU: (0, 0)}
    assert running.resources == (GPU,)
    assert running.expires_us(GPU) is None


def test_a_plugin_that_comes_back_in_time_has_no_end() -> None:
    running = manager()
    running.disconnect(GPU, 0)
    running.register(GPU, devices())
    assert running.expires_us(GPU) is None
    assert running.reported(2 * GRACE) == {GPU: (6, 6)}


def test_the_end_of_a_plugin_that_was_never_there_changes_nothing() -> None:
    running = manager()
    running.disconnect(OTHER, 0)
    assert running.reported(2 * GRACE) == {GPU: (6, 6)}


def test_a_node_has_a_plugin_while_one_of_its_resources_has() -> None:
    running = manager(**{GPU: devices(), OTHER: devices()})
    running.disconnect(GPU, 0)
    assert running.has_plugin
    running.disconnect(OTHER, 0)
    assert not running.has_plugin


def test_after_a_restart_the_kubelet_knows_no_device_before_a_plugin_registers() -> None:
    running = manager()
    running.restart(7)
    assert running.reported(7) == {GPU: (0, 0)}
    assert running.expires_us(GPU) == 7 + GRACE
    assert not running.has_plugin
    assert running.allocatable_on(0) == {}
    assert running.mark_unhealthy(0, for_good=False) == ()


def test_after_a_restart_whoever_held_a_device_still_holds_it() -> None:
    running = manager()
    running.allocate([(GPU, 4)])
    running.restart(0)
    running.register(GPU, devices())
    assert running.refusal([(GPU, 2)]) is None
    assert running.refusal([(GPU, 3)]) is not None
    assert running.allocate([(GPU, 2)]) == {GPU: (SlotId(0, 2), SlotId(1, 2))}


def test_a_device_held_unshared_takes_nothing_of_what_is_shared_later() -> None:
    """The ids differ: `UUID` and `UUID::0`."""
    running = manager(**{GPU: devices(1, 1, shared=False)})
    held = running.allocate([(GPU, 1)])
    running.register(GPU, devices(1, 3))
    assert running.refusal([(GPU, 3)]) is None
    first = running.allocate([(GPU, 3)])
    running.release(held, shared=())
    assert running.refusal([(GPU, 1)]) is not None
    running.release(first, shared={GPU})
    assert running.refusal([(GPU, 3)]) is None


def test_what_is_given_back_is_free_again_also_for_the_next_plugin() -> None:
    running = manager()
    held = running.allocate([(GPU, 6)])
    assert running.refusal([(GPU, 1)]) is not None
    running.release(held, shared={GPU})
    assert running.refusal([(GPU, 6)]) is None
    running.register(GPU, devices())
    assert running.refusal([(GPU, 6)]) is None


def test_what_is_given_back_while_no_plugin_is_there_is_free_for_the_next() -> None:
    running = manager()
    held = running.allocate([(GPU, 6)])
    running.restart(0)
    running.release(held, shared={GPU})
    running.register(GPU, devices())
    assert running.refusal([(GPU, 6)]) is None


def test_what_is_given_back_after_its_resource_is_gone_is_no_mistake() -> None:
    running = manager()
    held = running.allocate([(GPU, 1)])
    running.disconnect(GPU, 0)
    running.reported(GRACE)
    running.release(held, shared={GPU})
    running.register(GPU, devices())
    assert running.refusal([(GPU, 6)]) is None


@pytest.mark.parametrize("for_good", [True, False])
def test_a_broken_card_takes_its_units_from_the_allocatable_ones(*, for_good: bool) -> None:
    running = manager(**{GPU: devices(), OTHER: devices(1)})
    assert running.mark_unhealthy(1, for_good=for_good) == (GPU,)
    assert running.mark_unhealthy(1, for_good=for_good) == ()
    assert running.reported(0) == {GPU: (6, 3), OTHER: (3, 3)}
    assert running.allocatable_on(1) == {GPU: 0, OTHER: 0}
    assert running.allocatable_on(0) == {GPU: 3, OTHER: 3}


@pytest.mark.parametrize(("for_good", "allocatable"), [(True, 3), (False, 6)])
def test_a_plugin_that_starts_finds_broken_what_is_broken_for_good(for_good: bool, allocatable: int) -> None:
    running = manager()
    running.mark_unhealthy(0, for_good=for_good)
    running.register(GPU, devices())
    assert running.reported(0) == {GPU: (6, allocatable)}


def test_a_card_offers_nothing_of_a_resource_whose_plugin_is_gone() -> None:
    running = manager(**{GPU: devices(), OTHER: devices()})
    running.disconnect(GPU, 0)
    assert running.allocatable_on(0) == {OTHER: 3}


def test_a_resource_is_shared_as_its_plugin_says() -> None:
    running = manager(**{GPU: devices(), OTHER: devices(shared=False)})
    assert running.is_shared(GPU)
    assert not running.is_shared(OTHER)


# Refusals, in the kubelet's words


def test_a_request_that_fits_is_not_refused() -> None:
    assert manager().refusal([(GPU, 6)]) is None


def test_a_request_for_more_than_is_free_is_refused_with_both_numbers() -> None:
    running = manager()
    running.allocate([(GPU, 2)])
    assert running.refusal([(GPU, 5)]) == rejected(
        f"requested number of devices unavailable for {GPU}. Requested: 5, Available: 4"
    )


def test_a_request_for_what_no_plugin_ever_listed_is_refused() -> None:
    assert manager().refusal([(GPU, 1), (OTHER, 1)]) == rejected(
        f"cannot allocate unregistered device {OTHER}"
    )


@pytest.mark.parametrize("event", ["the plugin is gone", "the kubelet has restarted", "all cards are broken"])
def test_without_a_healthy_device_a_request_is_refused(event: str) -> None:
    running = manager()
    held = running.allocate([(GPU, 1)])
    if event == "the plugin is gone":
        running.disconnect(GPU, 0)
    elif event == "the kubelet has restarted":
        running.restart(0)
    else:
        for gpu in (0, 1):
            running.mark_unhealthy(gpu, for_good=True)
    words = rejected(f"no healthy devices present; cannot allocate unhealthy devices {GPU}")
    assert running.refusal([(GPU, 1)]) == words
    assert running.readmission_refusal(held) == words


def test_after_a_reboot_a_pod_gets_its_own_devices_again_where_they_are_healthy() -> None:
    running = manager()
    first, second = running.allocate([(GPU, 1)]), running.allocate([(GPU, 5)])
    assert (running.readmission_refusal(first), running.readmission_refusal(second)) == (None, None)
    running.mark_unhealthy(1, for_good=True)
    assert running.readmission_refusal(first) is None
    assert running.readmission_refusal(second) == rejected(
        f"previously allocated devices are no longer healthy; cannot allocate unhealthy devices {GPU}"
    )


@pytest.mark.parametrize(("replicas", "admitted"), [(3, True), (2, False)])
def test_after_a_reboot_a_pod_whose_replica_is_no_more_is_refused(replicas: int, admitted: bool) -> None:
    running = manager(**{GPU: devices(1, 3)})
    held = running.allocate([(GPU, 3)])
    running.register(GPU, devices(1, replicas))
    assert (running.readmission_refusal(held) is None) is admitted


def test_after_a_reboot_a_pod_is_refused_while_its_resource_is_unregistered() -> None:
    assert DeviceManager().readmission_refusal({GPU: (SlotId(0, 0),)}) == rejected(
        f"cannot allocate unregistered device {GPU}"
    )
