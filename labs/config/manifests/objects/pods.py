"""Pods and templates of Pods: what they ask of GPUs, which nodes they may run on, what they mount."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from labs.config.documents import CONTAINER_LISTS, WORKLOAD_KINDS, Document, Kind, PodPlace, pod_places
from labs.config.goyaml import Mapping, Node
from labs.config.manifests import Field, boolean, field, fields, items, mapping, mappings, text

NVIDIA_PREFIX = "nvidia.com/"

_TEMPLATE_PATHS: dict[Kind, tuple[str, ...]] = {
    Kind.POD: (),
    Kind.CRON_JOB: ("spec", "jobTemplate", "spec", "template"),
    **dict.fromkeys((Kind.DEPLOYMENT, Kind.STATEFUL_SET, Kind.DAEMON_SET, Kind.JOB), ("spec", "template")),
}

_OTHER_SCHEDULERS = frozenset({"kai-scheduler", "runai-scheduler", "hami-scheduler", "4pd-scheduler"})
_OTHER_ANNOTATIONS = frozenset(
    {"gpu-fraction", "gpu-memory", "gpu-fraction-num-devices", "runai/gpu-fraction", "runai/gpu-memory"}
)
_OTHER_RESOURCE = re.compile(
    r"nvidia\.com/(?:gpumem|gpucores|vgpu|priority)\b|volcano\.sh/(?:vgpu|gpu)-|aliyun\.com/gpu-|tencent\.com/vcuda-|4pd\.io/vgpu"
    r"|runai\.|run\.ai/|elasticgpu\.io/"
)


@dataclass(frozen=True, slots=True)
class Container:
    """A container of a Pod.

    `requests` and `limits` are of all resources; a resource that has only a limit is requested as much. `role` is the
    list it stands in: `containers`, `initContainers` or `ephemeralContainers`.
    """

    node: Mapping
    role: str
    name: str | None
    image: Field | None
    requests: tuple[Field, ...]
    limits: tuple[Field, ...]
    env: tuple[EnvironmentVariable, ...]
    mounts: tuple[VolumeMount, ...]
    claims: tuple[Field, ...]
    privileged: bool

    @property
    def nvidia(self) -> tuple[Field, ...]:
        """What it asks of resources whose name begins with `nvidia.com/`: its limits, and requests without a limit."""
        limited = {resource.name for resource in self.limits}
        asked = (*self.limits, *(resource for resource in self.requests if resource.name not in limited))
        return tuple(resource for resource in asked if resource.name.startswith(NVIDIA_PREFIX))

    def variable(self, name: str) -> EnvironmentVariable | None:
        """The environment variable of this name; the last of several counts."""
        return next((variable for variable in reversed(self.env) if variable.name == name), None)


@dataclass(frozen=True, slots=True)
class EnvironmentVariable:
    """An environment variable; `value` is None where it comes from elsewhere (`valueFrom`)."""

    name: str
    value: Field | None
    node: Mapping


@dataclass(frozen=True, slots=True)
class VolumeMount:
    """A volume's place in a container."""

    name: str | None
    path: Field | None
    node: Mapping


@dataclass(frozen=True, slots=True)
class Volume:
    """A volume of a Pod: its name and its source, `hostPath`, `emptyDir`, `configMap` and so on."""

    name: Field | None
    source: Field | None
    node: Mapping


@dataclass(frozen=True, slots=True)
class NodeRequirement:
    """One expression of a required node affinity: `operator` (`In`, `NotIn`, `Exists`, ...) over `values`."""

    key: Field | None
    operator: str | None
    values: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class PodClaim:
    """A Pod's use of a resource claim: by the name of one, or of a template of one."""

    name: str | None
    claim: Field | None
    template: Field | None


@dataclass(frozen=True, slots=True)
class PodTemplate:
    """A Pod, or what an object makes Pods from. `node` is its spec, None where it has none.

    `affinity` holds, for each term of a required node affinity (any may hold), its expressions (all must hold).
    """

    kind: Kind
    name: str | None
    namespace: str | None
    node: Mapping | None
    replicas: Field | None
    labels: tuple[Field, ...]
    annotations: tuple[Field, ...]
    scheduler: str | None
    containers: tuple[Container, ...]
    node_selector: tuple[Field, ...]
    affinity: tuple[tuple[NodeRequirement, ...], ...]
    volumes: tuple[Volume, ...]
    host_ipc: Field | None
    host_pid: Field | None
    share_process_namespace: Field | None
    runtime_class: Field | None
    claims: tuple[PodClaim, ...]

    @property
    def is_shared_by_others(self) -> bool:
        """Whether another program than the device plugin gives it its share of a GPU: a scheduler with plugins of its own.

        Source: KAI Scheduler and Run:ai (annotations `gpu-fraction`, `gpu-memory`, `gpu-fraction-num-devices`), HAMi
        (`nvidia.com/gpumem`, `gpucores`), Volcano (`volcano.sh/vgpu-*`), GPU share of Alibaba Cloud (`aliyun.com/gpu-mem`)
        and of Tencent Cloud (`tencent.com/vcuda-*`): their documentation of sharing.
        """
        if self.scheduler is not None and self.scheduler in _OTHER_SCHEDULERS:
            return True
        if any(annotation.name in _OTHER_ANNOTATIONS for annotation in (*self.annotations, *self.labels)):
            return True
        resources = (
            each.name for container in self.containers for each in (*container.limits, *container.requests)
        )
        return any(_OTHER_RESOURCE.match(name) is not None for name in resources)

    def volume(self, name: str | None) -> Volume | None:
        """The volume that a mount names."""
        if name is None:
            return None
        return next(
            (volume for volume in self.volumes if volume.name is not None and volume.name.text == name), None
        )


def pod_templates(document: Document) -> tuple[PodTemplate, ...]:
    """The Pods and templates of Pods of a document; none where it is of another kind or has no tree."""
    root = document.root
    if document.kind not in WORKLOAD_KINDS or root is None:
        return ()
    if document.kind is Kind.WORKLOAD:
        return tuple(_template_at(root, place) for place in pod_places(root))
    template = mapping(root, *_TEMPLATE_PATHS[document.kind])
    spec = mapping(template, "spec")
    replicas = field(root, "spec", "parallelism" if document.kind is Kind.JOB else "replicas")
    return (_template(document.kind, root, template, spec, tuple(_containers(spec)), replicas),)


def _template_at(root: Node, place: PodPlace) -> PodTemplate:
    if place.container is None:
        containers = tuple(_containers(place.spec))
    else:
        containers = (_container(place.container, "containers", place.resources),)
    replicas = field(place.holder, "replicas") or field(place.holder, "parallelism")
    return _template(Kind.WORKLOAD, root, place.template or mapping(root), place.spec, containers, replicas)


def _template(
    kind: Kind,
    root: Node,
    template: Mapping | None,
    spec: Mapping | None,
    containers: tuple[Container, ...],
    replicas: Field | None,
) -> PodTemplate:
    affinity = (
        "affinity",
        "nodeAffinity",
        "requiredDuringSchedulingIgnoredDuringExecution",
        "nodeSelectorTerms",
    )
    return PodTemplate(
        kind=kind,
        name=text(root, "metadata", "name") or text(root, "metadata", "generateName"),
        namespace=text(root, "metadata", "namespace"),
        node=spec,
        replicas=replicas,
        labels=fields(template, "metadata", "labels"),
        annotations=fields(template, "metadata", "annotations"),
        scheduler=text(spec, "schedulerName"),
        containers=containers,
        node_selector=fields(spec, "nodeSelector"),
        affinity=tuple(tuple(_requirements(term)) for term in mappings(spec, *affinity)),
        volumes=tuple(_volumes(spec)),
        host_ipc=field(spec, "hostIPC"),
        host_pid=field(spec, "hostPID"),
        share_process_namespace=field(spec, "shareProcessNamespace"),
        runtime_class=field(spec, "runtimeClassName"),
        claims=tuple(
            PodClaim(
                text(claim, "name"),
                field(claim, "resourceClaimName"),
                field(claim, "resourceClaimTemplateName"),
            )
            for claim in mappings(spec, "resourceClaims")
        ),
    )


def _containers(spec: Mapping | None) -> Iterator[Container]:
    return (_container(node, role, "resources") for role in CONTAINER_LISTS for node in mappings(spec, role))


def _container(node: Mapping, role: str, resources: str) -> Container:
    return Container(
        node=node,
        role=role,
        name=text(node, "name"),
        image=field(node, "image"),
        requests=fields(node, resources, "requests"),
        limits=fields(node, resources, "limits"),
        env=environment(node, "env"),
        mounts=tuple(
            VolumeMount(text(mount, "name"), field(mount, "mountPath"), mount)
            for mount in mappings(node, "volumeMounts")
        ),
        claims=tuple(
            claim_name
            for claim in mappings(node, resources, "claims")
            if (claim_name := field(claim, "name")) is not None
        ),
        privileged=boolean(node, "securityContext", "privileged") is True,
    )


def environment(node: Node | None, *path: str) -> tuple[EnvironmentVariable, ...]:
    """The variables of the list of environment variables at a path of keys."""
    named = ((text(variable, "name"), variable) for variable in mappings(node, *path))
    return tuple(
        EnvironmentVariable(name, field(variable, "value"), variable)
        for name, variable in named
        if name is not None
    )


def _requirements(term: Mapping) -> Iterator[NodeRequirement]:
    for expression in mappings(term, "matchExpressions"):
        yield NodeRequirement(
            field(expression, "key"), text(expression, "operator"), items(expression, "values")
        )


def _volumes(spec: Mapping | None) -> Iterator[Volume]:
    for node in mappings(spec, "volumes"):
        source = next((member for member in fields(node) if member.name != "name"), None)
        yield Volume(field(node, "name"), source, node)
