"""The keys that a config of the device plugin writes, and what an unknown one was meant to be.

What matches no field of `labs.config.plugin.schema` is dropped: from this follow the rules about unknown, misplaced and
differently spelt keys.
"""

from __future__ import annotations

import difflib
import functools
from collections.abc import Iterator, Mapping
from collections.abc import Sequence as Words
from dataclasses import dataclass, field
from types import MappingProxyType

from labs.config.gojson import fold
from labs.config.goyaml import Entry, Node, Sequence, is_merge, merged
from labs.config.goyaml import Mapping as MappingNode
from labs.config.plugin import CONFIG, Struct
from labs.lint.keys.invisible import narrow

_MOST_COMPARED = 50
"""Of one file's keys, letter by letter."""
_NEAR = 0.74
_LONGEST_KEY = 40


def plain(key: str) -> str:
    """A key without regard to case, width, hyphens, underscores and spaces."""
    return _plain(key[:_LONGEST_KEY])


@functools.lru_cache(maxsize=256)
def _plain(key: str) -> str:
    """Kept, since the same few names are compared with every key of a file."""
    return fold(narrow(key)).replace("-", "").replace("_", "").replace(" ", "")


def _homes() -> Mapping[str, tuple[str, ...]]:
    """Where each key belongs, by its plain form; several places where several structs have it."""
    paths: dict[str, list[str]] = {}

    def visit(struct: Struct, path: str) -> None:
        for name, child in struct.fields.items():
            paths.setdefault(plain(name), []).append(path + name)
            if child is not None:
                visit(child, f"{path}{name}." if not child.listed else f"{path}{name}[].")

    visit(CONFIG, "")
    return MappingProxyType({key: tuple(places) for key, places in paths.items()})


HOMES = _homes()

_NOT_TELLING = frozenset({"name", "version", "required", "devices", "pattern", "mig"})
"""Keys that also mean something elsewhere: one of them in a wrong place does not tell what was meant."""


@dataclass(frozen=True, slots=True)
class WrittenKey:
    """A key of the file: the map it stands in, the path to that map, the struct read there, the field it is taken for."""

    holder: MappingNode
    entry: Entry
    name: str
    path: tuple[str, ...]
    struct: Struct
    field: str | None

    @property
    def misfit(self) -> bool:
        """Whether its map stands in a list where the loader wants the map itself, and so refuses the file."""
        return self.where.endswith("[]") and not self.struct.listed

    @property
    def where(self) -> str:
        """The path to its map as a reader writes it; `(top)` has none, so it is empty."""
        return ".".join(self.path)


def written_keys(root: MappingNode | None) -> Iterator[WrittenKey]:
    """All keys where a struct of the config is read, once each, in the order of the file's structs."""
    seen: set[int] = set()
    todo: list[tuple[Node, Struct, tuple[str, ...]]] = [] if root is None else [(root, CONFIG, ())]
    while todo:
        node, struct, path = todo.pop()
        if not isinstance(node, MappingNode):
            continue
        for entry in merged(node):
            place = entry.key.span.start_offset
            if entry.name is None or is_merge(entry.key) or place in seen:
                continue
            seen.add(place)
            name = struct.match(entry.name)
            yield WrittenKey(node, entry, entry.name, path, struct, name)
            child = None if name is None else struct.fields[name]
            if child is None or name is None:
                continue
            if isinstance(entry.value, Sequence):
                todo.extend((item, child, (*path, name + "[]")) for item in entry.value.items)
            else:
                todo.append((entry.value, child, (*path, name)))


@dataclass(slots=True)
class Guesser:
    """Tells what an unknown key was meant to be; compares letter by letter only so many times for one file."""

    _left: int = field(default=_MOST_COMPARED)

    def own(self, struct: Struct, key: str) -> str:
        """The field of the same struct that a key is a misspelling of, or `""`."""
        return self.nearest(key, tuple(struct.fields))

    def elsewhere(self, key: str) -> tuple[str, ...]:
        """The places that a key of this name, or nearly, belongs to; none for a name that tells too little."""
        wanted = plain(key)
        if wanted not in HOMES:
            wanted = self._near(key, HOMES)
        return () if not wanted or wanted in _NOT_TELLING else HOMES[wanted]

    def nearest(self, word: str, allowed: Words[str]) -> str:
        """The allowed word most like another, or `""`."""
        by_plain = {plain(name): name for name in allowed}
        return by_plain.get(plain(word)) or by_plain.get(self._near(word, by_plain), "")

    def _near(self, key: str, known: Mapping[str, object]) -> str:
        if self._left <= 0 or not 3 < len(key) <= _LONGEST_KEY:
            return ""
        self._left -= 1
        matches = difflib.get_close_matches(plain(key), known, 1, _NEAR)
        return matches[0] if matches else ""
