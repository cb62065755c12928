"""Which of the Nodes given together a DaemonSet runs on, as its controller counts them.

Sources: Kubernetes `pkg/controller/daemon/daemon_controller.go` (NodeShouldRunDaemonPod),
`pkg/controller/daemon/util/daemonset_util.go` (AddOrUpdateDaemonPodTolerations), component-helpers
`scheduling/corev1/nodeaffinity`; NVIDIA/k8s-device-plugin v0.20.0, Helm chart, values.yaml; NVIDIA/gpu-operator,
assets/state-device-plugin.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Mapping as Labels
from dataclasses import dataclass

from labs.config.goyaml import Mapping, Node, Scalar
from labs.config.manifests import field, fields, items, mapping, mappings, text
from labs.config.manifests.objects import ClusterNode
from labs.lint.meaning.daemonset.rollouts import Rollout
from labs.lint.subject import LintDocument, Subject

KEEPS_AWAY = ("NoSchedule", "NoExecute")
ALWAYS_TOLERATED = frozenset(
    {
        ("node.kubernetes.io/not-ready", "NoExecute"),
        ("node.kubernetes.io/unreachable", "NoExecute"),
        ("node.kubernetes.io/disk-pressure", "NoSchedule"),
        ("node.kubernetes.io/memory-pressure", "NoSchedule"),
        ("node.kubernetes.io/pid-pressure", "NoSchedule"),
        ("node.kubernetes.io/unschedulable", "NoSchedule"),
    }
)
"""What every Pod of a DaemonSet tolerates."""
ON_HOST_NETWORK = ("node.kubernetes.io/network-unavailable", "NoSchedule")
TERMS = ("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
CHART_LABELS = (
    ("feature.node.kubernetes.io/pci-10de.present", "true"),
    ("feature.node.kubernetes.io/cpu-model.vendor_id", "NVIDIA"),
    ("nvidia.com/gpu.present", "true"),
)
"""Of which a node has one, if the chart's `affinity` is left as it is."""
DEPLOYED = "nvidia.com/gpu.deploy.device-plugin"
GPU_TAINT = ("nvidia.com/gpu", "NoSchedule")  # which chart and operator have tolerated by default
GPU = ("nvidia.com/gpu", "nvidia.com/mig-", "nvidia.com/device-plugin")


@dataclass(frozen=True, slots=True)
class GivenNode:
    """A Node: its name, its labels and its taints; `has_gpus`: it says that it has some, or had."""

    document: LintDocument
    name: str
    labels: Labels[str, str]
    taints: tuple[Mapping, ...]
    has_gpus: bool


def desired_nodes(rollout: Rollout, subject: Subject) -> int | None:
    """How many of the Nodes given the DaemonSet is to run on; None where none is given, or none that it is for."""
    spec = rollout.node if rollout.template is None else rollout.template.node
    is_chart = rollout.template is None
    return _count(node for node in given_nodes(subject) if _should_run(spec, node, is_chart=is_chart))


def operator_nodes(values: Mapping, subject: Subject) -> int | None:
    """The same of the GPU Operator's plugin: the nodes that it has labelled, or before it has those with GPUs."""
    nodes = given_nodes(subject)
    labelled = [node for node in nodes if DEPLOYED in node.labels]
    meant = [node for node in labelled if node.labels[DEPLOYED] == "true"]
    candidates = meant if labelled else [node for node in nodes if node.has_gpus]
    holder = mapping(values, "daemonsets")
    return _count(node for node in candidates if _is_tolerated(holder, node, by_default=True))


def tolerates(spec: Mapping | None, taint: Mapping) -> bool:
    """Whether Pods of this spec tolerate the taint, by what is written in it; one that keeps nobody away is."""
    key, effect = text(taint, "key") or "", text(taint, "effect") or ""
    if effect not in KEEPS_AWAY:
        return True
    value = text(taint, "value") or ""
    for toleration in mappings(spec, "tolerations"):
        wanted, whole = text(toleration, "key") or "", (text(toleration, "operator") or "Equal") == "Exists"
        same = (whole and wanted in ("", key)) or (
            wanted == key and (text(toleration, "value") or "") == value
        )
        if same and (text(toleration, "effect") or effect) == effect:
            return True
    return False


def _count(nodes: Iterable[GivenNode]) -> int | None:
    return sum(1 for _ in nodes) or None


def given_nodes(subject: Subject) -> tuple[GivenNode, ...]:
    """The Nodes among the files, in order."""
    return tuple(_node(document, node) for document, node in subject.cluster_nodes)


def _node(document: LintDocument, node: ClusterNode) -> GivenNode:
    labels = {label.name: label.written for label in node.labels}
    taints = mappings(document.document.root, "spec", "taints")
    return GivenNode(document, node.name or "", labels, taints, _has_gpus(node))


def _has_gpus(node: ClusterNode) -> bool:
    entries = (*node.capacity, *node.allocatable, *node.labels)
    return any(entry.name.startswith(GPU) and entry.written not in ("0", "false") for entry in entries)


def _should_run(spec: Mapping | None, node: GivenNode, *, is_chart: bool) -> bool:
    return is_meant_for(spec, node, is_chart=is_chart) and _is_tolerated(spec, node, by_default=is_chart)


def is_meant_for(spec: Mapping | None, node: GivenNode, *, is_chart: bool = False) -> bool:
    """Whether name, selector and affinity of a Pod's spec, or of a chart's values, take the node."""
    named = text(spec, "nodeName")
    wanted = fields(spec, "nodeSelector")
    return (
        (not named or named == node.name)
        and all(node.labels.get(label.name) == label.written for label in wanted)
        and _fits_affinity(spec, node, is_chart=is_chart)
    )


def _is_tolerated(spec: Mapping | None, node: GivenNode, *, by_default: bool) -> bool:
    """Whether no taint keeps the Pods away; with `by_default` that of GPU nodes does not where nothing is written."""
    host = field(spec, "hostNetwork")
    on_host = host is not None and host.boolean is True
    unwritten = by_default and field(spec, "tolerations") is None
    for taint in node.taints:
        key_effect = (text(taint, "key") or "", text(taint, "effect") or "")
        passes = key_effect in ALWAYS_TOLERATED or (on_host and key_effect == ON_HOST_NETWORK)
        if not passes and not (unwritten and key_effect == GPU_TAINT) and not tolerates(spec, taint):
            return False
    return True


def _fits_affinity(spec: Mapping | None, node: GivenNode, *, is_chart: bool) -> bool:
    """Whether a term of the required node affinity takes the node; where there is none, any node will do."""
    if is_chart and field(spec, "affinity") is None:
        return any(node.labels.get(name) == value for name, value in CHART_LABELS)
    if mapping(spec, *TERMS) is None:
        return True
    return any(_fits_term(term, node) for term in mappings(spec, *TERMS, "nodeSelectorTerms"))


def _fits_term(term: Mapping, node: GivenNode) -> bool:
    """Whether all expressions of a term hold; a term without any takes no node."""
    labels = [(expression, node.labels) for expression in mappings(term, "matchExpressions")]
    own = [(expression, {"metadata.name": node.name}) for expression in mappings(term, "matchFields")]
    return bool(labels or own) and all(_holds(expression, known) for expression, known in (*labels, *own))


def _holds(expression: Mapping, known: Labels[str, str]) -> bool:
    label = known.get(text(expression, "key") or "")
    values = _texts(items(expression, "values"))
    match text(expression, "operator"):
        case "In":
            return label is not None and label in values
        case "NotIn":
            return label is None or label not in values
        case "Exists":
            return label is not None
        case "DoesNotExist":
            return label is None
        case "Gt" | "Lt" as operator:
            return _compares(label, values, is_more=operator == "Gt")
        case _:
            return False


def _compares(label: str | None, values: Sequence[str], *, is_more: bool) -> bool:
    if label is None or len(values) != 1 or not (_is_whole(label) and _is_whole(values[0])):
        return False
    return int(label) > int(values[0]) if is_more else int(label) < int(values[0])


def _is_whole(written: str) -> bool:
    digits = written.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) <= 18


def _texts(nodes: Iterable[Node]) -> tuple[str, ...]:
    return tuple(node.text for node in nodes if isinstance(node, Scalar))
