"""The way from a loader's `Mistake` to the nodes of the document that it is about."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from labs.config.editing import replace
from labs.config.gojson import ConversionError, Mistake, Path, object_key
from labs.config.goyaml import Entry, Mapping, Node, Scalar, Sequence, merged
from labs.lint.keys import Guesser, plain
from labs.lint.refusals.value import Refusal, bounded, edits_of, is_null, wrong_type

_WANTED = {
    "string": "text", "v1.ResourcePattern": "text", "bool": "bool", "int": "number", "v1.MigConfigSpecSlice": "list",
}  # fmt: skip
"""What `wrong_type` calls the Go types that are no struct, no map and no slice by their names."""


@dataclass(frozen=True, slots=True)
class Located:
    """A node with the members of maps on the way to it, outermost first; the last is its own or that of its list."""

    node: Node
    entries: tuple[Entry, ...] = ()

    @property
    def entry(self) -> Entry:
        """The innermost member; the root counts as a member without a name."""
        return self.entries[-1] if self.entries else Entry(self.node, self.node)

    @property
    def key(self) -> str:
        """Its key."""
        return self.entry.name or ""


def locate(root: Node, path: Path) -> Located | None:
    """The node at a path; None where there is none."""
    node, entries = root, list[Entry]()
    for step in path:
        if isinstance(step, int):
            if not isinstance(node, Sequence) or step >= len(node.items):
                return None
            node = node.items[step]
        else:
            entry = next((entry for entry in reversed(members(node)) if _json_name(entry.key) == step), None)
            if entry is None:
                return None
            entries.append(entry)
            node = entry.value
    return Located(node, tuple(entries))


def _json_name(key: Node) -> str:
    """The text that a key becomes in JSON: `on` is `true`."""
    if not isinstance(key, Scalar):
        return ""
    try:
        return key.text if isinstance(key.value, str) else object_key(key.value)
    except ConversionError:
        return key.text


def members(node: Node) -> list[Entry]:
    """The members as a loader meets them: merged, of equal keys the last, in byte order."""
    if not isinstance(node, Mapping):
        return []
    last = {entry.name: entry for entry in merged(node) if entry.name is not None}
    return [last[name] for name in sorted(last, key=lambda name: name.encode("utf-8", "surrogatepass"))]


def of_another_type(mistake: Mistake, located: Located) -> Refusal:
    """A value of another type than its field has."""
    word = _WANTED.get(mistake.wanted) or ("list" if mistake.wanted.startswith("[]") else "map")
    return wrong_type(mistake.text, located.node, word, located.key)


def missing(mistake: Mistake, holder: Located, known: Iterable[str]) -> Refusal:
    """A required key is not there: points at the one that was meant for it, else at the first of its map."""
    text, name, node = mistake.text, str(mistake.path[-1]), holder.node
    names, guess = tuple(known), Guesser()
    written = members(node)
    for entry in written:
        key = entry.name or ""
        if key not in names and guess.nearest(key, names) == name:
            edits = edits_of(replace(entry.key, name))
            return Refusal(text, entry.key.place, "near-key", value=bounded(key), key=name, near=name,
                           edits=edits, safe=plain(key) == plain(name))  # fmt: skip
    is_member = bool(holder.entries) and node is holder.entry.value
    if isinstance(node, Mapping) and node.entries and not holder.entries:
        place = node.entries[0].key.place
    elif written and not is_member:
        place = min((entry.key.place for entry in written), key=lambda span: span.start_offset)
    else:
        place = holder.entry.key.place if is_member or is_null(node) else node.place
    return Refusal(text, place, "missing", value=bounded(holder.key), key=name)
