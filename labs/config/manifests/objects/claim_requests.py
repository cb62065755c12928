"""What resource claims ask for, request by request, whichever driver they are for.

Source: Kubernetes, `resource.k8s.io/v1`: `ResourceClaimSpec`, `DeviceRequest`; `v1beta1` has no `exactly`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from labs.config.documents import Document, Kind
from labs.config.goyaml import Mapping, Node
from labs.config.manifests import Field, field, fields, items, mapping, mappings, text

FLAT_VERSIONS = ("v1alpha3", "v1beta1")
"""The versions of the API in which a request's fields stand at its top, not under `exactly`."""
EXACT_FIELDS = (
    "deviceClassName", "selectors", "allocationMode", "count", "adminAccess", "tolerations", "capacity",
)  # fmt: skip
"""The fields of one request for devices."""


@dataclass(frozen=True, slots=True)
class DeviceRequest:
    """One request of a claim; `subrequests` are the names of its alternatives, `members` all its keys."""

    node: Mapping
    name: str | None
    subrequests: tuple[str, ...]
    members: tuple[Field, ...]

    def member(self, name: str) -> Field | None:
        """The key of this name."""
        return next((member for member in self.members if member.name == name), None)

    @property
    def classes(self) -> tuple[Field, ...]:
        """The device classes it names, wherever they stand."""
        holders = (self.node, mapping(self.node, "exactly"), *mappings(self.node, "firstAvailable"))
        named = (field(holder, "deviceClassName") for holder in holders)
        return tuple(name for name in named if name is not None)

    @property
    def consumes(self) -> bool:
        """Whether it asks for a part of a device's capacity, which several claims can have of one device."""
        holders = (self.node, mapping(self.node, "exactly"), *mappings(self.node, "firstAvailable"))
        return any(field(holder, "capacity") is not None for holder in holders)


@dataclass(frozen=True, slots=True)
class DeviceClaim:
    """A claim or a template of claims.

    `version` is that of the API; `references` are the names of requests in configs and constraints.
    """

    kind: Kind
    name: Field | None
    namespace: str | None
    version: str
    requests: tuple[DeviceRequest, ...]
    references: tuple[Node, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """What a reference may name: a request, or a request and one of its alternatives behind a slash."""
        own = [request.name for request in self.requests if request.name is not None]
        within = [
            f"{request.name}/{alternative}"
            for request in self.requests
            if request.name is not None
            for alternative in request.subrequests
        ]
        return (*own, *within)


def device_claim(document: Document) -> DeviceClaim | None:
    """A ResourceClaim or ResourceClaimTemplate; None for documents of other kinds."""
    if document.kind is Kind.RESOURCE_CLAIM:
        spec = mapping(document.root, "spec")
    elif document.kind is Kind.RESOURCE_CLAIM_TEMPLATE:
        spec = mapping(document.root, "spec", "spec")
    else:
        return None
    return DeviceClaim(
        kind=document.kind,
        name=field(document.root, "metadata", "name"),
        namespace=text(document.root, "metadata", "namespace"),
        version=(text(document.root, "apiVersion") or "").rpartition("/")[2],
        requests=tuple(_requests(spec)),
        references=tuple(
            reference
            for part in ("config", "constraints")
            for holder in mappings(spec, "devices", part)
            for reference in items(holder, "requests")
        ),
    )


def _requests(spec: Mapping | None) -> Iterator[DeviceRequest]:
    for node in mappings(spec, "devices", "requests"):
        alternatives = (text(alternative, "name") for alternative in mappings(node, "firstAvailable"))
        yield DeviceRequest(
            node, text(node, "name"), tuple(name for name in alternatives if name is not None), fields(node)
        )
