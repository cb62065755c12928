"""Which of the Nodes given a DaemonSet runs on: by name, selector, affinity and taints, as its controller has it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from labs.config.manifests.fields import mapping
from labs.hardware.catalog import builtin_catalog
from labs.lint.core.linter import read, together
from labs.lint.meaning.daemonset.nodes import desired_nodes, operator_nodes
from labs.lint.meaning.daemonset.rollouts import rollouts
from labs.lint.subject.settings import Settings
from labs.lint.subject.subject import LintDocument, Subject

SETTINGS = Settings(catalog=builtin_catalog())
GPU = {"pool": "gpu", "size": "8"}


def manifest(spec: dict[str, Any], kind: str = "DaemonSet") -> str:
    pod = {"containers": [{"name": "c", "image": "registry.example.com/agent:1"}], **spec}
    template = {"metadata": {"labels": {"app": "d"}}, "spec": pod}
    whole = {"selector": {"matchLabels": {"app": "d"}}, "template": template}
    return json.dumps({"apiVersion": "apps/v1", "kind": kind, "metadata": {"name": "d"}, "spec": whole})


def node(
    name: str, labels: dict[str, str] | None = None, taints: list[dict[str, str]] | None = None, gpus: int = 8
) -> str:
    return json.dumps(
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": name, "labels": labels or {}},
            "spec": {"taints": taints or []},
            "status": {"capacity": {"nvidia.com/gpu": str(gpus)}},
        }
    )


def subject(*texts: str) -> Subject:
    alone = [read(f"{index}.yaml", text, SETTINGS) for index, text in enumerate(texts)]
    documents = [each for source in together(alone, SETTINGS) for each in source.documents]
    paths = [source.path for source in alone for _ in source.documents]
    return Subject(
        tuple(
            LintDocument(path, checked, text, index)
            for index, (path, checked, text) in enumerate(zip(paths, documents, texts, strict=True))
        ),
        SETTINGS,
    )


def desired(spec: dict[str, Any], *nodes: str) -> int | None:
    given = subject(manifest(spec), *nodes)
    (rollout,) = rollouts(given)
    return desired_nodes(rollout, given)


def affinity(*terms: dict[str, Any]) -> dict[str, Any]:
    required = {"nodeSelectorTerms": list(terms)}
    return {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}}


def expression(key: str, operator: str, *values: str) -> dict[str, Any]:
    return {"matchExpressions": [{"key": key, "operator": operator, "values": list(values)}]}


NODES = (node("a", GPU), node("b", {**GPU, "size": "2"}), node("c", {"pool": "cpu"}))


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({}, 3),
        ({"nodeName": "b"}, 1),
        ({"nodeSelector": {"pool": "gpu"}}, 2),
        ({"nodeSelector": {"pool": "gpu", "size": "8"}}, 1),
        ({"nodeSelector": {"pool": "none"}}, None),
        (affinity(expression("pool", "In", "gpu", "tpu")), 2),
        (affinity(expression("pool", "NotIn", "gpu")), 1),
        (affinity(expression("size", "Exists")), 2),
        (affinity(expression("size", "DoesNotExist")), 1),
        (affinity(expression("size", "Gt", "4")), 1),
        (affinity(expression("size", "Lt", "4")), 1),
        (affinity(expression("size", "Gt", "x")), None),
        (affinity(expression("size", "Like", "8")), None),
        (affinity(expression("size", "Gt", "4"), expression("pool", "In", "cpu")), 2),
        (affinity(expression("size", "Gt", "8")), None),
        (affinity(expression("size", "Gt", "7")), 1),
        (affinity(expression("size", "Gt", "-1")), 2),
        (affinity(expression("size", "Lt", "2")), None),
        (affinity(expression("size", "Lt", "3")), 1),
        (affinity(expression("size", "Gt", "1", "2")), None),
        (affinity(expression("size", "Gt")), None),
        (affinity(expression("size", "Gt", "--1")), None),
        (affinity(expression("size", "Gt", "\u0661")), None),
        (affinity(expression("size", "Lt", "9" * 18)), 2),
        (affinity(expression("size", "Lt", "9" * 19)), None),
        (affinity(expression("size", "In", "8")), 1),
        (affinity(expression("size", "NotIn", "8")), 2),
        (
            affinity(
                {"matchExpressions": [*expression("pool", "In", "gpu")["matchExpressions"], {"key": "size"}]}
            ),
            None,
        ),
        (
            affinity(
                {
                    **expression("pool", "In", "gpu"),
                    "matchFields": [{"key": "metadata.name", "operator": "NotIn", "values": ["a"]}],
                }
            ),
            1,
        ),
        ({"nodeName": "b", "nodeSelector": {"pool": "cpu"}}, None),
        ({"nodeSelector": {"pool": "gpu"}, **affinity(expression("size", "In", "2"))}, 1),
        (affinity({}), None),
        (affinity({"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["a"]}]}), 1),
        ({"affinity": {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": []}}}, 3),
    ],
)
def test_name_selector_and_affinity_take_nodes(spec: dict[str, Any], expected: int | None) -> None:
    assert desired(spec, *NODES) == expected


@pytest.mark.parametrize(
    ("taint", "spec", "tolerated"),
    [
        ({"key": "x", "effect": "NoSchedule"}, {}, False),
        ({"key": "x", "effect": "NoExecute"}, {}, False),
        ({"key": "x", "effect": "PreferNoSchedule"}, {}, True),
        ({"key": "x", "effect": "NoSchedule"}, {"tolerations": [{"operator": "Exists"}]}, True),
        (
            {"key": "x", "value": "1", "effect": "NoSchedule"},
            {"tolerations": [{"key": "x", "value": "1"}]},
            True,
        ),
        (
            {"key": "x", "value": "1", "effect": "NoSchedule"},
            {"tolerations": [{"key": "x", "value": "2"}]},
            False,
        ),
        ({"key": "x", "effect": "NoSchedule"}, {"tolerations": [{"key": "y", "operator": "Exists"}]}, False),
        ({"key": "x", "effect": "NoSchedule"}, {"tolerations": [{"key": "x"}]}, True),
        ({"key": "x", "effect": "NoSchedule"}, {"tolerations": [{"key": "x", "operator": "Equal"}]}, True),
        ({"key": "x", "value": "1", "effect": "NoSchedule"}, {"tolerations": [{"key": "x"}]}, False),
        (
            {"key": "x", "value": "1", "effect": "NoSchedule"},
            {"tolerations": [{"key": "x", "operator": "Exists"}]},
            True,
        ),
        (
            {"key": "x", "effect": "NoSchedule"},
            {"tolerations": [{"operator": "Exists", "effect": "NoExecute"}]},
            False,
        ),
        (
            {"key": "x", "effect": "NoExecute"},
            {"tolerations": [{"key": "y"}, {"operator": "Exists", "effect": "NoExecute"}]},
            True,
        ),
        ({"key": "x", "effect": "NoSchedule"}, {"tolerations": [{"value": ""}]}, False),
        ({"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}, {}, True),
        ({"key": "node.kubernetes.io/unreachable", "effect": "NoExecute"}, {}, True),
        ({"key": "node.kubernetes.io/memory-pressure", "effect": "NoSchedule"}, {}, True),
        ({"key": "node.kubernetes.io/pid-pressure", "effect": "NoSchedule"}, {}, True),
        ({"key": "node.kubernetes.io/pid-pressure", "effect": "NoExecute"}, {}, False),
        (
            {"key": "node.kubernetes.io/network-unavailable", "effect": "NoSchedule"},
            {"hostNetwork": False},
            False,
        ),
        ({"key": "x", "effect": "NoSchedule"}, {"hostNetwork": True}, False),
        ({"key": "node.kubernetes.io/disk-pressure", "effect": "NoSchedule"}, {}, True),
        ({"key": "node.kubernetes.io/not-ready", "effect": "NoExecute"}, {}, True),
        ({"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}, {}, False),
        ({"key": "node.kubernetes.io/network-unavailable", "effect": "NoSchedule"}, {}, False),
        (
            {"key": "node.kubernetes.io/network-unavailable", "effect": "NoSchedule"},
            {"hostNetwork": True},
            True,
        ),
        ({"key": "nvidia.com/gpu", "effect": "NoSchedule"}, {}, False),
    ],
)
def test_a_taint_keeps_away_unless_tolerated_or_every_daemon_passes_it(
    taint: dict[str, str], spec: dict[str, Any], tolerated: bool
) -> None:
    assert desired(spec, node("a"), node("b", taints=[taint])) == (2 if tolerated else 1)


def test_without_nodes_nothing_is_known() -> None:
    assert desired({}) is None


CHART = "migStrategy: none\nupdateStrategy: {rollingUpdate: {maxUnavailable: 1}}\n"


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ("", 3),
        ("affinity: {}\n", 4),
        ("nodeSelector: {pool: gpu}\n", 1),
        ("tolerations: []\n", 2),
    ],
)
def test_the_chart_has_an_affinity_and_a_toleration_of_its_own(values: str, expected: int) -> None:
    tainted = [{"key": "nvidia.com/gpu", "effect": "NoSchedule"}]
    given = subject(
        CHART + values,
        node("a", {"nvidia.com/gpu.present": "true"}, tainted),
        node("b", {"feature.node.kubernetes.io/pci-10de.present": "true"}),
        node("c", {"feature.node.kubernetes.io/cpu-model.vendor_id": "NVIDIA", "pool": "gpu"}),
        node("d"),
    )
    (rollout,) = rollouts(given)
    assert desired_nodes(rollout, given) == expected


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ([{}, {}, {}], 2),
        ([{"nvidia.com/gpu.deploy.device-plugin": "true"}, {}, {}], 1),
        ([{"nvidia.com/gpu.deploy.device-plugin": "false"}, {}, {}], None),
        ([{}, {}, {"nvidia.com/gpu.present": "true"}], 3),
        ([{}, {}, {"nvidia.com/gpu.present": "false"}], 2),
        ([{}, {}, {"nvidia.com/mig-1g.5gb.count": "1"}], 3),
        ([{}, {}, {"nvidia.com/device-plugin.config": "a"}], 3),
        ([{}, {}, {"nvidia.com/cuda.driver": "a"}], 2),
    ],
)
def test_the_operator_s_plugin_is_where_it_has_labelled_or_where_gpus_are(
    labels: list[dict[str, str]], expected: int | None
) -> None:
    nodes = [node(f"n{index}", each, gpus=8 if index < 2 else 0) for index, each in enumerate(labels)]
    given = subject("mig: {strategy: single}\ndaemonsets: {}\n", *nodes)
    ((_, operator),) = given.operators
    values = mapping(operator.node)
    assert values is not None
    assert operator_nodes(values, given) == expected


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ("daemonsets: {}\n", 2),
        ("", 2),
        ("daemonsets: {tolerations: []}\n", 1),
        ("daemonsets: {tolerations: [{key: nvidia.com/gpu, operator: Exists}]}\n", 2),
    ],
)
def test_the_operator_tolerates_the_taint_of_gpu_nodes_unless_its_values_say_otherwise(
    values: str, expected: int
) -> None:
    tainted = [{"key": "nvidia.com/gpu", "effect": "NoSchedule"}]
    other = [{"key": "nvidia.com/gpu", "effect": "NoExecute"}]
    nodes = (node("a"), node("b", taints=tainted), node("c", taints=other))
    given = subject("mig: {strategy: single}\n" + values, *nodes)
    ((_, operator),) = given.operators
    root = mapping(operator.node)
    assert root is not None
    found = operator_nodes(root, given)
    assert found == (3 if "Exists" in values else expected)
