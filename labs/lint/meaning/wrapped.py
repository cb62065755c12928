"""A file that is read as a config although the config is inside it: a manifest, the values of a chart, one key too deep."""

from __future__ import annotations

import re
from dataclasses import dataclass

from labs.config.documents import LOADED_KINDS, Document, Kind, guess, recognise
from labs.config.editing import Edit, line_index
from labs.config.goyaml import Entry, Mapping, Scalar, Span, find
from labs.config.plugin import CONFIG
from labs.lint.keys import HOMES, plain

_CHARTS = {Kind.DEVICE_PLUGIN_VALUES: "nvidia-device-plugin", Kind.GPU_OPERATOR_VALUES: "gpu-operator"}


@dataclass(frozen=True, slots=True)
class Wrapped:
    """What holds the config: a `manifest` (`name` is its kind), `values` of a chart, a key (`nested`)."""

    how: str
    name: str
    place: Span
    inner: Entry | None = None


def wrapped(document: Document) -> Wrapped | None:
    """How a document that is read as a config only holds one; None where it is one."""
    root = document.mapping
    if document.kind not in LOADED_KINDS or root is None:
        return None
    kind = root.entry("kind")
    if kind is not None and root.entry("apiVersion") is not None and isinstance(kind.value, Scalar):
        return Wrapped("manifest", kind.value.text, kind.key.place)
    root_kind = recognise(root)
    # A flag at the top may be a misplaced one; a key that no config has tells the values of a chart.
    if root_kind in _CHARTS and any(plain(entry.name or "") not in HOMES for entry in root.entries):
        return Wrapped("values", _CHARTS[root_kind], root.entries[0].key.place)
    if any(
        entry.name is None or CONFIG.match(entry.name) or entry.name == "mig-configs"
        for entry in root.entries
    ):
        return None
    inner = next((entry for entry in root.entries if _is_config(entry)), None)
    return None if inner is None else Wrapped("nested", inner.name or "", inner.key.place, inner)


def _is_config(entry: Entry) -> bool:
    """Whether a member's value is a whole config, as a map or as the text of one."""
    value = entry.value
    if isinstance(value, Mapping):
        has = {
            name
            for name in ("version", "sharing", "flags", "mig-configs")
            if find(value, (name,)) is not None
        }
        return "version" in has and len(has) > 1
    return isinstance(value, Scalar) and "\n" in value.text and guess(value.text) in LOADED_KINDS


def unwrapping(document: Document, wrapping: Wrapped) -> tuple[Edit, ...]:
    """The edits that take the key above a nested config away and its lines to the left; none where more stands beside it."""
    root, inner = document.mapping, wrapping.inner
    if document.host is not None or root is None or inner is None or len(root.entries) > 1:
        return ()
    value = inner.value
    if (
        not isinstance(value, Mapping)
        or value.flow
        or value.alias is not None
        or value.anchor is not None
        or value.tag
    ):
        return ()
    text, index = document.text, line_index(document.text)
    first = value.entries[0].key.span
    depth = first.start.column - 1
    line_start = first.start_offset - depth
    if (
        depth == 0
        or text[line_start : first.start_offset].strip(" ")
        or "#" in text[inner.key.span.end_offset : line_start]
    ):
        return ()
    edits = [Edit(index.span(inner.key.span.start_offset, line_start), "")]
    edits.extend(
        Edit(index.span(line_start + match.start(), line_start + match.end()), "")
        for match in re.finditer(rf"^ {{1,{depth}}}", text[line_start:], re.MULTILINE)
    )
    return tuple(_joined(edits))


def _joined(edits: list[Edit]) -> list[Edit]:
    """The key's removal and the first line's indentation as one."""
    if len(edits) > 1 and edits[0].span.end_offset == edits[1].span.start_offset:
        both = Span(
            edits[0].span.start, edits[1].span.end, edits[0].span.start_offset, edits[1].span.end_offset
        )
        return [Edit(both, ""), *edits[2:]]
    return edits
