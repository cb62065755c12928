"""What containers ask for, resource by resource, and whether the configs given beside them share that."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from labs.config.documents import Kind
from labs.config.editing import Edit, rewrite
from labs.config.manifests import Field, text
from labs.config.manifests.objects import Container, PodTemplate
from labs.config.plugin import SharedResource
from labs.lint.findings import Fix
from labs.lint.meaning.market import Offer, offers
from labs.lint.subject import LintDocument, Subject

EPHEMERAL = "ephemeralContainers"
"""The list whose containers may have no resources."""
INIT = "initContainers"


@dataclass(frozen=True, slots=True)
class Asked:
    """A resource that a container asks for: its limit, its request, or both."""

    name: str
    limit: Field | None
    request: Field | None

    @property
    def field(self) -> Field:
        """What counts: the limit, or the request where there is no limit."""
        field = self.limit or self.request
        assert field is not None
        return field

    @property
    def written(self) -> tuple[Field, ...]:
        """Limit and request, each place of the file once."""
        fields = [field for field in (self.limit, self.request) if field is not None]
        return tuple({field.key.span.start_offset: field for field in fields}.values())

    @property
    def units(self) -> int | None:
        """How many, where that is a whole number."""
        return self.field.whole


def containers(pod: PodTemplate) -> Iterator[Container]:
    """The containers of a Pod that may ask for resources."""
    return (container for container in pod.containers if container.role != EPHEMERAL)


def asked(container: Container) -> tuple[Asked, ...]:
    """The resources of a container, those with a limit first."""
    limits = {limit.name: limit for limit in container.limits}
    requests = {request.name: request for request in container.requests}
    names = dict.fromkeys((*limits, *requests))
    return tuple(Asked(name, limits.get(name), requests.get(name)) for name in names if name)


def renamed(
    document: LintDocument, resource: Asked, name: str, others: Collection[str], *, safe: bool
) -> Fix | None:
    """The fix that gives a resource another name, in limits and in requests.

    None where that is among the others, and where the one before it of two equal keys would count then.
    """
    if not name or name in others or any(field.repeated for field in resource.written):
        return None
    return document.fix(*_each(rewrite(field.key, name) for field in resource.written), safe=safe)


def requantified(document: LintDocument, resource: Asked, units: str, *, safe: bool = False) -> Fix | None:
    """The fix that asks for another number of a resource, in limits and in requests."""
    values = {field.value.span.start_offset: field for field in resource.written}
    return document.fix(*_each(rewrite(field.value, units) for field in values.values()), safe=safe)


def _each(edits: Iterator[Edit | None]) -> tuple[Edit | None, ...]:
    return tuple(edits)


@dataclass(frozen=True, slots=True)
class SharedUse:
    """A resource that a container asks for and that every config which offers it shares in the same way."""

    resource: Asked
    shares: tuple[SharedResource, ...]

    @property
    def least_replicas(self) -> int:
        """The smallest number of slots that a card has."""
        return min(share.replicas for share in self.shares)

    @property
    def most_replicas(self) -> int:
        """The largest number of slots that a card has."""
        return max(share.replicas for share in self.shares)


class Sharing:
    """How the configs that are given share what Pods ask for; computed once for each resource."""

    def __init__(self, subject: Subject) -> None:
        self._offers = offers(subject) if subject.pods else ()
        self._offering: dict[str, tuple[Offer, ...]] = {}
        self._shares: dict[tuple[str, ...], tuple[SharedResource, ...]] = {}

    def offering(self, resource: str) -> tuple[Offer, ...]:
        """The configs under which a node may offer a resource of this name."""
        if resource not in self._offering:
            self._offering[resource] = tuple(offer for offer in self._offers if offer.may_offer(resource))
        return self._offering[resource]

    def uses(self, container: Container, *strategies: str) -> Iterator[SharedUse]:
        """What a container asks for that is shared by one of the strategies, whichever of the configs a node has."""
        for resource in asked(container):
            question = (resource.name, *strategies)
            if question not in self._shares:
                self._shares[question] = self._shared(resource.name, strategies)
            if self._shares[question]:
                yield SharedUse(resource, self._shares[question])

    def _shared(self, resource: str, strategies: tuple[str, ...]) -> tuple[SharedResource, ...]:
        offering = self.offering(resource)
        shares = (offer.shared(resource) for offer in offering if offer.setting.strategy in strategies)
        known = tuple(share for share in shares if share is not None)
        return tuple(dict.fromkeys(known)) if len(known) == len(offering) else ()


class MpsClaims:
    """The resource claims given beside Pods that share a GPU with MPS, by name and by whether it is a template's."""

    def __init__(self, subject: Subject) -> None:
        self._names: set[tuple[str | None, bool]] = set()
        for document, config in subject.claims:
            strategy = None if config.sharing is None else config.sharing.strategy
            if strategy is not None and strategy.text == "MPS":
                name = text(document.document.root, "metadata", "name")
                self._names.add((name, document.kind is Kind.RESOURCE_CLAIM_TEMPLATE))

    def used_by(self, pod: PodTemplate, container: Container) -> bool:
        """Whether a container of a Pod gets its GPU by one of them."""
        wanted = {name.text for name in container.claims} if self._names else ()
        for claim in pod.claims if wanted else ():
            if claim.name in wanted:
                for by, is_template in ((claim.claim, False), (claim.template, True)):
                    if by is not None and by.text and (by.text, is_template) in self._names:
                        return True
        return False
