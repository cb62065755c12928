"""Where Pods stand in an object of any kind: templates below a `spec`, and parts that are a container by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from labs.config.goyaml import Mapping, Node, Scalar, Sequence, find

MOST_PODS = 500
"""Of one object; what comes behind is not looked at."""
MOST_NODES = 200_000
CONTAINER_LISTS = ("initContainers", "containers", "ephemeralContainers")
RESOURCE_KEYS = ("resources", "resourcesPerNode", "computeResources")
"""Under which a part of an object says what its container asks for."""

_NVIDIA = "nvidia.com/"
_MAY_HOLD = re.compile(r"[cC]ontainers\b|nvidia\.com/")
_KIND_NAME = re.compile(r"[A-Z][A-Za-z0-9]{0,62}")
_NO_PODS = re.compile(
    r"(?:.*\.)?(?:kyverno\.io|gatekeeper\.sh|admissionregistration\.k8s\.io|apiextensions\.k8s\.io|template\.openshift\.io)"
)
"""API groups whose objects have patterns, schemas and forms to be filled in where others have Pods."""
_NOT_ENTERED = frozenset({"metadata", "status", "values", "valuesObject", "helmValues"})
_PLACED_BY = frozenset({"nodeSelector", "tolerations", "affinity", "schedulerName", "runtimeClassName"})


@dataclass(frozen=True, slots=True)
class PodPlace:
    """A Pod in an object. `spec` has its containers, or `container` is its only one, with what it asks for under `resources`.

    `template` is what has the Pod's metadata and `holder` what has the number of its replicas; None where there is no such.
    """

    spec: Mapping
    template: Mapping | None
    holder: Mapping | None
    container: Mapping | None = None
    resources: str = RESOURCE_KEYS[0]


@dataclass(frozen=True, slots=True)
class _Step:
    """A mapping on the way, under the key `key`; what it stands in is `up`."""

    key: str
    node: Mapping
    up: _Step | None


def holds_pods(root: Mapping, text: str) -> bool:
    """Whether an object of a kind that nobody here knows has Pods; `text` is the one that the places refer to."""
    kind, version = root.get("kind"), root.get("apiVersion")
    if not isinstance(kind, Scalar) or not isinstance(version, Scalar):
        return False
    if _KIND_NAME.fullmatch(kind.text) is None or _NO_PODS.fullmatch(version.text.partition("/")[0]):
        return False
    if _MAY_HOLD.search(text, root.span.start_offset, root.span.end_offset) is None:
        return False
    return next(_places(root), None) is not None


def pod_places(root: Node | None) -> tuple[PodPlace, ...]:
    """The Pods of an object, at most MOST_PODS, in the order of the file."""
    if not isinstance(root, Mapping):
        return ()
    places = []
    for place in _places(root):
        places.append(place)
        if len(places) == MOST_PODS:
            break
    return tuple(places)


def _places(root: Mapping) -> Iterator[PodPlace]:
    steps = [_Step("", root, None)]
    seen: set[tuple[int, int]] = set()
    visited = 0
    while steps and visited < MOST_NODES:
        step = steps.pop()
        place = (step.node.span.start_offset, step.node.span.end_offset)
        if place in seen:
            continue  # an alias of it
        seen.add(place)
        yield from _pod(step)
        below: list[_Step] = []
        for entry in step.node.entries:
            visited += 1
            if entry.name is None or entry.name in _NOT_ENTERED or entry.name in CONTAINER_LISTS:
                continue
            children = entry.value.items if isinstance(entry.value, Sequence) else (entry.value,)
            visited += len(children)
            below += (_Step(entry.name, child, step) for child in children if isinstance(child, Mapping))
        steps.extend(reversed(below))


def _pod(step: _Step) -> Iterator[PodPlace]:
    above = step.up
    if any(_has_containers(step.node.get(key)) for key in CONTAINER_LISTS):
        template = above.node if above is not None and step.key == "spec" else None
        holder = (
            above.up.node
            if template is not None and above is not None and above.up is not None
            else step.node
        )
        yield PodPlace(step.node, template, holder)
        return
    asking = next((key for key in RESOURCE_KEYS if _asks(step.node.get(key))), None)
    if asking is not None:
        by_itself = above is None or not _PLACED_BY.isdisjoint(
            entry.name or "" for entry in step.node.entries
        )
        spec = step.node if by_itself or above is None else above.node
        yield PodPlace(spec, None, spec, step.node, asking)


def _has_containers(node: Node | None) -> bool:
    """Whether this is a list of containers: other lists of that name have no mapping with a name or an image."""
    items = node.items if isinstance(node, Sequence) else ()
    return any(
        isinstance(item, Mapping) and (item.get("name") is not None or item.get("image") is not None)
        for item in items
    )


def _asks(resources: Node | None) -> bool:
    """Whether resources of NVIDIA's are asked for."""
    for way in ("limits", "requests"):
        asked = find(resources, (way,))
        if isinstance(asked, Mapping) and any(
            (entry.name or "").startswith(_NVIDIA) for entry in asked.entries
        ):
            return True
    return False
