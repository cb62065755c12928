"""What rules look at: the files given together, document by document, as typed views with places.

What makes a view is loaded with the first document of its kind.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from labs.config.documents import LABEL_KINDS, WORKLOAD_KINDS, Checked, Document, Kind
from labs.config.editing import Edit, line_break, line_index
from labs.config.goyaml import Node, Scalar, Span
from labs.lint.findings import Fix, Related
from labs.lint.subject.settings import Settings

if TYPE_CHECKING:
    from labs.config.manifests import Field, PluginDocument
    from labs.config.manifests.objects import (
        ChartSettings,
        ClusterNode,
        DeviceConfig,
        LabelledNodes,
        MigDocument,
        NamedConfigs,
        OperatorSettings,
        PodTemplate,
        Quota,
    )
    from labs.lint.refusals import Refusal


@dataclass(frozen=True, eq=False)
class LintDocument:
    """A document of a file with its loader's answer and the views of it; views of other kinds are None or empty.

    `index` is its place in the subject.
    """

    path: str
    checked: Checked
    file_text: str
    index: int

    @property
    def document(self) -> Document:
        """The document itself."""
        return self.checked.document

    @property
    def kind(self) -> Kind:
        """What it is."""
        return self.checked.document.kind

    @cached_property
    def plugin(self) -> PluginDocument | None:
        """A config of the device plugin, whether it loads or not; None where it is no YAML."""
        if self.kind is not Kind.DEVICE_PLUGIN:
            return None
        from labs.config.manifests import plugin_document

        return plugin_document(self.document, self.checked.plugin)

    @cached_property
    def mig(self) -> MigDocument | None:
        """A config of mig-parted, whether it loads or not; None where it is no YAML."""
        if self.kind is not Kind.MIG_PARTED:
            return None
        from labs.config.manifests.objects import mig_document

        return mig_document(self.document, self.checked.mig)

    @cached_property
    def refusal(self) -> Refusal | None:
        """Why and where its loader refuses it; None where it loads or no loader reads it."""
        if self.checked.loads is not False:
            return None
        from labs.lint.refusals import refusal

        return refusal(self.document, self.checked)

    @property
    def pod(self) -> PodTemplate | None:
        """A Pod or the template of one; the first of several."""
        return next(iter(self.pods), None)

    @cached_property
    def pods(self) -> tuple[PodTemplate, ...]:
        """The Pods and templates of Pods."""
        if self.kind not in WORKLOAD_KINDS:
            return ()
        from labs.config.manifests.objects import pod_templates

        return pod_templates(self.document)

    @cached_property
    def operator(self) -> OperatorSettings | None:
        """A ClusterPolicy or the values of the operator's chart."""
        if self.kind not in (Kind.CLUSTER_POLICY, Kind.GPU_OPERATOR_VALUES):
            return None
        from labs.config.manifests.objects import operator_settings

        return operator_settings(self.document)

    @cached_property
    def chart(self) -> ChartSettings | None:
        """The values of the plugin's chart."""
        if self.kind is not Kind.DEVICE_PLUGIN_VALUES:
            return None
        from labs.config.manifests.objects import chart_settings

        return chart_settings(self.document)

    @cached_property
    def configs(self) -> NamedConfigs | None:
        """A ConfigMap."""
        if self.kind is not Kind.CONFIG_MAP:
            return None
        from labs.config.manifests.objects import named_configs

        return named_configs(self.document)

    @cached_property
    def quota(self) -> Quota | None:
        """A ResourceQuota."""
        if self.kind is not Kind.RESOURCE_QUOTA:
            return None
        from labs.config.manifests.objects import quota

        return quota(self.document)

    @cached_property
    def node(self) -> ClusterNode | None:
        """A Node."""
        if self.kind is not Kind.NODE:
            return None
        from labs.config.manifests.objects import cluster_node

        return cluster_node(self.document)

    @cached_property
    def labelled_nodes(self) -> LabelledNodes | None:
        """Labels of nodes: of a Node, a pool of nodes, settings of a node."""
        if self.kind is not Kind.NODE and self.kind not in LABEL_KINDS:
            return None
        from labs.config.manifests.objects import labelled_nodes

        return labelled_nodes(self.document)

    @cached_property
    def claims(self) -> tuple[DeviceConfig, ...]:
        """What a resource claim or a device class says to NVIDIA's DRA driver."""
        if self.kind not in (Kind.RESOURCE_CLAIM, Kind.RESOURCE_CLAIM_TEMPLATE, Kind.DEVICE_CLASS):
            return ()
        from labs.config.manifests.objects import device_configs

        return device_configs(self.document)

    def outer(self, place: Span | Node) -> Span:
        """Where in the file a place of the document's text is."""
        return self.document.place(place if isinstance(place, Span) else place.place)

    def related(self, place: Span | Node, note: str) -> Related:
        """A place of this document that belongs to a finding, perhaps one about another document."""
        return Related(self.path, self.outer(place), note)

    def fix(self, *edits: Edit | None, safe: bool = False) -> Fix | None:
        """A fix of edits of this document's text; None where one of them can't be made in the file as it is written.

        A config inside a ConfigMap can be edited where it stands as it is, in a literal block (`|`).
        """
        placed: list[Edit] = []
        for edit in edits:
            outer = None if edit is None else self._placed(edit)
            if outer is None or not self._is_editable(outer.span):
                return None
            placed.append(outer)
        return Fix(safe, tuple(sorted(placed, key=lambda edit: edit.span.start_offset))) if placed else None

    def _is_editable(self, span: Span) -> bool:
        """Whether it is inside the whole lines of one of the stretches in which edits may be made."""
        if self.document.editable is None or self.document.host is not None:
            return True
        other = self.document.elsewhere
        if (
            other is not None
            and span.start_offset <= other.end_offset
            and other.start_offset <= span.end_offset
        ):
            return False
        text = self.file_text
        for stretch in self.document.editable:
            start = text.rfind("\n", 0, stretch.start_offset) + 1
            end = text.find("\n", stretch.end_offset)
            end = len(text) if end < 0 else end + 1
            if start <= span.start_offset <= span.end_offset <= end:
                return True
        return False

    def _placed(self, edit: Edit) -> Edit | None:
        host = self.document.host
        if host is None:
            return edit
        if host.style != "literal" or not host.segments:
            return None
        span = edit.span
        if (
            span.end_offset == len(self.document.text)
            and span.start_offset < span.end_offset
            and not edit.text
        ):
            return self._last_lines(span, host)
        if host.outer_offset(span.start_offset) is None:
            # An empty line of the block stands nowhere by itself.
            return None
        inner = self.document.text[span.start_offset : span.end_offset]
        outer = self.document.place(span)
        # A stretch over several lines has the block's indentation between them in the file.
        kept = self.file_text[outer.start_offset : outer.end_offset]
        same = [line.strip() for line in inner.split("\n")] == [line.strip() for line in kept.split("\n")]
        indent = " " * (host.segments[0].column - 1)
        return Edit(outer, edit.text.replace("\n", f"{line_break(self.file_text)}{indent}")) if same else None

    def _last_lines(self, span: Span, host: Scalar) -> Edit | None:
        """Takes whole lines off the end of a block: their indentation goes too."""
        text = self.file_text
        inner = host.outer_offset(span.start_offset)
        if inner is None or span.start_offset == 0 or self.document.text[span.start_offset - 1] != "\n":
            return None
        start = inner[0] - (host.segments[0].column - 1)
        end = text.find("\n", self.document.place(span).end_offset)
        end = len(text) if end < 0 else end + 1
        return None if text[start : inner[0]].strip(" ") else Edit(line_index(text).span(start, end), "")


@dataclass(frozen=True, eq=False)
class Subject:
    """All documents given together, in their order, with the circumstances. Rules look, they do not change.

    `rule_names` answers with the code and the slug of every rule; asking loads them all.
    """

    documents: tuple[LintDocument, ...]
    settings: Settings
    rule_names: Callable[[], tuple[str, ...]] = tuple

    @cached_property
    def plugins(self) -> tuple[tuple[LintDocument, PluginDocument], ...]:
        """The device plugin's configs."""
        return tuple(
            (document, document.plugin) for document in self.documents if document.plugin is not None
        )

    @cached_property
    def migs(self) -> tuple[tuple[LintDocument, MigDocument], ...]:
        """The configs of mig-parted."""
        return tuple((document, document.mig) for document in self.documents if document.mig is not None)

    @cached_property
    def pods(self) -> tuple[tuple[LintDocument, PodTemplate], ...]:
        """Pods and templates of Pods, but for those that another program gives their share of a GPU."""
        return tuple(
            (document, pod)
            for document in self.documents
            for pod in document.pods
            if not pod.is_shared_by_others
        )

    @cached_property
    def operators(self) -> tuple[tuple[LintDocument, OperatorSettings], ...]:
        """ClusterPolicies and values of the operator's chart."""
        return tuple(
            (document, document.operator) for document in self.documents if document.operator is not None
        )

    @cached_property
    def charts(self) -> tuple[tuple[LintDocument, ChartSettings], ...]:
        """Values of the plugin's chart."""
        return tuple((document, document.chart) for document in self.documents if document.chart is not None)

    @cached_property
    def config_maps(self) -> tuple[tuple[LintDocument, NamedConfigs], ...]:
        """ConfigMaps, whatever they hold."""
        return tuple(
            (document, document.configs) for document in self.documents if document.configs is not None
        )

    @cached_property
    def quotas(self) -> tuple[tuple[LintDocument, Quota], ...]:
        """ResourceQuotas."""
        return tuple((document, document.quota) for document in self.documents if document.quota is not None)

    @cached_property
    def cluster_nodes(self) -> tuple[tuple[LintDocument, ClusterNode], ...]:
        """Node objects."""
        return tuple((document, document.node) for document in self.documents if document.node is not None)

    @cached_property
    def labelled_nodes(self) -> tuple[tuple[LintDocument, LabelledNodes], ...]:
        """Labels of nodes, wherever they are written."""
        return tuple(
            (document, document.labelled_nodes)
            for document in self.documents
            if document.labelled_nodes is not None
        )

    def labels_of_nodes(self, name: str) -> tuple[tuple[LintDocument, Field], ...]:
        """The labels of this name that nodes get, wherever they are written."""
        return tuple(
            (document, label) for document, nodes in self.labelled_nodes for label in nodes.named(name)
        )

    @cached_property
    def claims(self) -> tuple[tuple[LintDocument, DeviceConfig], ...]:
        """What resource claims and device classes say to NVIDIA's DRA driver."""
        return tuple((document, claim) for document in self.documents for claim in document.claims)

    def of(self, *kinds: Kind) -> tuple[LintDocument, ...]:
        """The documents of these kinds, in order."""
        return tuple(document for document in self.documents if document.kind in kinds)
