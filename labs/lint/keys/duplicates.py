"""Keys that a map has twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from labs.config.goyaml import Entry, Mapping, Node, Scalar, ScalarKind, Sequence, is_merge
from labs.lint.keys.plugin_keys import WrittenKey, written_keys


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A member that does not count since another of the same map does; `spelling`: their keys differ in case."""

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
            named = [
                (entry, identity) for entry in node.entries if (identity := _identity(entry.key)) is not None
            ]
            last = {identity: entry for entry, identity in named}
            for entry, identity in named:
                if last[identity] is not entry:
                    yield Duplicate(node, entry, last[identity])
            todo.extend(entry.value for entry in reversed(node.entries))
        elif isinstance(node, Sequence):
            todo.extend(reversed(node.items))


def _identity(key: Node) -> tuple[str, ScalarKind] | None:
    """What two equal keys have in common; None for a merge, for no key at all, and for what is no scalar."""
    if not isinstance(key, Scalar) or is_merge(key) or key.span.start_offset == key.span.end_offset:
        return None
    return key.text, key.kind


def spellings(root: Mapping | None) -> Iterator[Duplicate]:
    """Keys of the device plugin's config that a map has in several spellings, all but the one that is read last."""
    by_field: dict[tuple[int, str], dict[str, WrittenKey]] = {}
    for key in written_keys(root):
        if key.field is not None:
            by_field.setdefault((id(key.holder), key.field), {})[key.name] = key
    for same in by_field.values():
        if len(same) > 1:
            counts = same[max(same, key=lambda name: name.encode("utf-8", "surrogatepass"))]
            for key in same.values():
                if key is not counts:
                    yield Duplicate(key.holder, key.entry, counts.entry, spelling=True)
