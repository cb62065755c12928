"""Claims and templates of claims that are given, by name, and those that a Pod uses."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping

from labs.config.documents import Kind
from labs.config.goyaml import Node
from labs.config.manifests import Field
from labs.config.manifests.objects import DeviceClaim, PodClaim, PodTemplate, device_claim
from labs.lint.subject import LintDocument, Subject

Claim = tuple[LintDocument, DeviceClaim]

_KINDS = (Kind.RESOURCE_CLAIM, Kind.RESOURCE_CLAIM_TEMPLATE)
_MOST_OF_A_NAME = 20


@functools.lru_cache(maxsize=2)
def device_claims(subject: Subject) -> tuple[Claim, ...]:
    """The claims and templates of claims, in order, whichever driver they are for."""
    views = ((document, device_claim(document.document)) for document in subject.of(*_KINDS))
    return tuple((document, claim) for document, claim in views if claim is not None)


@functools.lru_cache(maxsize=2)
def _by_name(subject: Subject) -> Mapping[tuple[Kind, str], tuple[Claim, ...]]:
    by_name: dict[tuple[Kind, str], list[Claim]] = {}
    for document, claim in device_claims(subject):
        if claim.name is not None and claim.name.text:
            by_name.setdefault((claim.kind, claim.name.text), []).append((document, claim))
    return {name: tuple(claims[:_MOST_OF_A_NAME]) for name, claims in by_name.items()}


def claims_named(subject: Subject, kind: Kind, name: str, namespace: str | None) -> tuple[Claim, ...]:
    """The claims, or the templates, that something in a namespace may mean by this name."""
    named = _by_name(subject).get((kind, name), ())
    return tuple(each for each in named if together(each[1].namespace, namespace))


def claim_of(subject: Subject, pod: PodTemplate, use: PodClaim) -> Claim | None:
    """The claim or the template that a Pod uses, where exactly one is given that it can be."""
    for named, kind in (
        (use.claim, Kind.RESOURCE_CLAIM),
        (use.template, Kind.RESOURCE_CLAIM_TEMPLATE),
    ):
        if named is not None and named.text:
            claims = claims_named(subject, kind, named.text, pod.namespace)
            return claims[0] if len(claims) == 1 else None
    return None


def together(namespace: str | None, other: str | None) -> bool:
    """Whether two objects may be in one namespace: one that says none is put somewhere by whoever applies it."""
    return namespace is None or other is None or namespace == other


def sharing_templates(
    subject: Subject,
) -> Iterator[tuple[LintDocument, Field, tuple[LintDocument, Node], bool]]:
    """The sharing blocks of templates that Pods name, each with a Pod's use of it and whether the uses are several.

    Those of which a Pod gives a claim to more than one container, and those that ask for parts of a device, share something.
    """
    claims = {document.index: claim for document, claim in device_claims(subject)}
    uses: dict[str, list[tuple[LintDocument, PodTemplate, PodClaim]]] = {}
    for user, pod in subject.pods:
        for use in pod.claims:
            if use.template is not None and use.template.text:
                uses.setdefault(use.template.text, []).append((user, pod, use))
    for document, config in subject.claims:
        block, claim = config.sharing_field, claims.get(document.index)
        if document.kind is not Kind.RESOURCE_CLAIM_TEMPLATE or block is None or claim is None:
            continue
        named = uses.get((claim.name.text or "") if claim.name is not None else "", [])[:_MOST_OF_A_NAME]
        own = [each for each in named if together(claim.namespace, each[1].namespace)]
        if not own or any(request.consumes for request in claim.requests):
            continue
        if any(_users(pod, use) > 1 for _, pod, use in own):
            continue
        user, _, use = own[0]
        assert use.template is not None
        several = len(own) > 1 or any(_replicas(each) > 1 for _, each, _ in own)
        yield document, block, (user, use.template.value), several


def _users(pod: PodTemplate, use: PodClaim) -> int:
    """How many of the Pod's containers have the claim."""
    return sum(any(name.text == use.name for name in container.claims) for container in pod.containers)


def _replicas(pod: PodTemplate) -> int:
    return 1 if pod.replicas is None else pod.replicas.whole or 1
