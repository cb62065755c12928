"""Keys of a device plugin config that the plugin drops: what they were meant to be, and where they belong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from labs.config.documents import Kind
from labs.config.editing import Edit, add_member, has_anchor, line_break, line_index, remove_member
from labs.config.goyaml import Mapping, Node, Scalar
from labs.config.manifests import folded
from labs.config.plugin import COMMON_FLAGS
from labs.lint.keys import HOMES, Guesser, WrittenKey, first_invisible, plain, written_keys
from labs.lint.meaning.wrapped import wrapped
from labs.lint.subject import LintDocument

_INTENDED = ("x-", "_", "//", "#")
"""How keys begin that somebody knows to be dropped: notes, holders of anchors."""


@dataclass(frozen=True, slots=True)
class StrayKey:
    """A key that is dropped: `near` is the key of the same map that was meant, `homes` the places where it belongs."""

    written: WrittenKey
    near: str
    homes: tuple[str, ...]


def stray_keys(document: LintDocument) -> Iterator[StrayKey]:
    """The keys that the plugin drops without a word; not those that another rule speaks of, nor those that hold anchors."""
    if (
        document.kind is not Kind.DEVICE_PLUGIN
        or document.document.mapping is None
        or wrapped(document.document)
    ):
        return
    refused = document.refusal
    guesser = Guesser()
    for written in written_keys(document.document.mapping):
        key = written.entry.key
        if (
            not written.name
            or written.field is not None
            or (refused is not None and refused.place == key.place)
        ):
            continue
        if (
            written.name.startswith(_INTENDED)
            or first_invisible(written.name)
            or has_anchor(written.entry.value)
        ):
            continue
        stray_key = _stray_key(written, guesser)
        if stray_key.homes or not written.misfit:
            yield stray_key


def _stray_key(written: WrittenKey, guesser: Guesser) -> StrayKey:
    """What a key was meant to be: first the keys that differ in nothing but case and hyphens, then those that are like it."""
    by_plain = {plain(name): name for name in written.struct.fields}
    near = by_plain.get(plain(written.name), "")
    if near:
        return StrayKey(written, near, ())
    if plain(written.name) not in HOMES:
        near = guesser.own(written.struct, written.name)
    return StrayKey(written, near, () if near else _homes(written, guesser.elsewhere(written.name)))


def _homes(written: WrittenKey, homes: tuple[str, ...]) -> tuple[str, ...]:
    """Of several homes those in the same section, where there are such."""
    section = written.path[:1]
    same = tuple(home for home in homes if section and home.startswith(section[0] + "."))
    return same or homes


def erases(written: WrittenKey) -> str:
    """The common flag that a key under `flags.plugin` or `flags.gfd` sets to nothing; `""` where it does no such thing.

    See `labs.config.plugin.fields._allocate_misplaced`.
    """
    if written.path not in (("flags", "plugin"), ("flags", "gfd")):
        return ""
    return {plain(name): name for name in COMMON_FLAGS}.get(written.name.lower(), "")


def move(document: LintDocument, stray: StrayKey) -> tuple[Edit, ...]:
    """The edits that take a key to the one place where it belongs; none where that takes more than a few lines' moving."""
    if len(stray.homes) != 1:
        return ()
    *parents, name = stray.homes[0].split(".")
    written = stray.written
    if parents[:-1] == list(written.path) and _folded(written.holder, parents[-1]) is None:
        return _nested(document.document.text, written, parents[-1], name)
    value, text = written.entry.value, document.document.text
    if not isinstance(value, Scalar) or value.alias is not None or value.anchor is not None:
        return ()
    target: Node | None = document.document.mapping
    for parent in parents:
        target = _folded(target, parent)
    said = text[value.span.start_offset : value.span.end_offset]
    if not isinstance(target, Mapping) or target.alias is not None or len(said.splitlines()) != 1:
        return ()
    if _folded(target, name) is not None:
        return ()
    holder, start = written.holder.span, written.entry.key.span.start_offset
    if not holder.start_offset <= start < holder.end_offset:
        return ()  # a merge key brought it
    removed = remove_member(text, written.holder, written.entry)
    added = add_member(text, target, f"{name}: {said}")
    return () if removed is None or added is None else (removed, added)


def _folded(node: Node | None, name: str) -> Node | None:
    member = folded(node, name)
    return None if member is None else member.value


def _nested(text: str, written: WrittenKey, parent: str, name: str) -> tuple[Edit, ...]:
    """A key goes one level down, where the map that it belongs to is not there yet: its lines to the right."""
    key, value = written.entry.key, written.entry.value
    if written.holder.flow or written.holder.alias is not None or value.alias is not None:
        return ()
    index = line_index(text)
    start, end = key.span.start_offset, value.span.end_offset
    depth = key.span.start.column - 1
    if text[start - depth : start].strip(" "):
        return ()
    edits = [Edit(key.span, f"{parent}:{line_break(text)}{' ' * (depth + 2)}{name}")]
    lines = re.finditer(r"(?<=\n)[ ]*(?=[^ \r\n])", text[key.span.end_offset : end])
    for line in lines:
        at = key.span.end_offset + line.start()
        edits.append(Edit(index.span(at, at), "  "))
    return tuple(edits)
