"""The kinds of documents, and which one a document is of."""

from __future__ import annotations

import re
from enum import StrEnum

from labs.config.documents.by_keys import by_keys, by_text
from labs.config.goyaml import Mapping, Node, Scalar, ScalarKind, Sequence, find


class Kind(StrEnum):
    """What a document is. The values are what `gpulab check` prints; Kubernetes' own kinds keep their names."""

    EMPTY = "empty"
    UNKNOWN = "unknown"
    DEVICE_PLUGIN = "device-plugin"
    MIG_PARTED = "mig-parted"
    DEVICE_PLUGIN_VALUES = "device-plugin-values"
    GPU_OPERATOR_VALUES = "gpu-operator-values"
    DRA_DRIVER_VALUES = "dra-driver-values"
    MIG_HOOKS = "mig-parted-hooks"
    MIG_CLIENTS = "mig-manager-clients"
    VGPU_CONFIG = "vgpu-device-manager"
    CONFIG_MAP = "ConfigMap"
    CLUSTER_POLICY = "ClusterPolicy"
    POD = "Pod"
    DEPLOYMENT = "Deployment"
    STATEFUL_SET = "StatefulSet"
    DAEMON_SET = "DaemonSet"
    JOB = "Job"
    CRON_JOB = "CronJob"
    LIST = "List"
    RESOURCE_CLAIM = "ResourceClaim"
    RESOURCE_CLAIM_TEMPLATE = "ResourceClaimTemplate"
    NODE = "Node"
    RESOURCE_QUOTA = "ResourceQuota"
    DEVICE_CLASS = "DeviceClass"
    GPU_CLUSTER = "GPUCluster"
    CLUSTER_QUEUE = "ClusterQueue"
    POD_DISRUPTION_BUDGET = "PodDisruptionBudget"
    HORIZONTAL_POD_AUTOSCALER = "HorizontalPodAutoscaler"
    SCALED_OBJECT = "ScaledObject"
    HELM_RELEASE = "HelmRelease"
    HELM_CHART = "HelmChart"
    HELM_CHART_CONFIG = "HelmChartConfig"
    APPLICATION = "Application"
    APPLICATION_SET = "ApplicationSet"
    KUSTOMIZATION = "Kustomization"
    CHART_RELEASE = "chart-release"
    CHART = "chart"
    UMBRELLA_VALUES = "umbrella-values"
    NODE_SETTINGS = "node-settings"
    WORKLOAD = "workload"
    NODE_LABELS = "node-labels"


LOADED_KINDS = (Kind.DEVICE_PLUGIN, Kind.MIG_PARTED)
"""The kinds that a loader reads."""

WORKLOAD_KINDS = (
    Kind.POD, Kind.DEPLOYMENT, Kind.STATEFUL_SET, Kind.DAEMON_SET, Kind.JOB, Kind.CRON_JOB, Kind.WORKLOAD,
)  # fmt: skip
"""The kinds that hold a Pod or the template of one; a `workload` is an object of any other kind that holds some."""

LABEL_KINDS = (Kind.NODE_LABELS, Kind.NODE_SETTINGS)
"""The kinds of objects that may label nodes: such of any kind, and settings of a node."""

WRAPPER_KINDS = (
    Kind.HELM_RELEASE, Kind.HELM_CHART, Kind.HELM_CHART_CONFIG, Kind.APPLICATION, Kind.APPLICATION_SET,
    Kind.KUSTOMIZATION, Kind.UMBRELLA_VALUES,
)  # fmt: skip
"""The kinds that may hold values of the two charts; one that holds none is of kind `unknown`."""

_API_GROUPS: dict[Kind, tuple[str, ...]] = {
    Kind.CONFIG_MAP: ("",),
    Kind.CLUSTER_POLICY: ("nvidia.com",),
    Kind.POD: ("",),
    Kind.DEPLOYMENT: ("apps", "extensions"),
    Kind.STATEFUL_SET: ("apps",),
    Kind.DAEMON_SET: ("apps", "extensions"),
    Kind.JOB: ("batch",),
    Kind.CRON_JOB: ("batch",),
    Kind.LIST: ("",),
    Kind.RESOURCE_CLAIM: ("resource.k8s.io",),
    Kind.RESOURCE_CLAIM_TEMPLATE: ("resource.k8s.io",),
    Kind.NODE: ("",),
    Kind.RESOURCE_QUOTA: ("",),
    Kind.DEVICE_CLASS: ("resource.k8s.io",),
    Kind.GPU_CLUSTER: ("nvidia.com",),
    Kind.CLUSTER_QUEUE: ("kueue.x-k8s.io",),
    Kind.POD_DISRUPTION_BUDGET: ("policy",),
    Kind.HORIZONTAL_POD_AUTOSCALER: ("autoscaling",),
    Kind.SCALED_OBJECT: ("keda.sh",),
    Kind.HELM_RELEASE: ("helm.toolkit.fluxcd.io",),
    Kind.HELM_CHART: ("helm.cattle.io",),
    Kind.HELM_CHART_CONFIG: ("helm.cattle.io",),
    Kind.APPLICATION: ("argoproj.io",),
    Kind.APPLICATION_SET: ("argoproj.io",),
    Kind.KUSTOMIZATION: ("kustomize.config.k8s.io", "kustomize.toolkit.fluxcd.io"),
}
"""The API groups of each kind: other groups have kinds of the same name that mean something else."""

_BY_NAME = {kind.value: kind for kind in _API_GROUPS}
_BY_NAME["Component"] = Kind.KUSTOMIZATION
_CHART_NAME = re.compile(r"nvidia-device-plugin|gpu-operator")
_KIND_LINE = re.compile(r"^kind[ \t]*:[ \t]*[\"']?([A-Za-z]+)", re.MULTILINE)


def recognise(root: Node) -> Kind:
    """What the document with this root is; `EMPTY` for a null and for a mapping of nothing."""
    if isinstance(root, Scalar) and root.kind is ScalarKind.NULL:
        return Kind.EMPTY
    if not isinstance(root, Mapping):
        return Kind.UNKNOWN
    if not root.entries:
        return Kind.EMPTY
    named = find(root, ("kind",))
    if isinstance(named, Scalar) and named.kind is ScalarKind.STRING:
        return named_kind(named.text, find(root, ("apiVersion",)), root)
    keyed = by_keys(root)
    return Kind.UNKNOWN if keyed is None else Kind(keyed)


def named_kind(name: str, version: Node | None, root: Mapping) -> Kind:
    """What an object of Kubernetes is that calls itself by this name."""
    if name.endswith("List") and isinstance(find(root, ("items",)), Sequence):
        return Kind.LIST
    kind = _BY_NAME.get(name, Kind.UNKNOWN)
    if kind is not Kind.UNKNOWN and isinstance(version, Scalar):
        group = version.text.rpartition("/")[0]
        return kind if group in _API_GROUPS[kind] else Kind.UNKNOWN
    return kind


def guess(text: str) -> Kind:
    """What a text that is no YAML was meant to be."""
    named = _KIND_LINE.search(text)
    if named is not None:
        kind = _BY_NAME.get(named[1], Kind.UNKNOWN)
        return Kind.UNKNOWN if kind in WRAPPER_KINDS and _CHART_NAME.search(text) is None else kind
    keyed = by_text(text)
    return Kind.UNKNOWN if keyed is None else Kind(keyed)
