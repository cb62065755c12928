"""Keys that a map has twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from labs.config.yaml_nodes import Entry, Mapping, Node, Scalar, Sequence, is_merge
from labs.lint.plugin_keys import WrittenKey, written_keys


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A member that does not count since another of the same map does; ``spelling``: their keys differ in case."""

    holder: Mapping
    dropped: Entry
    counts: Entry
    spelling: bool = False


def duplicates(root: Node | None) -> Iterator[Duplicate]:
    """The members of all maps that a later one of the same key replaces; each map once, however many aliases it has."""
    todo: list[Node] = [] if root is None else [root]
    while todo:
        node = todo.pop()
        if node.alias is not None:
            continue
        if isinstance(node, Mapping):
            last: dict[tuple[str, object], Entry] = {}
            for entry in node.entries:
                if isinstance(entry.key, Scalar) and not is_merge(entry.key):
                    last[entry.key.text, entry.key.kind] = entry
            for entry in node.entries:
                key = entry.key
                if isinstance(key, Scalar) and not is_merge(key) and last[key.text, key.kind] is not entry:
                    yield Duplicate(node, entry, last[key.text, key.kind])
            todo.extend(entry.value for entry in reversed(node.entries))
        elif isinstance(node, Sequence):
            todo.extend(reversed(node.items))


def spellings(root: Mapping | None) -> Iterator[Duplicate]:
    """Keys of the device plugin's config that a map has in several spellings, all but the one that is read last."""
    by_field: dict[tuple[int, str], dict[str, WrittenKey]] = {}
    for one in written_keys(root):
        if one.field is not None:
            by_field.setdefault((id(one.holder), one.field), {})[one.name] = one
    for same in by_field.values():
        if len(same) > 1:
            counts = same[max(same, key=lambda name: name.encode("utf-8", "surrogatepass"))]
            for one in same.values():
                if one is not counts:
                    yield Duplicate(one.holder, one.entry, counts.entry, spelling=True)
