"""What the eight measured nodes offer under every config that loads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from labs.cluster.advertise import AdvertisedDevice, Advertisement, MpsLimit, advertise, mps_client_limit
from labs.cluster.gpu import PhysicalGpu, read_node_file
from labs.config.plugin.loader import load
from tests.unit.config.cases import CHART_ENVIRONMENT, FOLDER, device_plugin_rows

NODES = read_node_file((Path(FOLDER) / "nodes.yaml").read_text(encoding="utf-8"))
LOADING = [row for row in device_plugin_rows() if "nodes" in row]
T4 = (PhysicalGpu("Tesla T4", 15360, (7, 5)),)
SHARED_BY_FIVE = "sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 5}]}}"


def measured(node: dict[str, Any]) -> dict[str, Any]:
    """A measured node in the JSON of ``gpulab advertise``; a warning logged several times is told once."""
    return {
        "resources": node["advertised"],
        "labels": node.get("labels"),
        "labelError": node.get("label_error"),
        "mps": [
            {
                "resource": limit["resource"],
                "pinnedMemLimit": limit["pinned_mem_limit"],
                "activeThreadPercentage": limit["active_thread_percentage"],
            }
            for limit in node.get("mps", [])
        ],
        "mpsError": node.get("mps_error"),
        "mpsWithoutDaemon": node.get("mps_resources_without_daemon", []),
        "warnings": list(dict.fromkeys(node.get("warnings", []))),
        "error": node.get("error"),
    }


@pytest.mark.parametrize("row", LOADING, ids=[row["id"] for row in LOADING])
def test_nodes_offer_what_was_measured(row: dict[str, Any]) -> None:
    loaded = load(row["yaml"], env=CHART_ENVIRONMENT)

    found = {}
    for name in row["nodes"]:
        answer = advertise(loaded, NODES.select(name)).to_json()
        answer["warnings"] = [text for text in answer["warnings"] if text not in loaded.warnings]
        del answer["registers"]
        found[name] = answer

    assert found == {name: measured(node) for name, node in row["nodes"].items()}


def test_a_config_that_does_not_load_offers_nothing_and_says_why() -> None:
    loaded = load("sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 1}]}}")

    answer = advertise(loaded, T4)

    assert (dict(answer.resources), answer.registers, answer.error) == ({}, False, loaded.error)


def test_a_resource_that_waits_for_a_daemon_nobody_starts_is_not_registered() -> None:
    loaded = load(
        "sharing: {mps: {resources: [{name: nvidia.com/gpus, replicas: 4}]}}", env=CHART_ENVIRONMENT
    )

    answer = advertise(loaded, T4)

    assert (answer.registers, answer.mps_without_daemon) == (False, ("nvidia.com/gpu",))


def test_more_mps_clients_than_the_card_takes_leave_the_node_without_a_daemon() -> None:
    loaded = load(
        "sharing: {mps: {resources: [{name: nvidia.com/gpu, replicas: 49}]}}", env=CHART_ENVIRONMENT
    )

    answer = advertise(loaded, T4)

    assert (answer.registers, answer.mps, answer.mps_error) == (
        False,
        (),
        "invalid MPS configuration: invalid device maximum allowed replicas exceeded: 49 > 48",
    )


def test_devices_stand_behind_each_resource() -> None:
    answer = advertise(load(SHARED_BY_FIVE), T4 * 2)

    assert [
        (device.gpu_index, device.mig, device.replicas, device.shared)
        for device in answer.devices["nvidia.com/gpu"]
    ] == [(0, None, 5, True), (1, None, 5, True)]


def test_without_sharing_a_device_is_offered_once_and_to_one() -> None:
    answer = advertise(load("version: v1"), T4 * 2)

    assert [
        (device.gpu_index, device.mig, device.replicas, device.shared)
        for device in answer.devices["nvidia.com/gpu"]
    ] == [(0, None, 1, False), (1, None, 1, False)]


def test_a_resource_listed_twice_is_offered_as_often_as_the_larger_count_and_labelled_with_the_first() -> (
    None
):
    twice = "[{name: nvidia.com/gpu, replicas: 3}, {name: nvidia.com/gpu, replicas: 7}]"
    answer = advertise(load(f"sharing: {{timeSlicing: {{resources: {twice}}}}}"), T4)

    assert answer.resources == {"nvidia.com/gpu": 7}
    assert answer.labels is not None
    assert answer.labels["nvidia.com/gpu.replicas"] == "3"


def test_a_node_without_gpus_offers_nothing_and_fails_nothing() -> None:
    answer = advertise(load(SHARED_BY_FIVE), ())

    assert (dict(answer.resources), answer.registers, answer.error, answer.labels) == ({}, True, None, {})


def test_a_huge_replica_count_costs_nothing() -> None:
    answer = advertise(load(SHARED_BY_FIVE.replace("5}", "999999999999}")), T4)

    assert answer.resources == {"nvidia.com/gpu": 999999999999}


@pytest.mark.parametrize(
    ("capability", "clients"),
    [((6, 1), 16), ((7, 0), 16), ((7, 2), 16), ((7, 4), 16), ((7, 5), 48), ((8, 0), 48), ((9, 0), 48)],
)
def test_the_daemon_allows_48_mps_clients_and_16_below_compute_capability_7_5(
    capability: tuple[int, int], clients: int
) -> None:
    """cmd/mps-control-daemon/mps/device.go of NVIDIA/k8s-device-plugin v0.20.0."""
    assert mps_client_limit(capability) == clients


@pytest.mark.parametrize(("replicas", "registers"), [(47, True), (48, True), (49, False)])
def test_as_many_mps_clients_as_a_card_takes_are_allowed(replicas: int, *, registers: bool) -> None:
    text = f"sharing: {{mps: {{resources: [{{name: nvidia.com/gpu, replicas: {replicas}}}]}}}}"
    assert advertise(load(text, env=CHART_ENVIRONMENT), T4).registers is registers


@pytest.mark.parametrize(
    ("replicas", "percent", "mib"), [(2, 50, 7680), (3, 33, 5120), (7, 14, 2194), (48, 2, 320)]
)
def test_mps_divides_memory_and_threads_by_the_replicas_rounded_down(
    replicas: int, percent: int, mib: int
) -> None:
    text = f"sharing: {{mps: {{resources: [{{name: nvidia.com/gpu, replicas: {replicas}}}]}}}}"
    (limit,) = advertise(load(text, env=CHART_ENVIRONMENT), T4).mps
    assert limit == MpsLimit("nvidia.com/gpu", {"0": mib}, percent)
    assert limit.to_json() == {
        "resource": "nvidia.com/gpu",
        "pinnedMemLimit": {"0": f"{mib}M"},
        "activeThreadPercentage": str(percent),
    }


def test_a_device_goes_by_its_index_and_a_mig_device_by_two() -> None:
    assert AdvertisedDevice(3, None, None, 1, False).index == "3"
    assert AdvertisedDevice(3, "1g.5gb", 0, 1, False).index == "3:0"


def test_nothing_is_registered_unless_it_is_said() -> None:
    assert Advertisement().to_json() == {
        "resources": {},
        "registers": False,
        "labels": None,
        "labelError": None,
        "mps": [],
        "mpsError": None,
        "mpsWithoutDaemon": [],
        "warnings": [],
        "error": None,
    }


def test_a_node_that_offers_something_registers_it() -> None:
    answer = advertise(load(SHARED_BY_FIVE), T4).to_json()
    assert (answer["registers"], answer["resources"]) == (True, {"nvidia.com/gpu": 5})


def mixed(*mig: str, name: str = "", replicas: int = 2) -> Advertisement:
    shared = f"sharing: {{timeSlicing: {{resources: [{{name: nvidia.com/{name}, replicas: {replicas}}}]}}}}"
    text = "version: v1\nflags: {migStrategy: mixed}\n" + (shared if name else "")
    return advertise(load(text), (PhysicalGpu("NVIDIA A100-SXM4-40GB", 40960, (8, 0), mig),))


def test_mig_devices_that_are_not_shared_are_offered_once_beside_those_that_are() -> None:
    answer = mixed("3g.20gb", "1g.5gb", "1g.5gb", name="mig-1g.5gb", replicas=3)
    assert answer.resources == {"nvidia.com/mig-1g.5gb": 6, "nvidia.com/mig-3g.20gb": 1}
    assert list(answer.resources) == sorted(answer.resources)
    assert answer.devices["nvidia.com/mig-1g.5gb"] == (
        AdvertisedDevice(0, "1g.5gb", 1, 3, True),
        AdvertisedDevice(0, "1g.5gb", 2, 3, True),
    )
    assert answer.devices["nvidia.com/mig-3g.20gb"] == (AdvertisedDevice(0, "3g.20gb", 0, 1, False),)


@pytest.mark.parametrize(
    ("profile", "resource"),
    [
        ("1g.5gb+me", "nvidia.com/mig-1g.5gb.me"),
        ("3c.3g.20gb", "nvidia.com/mig-3c.3g.20gb"),
        ("1c.3g.20gb", None),
        ("2c.3g.20gb", None),
    ],
)
def test_a_compute_instance_smaller_than_its_gpu_instance_has_no_resource(
    profile: str, resource: str | None
) -> None:
    answer = mixed(profile)
    assert list(answer.resources) == ([] if resource is None else [resource])
    assert (answer.error is None) is (resource is not None)


@pytest.mark.parametrize(
    ("mig", "error"),
    [
        ([("1g.5gb",) * 2], None),
        ([("1g.5gb",), ("1g.5gb",)], None),
        ([("1g.5gb", "2g.10gb")], "more than one MIG device type present on node"),
        ([("1g.5gb",), ("2g.10gb",)], "more than one MIG device type present on node"),
        ([("1g.5gb",), ()], "device 1 has no MIG devices configured"),
        ([("1g.5gb",), None], "all devices on the node must be configured with the same migEnabled value"),
        ([None, None], None),
    ],
)
def test_the_strategy_single_wants_mig_devices_of_one_type_on_every_card(
    mig: list[tuple[str, ...] | None], error: str | None
) -> None:
    cards = [PhysicalGpu("NVIDIA A100-SXM4-40GB", 40960, (8, 0), each) for each in mig]
    answer = advertise(load("version: v1\nflags: {migStrategy: single}"), cards)
    assert (answer.error is None) is (error is None)
    assert (error or "") in (answer.error or "")
