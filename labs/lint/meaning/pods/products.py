"""Which product of GPUs a Pod, or what places Pods, wants its nodes to have; sharing changes the label that says it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from labs.cluster.node_labels import GPU_RESOURCE
from labs.config.goyaml import Node
from labs.config.manifests import Field, text_of
from labs.config.manifests.objects import PodTemplate

PRODUCT_LABEL = f"{GPU_RESOURCE}.product"
SHARED_SUFFIX = "-SHARED"


def selected_products(labels: Sequence[Field], shared: bool) -> Iterator[Node]:
    """The values among selecting labels that no node has, where its GPUs are `shared` under their own name, or not."""
    for label in labels:
        if label.name == PRODUCT_LABEL and _fails([label.value], shared):
            yield label.value


def required_products(pod: PodTemplate, shared: bool) -> Iterator[Node]:
    """The values that a Pod requires and no such node has, where none beside them can match."""
    yield from selected_products(pod.node_selector, shared)
    terms = [
        [
            expression.values
            for expression in term
            if expression.operator == "In"
            and expression.key is not None
            and expression.key.text == PRODUCT_LABEL
        ]
        for term in pod.affinity
    ]
    if terms and all(any(_fails(values, shared) for values in term) for term in terms):
        for term in terms:
            for values in term:
                if _fails(values, shared):
                    yield from values


def _fails(values: Sequence[Node], shared: bool) -> bool:
    """Whether none of the values is a product that a node has."""
    texts = [text_of(value) for value in values]
    return bool(texts) and all(
        bool(word) and (word or "").endswith(SHARED_SUFFIX) is not shared for word in texts
    )
