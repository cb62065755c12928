"""Manifests as those see them who look for mistakes in them: typed, tolerant views with a place for every value.

Pods are in `manifests_pods`, settings of the operator and of the plugin's chart in `manifests_settings`, resource
claims in `manifests_claims`; here are the smaller kinds.
"""

from __future__ import annotations

from dataclasses import dataclass

from labs.config.documents import LABEL_KINDS, SELECTING, Document, Kind, label_places
from labs.config.goyaml import Mapping
from labs.config.manifests import Field, field, fields, text

REQUESTS_PREFIX = "requests."
MIG_CONFIG_LABEL = "nvidia.com/mig.config"


@dataclass(frozen=True, slots=True)
class Quota:
    """A ResourceQuota: its limits by their full name (`requests.nvidia.com/gpu`)."""

    name: str | None
    namespace: str | None
    hard: tuple[Field, ...]

    def requested(self, resource: str) -> Field | None:
        """The limit on requests of an extended resource."""
        return next((limit for limit in self.hard if limit.name == REQUESTS_PREFIX + resource), None)


def quota(document: Document) -> Quota | None:
    """A ResourceQuota; None for other kinds."""
    if document.kind is not Kind.RESOURCE_QUOTA:
        return None
    root = document.root
    return Quota(
        text(root, "metadata", "name"), text(root, "metadata", "namespace"), fields(root, "spec", "hard")
    )


@dataclass(frozen=True, slots=True)
class ClusterNode:
    """A Node: its labels and what it says it has."""

    name: str | None
    labels: tuple[Field, ...]
    capacity: tuple[Field, ...]
    allocatable: tuple[Field, ...]

    def label(self, name: str) -> Field | None:
        """The label of this name."""
        return next((label for label in self.labels if label.name == name), None)


def cluster_node(document: Document) -> ClusterNode | None:
    """A Node; None for other kinds."""
    if document.kind is not Kind.NODE:
        return None
    root = document.root
    return ClusterNode(
        text(root, "metadata", "name"),
        fields(root, "metadata", "labels"),
        fields(root, "status", "capacity"),
        fields(root, "status", "allocatable"),
    )


@dataclass(frozen=True, slots=True)
class LabelledNodes:
    """Labels of nodes, wherever they are written: of a Node, of a pool of nodes, in the arguments of a kubelet.

    `selected` are those by which a ResourceFlavor selects nodes that have them already.
    """

    labels: tuple[Field, ...]
    selected: tuple[Field, ...]

    def named(self, name: str) -> tuple[Field, ...]:
        """The labels of this name that nodes get."""
        return tuple(label for label in self.labels if label.name == name)


def labelled_nodes(document: Document) -> LabelledNodes | None:
    """The labels of nodes in a document; None for kinds that have none."""
    node = cluster_node(document)
    if node is not None:
        return LabelledNodes(node.labels, ())
    if document.kind not in LABEL_KINDS:
        return None
    flavor = document.called == "ResourceFlavor"
    labels: list[Field] = []
    selected: list[Field] = []
    for place in label_places(document.root):
        (selected if flavor and place.under == SELECTING else labels).append(Field(place.key, place.value))
    return LabelledNodes(tuple(labels), tuple(selected))


@dataclass(frozen=True, slots=True)
class NamedConfigs:
    """A ConfigMap: its name, and all its keys, whatever they hold."""

    name: Field | None
    namespace: str | None
    node: Mapping | None
    data: tuple[Field, ...]

    def key(self, name: str) -> Field | None:
        """The key of this name."""
        return next((entry for entry in self.data if entry.name == name), None)


def named_configs(document: Document) -> NamedConfigs | None:
    """A ConfigMap; None for other kinds."""
    if document.kind is not Kind.CONFIG_MAP:
        return None
    root = document.root
    return NamedConfigs(
        field(root, "metadata", "name"),
        text(root, "metadata", "namespace"),
        document.mapping,
        fields(root, "data"),
    )
