"""Another number of nodes in a scenario's text.

Where `rollout.nodes` is a number, and where equal nodes stand beside the rollout, `node-1` and so on. Comments and layout
of everything else stay.
"""

from __future__ import annotations

import re

from labs.config.editing import Edit, edited, lines_behind, remove_items_from
from labs.config.goyaml import (
    Mapping,
    Node,
    Scalar,
    ScalarKind,
    Sequence,
    YamlError,
    find,
    read,
)
from labs.teaching.rollout_lab.edits import (
    NODES,
    ROLLOUT,
    event_nodes,
    node_names_of,
    rollout_of,
    without_event,
)

NODE = re.compile(r"node-([0-9]+)")
WORKLOADS = "workloads"  # whose names are those of Pods


def fleet_size(text: str) -> int | None:
    """The number of nodes; None where they are not alike, or the text names them one by one in another way."""
    root = _root(text)
    listed = _listed(text, root)
    if listed is not None:
        return len(listed.items)
    node = find(root, (ROLLOUT, NODES))
    if isinstance(node, Scalar) and node.kind is ScalarKind.INT and isinstance(node.value, int):
        return node.value
    return None


def with_fleet_size(text: str, size: int) -> str:
    """The text with another number of nodes.

    Names follow (node-04 of 10 is node-4 of 9), a node that is no longer there becomes the last, and events on it go.
    """
    before = fleet_size(text)
    if before is None or rollout_of(text) is None or size == before or size < 1:
        return text
    for number in reversed(range(len(event_nodes(text)))):
        named = [scalar.text for scalar in _node_scalars(event_nodes(text)[number])]
        if any(_number(name) > size for name in named):
            text = without_event(text, number)
    is_listed = _listed(text, _root(text)) is not None
    text = _renamed(_cut(text, size) if is_listed else text, size)
    if is_listed:
        return _grown(text, size)
    node = find(_root(text), (ROLLOUT, NODES))
    return text if node is None else edited(text, [Edit(node.span, str(size))])


def _renamed(text: str, size: int) -> str:
    """The text in which names are as wide as those of that many nodes."""
    root = _root(text)
    entries = root.entries if isinstance(root, Mapping) else ()
    scalars = [
        scalar for entry in entries if entry.name != WORKLOADS for scalar in _node_scalars(entry.value)
    ]
    return edited(
        text, [Edit(scalar.span, _name(min(_number(scalar.text), size), size)) for scalar in scalars]
    )


def _cut(text: str, size: int) -> str:
    """The text without the nodes after the first so many."""
    nodes = _nodes(_root(text))
    if nodes is None or size >= len(nodes.items):
        return text
    return edited(text, [remove_items_from(text, nodes, size)])


def _grown(text: str, size: int) -> str:
    """The text with as many nodes as are missing, like the first, behind the last."""
    nodes = _nodes(_root(text))
    if nodes is None or size <= len(nodes.items):
        return text
    indent = " " * (nodes.span.start.column - 1)
    before, after = _around_name(text, nodes.items[0])
    names = (_name(number, size) for number in range(len(nodes.items) + 1, size + 1))
    lines = (f"{indent}- {before}{name}{after}" for name in names)
    return edited(text, [lines_behind(text, nodes.items[-1].span.end_offset, *lines)])


def _listed(text: str, root: Node | None) -> Sequence | None:
    """The nodes beside the rollout, a line or more each, where only their names tell them apart."""
    nodes = _nodes(root)
    if nodes is None or nodes.flow or not nodes.items:
        return None
    expected = tuple(_name(number, len(nodes.items)) for number in range(1, len(nodes.items) + 1))
    if node_names_of(text) != expected:
        return None
    each = {_around_name(text, item) for item in nodes.items}
    return nodes if len(each) == 1 and ("", "") not in each else None


def _nodes(root: Node | None) -> Sequence | None:
    nodes = find(root, (NODES,))
    return nodes if isinstance(nodes, Sequence) else None


def _around_name(text: str, item: Node) -> tuple[str, str]:
    """How a node is written before its name and after it; nothing of one that is written in another way."""
    name = item.get("name") if isinstance(item, Mapping) and item.alias is None else None
    if not isinstance(name, Scalar) or not _node_scalars(name):
        return "", ""
    before = text[item.span.start_offset : name.span.start_offset]
    return before, text[name.span.end_offset : item.span.end_offset].rstrip("\n")


def _name(number: int, size: int) -> str:
    return f"node-{number:0{len(str(size))}d}"


def _root(text: str) -> Node | None:
    try:
        return read(text)
    except YamlError:
        return None


def _number(name: str) -> int:
    match = NODE.fullmatch(name)
    return int(match[1]) if match else 0


def _node_scalars(node: Node) -> list[Scalar]:
    """Every plain scalar below a node that is called as nodes are."""
    if isinstance(node, Scalar):
        return [node] if NODE.fullmatch(node.text) and node.style == "plain" and node.alias is None else []
    if isinstance(node, Mapping):
        return [scalar for entry in node.entries for scalar in _node_scalars(entry.value)]
    return (
        [scalar for item in node.items for scalar in _node_scalars(item)]
        if isinstance(node, Sequence)
        else []
    )
