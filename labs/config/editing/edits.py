"""Edits of a document's text: a value, a key, a whole member of a map, an item of a list.

Each function gives an edit in places of the text, or None where the text is written in a way in which the edit would touch
more than it should. Lines that are added end as the text's first line does.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from collections.abc import Sequence as AbstractSequence
from dataclasses import dataclass

from labs.config.gojson import fold
from labs.config.goyaml import Entry, LineIndex, Mapping, Node, Scalar, Sequence, Span, replace_span

MOST_MEMBERS = 1_000
"""Of a map in which a key is given another name."""
_BREAKS = "\n\r\x85\u2028\u2029"
_QUOTES = {"plain": "", "single": "'", "double": '"'}


@dataclass(frozen=True, slots=True)
class Edit:
    """A stretch of a text and what takes its place."""

    span: Span
    text: str


@functools.lru_cache(maxsize=4)
def line_index(source: str) -> LineIndex:
    """The lines of a text; kept, since a rule may have many findings in one text."""
    return LineIndex(source)


def replace(node: Node, text: str) -> Edit | None:
    """Writes something else in a scalar's place: a value, or a key. None for a scalar that an alias brings."""
    if not isinstance(node, Scalar) or node.alias is not None or node.anchor is not None or node.tag:
        return None
    return Edit(node.span, text)


def rewrite(node: Node, text: str) -> Edit | None:
    """Writes something else in a scalar's place, in the quotes that it has; `text` needs no quotes and no escapes."""
    if not isinstance(node, Scalar) or node.style not in _QUOTES:
        return None
    quote = _QUOTES[node.style]
    return replace(node, f"{quote}{text}{quote}")


def rename(mapping: Node | None, key: Node, text: str) -> Edit | None:
    """Writes another name in a key's place, in the quotes that it has.

    None where the map has that key already, where it has this one twice (the other would count then), and where it has more
    than MOST_MEMBERS.
    """
    if isinstance(mapping, Mapping) and isinstance(key, Scalar):
        if len(mapping.entries) > MOST_MEMBERS:
            return None
        names = [entry.name for entry in mapping.entries]
        if text in names or names.count(key.text) > 1:
            return None
    return rewrite(key, text)


def remove_member(source: str, mapping: Mapping, entry: Entry) -> Edit | None:
    """Takes a key with its value out of a map: its whole lines, or in a flow map the text up to the next member.

    `source` is the document's text. None for the only member of a map, and for one that shares its line with another.
    """
    if len(mapping.entries) < 2 or entry.key.alias is not None or has_anchor(entry.value):
        return None
    start, end = entry.key.span.start_offset, _end(entry)
    if mapping.flow:
        parts = [(each.key.span.start_offset, _end(each)) for each in mapping.entries]
        return _remove_from_flow(source, parts, mapping.entries.index(entry))
    line_start = _line_start(source, start)
    if source[line_start:start].strip(" "):
        return _remove_first_of_item(source, mapping, entry, start)
    line_end = _behind_line(source, end)
    if line_end is None:
        return None
    return Edit(line_index(source).span(line_start, line_end), "")


def _remove_first_of_item(source: str, mapping: Mapping, entry: Entry, start: int) -> Edit | None:
    """The first member of a list's item stands behind its dash: the next member moves up to its place."""
    if mapping.entries[0] is not entry:
        return None
    following = mapping.entries[1].key.span.start_offset
    between = source[_end(entry) : following]
    if "#" in between or between.strip(" " + _BREAKS):
        return None
    return Edit(line_index(source).span(start, following), "")


def _remove_from_flow(source: str, parts: AbstractSequence[tuple[int, int]], index: int) -> Edit | None:
    """Takes one of several parts out with the comma before or behind it; a part is where it starts and where it ends."""
    start, end = parts[index]
    if index + 1 < len(parts):
        end = parts[index + 1][0]
    else:
        start = parts[index - 1][1]
    return None if "#" in source[start:end] else Edit(line_index(source).span(start, end), "")


def remove_at(source: str, mapping: Mapping, path: AbstractSequence[str]) -> Edit | None:
    """Takes the member at a path of keys out, and with it the maps on the way that would be left empty.

    None where the path leads through an alias or a merge, where the outermost map would be left empty, and where a key on
    the way stands there twice: the one before would count then.
    """
    target: tuple[Mapping, Entry] | None = None
    node: Node = mapping
    for name in path:
        entry = node.entry(name) if isinstance(node, Mapping) and node.alias is None else None
        if (
            not isinstance(node, Mapping)
            or entry is None
            or sum(member.name == name for member in node.entries) > 1
        ):
            return None
        if target is None or len(node.entries) > 1:
            target = (node, entry)
        node = entry.value
    return None if target is None else remove_member(source, *target)


def remove_item(source: str, sequence: Sequence, item: Node) -> Edit | None:
    """Takes an item out of a list: its whole lines, from its dash to what ends it.

    None for the only item, and where the list or its lines are written in a way that this would not keep.
    """
    if len(sequence.items) < 2 or sequence.flow or sequence.alias is not None or item.alias is not None:
        return None
    if has_anchor(item):
        return None
    start = _line_start(source, item.span.start_offset)
    if source[start : item.span.start_offset].strip(" ") != "-":
        return None
    end = _behind_line(source, item.span.end_offset)
    return None if end is None else Edit(line_index(source).span(start, end), "")


def remove_flow_item(source: str, sequence: Sequence, index: int) -> Edit | None:
    """Takes an item out of a list in brackets; None for the only item."""
    parts = [(item.place.start_offset, item.place.end_offset) for item in sequence.items]
    return _remove_from_flow(source, parts, index) if len(parts) > 1 else None


def remove_items_from(source: str, sequence: Sequence, index: int) -> Edit:
    """Takes the items of a list, one a line or more, from that one to the last, which is not the first."""
    start = _line_start(source, sequence.items[index].span.start_offset)
    return Edit(line_index(source).span(start, _next_line(source, sequence.items[-1].span.end_offset)), "")


def add_item(source: str, sequence: Sequence, text: str) -> Edit | None:
    """Writes one more item, YAML of one line, behind the last of a list that is not empty.

    None for a list that stands elsewhere, and where its last item does.
    """
    last = sequence.items[-1]
    if sequence.alias is not None or (last.alias is not None and not sequence.flow):
        return None
    end = last.place.end_offset
    if sequence.flow:
        return Edit(line_index(source).span(end, end), f", {text}")
    start = _line_start(source, sequence.items[0].place.start_offset)
    indent = source[start : sequence.items[0].place.start_offset].partition("-")[0]
    return None if indent.strip(" ") else lines_behind(source, end, f"{indent}- {text}")


def set_value(source: str, mapping: Mapping, key: str, value: str) -> Edit | None:
    """Writes another value, YAML of one line, or the key with it behind the first member of a map that is not empty.

    None where something else may refer to what stands there.
    """
    entry = mapping.entry(key)
    if entry is not None:
        if has_anchor(entry.value):
            return None
        place = entry.value.place
        start, end = place.start_offset, place.end_offset
        if start == end:  # nothing behind the colon
            return Edit(place, f" {value}")
        ended = line_break(source) if source[start:end].endswith(("\n", "\r")) else ""
        line = _line_start(source, start)
        if line <= entry.key.place.start_offset:
            return Edit(place, value + ended)
        colon = (
            source.index(":", entry.key.place.end_offset) + 1
        )  # a block below its key, perhaps with a comment between
        between = source[colon:line].partition(line_break(source))[0].rstrip()
        return Edit(line_index(source).span(colon, end), f" {value}{between}{ended}")
    first = mapping.entries[0]
    end = first.value.span.end_offset
    if mapping.flow:
        return Edit(line_index(source).span(end, end), f", {key}: {value}")
    indent = " " * (first.key.span.start.column - 1)
    return lines_behind(source, end, f"{indent}{key}: {value}")


def lines_behind(source: str, offset: int, *lines: str) -> Edit:
    """Writes lines behind the one in which something ends."""
    end, new = _next_line(source, offset), line_break(source)
    ended = "" if source[:end].endswith(("\n", "\r")) else new
    return Edit(line_index(source).span(end, end), ended + "".join(line + new for line in lines))


def add_member(source: str, mapping: Mapping, text: str) -> Edit | None:
    """Writes one more member, `key: value` on one line, before the first of a map.

    None where the map is empty, and where it has the key in any spelling: the later of the two would count.
    """
    name = fold(text.partition(": ")[0].strip("\"'"))
    if not mapping.entries or any(fold(entry.name or "") == name for entry in mapping.entries):
        return None
    first = mapping.entries[0].key.span
    if mapping.flow:
        return Edit(line_index(source).span(first.start_offset, first.start_offset), f"{text}, ")
    column = first.start.column - 1
    place = line_index(source).span(first.start_offset, first.start_offset)
    return Edit(place, f"{text}{line_break(source)}{' ' * column}")


def add_under(source: str, root: Mapping, key: str, text: str) -> Edit | None:
    """Writes one more member, `key: value`, into the map at a key of a document's root, and that map where there is none.

    A new map comes behind `version`, where that is first, else first. None where something else stands at the key.
    """
    entry = root.entry(key)
    if entry is not None:
        inner = entry.value
        if not isinstance(inner, Mapping) or inner.alias is not None or inner.anchor is not None:
            return None
        return add_member(source, inner, text)
    if not root.entries:
        return None
    if root.flow:
        return add_member(source, root, f"{key}: {{{text}}}")
    first = root.entries[0]
    indent = " " * (first.key.span.start.column - 1)
    new = line_break(source)
    block = f"{key}:{new}{indent}  {text}"
    if first.name == "version" and isinstance(first.value, Scalar) and first.value.alias is None:
        end = _end(first)
        while end < len(source) and source[end] not in _BREAKS:
            end += 1
        return Edit(line_index(source).span(end, end), f"{new}{indent}{block}")
    return add_member(source, root, block)


def _end(entry: Entry) -> int:
    """Where a member's text ends: its value's, or its key's with the colon where it has none."""
    value = entry.value
    end = value.place.end_offset
    return max(end, entry.key.span.end_offset)


def has_anchor(node: Node) -> bool:
    """Whether something else may refer to this node or a part of it."""
    todo = [node]
    while todo:
        visited = todo.pop()
        if visited.alias is not None:
            continue
        if visited.anchor is not None:
            return True
        if isinstance(visited, Mapping):
            todo.extend(part for entry in visited.entries for part in (entry.key, entry.value))
        elif isinstance(visited, Sequence):
            todo.extend(visited.items)
    return False


def edited(text: str, edits: Iterable[Edit]) -> str:
    """A text with edits made that are apart from each other."""
    for edit in sorted(edits, key=lambda each: each.span.start_offset, reverse=True):
        text = replace_span(text, edit.span, edit.text)
    return text


def line_break(source: str) -> str:
    """How the lines of a text end: as the first of them does."""
    end = source.find("\n")
    return "\r\n" if end > 0 and source[end - 1] == "\r" else "\n"


def _next_line(source: str, offset: int) -> int:
    """Where the next line begins; the offset itself where it is the beginning of a line already."""
    if offset and source[offset - 1] in _BREAKS:
        return offset
    while offset < len(source) and source[offset] not in _BREAKS:
        offset += 1
    return _behind_break(source, offset)


def _behind_break(source: str, offset: int) -> int:
    return offset + 2 if source[offset : offset + 2] == "\r\n" else min(offset + 1, len(source))


def _line_start(source: str, offset: int) -> int:
    while offset and source[offset - 1] not in _BREAKS:
        offset -= 1
    return offset


def _behind_line(source: str, offset: int) -> int | None:
    """Behind the break that ends the line, where only spaces and a comment are left on it; the value's own break counts."""
    if offset and source[offset - 1] in _BREAKS:
        return offset
    end = offset
    while end < len(source) and source[end] not in _BREAKS:
        end += 1
    rest = source[offset:end].strip(" \t:")
    if rest and not rest.startswith("#"):
        return None
    return _behind_break(source, end)
