"""Writing a catalog file: `Catalog` to JSON text that is stable and easy to compare line by line."""

from __future__ import annotations

import json
from dataclasses import fields

from labs.hardware.catalog.catalog import Catalog
from labs.hardware.catalog.figures import Figure
from labs.hardware.catalog.profile import MemoryReading, MigProfile, PlacementOrder
from labs.hardware.catalog.reader import FORMAT

LINE_WIDTH = 110
LEFT_OUT_WHEN_EMPTY: dict[type, tuple[str, ...]] = {
    Figure: ("note", "basis"),
    MigProfile: ("notes", "memory_other_readings"),
    MemoryReading: ("gib", "mib"),
    PlacementOrder: ("note",),
}


def write_catalog(catalog: Catalog) -> str:
    """The text of a catalog file, with a final newline; keys in the order of the fields."""
    members: dict[str, object] = {"format": FORMAT}
    if catalog.about:
        members["about"] = dict(catalog.about)
    members["sources"] = dict(catalog.sources)
    members["gpus"] = [_plain(model) for model in catalog.models]
    return _layout(members, "") + "\n"


def _plain(value: object) -> object:
    """`value` with dataclasses as objects and tuples as lists."""
    if isinstance(value, PlacementOrder):
        order = {field.name: getattr(value, field.name) for field in fields(value)}
        order["preference"] = {family: list(starts) for family, starts in value.preference}
        return {key: item for key, item in order.items() if key != "note" or item is not None}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if not hasattr(value, "__dataclass_fields__"):
        return value
    optional = LEFT_OUT_WHEN_EMPTY.get(type(value), ())
    members = {name: getattr(value, name) for name in value.__dataclass_fields__}
    dropped = {key for key in optional if members[key] in (None, ())}
    return {key: _plain(item) for key, item in members.items() if key not in dropped}


def _layout(value: object, indent: str) -> str:
    """JSON on one line where that fits `LINE_WIDTH`, else one member a line."""
    line = json.dumps(value, ensure_ascii=False)
    deeper = indent + "  "
    if len(indent) + len(line) <= LINE_WIDTH or not isinstance(value, dict | list) or not value:
        return line
    if isinstance(value, dict):
        rows = [f"{deeper}{json.dumps(key)}: {_layout(item, deeper)}" for key, item in value.items()]
        return "{\n" + ",\n".join(rows) + f"\n{indent}}}"
    rows = [f"{deeper}{_layout(item, deeper)}" for item in value]
    return "[\n" + ",\n".join(rows) + f"\n{indent}]"
