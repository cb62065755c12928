"""What the eight measured nodes offer under every config that loads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from labs.cluster.advertise import advertise
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
