"""What the device plugin refuses a config for: its mistake, placed and explained."""

from __future__ import annotations

from dataclasses import replace as replace_fields

from labs.config.documents import Document
from labs.config.editing import replace
from labs.config.gojson import Mistake, Path, fold
from labs.config.goyaml import Node, Scalar
from labs.config.manifests import folded
from labs.config.plugin import CONFIG, MIG_STRATEGIES, VERSION, Loaded, Struct, resource_name
from labs.lint.refusals.flags import flag_refusal, of_the_environment
from labs.lint.refusals.located import Located, locate, missing, of_another_type
from labs.lint.refusals.value import (
    Refusal,
    bounded,
    edits_of,
    is_null,
    json_kind,
    place_of,
    quiet,
    slip,
    unmarked,
    wrong_type,
)


def plugin_refusal(document: Document, loaded: Loaded, mistake: Mistake) -> Refusal | None:
    """The place for the plugin's answer; None where nothing in the file is known to be behind it."""
    root = document.root
    if mistake.code == "environment":
        return of_the_environment(document, mistake.text)
    if mistake.code in ("flag", "mps", "imex"):
        return flag_refusal(document, loaded, mistake)
    if root is None:
        return None
    if mistake.code == "version":
        return _version(root, mistake.text)
    if document.mapping is None:
        return Refusal(mistake.text, root.place, "not-a-map", value=json_kind(root))
    if mistake.code == "missing":
        holder, struct = locate(root, mistake.path[:-1]), _struct(mistake.path[:-1])
        return None if holder is None or struct is None else missing(mistake, holder, struct.fields)
    located = locate(root, mistake.path)
    return None if located is None else _value(mistake, located)


def _struct(path: Path) -> Struct | None:
    """The struct that is read at a path."""
    struct: Struct | None = CONFIG
    for step in path:
        if struct is not None and isinstance(step, str):
            name = struct.match(step)
            struct = None if name is None else struct.fields[name]
    return struct


def _version(root: Node, text: str) -> Refusal | None:
    field = folded(root, "version")
    if field is None:
        return None
    return Refusal(
        text, field.place, slip(field.written) or "version", value=bounded(field.written), key="version",
        allowed=VERSION, near=VERSION, edits=edits_of(replace(field.value, VERSION)),
        safe=unmarked(field.written).lower() in ("v1", "1", "1.0"),
    )  # fmt: skip


def _value(mistake: Mistake, located: Located) -> Refusal | None:
    """A value of the wrong type, or one that its field does not take."""
    node, text, code = located.node, mistake.text, mistake.code
    written = node.text if isinstance(node, Scalar) else ""
    if code == "type":
        return _type(mistake, located)
    if code == "device-list":
        return wrong_type(text, node, "text", located.key)
    if code in ("duration", "duration-unit"):
        is_seconds = code == "duration-unit" and written.isascii() and written.isdigit()
        near = f"{written}s" if is_seconds else ""
        return Refusal(text, node.place, slip(written) or code, value=bounded(written), key=located.key, near=near,
                       edits=edits_of(replace(node, near)) if near else ())  # fmt: skip
    if code in ("name", "name-long"):
        return _name(mistake, located)
    if code == "empty":
        block = located.entries[-2].name if len(located.entries) > 1 else ""
        return Refusal(text, located.entry.key.place, "missing", value=block or "", key="resources")
    if code == "devices":
        value = bounded(written) if isinstance(node, Scalar) else "…"
        return Refusal(text, place_of(located.entry), "devices", value=value, key="devices")
    if code == "replicas":
        return Refusal(text, place_of(located.entry), "", value=written or "null", key="replicas")
    return None


def _type(mistake: Mistake, located: Located) -> Refusal:
    refusal = of_another_type(mistake, located)
    is_off = isinstance(located.node, Scalar) and located.node.value is False
    if is_off and fold(located.key) == fold("migStrategy"):
        none = MIG_STRATEGIES[0]
        return replace_fields(refusal, near=none, edits=edits_of(replace(located.node, none)))
    return refusal


def _name(mistake: Mistake, located: Located) -> Refusal:
    node = located.node
    raw = node.text if isinstance(node, Scalar) and not is_null(node) else ""
    near = unmarked(raw).lower().replace("_", "-").replace("+", ".")
    near = near if near != raw and not quiet(resource_name, near) else ""
    variant = mistake.code if mistake.code == "name-long" else slip(raw) or "name"
    return Refusal(mistake.text, place_of(located.entry), variant, value=bounded(raw), key=located.key, near=near,
                   edits=edits_of(replace(node, near)) if near else ())  # fmt: skip
