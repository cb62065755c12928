"""The values of the two charts and the configs of nodes inside documents of other tools, as documents of their own."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

from labs.config.documents.recognise import WRAPPER_KINDS, Kind
from labs.config.documents.stream import Document, Wrapping
from labs.config.documents.unread import PROGRAMS, Reason, Unread
from labs.config.goyaml import Limits, LineIndex, Mapping, Position, Scalar, Span, find
from labs.config.wrappers import (
    MARK,
    Broken,
    Chart,
    Kustomization,
    Layer,
    NodeConfig,
    Reference,
    Release,
    Source,
    Template,
    TomlError,
    charts_within,
    configs_of_toml,
    kustomization,
    mentions,
    node_configs,
    over,
    quoted_name,
    releases,
)

VALUES_KINDS = {Chart.PLUGIN: Kind.DEVICE_PLUGIN_VALUES, Chart.OPERATOR: Kind.GPU_OPERATOR_VALUES}


def wrapper(document: Document, limits: Limits) -> Document:
    """The document with what it wraps; of kind `unknown` where that is nothing."""
    root = document.root
    if root is None:
        return document
    span = root.span
    own = document.text[span.start_offset : span.end_offset]
    if document.kind is Kind.KUSTOMIZATION and isinstance(root, Mapping):
        return _kustomization(document, root, own, limits)
    if document.kind is Kind.UMBRELLA_VALUES:
        return document
    hits: tuple[Release, ...] = ()
    if document.kind is Kind.HELM_RELEASE or mentions(own):
        hits = releases(root, limits)
    relevant = any(release.chart is not None or _within(release) for release in hits)
    kind = document.kind
    if not relevant:
        kind = Kind.NODE_SETTINGS if kind is Kind.UNKNOWN and MARK in own else Kind.UNKNOWN
    elif kind not in WRAPPER_KINDS:
        kind = Kind.CHART_RELEASE
    templates = (
        Unread(Reason.TEMPLATE, "", part.place.start)
        for release in hits
        if release.chart is not None
        for part in release.parts
        if isinstance(part, Template)
    )
    if not hits and kind is document.kind:
        return document
    return dataclasses.replace(
        document,
        kind=kind,
        wrapping=Wrapping(document.kind, hits) if hits else None,
        unread=tuple(templates),
        values_from=values_from(release for release in hits if release.chart is not None),
    )


def values_from(hits: Iterable[Release]) -> tuple[tuple[str, Span], ...]:
    """The ConfigMaps that releases take values from, each with the place that names it."""
    return tuple(
        (part.name, part.place)
        for release in hits
        for part in release.parts
        if isinstance(part, Reference) and part.source is Source.CONFIG_MAP
    )


def _kustomization(document: Document, root: Mapping, own: str, limits: Limits) -> Document:
    node = root.get("spec") if _is_flux(root) else root
    content = kustomization(node, limits) if isinstance(node, Mapping) else Kustomization((), (), False)
    hits = releases(root, limits) if mentions(own) else ()
    if not hits and not content.generators and not content.patches:
        return dataclasses.replace(document, kind=Kind.UNKNOWN)
    return dataclasses.replace(document, wrapping=Wrapping(Kind.KUSTOMIZATION, hits, content))


def _is_flux(root: Mapping) -> bool:
    version = root.get("apiVersion")
    return isinstance(version, Scalar) and version.text.startswith("kustomize.toolkit.fluxcd.io/")


def _within(release: Release) -> bool:
    return any(
        isinstance(part, Layer) and next(charts_within(part.root), None) is not None for part in release.parts
    )


def inner(document: Document, limits: Limits) -> Iterator[Document]:
    """What a wrapper holds, without what stands in other documents."""
    root = document.root
    if document.wrapping is not None:
        for release in document.wrapping.releases:
            yield from values_documents(document, release, release.chart)
        if document.wrapping.kustomization is not None:
            yield from _patched_maps(document, document.wrapping.kustomization)
    if document.kind is Kind.UMBRELLA_VALUES and isinstance(root, Mapping):
        for chart, node in _switched_on(root):
            yield _values(document, chart, node, None)
    if root is not None and document.kind in (Kind.NODE_SETTINGS, Kind.UNKNOWN):
        span = root.span
        if MARK in document.text[span.start_offset : span.end_offset]:
            for config in node_configs(root):
                yield _node_config(document, config)


def _patched_maps(document: Document, content: Kustomization) -> Iterator[Document]:
    for patch in content.patches:
        if patch.kind == Kind.CONFIG_MAP and find(patch.root, ("data",)) is not None:
            yield dataclasses.replace(
                document,
                kind=Kind.CONFIG_MAP,
                content="",
                root=patch.root,
                line=patch.root.place.start.line,
                container=document,
                loadable=False,
                wrapping=None,
            )


def values_documents(document: Document, release: Release, chart: Chart | None) -> Iterator[Document]:
    """The values that a release has in its own document: those of its chart, or of those that its chart depends on."""
    layers = [part for part in release.parts if isinstance(part, Layer)]
    for part in release.parts:
        if isinstance(part, Broken) and chart is not None:
            yield _broken(document, part, VALUES_KINDS[chart])
    if not layers:
        return
    root = layers[0].root
    for layer in layers[1:]:
        root = over(root, layer.root)
    alone = len(layers) == 1 and layers[0].editable is not None
    editable = None if alone else tuple(layer.editable for layer in layers if layer.editable is not None)
    for each, node in of_charts(root, chart):
        values = _values(document, each, node, editable)
        yield dataclasses.replace(values, release=release, partial=len(layers) < len(release.parts))


def of_charts(root: Mapping, chart: Chart | None) -> Iterator[tuple[Chart, Mapping]]:
    """Whose values these are: those of the charts that stand in them by name, else of the chart itself."""
    within = list(charts_within(root))
    if within:
        yield from _switched_on(root)
    elif chart is not None:
        yield chart, root


def _switched_on(root: Mapping) -> Iterator[tuple[Chart, Mapping]]:
    """The charts that a chart depends on by their own names, but for one that its values switch off."""
    for chart, entry in charts_within(root):
        enabled = find(entry.value, ("enabled",))
        off = isinstance(enabled, Scalar) and enabled.value is False
        if isinstance(entry.value, Mapping) and not off:
            yield chart, entry.value


def _values(document: Document, chart: Chart, node: Mapping, editable: tuple[Span, ...] | None) -> Document:
    return dataclasses.replace(
        document,
        kind=VALUES_KINDS[chart],
        content="",
        root=node,
        line=node.entries[0].key.place.start.line if node.entries else node.place.start.line,
        container=document,
        loadable=False,
        editable=editable,
        wrapping=None,
        unread=(),
        values_from=(),
    )


def _broken(document: Document, part: Broken, kind: Kind) -> Document:
    host = part.host
    return Document(
        kind,
        host.text,
        host.text,
        None,
        host.place.start.line,
        ordinal=document.ordinal,
        problem=part.problem,
        host=host,
        container=document,
    )


def _node_config(document: Document, config: NodeConfig) -> Document:
    return dataclasses.replace(
        document,
        kind=Kind.DEVICE_PLUGIN,
        content=config.text,
        root=config.root,
        line=config.place.start.line,
        problem=None,
        container=document,
        loadable=True,
        editable=(),
        wrapping=Wrapping(Kind.DEVICE_PLUGIN, settings=config.settings),
        unread=(),
    )


def node_settings(content: str | bytes, text: str) -> tuple[Document, ...]:
    """A file that is a node's settings in TOML, with the config that the node makes of them; empty for others."""
    try:
        made = configs_of_toml(text)
    except TomlError:
        return ()
    if not made:
        return ()
    settings = Document(Kind.NODE_SETTINGS, content, text, None, 1)
    return (settings, *(_node_config(settings, config) for config in made))


def program_document(path: str, text: str) -> Document:
    """A program, told by its ending, as a document that nobody reads; a chart counts where its name stands in quotes."""
    named = quoted_name(text)
    position = Position(1, 1) if named is None else LineIndex(text).position(named[1])
    note = Unread(PROGRAMS[path[path.rfind(".") :]], "" if named is None else str(named[0]), position)
    return Document(Kind.UNKNOWN, text, text, None, position.line, unread=(note,))


def names_chart(text: str) -> bool:
    """Whether a file that is no YAML is to be spoken of: a chart's name stands in quotes, or settings of a node."""
    return quoted_name(text) is not None or MARK in text
