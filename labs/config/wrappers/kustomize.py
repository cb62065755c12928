"""Kustomize: the ConfigMaps that a kustomization makes of files and literals, and the patches written into it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from labs.config.goyaml import (
    Limits,
    Mapping,
    Node,
    Scalar,
    ScalarKind,
    Sequence,
    Span,
    YamlError,
    YamlStream,
    find,
)
from labs.config.wrappers.layers import Layer, Lift, along, values_of, word

MOST_PARTS = 200
"""Generators, keys of one, and patches."""
_KEYS = ("configMapGenerator", "patches", "patchesStrategicMerge", "patchesJson6902", "helmCharts")
_REWRITES = ("replacements", "vars", "transformers", "configurations")
_POINTER = re.compile(r"/spec/values(?:/[^/]+)+")


@dataclass(frozen=True, slots=True)
class GeneratedKey:
    """A key of a ConfigMap that is made: of a file with this path, or of a literal."""

    name: Scalar
    path: str = ""
    literal: Scalar | None = None


@dataclass(frozen=True, slots=True)
class Generator:
    """A ConfigMap that is made. `hashed`: its name gets a hash behind it. `complete`: all its keys are known."""

    name: Scalar
    namespace: str
    keys: tuple[GeneratedKey, ...]
    hashed: bool
    complete: bool


@dataclass(frozen=True, slots=True)
class Patch:
    """A patch written into the kustomization: an object's fields, and what the object is called."""

    kind: str
    name: str
    root: Mapping
    characters: int


@dataclass(frozen=True, slots=True)
class Kustomization:
    """What is read of a kustomization. `rewrites`: it may change names in places that Kustomize does not know."""

    generators: tuple[Generator, ...]
    patches: tuple[Patch, ...]
    rewrites: bool


def is_kustomization(root: Mapping) -> bool:
    """Whether a mapping without a `kind` is one: the file need not say."""
    return any(isinstance(root.get(key), Sequence) for key in _KEYS)


def kustomization(root: Mapping, limits: Limits) -> Kustomization:
    """What is read of it. Raises `LimitError` for a patch beyond `limits`."""
    unhashed = _true(find(root, ("generatorOptions", "disableNameSuffixHash")))
    generators = tuple(
        generator
        for item in _mappings(root, "configMapGenerator")
        if (generator := _generator(item, root, unhashed)) is not None
    )
    patches = tuple(_patches(root, limits))[:MOST_PARTS]
    return Kustomization(generators, patches, any(root.get(key) is not None for key in _REWRITES))


def _generator(item: Mapping, root: Mapping, unhashed: bool) -> Generator | None:
    name = item.get("name")
    if not isinstance(name, Scalar) or name.kind is not ScalarKind.STRING:
        return None
    prefix, suffix = _text(root.get("namePrefix")), _text(root.get("nameSuffix"))
    if prefix or suffix:
        name = word(f"{prefix}{name.text}{suffix}", name.place)
    keys = tuple(_keys(item))[:MOST_PARTS]
    own = find(item, ("options", "disableNameSuffixHash"))
    hashed = not (unhashed if own is None else _true(own)) and _text(item.get("behavior")) != "merge"
    complete = all(item.get(key) is None for key in ("envs", "env"))
    namespace = _text(item.get("namespace")) or _text(root.get("namespace"))
    return Generator(name, namespace, keys, hashed, complete)


def _keys(item: Mapping) -> Iterator[GeneratedKey]:
    for file in _scalars(item, "files"):
        key, equals, path = file.text.partition("=")
        if equals:
            yield GeneratedKey(_cut(file, 0, len(key)), path)
        else:
            start = file.text.rfind("/") + 1
            yield GeneratedKey(_cut(file, start, len(file.text)), file.text)
    for literal in _scalars(item, "literals"):
        key, equals, text = literal.text.partition("=")
        if equals:
            quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
            start = len(key) + 1 + quoted
            yield GeneratedKey(
                _cut(literal, 0, len(key)), literal=_cut(literal, start, len(literal.text) - quoted)
            )


def _cut(scalar: Scalar, start: int, end: int) -> Scalar:
    """A part of a scalar's content as a string of its own."""
    first, last = scalar.outer_offset(start), scalar.outer_offset(end)
    span = scalar.place if first is None or last is None else Span(first[1], last[1], first[0], last[0])
    text = scalar.text[start:end]
    segments = tuple(
        segment._replace(
            content_offset=max(segment.content_offset - start, 0),
            source_offset=segment.source_offset + max(start - segment.content_offset, 0),
            column=segment.column + max(start - segment.content_offset, 0),
            length=segment.length - max(start - segment.content_offset, 0),
        )
        for segment in scalar.segments
        if start <= segment.content_offset + segment.length and segment.content_offset < end
    )
    return Scalar(span=span, text=text, kind=ScalarKind.STRING, value=text, style="double", segments=segments)


def _patches(root: Mapping, limits: Limits) -> Iterator[Patch]:
    inline = [(item, item.get("patch")) for item in _mappings(root, "patches")]
    inline += [(item, item.get("patch")) for item in _mappings(root, "patchesJson6902")]
    for item, text in inline:
        target = item.get("target")
        kind, name = _text(find(target, ("kind",))), _text(find(target, ("name",)))
        yield from _patch(text, kind, name, limits)
    for merge in _items(root, "patchesStrategicMerge"):
        yield from _patch(merge, "", "", limits)


def _patch(node: Node | None, kind: str, name: str, limits: Limits) -> Iterator[Patch]:
    if isinstance(node, Scalar) and "\n" not in node.text and not node.text.lstrip().startswith(("{", "[")):
        return
    operations = _operations(node, limits)
    if operations is not None:
        if kind == "HelmRelease":
            yield from (Patch(kind, name, root, 0) for root in operations)
        return
    values = values_of(node, limits)
    if not isinstance(values, Layer):
        return
    own_kind, own_name = (_text(find(values.root, path)) for path in (("kind",), ("metadata", "name")))
    yield Patch(own_kind or kind, name or own_name, values.root, values.characters)


def _operations(node: Node | None, limits: Limits) -> list[Mapping] | None:
    """A JSON patch of a HelmRelease's values as objects with those values; None for what is no JSON patch."""
    if isinstance(node, Scalar) and node.text.lstrip().startswith(("-", "[")):
        node = _list(node, limits)
    if not isinstance(node, Sequence):
        return None
    roots = []
    for item in node.items:
        path, value = find(item, ("path",)), find(item, ("value",))
        if (
            _text(find(item, ("op",))) in ("add", "replace")
            and isinstance(path, Scalar)
            and value is not None
            and _POINTER.fullmatch(path.text)
        ):
            steps = [step.replace("~1", "/").replace("~0", "~") for step in path.text.split("/")[1:]]
            if len(steps) <= 20 and not any(step.isdigit() or step == "-" for step in steps):
                roots.append(along(steps, path.place, value))
    return roots


def _list(node: Scalar, limits: Limits) -> Node | None:
    try:
        stream = YamlStream(node.text, limits, counts=False)
        composed = stream.next()
        if composed is None or stream.problem(composed) is not None:
            return None
    except YamlError:
        return None
    return Lift(node).node(composed.node)


def _mappings(root: Mapping, key: str) -> Iterator[Mapping]:
    yield from (item for item in _items(root, key) if isinstance(item, Mapping))


def _scalars(root: Mapping, key: str) -> Iterator[Scalar]:
    yield from (
        item for item in _items(root, key) if isinstance(item, Scalar) and item.kind is ScalarKind.STRING
    )


def _items(root: Mapping, key: str) -> tuple[Node, ...]:
    node = root.get(key)
    return node.items[:MOST_PARTS] if isinstance(node, Sequence) else ()


def _true(node: Node | None) -> bool:
    return isinstance(node, Scalar) and node.value is True


def _text(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) and node.kind is ScalarKind.STRING else ""
