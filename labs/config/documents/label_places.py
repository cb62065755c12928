"""Where an object of any kind writes the labels that nodes get and by which NVIDIA's programs choose a config."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from labs.config.goyaml import Entry, Mapping, Node, Position, Scalar, ScalarKind, Sequence, Span

MOST_LABELS = 500
"""Of one object; what comes behind is not looked at."""
MOST_NODES = 200_000
SELECTING = "nodeLabels"
"""The key under which a ResourceFlavor of Kueue selects nodes."""

_CONFIG_LABELS = ("nvidia.com/device-plugin.config", "nvidia.com/mig.config")
_LABELS = ("nvidia.com/gpu.product", *_CONFIG_LABELS)
_MAY_HOLD = re.compile(r"nvidia\.com/(?:device-plugin\.config|mig\.config|gpu\.product)")
_LABELS_KEY = re.compile(r"labels|node-?labels?|kubernetesLabels", re.IGNORECASE)
_ARGUMENT = re.compile(r"node-?labels?\b", re.IGNORECASE)
_WRITTEN = re.compile(
    r"[\"']?\b(nvidia\.com/(?:device-plugin|mig)\.config)[\"']?[ \t]*=[ \t]*[\"']?([\w.-]{1,253})"
)
_LONGEST_TEXT = 100_000


@dataclass(frozen=True, slots=True)
class LabelPlace:
    """A label of nodes: the nodes of its name and of its value, which may be parts of a text. `under` is the key above it."""

    name: str
    key: Node
    value: Node
    under: str


def holds_labels(root: Mapping, text: str) -> bool:
    """Whether an object of a kind that nobody here knows labels nodes; `text` is the one that the places refer to."""
    if not isinstance(root.get("kind"), Scalar):
        return False
    if _MAY_HOLD.search(text, root.span.start_offset, root.span.end_offset) is None:
        return False
    return next(_places(root), None) is not None


def label_places(root: Node | None) -> tuple[LabelPlace, ...]:
    """The labels of nodes in an object, at most MOST_LABELS, in the order of the file."""
    if not isinstance(root, Mapping):
        return ()
    places = []
    for place in _places(root):
        places.append(place)
        if len(places) == MOST_LABELS:
            break
    return tuple(places)


def _places(root: Mapping) -> Iterator[LabelPlace]:
    todo: list[tuple[str, Node]] = [
        (entry.name or "", entry.value)
        for entry in reversed(root.entries)
        if entry.name not in ("metadata", "status")
    ]
    seen: set[tuple[int, int]] = set()
    visited = 0
    while todo and visited < MOST_NODES:
        under, node = todo.pop()
        visited += 1
        if isinstance(node, Scalar):
            yield from _in_text(node, under)
            continue
        place = (node.span.start_offset, node.span.end_offset)
        if place in seen:
            continue  # an alias of it
        seen.add(place)
        if isinstance(node, Sequence):
            todo.extend((under, item) for item in reversed(node.items))
        elif isinstance(node, Mapping):
            yield from _in_mapping(node, under)
            argument = _argument(node)
            below = ((argument or entry.name or "", entry.value) for entry in reversed(node.entries))
            todo.extend(below)


def _in_mapping(node: Mapping, under: str) -> Iterator[LabelPlace]:
    if _LABELS_KEY.fullmatch(under) is None:
        return
    named = _named(node)
    for entry in node.entries if named is None else (*node.entries, named):
        name = entry.name or ""
        if name in (_LABELS if under == SELECTING else _CONFIG_LABELS) and isinstance(entry.value, Scalar):
            yield LabelPlace(name, entry.key, entry.value, under)


def _named(node: Mapping) -> Entry | None:
    """A label that is written as a mapping of `key` and `value`."""
    key, value = node.get("key"), node.get("value")
    return Entry(key, value) if isinstance(key, Scalar) and isinstance(value, Scalar) else None


def _argument(node: Mapping) -> str:
    """The name of the kubelet's argument that a mapping of `name` and `value` gives; `""` for any other."""
    name = node.get("name")
    return name.text if isinstance(name, Scalar) and _ARGUMENT.search(name.text) is not None else ""


def _in_text(node: Scalar, under: str) -> Iterator[LabelPlace]:
    """Labels in the arguments of a kubelet, or in a script that hands them on."""
    text = node.text
    if node.kind is not ScalarKind.STRING or len(text) > _LONGEST_TEXT or _MAY_HOLD.search(text) is None:
        return
    if _ARGUMENT.search(under) is None and _ARGUMENT.search(text) is None:
        return
    for written in _WRITTEN.finditer(text):
        key, value = _part(node, *written.span(1)), _part(node, *written.span(2))
        yield LabelPlace(written[1], key, value, under)


def _part(node: Scalar, start: int, end: int) -> Scalar:
    """A stretch of a text as a scalar; one that does not stand in the file as it is has the text's place and no edits."""
    first, last = node.outer_offset(start), node.outer_offset(end - 1)
    part = node.text[start:end]
    if first is None or last is None or last[0] - first[0] != end - 1 - start:
        return replace(node, text=part, value=part, style="folded", segments=())
    behind = Position(last[1].line, last[1].column + 1)
    span = Span(first[1], behind, first[0], last[0] + 1)
    return replace(node, span=span, text=part, value=part, style="plain", segments=())
