"""Whether the GPU Operator gives GPUs out by DRA: then there is no device plugin, and nothing offers `nvidia.com/gpu`.

Source: NVIDIA GPU Operator documentation, "DRA Driver for NVIDIA GPUs": a cluster has a `ClusterPolicy`, for the device
plugin, or a `GPUCluster`, for DRA; in a ClusterPolicy one of the two gives out GPUs.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

from labs.config.documents import Kind
from labs.config.goyaml import Node
from labs.config.manifests import field, text
from labs.config.plugin import Deployer
from labs.lint.meaning import plugin_daemonsets, truthy
from labs.lint.subject import LintDocument, Subject

OF_CLUSTER = ("gpuCluster", "deployCR")
OF_POLICY = ("clusterPolicy", "deployCR")
GPUS = ("draDriver", "gpus", "enabled")


@dataclass(frozen=True, slots=True)
class Moved:
    """What says that GPUs are given out by DRA; `policy` tells that a ClusterPolicy is there nevertheless."""

    document: LintDocument
    place: Node
    policy: bool


@functools.lru_cache(maxsize=2)
def moved(subject: Subject) -> Moved | None:
    """What moves the operator to DRA; None where a device plugin may run as well."""
    if subject.settings.deployer not in (None, Deployer.OPERATOR):
        return None
    signs: list[Moved] = []
    for document, operator in subject.operators:
        sign = _sign(document, operator.node, values=operator.kind is Kind.GPU_OPERATOR_VALUES)
        if sign is None:
            return None
        signs.append(sign)
    if not signs:
        signs = [
            Moved(document, document.document.root, False)
            for document in subject.of(Kind.GPU_CLUSTER)
            if document.document.root is not None
        ]
    if not signs or any(
        chart.plugin_enabled is None or chart.plugin_enabled.boolean is not False
        for _, chart in subject.charts
    ):
        return None
    return None if any(plugin_daemonsets(subject)) else signs[0]


def _sign(document: LintDocument, node: Node, *, values: bool) -> Moved | None:
    cluster, policy = field(node, *OF_CLUSTER), field(node, *OF_POLICY)
    if values and policy is not None and policy.boolean is False:
        return Moved(document, cluster.key, False) if cluster is not None and truthy(cluster) else None
    gpus, plugin = field(node, *GPUS), field(node, "devicePlugin", "enabled")
    if gpus is not None and gpus.boolean is True and plugin is not None and plugin.boolean is False:
        return Moved(document, gpus.key, True)
    return None


def extended_names(subject: Subject) -> frozenset[str]:
    """The names of resources that device classes offer to Pods which ask as they did of a device plugin."""
    names = (
        text(document.document.root, "spec", "extendedResourceName")
        for document in subject.of(Kind.DEVICE_CLASS)
    )
    return frozenset(name for name in names if name is not None)
