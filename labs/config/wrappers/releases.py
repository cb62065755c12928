"""Releases of the two charts in objects of any tool: a chart's name, and beside it what Helm is given as values.

Flux (`HelmRelease`), k3s (`HelmChart`, `HelmChartConfig`), Argo CD (`Application`, `ApplicationSet`), Kustomize
(`helmCharts`), helmfile, Fleet, Crossplane, Sveltos, k0s, Cluster API's `HelmChartProxy`, Ansible and Pulumi in YAML all
write a chart's name and values into one mapping, or the values into `helm` beside it; they differ in the keys.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from labs.config.goyaml import (
    Entry,
    LimitError,
    Limits,
    Mapping,
    Node,
    Scalar,
    ScalarKind,
    Sequence,
    Span,
    find,
    merged,
)
from labs.config.wrappers.charts import Chart, chart_named, is_nvidia, of_others
from labs.config.wrappers.layers import Broken, Layer, at_path, over, values_of

MOST_RELEASES = 200
"""Of one document; what comes behind is not looked at."""
MOST_LAYERS = 50
"""Of one release."""
MOST_PARAMETERS = 300
MOST_NODES = 200_000

_CHART_KEYS = (
    ("chart",), ("chart", "spec", "chart"), ("chart", "name"), ("chartRef", "name"), ("chartName",), ("chartname",),
    ("chart_ref",), ("remoteChart",),
)  # fmt: skip
"""Where a release names its chart; the first that is there counts."""
_ADDRESSES = ("repo", "repoURL", "repoUrl", "repository", "chart_repo_url")
_FILES = ("valuesFile", "additionalValuesFiles", "valuesFiles", "valueFiles", "values_files")
_VALUES = (
    "values", "valuesContent", "valuesTemplate", "valuesInline", "valuesObject", "release_values", "overrides",
)  # fmt: skip
"""Keys whose values are laid one over the other in this order."""
_PARAMETERS = ("set", "setValues", "parameters", "setString")
_BY_NAME = ("helmCharts", "helmChartInflationGenerator")
"""Kustomize's lists of charts, in which `name` is the chart's."""
_TEMPLATED = ("ApplicationSet", "HelmChartProxy", "ClusterProfile", "Profile")
"""Kinds whose tool fills in templates before Helm sees the values."""


class Source(StrEnum):
    """Where values come from that stand elsewhere."""

    CONFIG_MAP = "config-map"
    SECRET = "secret"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class Reference:
    """Values that stand elsewhere: in a ConfigMap or a Secret under `key`, or in a file with this path.

    `target` is the path at which they go into the values; empty: they are values themselves.
    """

    source: Source
    name: str
    place: Span
    key: str = ""
    target: str = ""


@dataclass(frozen=True, slots=True)
class Template:
    """Values that are not filled in yet."""

    place: Span


Part = Layer | Broken | Reference | Template


@dataclass(frozen=True, slots=True)
class Release:
    """A chart with what Helm is given as its values: the later parts are laid over the earlier ones.

    `chart` None: the object does not say, or names one that may hold ours. `name` is the object's own, `chart_reference`
    that of the object that says which chart it is. `place` is where the chart is named; `named` says that it is.
    """

    chart: Chart | None
    name: str
    chart_reference: str
    place: Span
    named: bool
    parts: tuple[Part, ...]

    @property
    def referring(self) -> bool:
        """Whether other documents must be known to say what the values are."""
        return self.chart is None or any(isinstance(part, Reference) for part in self.parts)


def releases(root: Node, limits: Limits) -> tuple[Release, ...]:
    """The releases in a document, at most MOST_RELEASES. Raises `LimitError` where their texts are beyond `limits`."""
    hits: list[Release] = []
    owner = _Owner(_text(find(root, ("kind",))), find(root, ("metadata", "name")))
    todo: list[tuple[str, Node]] = [("", root)]
    visited = characters = 0
    while todo and len(hits) < MOST_RELEASES and visited < MOST_NODES:
        key, node = todo.pop()
        visited += 1
        if isinstance(node, Sequence):
            todo.extend((key, item) for item in reversed(node.items))
        if not isinstance(node, Mapping) or node.alias is not None:
            continue
        release = _release(node, key, owner, limits)
        if release is not None:
            hits.append(release)
            characters += sum(part.characters for part in release.parts if isinstance(part, Layer))
            if characters > limits.characters:
                problem = f"the values in the file are longer than {limits.characters} characters"
                raise LimitError(problem, release.place.start)
            if release.chart is not None:
                continue
        todo.extend((entry.name or "", entry.value) for entry in reversed(node.entries))
    return tuple(hits)


@dataclass(frozen=True, slots=True)
class _Owner:
    """The object that a release stands in."""

    kind: str
    named: Node | None

    @property
    def name(self) -> str:
        return _text(self.named)


@dataclass(frozen=True, slots=True)
class _Naming:
    """Which chart a mapping names, and where; `reference` is the object that says more, `named` whether a chart is named."""

    chart: Chart | None
    place: Span
    reference: str = ""
    named: bool = True


def _release(node: Mapping, under: str, owner: _Owner, limits: Limits) -> Release | None:
    members = {entry.name: entry.value for entry in merged(node)}
    naming = _naming(node, members, under, owner)
    if naming is None or any(of_others(_text(members.get(key))) for key in _ADDRESSES):
        return None
    parts = tuple(_parts(members, limits, owner.kind in _TEMPLATED))[:MOST_LAYERS]
    if naming.chart is None and not parts:
        return None
    name = owner.name or _text(members.get("name"))
    return Release(naming.chart, name, naming.reference, naming.place, naming.named, parts)


def _naming(node: Mapping, members: dict[str | None, Node], under: str, owner: _Owner) -> _Naming | None:
    start = node.place
    begin = Span(start.start, start.start, start.start_offset, start.start_offset)
    unnamed = begin if owner.named is None else owner.named.place
    if owner.kind == "HelmChartConfig" and under == "spec":
        return _Naming(None, unnamed, named=False)
    paths = (("name",), *_CHART_KEYS) if under in _BY_NAME else _CHART_KEYS
    for path in paths:
        named = find(node, path)
        if isinstance(named, Scalar) and named.kind is ScalarKind.STRING:
            reference = named.text if path == ("chartRef", "name") else ""
            return _Naming(chart_named(named.text), named.place, reference)
    folder = members.get("path")
    if isinstance(folder, Scalar) and "repoURL" in members:
        ours = is_nvidia(_text(members["repoURL"]))
        return _Naming(chart_named(folder.text) if ours else None, folder.place)
    if owner.kind == "HelmRelease" and under == "spec":
        return _Naming(None, unnamed, named=False)
    return None


def _parts(members: dict[str | None, Node], limits: Limits, templated: bool) -> Iterator[Part]:
    holders = [members]
    helm = members.get("helm")
    if isinstance(helm, Mapping):
        holders.append({entry.name: entry.value for entry in merged(helm)})
    for holder in holders:
        for source in _items(holder.get("valuesFrom")):
            yield from _from(source)
        inline = [part for key in _VALUES for part in _written(holder.get(key), key, limits, templated)]
        if isinstance(holder.get("valuesObject"), Mapping):
            # Argo CD: `valuesObject` takes the place of `values`.
            inline = list(_written(holder.get("valuesObject"), "valuesObject", limits, templated))
        files = [
            Reference(Source.FILE, item.text, item.place)
            for key in _FILES
            for item in _items(holder.get(key))
            if isinstance(item, Scalar) and item.text
        ]
        way = _text(holder.get("valuesMerge"))
        if way == "replace" and inline:
            files = []
        yield from (*inline, *files) if way == "merge" else (*files, *inline)
        written = (part for key in _PARAMETERS for part in _parameters(holder.get(key)))
        parameters = list(itertools.islice(written, MOST_PARAMETERS))
        if parameters:
            root = parameters[0]
            for parameter in parameters[1:]:
                root = over(root, parameter)
            yield Layer(root, None)


def _items(node: Node | None) -> tuple[Node, ...]:
    if isinstance(node, Sequence):
        return node.items
    return () if node is None else (node,)


def _written(node: Node | None, key: str, limits: Limits, templated: bool) -> Iterator[Part]:
    """Values written at a key: one, or with helmfile a list of some and of paths of files."""
    if isinstance(node, Sequence):
        for item in node.items:
            if isinstance(item, Scalar) and "\n" not in item.text and not item.text.strip().startswith("{"):
                yield Reference(Source.FILE, item.text, item.place)
            else:
                yield from _written(item, key, limits, templated)
        return
    values = values_of(node, limits)
    if values is None or node is None:
        return
    templates = templated or key == "release_values"
    if isinstance(values, Broken):
        yield Template(node.place) if "{{" in values.host.text else values
    elif templates and (_has_template(values.root) or (isinstance(node, Scalar) and "{{" in node.text)):
        yield Template(node.place)
    else:
        yield values


def _has_template(root: Node) -> bool:
    todo: list[Node] = [root]
    while todo:
        node = todo.pop()
        if isinstance(node, Scalar) and "{{" in node.text:
            return True
        if isinstance(node, Mapping):
            todo.extend(entry.value for entry in node.entries)
        elif isinstance(node, Sequence):
            todo.extend(node.items)
    return False


def _from(node: Node) -> Iterator[Reference]:
    """Flux writes `kind` and `name`, Crossplane `configMapKeyRef`."""
    if not isinstance(node, Mapping):
        return
    for key, source in (("configMapKeyRef", Source.CONFIG_MAP), ("secretKeyRef", Source.SECRET)):
        named = find(node, (key, "name"))
        if isinstance(named, Scalar):
            yield Reference(source, named.text, named.place, _text(find(node, (key, "key"))) or "values.yaml")
            return
    named, kind = node.get("name"), _text(node.get("kind"))
    if isinstance(named, Scalar) and kind in ("ConfigMap", "Secret"):
        yield Reference(
            Source.CONFIG_MAP if kind == "ConfigMap" else Source.SECRET,
            named.text,
            named.place,
            _text(node.get("valuesKey")) or "values.yaml",
            _text(node.get("targetPath")),
        )


def _parameters(node: Node | None) -> Iterator[Mapping]:
    """Each parameter as values: a list of `name` and `value`, or a mapping of names."""
    if isinstance(node, Mapping):
        pairs = [(entry.key, entry.value, True) for entry in merged(node)]
    else:
        pairs = [
            (path, value, find(item, ("forceString",)) is None)
            for item in _items(node)
            if (path := find(item, ("name",))) is not None and (value := find(item, ("value",))) is not None
        ]
    for path, value, typed in pairs:
        if not isinstance(path, Scalar) or not isinstance(value, Scalar | Mapping | Sequence):
            continue
        if isinstance(value, Scalar) and "{{" in value.text:
            continue
        values = at_path(path, value, typed=typed)
        if values is not None:
            yield values


def charts_within(root: Mapping) -> Iterator[tuple[Chart, Entry]]:
    """The members of a mapping that hold values of one of the charts by its name, as those of an umbrella chart do."""
    for entry in merged(root):
        chart = None if entry.name is None else chart_named(entry.name)
        if chart is not None and isinstance(entry.value, Mapping) and entry.value.entries:
            yield chart, entry


def _text(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) and node.kind is ScalarKind.STRING else ""
