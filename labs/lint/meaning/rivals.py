"""Device plugins of others that give out the GPUs of nodes on which NVIDIA's runs too.

Source: Kubernetes, `pkg/kubelet/cm/devicemanager/manager.go`, `PluginConnected`: of several plugins that register one
resource the last counts. The FAQ of HAMi: its plugin and NVIDIA's do not run on one node.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from labs.config.documents import Kind
from labs.config.goyaml import Span
from labs.config.manifests import Field
from labs.lint.findings import Related
from labs.lint.meaning.plugin_daemonset import OTHER_IMAGES, container_place, plugin_daemonsets
from labs.lint.subject import LintDocument, Subject

if TYPE_CHECKING:
    from labs.config.manifests.objects import Container, PodTemplate

_OPT_OUT = "nvidia.com/gpu.deploy.device-plugin"
"""The label by which a node does without the operator's plugin."""
_OWN_NAMES = ("volcano", "gpushare", "gpu-manager", "elastic-gpu")


@dataclass(frozen=True, slots=True)
class Rival:
    """A DaemonSet of another device plugin; `names_its_own` says whether it offers GPUs under names of its own.

    `beside` is where NVIDIA's plugin is deployed to the same nodes.
    """

    document: LintDocument
    place: Span
    name: str
    names_its_own: bool
    beside: Related


def rivals(subject: Subject, note: str) -> Iterator[Rival]:
    """The plugins of others that surely meet NVIDIA's on a node; `note` is what to call that of NVIDIA."""
    for document, template in subject.pods:
        container = next((each for each in template.containers if _is_of_others(each)), None)
        if template.kind is not Kind.DAEMON_SET or container is None or template.affinity:
            continue
        beside = _nvidias(subject, template, note)
        if beside is not None:
            image = "" if container.image is None else container.image.text or ""
            own = any(word in image for word in _OWN_NAMES)
            yield Rival(document, container_place(container), (template.name or "")[:80], own, beside)


def _is_of_others(container: Container) -> bool:
    image = None if container.image is None else container.image.text
    return image is not None and container.role == "containers" and OTHER_IMAGES.fullmatch(image) is not None


def _nvidias(subject: Subject, template: PodTemplate, note: str) -> Related | None:
    """NVIDIA's plugin on the nodes of a DaemonSet; where settings deploy it, a selector may keep these from it."""
    for plugin in plugin_daemonsets(subject):
        if not plugin.template.affinity and _agree(plugin.template.node_selector, template.node_selector):
            return plugin.document.related(plugin.place, note)
    labels = (label for _, node in subject.cluster_nodes for label in node.labels)
    if template.node_selector or any(label.name == _OPT_OUT and label.written == "false" for label in labels):
        return None
    deployers = (
        *((document, operator.node, operator.plugin_enabled) for document, operator in subject.operators),
        *((document, chart.node, chart.plugin_enabled) for document, chart in subject.charts),
    )
    for document, node, enabled in deployers:
        if (enabled is None or enabled.boolean is not False) and node.entries:
            return document.related(node.entries[0].key, note)
    return None


def _agree(first: Sequence[Field], second: Sequence[Field]) -> bool:
    """Whether a node may have the labels of both selectors, and surely has: those of one are among those of the other."""
    wanted = {(label.name, label.written) for label in first}
    other = {(label.name, label.written) for label in second}
    return wanted <= other or other <= wanted
