"""What a file holds: its documents, what each is, and where its places are in the file.

A ConfigMap and the values of a chart hold configs under named keys; each of them is a document of its own, which its loader
reads as a file. A document of one of the loaders' kinds is judged by the loader (`device_plugin`, `mig_parted`); here
it is only found and named.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from labs.config.documents.recognise import (
    LOADED_KINDS,
    WORKLOAD_KINDS,
    Kind,
    guess,
    named_kind,
    recognise,
)
from labs.config.documents.stream import Document, Stream
from labs.config.goyaml import (
    DEFAULT_LIMITS,
    LimitError,
    Limits,
    Mapping,
    Position,
    Scalar,
    ScalarKind,
    Sequence,
    find,
    merged,
)

__all__ = ["LOADED_KINDS", "WORKLOAD_KINDS", "Document", "Kind", "documents"]

_NAMED_CONFIGS: dict[Kind, tuple[tuple[str, ...], ...]] = {
    Kind.CONFIG_MAP: (("data",),),
    Kind.DEVICE_PLUGIN_VALUES: (("config", "map"),),
    Kind.GPU_OPERATOR_VALUES: (("devicePlugin", "config", "data"), ("migManager", "config", "data")),
}
"""Where documents of a kind keep configs by name."""


def documents(
    content: str | bytes, kind: Kind | None = None, *, limits: Limits = DEFAULT_LIMITS
) -> tuple[Document, ...]:
    """The documents of a file, in its order; with a `kind` exactly one: the file, as its loader reads it.

    Without, an empty file is one document of kind `empty`, a list stands for its items, and a ConfigMap or the values of
    a chart come before the configs in them. Raises `LimitError` only.
    """
    stream = Stream(content, limits)
    if kind is not None:
        return (stream.first(kind),)
    documents_read: list[Document] = []
    embedded = 0
    for part in stream.documents():
        for document in _expanded(part, limits):
            documents_read.append(document)
            embedded += 0 if document.host is None else len(document.text)
            if embedded > limits.characters:
                problem = f"the configs in the file are longer than {limits.characters} characters"
                raise LimitError(problem, document.position(Position(1, 1)))
    return tuple(documents_read) or (Document(Kind.EMPTY, content, stream.text, None, 1),)


def _expanded(document: Document, limits: Limits) -> Iterator[Document]:
    """A document and the configs in it; a list's items, or the list if it has none."""
    items = tuple(_items(document)) if document.kind is Kind.LIST else ()
    for item in items:
        yield from _expanded(item, limits)
    if not items:
        yield document
        yield from _configs(document, limits)


def _items(document: Document) -> Iterator[Document]:
    """The items of a list; those of a `PodList` need not say that they are Pods."""
    items = find(document.root, ("items",))
    named, version = find(document.root, ("kind",)), find(document.root, ("apiVersion",))
    of = named.text.removesuffix("List") if isinstance(named, Scalar) else ""
    for item in items.items if isinstance(items, Sequence) else ():
        if isinstance(item, Mapping):
            says = find(item, ("kind",)) is not None
            kind = recognise(item) if says else named_kind(of, version, item)
            line = item.place.start.line
            yield dataclasses.replace(document, kind=kind, root=item, line=line, loadable=False)


def _configs(container: Document, limits: Limits) -> Iterator[Document]:
    """The configs that a document keeps under named keys; an empty one is of the kind of the others."""
    configs: list[Document] = []
    read: dict[int, Document] = {}
    for path in _NAMED_CONFIGS.get(container.kind, ()):
        folder = find(container.root, path)
        members = merged(folder) if isinstance(folder, Mapping) else ()
        for name, value in {entry.name: entry.value for entry in members}.items():
            if name is None or not isinstance(value, Scalar) or value.kind is not ScalarKind.STRING:
                continue
            start = value.span.start_offset
            if start not in read:
                read[start] = _embedded(value, limits)
            configs.append(
                dataclasses.replace(
                    read[start], key=name, ordinal=container.ordinal, host=value, container=container
                )
            )
    kind = next((config.kind for config in configs if config.kind in LOADED_KINDS), None)
    for config in configs:
        if config.kind in LOADED_KINDS:
            yield config
        elif config.kind is Kind.EMPTY and kind is not None:
            yield dataclasses.replace(config, kind=kind)


def _embedded(host: Scalar, limits: Limits) -> Document:
    """The content of a scalar as a file of its own."""
    try:
        first = Stream(host.text, limits).first(Kind.EMPTY)
    except LimitError as error:
        inner = None if error.position is None else host.outer_position(error.position)
        raise LimitError(error.message, inner or host.place.start) from None
    kind = Kind.EMPTY
    if first.root is not None:
        kind = recognise(first.root)
    elif first.problem is not None:
        kind = guess(host.text)
    placed = dataclasses.replace(first, kind=kind, host=host)
    begins = Position(1, 1) if first.root is None else first.root.place.start
    return dataclasses.replace(placed, line=placed.position(begins).line)
