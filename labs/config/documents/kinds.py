"""What a file holds: its documents, what each is, and where its places are in the file.

A ConfigMap and the values of a chart hold configs under named keys; each of them is a document of its own, which its loader
reads as a file. A document of one of the loaders' kinds is judged by the loader (`device_plugin`, `mig_parted`); here
it is only found and named.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from labs.config.documents.label_places import holds_labels
from labs.config.documents.pod_places import holds_pods
from labs.config.documents.recognise import (
    LOADED_KINDS,
    WORKLOAD_KINDS,
    WRAPPER_KINDS,
    Kind,
    guess,
    named_kind,
    recognise,
)
from labs.config.documents.stream import Document, Stream
from labs.config.documents.unread import Reason, Unread
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
_WRAPPING = (Kind.UNKNOWN, *WRAPPER_KINDS)
_NAMED = re.compile(r"[Gg][Pp][Uu]-[Oo]perator|[Dd]evice-?[Pp]lugin")
"""What stands somewhere in every document that wraps values of the two charts, or settings of a node."""
_SETTINGS = re.compile(
    r"\A(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]*\[+[ \t]*settings\b|^[ \t]*\[settings\.", re.MULTILINE
)
MARK = "kubelet-device-plugins"
"""What stands in the settings of a node that are about the plugin."""


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
    if _SETTINGS.search(stream.text) is not None and MARK in stream.text:
        from labs.config.documents import wrapped

        settings = wrapped.node_settings(content, stream.text)
        if settings:
            return settings
    documents_read: list[Document] = []
    embedded = 0
    for part in stream.documents():
        for document in _broken(part) if part.problem is not None else _expanded(part, limits):
            documents_read.append(document)
            embedded += 0 if document.host is None else len(document.text)
            if embedded > limits.characters:
                problem = f"the configs in the file are longer than {limits.characters} characters"
                raise LimitError(problem, document.position(Position(1, 1)))
    return tuple(documents_read) or (Document(Kind.EMPTY, content, stream.text, None, 1),)


def _broken(document: Document) -> tuple[Document, ...]:
    """A text that is no YAML: of a template that is about one of the charts it is said that nobody reads it."""
    if document.kind is not Kind.UNKNOWN or "{{" not in document.text or _NAMED.search(document.text) is None:
        return (document,)
    note = Unread(Reason.TEMPLATE, "", Position(document.line, 1))
    return (dataclasses.replace(document, unread=(note,)),)


def _expanded(document: Document, limits: Limits) -> Iterator[Document]:
    """A document and the configs in it; a list's items, or the list if it has none."""
    items = tuple(_items(document)) if document.kind is Kind.LIST else ()
    for item in items:
        yield from _expanded(item, limits)
    if items:
        return
    if document.kind in _WRAPPING and document.root is not None and _may_wrap(document):
        from labs.config.documents import wrapped

        document = wrapped.wrapper(document, limits)
        yield _by_content(document)
        for values in wrapped.inner(document, limits):
            yield values
            yield from configs(values, limits)
        return
    yield _by_content(document)
    yield from configs(document, limits)


def _by_content(document: Document) -> Document:
    """An object of a kind that nobody here knows, as what it is by what stands in it."""
    root = document.mapping
    if document.kind is not Kind.UNKNOWN or root is None or document.wrapping is not None:
        return document
    if holds_pods(root, document.text):
        return dataclasses.replace(document, kind=Kind.WORKLOAD)
    return (
        dataclasses.replace(document, kind=Kind.NODE_LABELS)
        if holds_labels(root, document.text)
        else document
    )


def _may_wrap(document: Document) -> bool:
    """Whether one of the charts, or the settings of a node, may be in it: what reads wrappers is loaded for those alone."""
    if document.kind in (Kind.HELM_RELEASE, Kind.KUSTOMIZATION):
        return True
    root = document.root
    assert root is not None
    return _NAMED.search(document.text, root.span.start_offset, root.span.end_offset) is not None


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


def configs(container: Document, limits: Limits) -> Iterator[Document]:
    """The configs that a document keeps under named keys; an empty one is of the kind of the others."""
    hosted: list[Document] = []
    read: dict[int, Document] = {}
    for path in _NAMED_CONFIGS.get(container.kind, ()):
        folder = find(container.root, path)
        members = merged(folder) if isinstance(folder, Mapping) else ()
        for name, value in {entry.name: entry.value for entry in members}.items():
            if name is None or not isinstance(value, Scalar) or value.kind is not ScalarKind.STRING:
                continue
            if container.elsewhere is not None and value.span == container.elsewhere:
                continue  # listed where it stands
            start = value.span.start_offset
            if start not in read:
                read[start] = _embedded(value, limits)
            hosted.append(
                dataclasses.replace(
                    read[start], key=name, ordinal=container.ordinal, host=value, container=container
                )
            )
    kind = next((config.kind for config in hosted if config.kind in LOADED_KINDS), None)
    for config in hosted:
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
