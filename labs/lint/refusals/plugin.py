"""What the device plugin could refuse a config for, thing by thing in its order (``labs.config.plugin.fields``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace as replace_fields
from typing import Any

from labs.config.documents import Document
from labs.config.gojson import (
    Context,
    ConversionError,
    TypeMismatchError,
    dump,
    fold,
    number,
    parse_integer,
    to_json,
)
from labs.config.goyaml import DecodeError, Entry, Node, Scalar, Sequence, TooManyNodesError, decode, merged
from labs.config.goyaml import Mapping as MappingNode
from labs.config.manifests import PluginDocument, plugin_document
from labs.config.plugin import (
    COMMON_BOOLS,
    COMMON_TEXTS,
    GFD_BOOLS,
    GFD_TEXTS,
    MIG_STRATEGIES,
    PLUGIN_BOOLS,
    PLUGIN_TEXTS,
    VERSION,
    Loaded,
    Stage,
    check_devices,
    check_duration,
    resource_name,
)
from labs.lint.findings import replace
from labs.lint.keys import BLOCK, ENTRY, Guesser, plain
from labs.lint.refusals.flags import flag_refusal, of_the_environment
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

_Field = Callable[[Entry, Context], Iterator[Refusal]]


def plugin_refusal(document: Document, loaded: Loaded, text: str) -> Refusal | None:
    """The place for the plugin's answer; None where nothing in the file is known to be behind it."""
    view = plugin_document(document, loaded)
    if view is None:
        return None
    if loaded.stage is Stage.VALIDATE:
        return flag_refusal(document, view, text)
    if text.startswith("unknown version: "):
        return _version_refusal(view, text)
    if text.startswith(("could not parse ", "bad flag", "flag ", "invalid boolean value", "invalid value ")):
        return of_the_environment(document, text)
    if document.root is None:
        return None
    if document.mapping is None:
        return Refusal(text, document.root.place, "not-a-map", value=json_kind(document.root))
    return next((one for one in _config(document.mapping) if one.text == text), None)


def _version_refusal(view: PluginDocument, text: str) -> Refusal | None:
    if view.version is None:
        return None
    value = view.version.written
    sure = unmarked(value).lower() in ("v1", "1", "1.0")
    edits = edits_of(replace(view.version.value, VERSION))
    return Refusal(
        text, view.version.place, slip(value) or "version", value=bounded(value), key="version", allowed=VERSION,
        near=VERSION, edits=edits, safe=sure,
    )  # fmt: skip


# --- reading


def members(node: MappingNode) -> list[Entry]:
    """The members as the loader meets them: merged, of equal keys the last, in byte order."""
    last = {entry.name: entry for entry in merged(node) if entry.name is not None}
    return [last[name] for name in sorted(last, key=lambda name: name.encode("utf-8", "surrogatepass"))]


def mismatch(node: Node, wanted: str, context: Context) -> str:
    """``json.UnmarshalTypeError`` for a value."""
    return str(context.named(TypeMismatchError(json_kind(node), wanted)))


def _config(root: MappingNode) -> Iterator[Refusal]:
    plugin = {**dict.fromkeys(PLUGIN_TEXTS, _text), **dict.fromkeys(PLUGIN_BOOLS, _bool)}
    gfd = {**dict.fromkeys(GFD_TEXTS, _text), **dict.fromkeys(GFD_BOOLS, _bool), "sleepInterval": _duration}
    flags: dict[str, _Field] = {
        **dict.fromkeys(COMMON_TEXTS, _text),
        **dict.fromkeys(COMMON_BOOLS, _bool),
        "plugin": _struct("v1.PluginCommandLineFlags", {**plugin, "deviceListStrategy": _device_list}),
        "gfd": _struct("v1.GFDCommandLineFlags", gfd),
    }
    fields: dict[str, _Field] = {
        "version": _text,
        "flags": _struct("v1.Flags", flags, "CommandLineFlags"),
        "resources": _struct("v1.Resources", {"gpus": _resources, "mig": _resources}),
        "sharing": _struct("v1.Sharing", {"timeSlicing": _block, "mps": _block}),
        "imex": _struct("v1.Imex", {"channelIDs": _channels, "required": _bool}),
    }
    yield from _struct("v1.Config", fields)(Entry(root, root), Context())


def _struct(wanted: str, fields: Mapping[str, _Field], *embedded: str) -> _Field:
    by_fold = {fold(name): name for name in fields}

    def read(entry: Entry, context: Context) -> Iterator[Refusal]:
        node = entry.value
        if not isinstance(node, MappingNode):
            if not is_null(node):
                yield wrong_type(mismatch(node, wanted, context), node, "map", entry.name or "")
            return
        for one in members(node):
            name = by_fold.get(fold(one.name or ""))
            if name is not None:
                yield from fields[name](one, context.into(wanted.removeprefix("v1."), *embedded, name))

    return read


def _text(entry: Entry, context: Context) -> Iterator[Refusal]:
    if json_kind(entry.value) not in ("string", "null"):
        told = wrong_type(mismatch(entry.value, "string", context), entry.value, "text", entry.name or "")
        off = isinstance(entry.value, Scalar) and entry.value.value is False
        if off and context.path[-1:] == ("migStrategy",):
            none = MIG_STRATEGIES[0]
            told = replace_fields(told, near=none, edits=edits_of(replace(entry.value, none)))
        yield told


def _bool(entry: Entry, context: Context) -> Iterator[Refusal]:
    if json_kind(entry.value) not in ("bool", "null"):
        yield wrong_type(mismatch(entry.value, "bool", context), entry.value, "bool", entry.name or "")


def _integer(node: Node, context: Context, key: str) -> Iterator[Refusal]:
    found = json_kind(node)
    if found == "null":
        return
    if found == "number" and isinstance(node, Scalar) and isinstance(node.value, int | float):
        written = number(node.value)
        if parse_integer(written) is not None:
            return
        found = f"number {written}"
    text = str(context.named(TypeMismatchError(found, "int")))
    yield wrong_type(text, node, "number", key)


def _device_list(entry: Entry, context: Context) -> Iterator[Refusal]:
    node = entry.value
    if isinstance(node, Sequence):
        bad = next((item for item in node.items if json_kind(item) not in ("string", "null")), None)
    else:
        bad = None if json_kind(node) in ("string", "null") else node
    if bad is not None:
        text = f"invalid deviceListStrategy: {_dumped(node)}"
        yield wrong_type(text, bad, "text", entry.name or "")


def _dumped(node: Node) -> str:
    return dump(json_of(node))


def json_of(node: Node) -> Any:
    """A node as JSON; None also where it has none."""
    try:
        return to_json(decode(node, max_depth=256, max_nodes=400_000), lambda path: False)
    except (DecodeError, ConversionError, TooManyNodesError):
        return None


def _duration(entry: Entry, context: Context) -> Iterator[Refusal]:
    node = entry.value
    if is_null(node):
        return
    text = quiet(check_duration, json_of(node))
    if text:
        value = node.text if isinstance(node, Scalar) else ""
        unitless = text.startswith("time: missing unit")
        near = f"{value}s" if unitless and value.isascii() and value.isdigit() else ""
        edits = edits_of(replace(node, near)) if near else ()
        yield Refusal(text, node.place, slip(value) or ("duration-unit" if unitless else "duration"), value=bounded(value),
                      key=entry.name or "", near=near, edits=edits)  # fmt: skip


def _channels(entry: Entry, context: Context) -> Iterator[Refusal]:
    if isinstance(entry.value, Sequence):
        for item in entry.value.items:
            yield from _integer(item, context, entry.name or "")
    elif not is_null(entry.value):
        yield wrong_type(mismatch(entry.value, "[]int", context), entry.value, "list", entry.name or "")


def _resources(entry: Entry, context: Context) -> Iterator[Refusal]:
    node = entry.value
    if not isinstance(node, Sequence):
        if not is_null(node):
            yield wrong_type(mismatch(node, "[]v1.Resource", context), node, "list", entry.name or "")
        return
    for item in node.items:
        yield from _fields_of(item, context, entry.name or "")
        found = _by_name(item)
        for name in ("pattern", "name"):
            if name not in found:
                yield _missing(
                    f"resources must have a '{name}' field set", item, entry, name, ("pattern", "name")
                )
            elif name == "pattern" and json_kind(found[name].value) not in ("string", "null"):
                text = mismatch(found[name].value, "v1.ResourcePattern", context)
                yield wrong_type(text, found[name].value, "text", name)
            elif name == "name":
                yield from _resource_name(found[name], context)


# --- sharing blocks


def _fields_of(node: Node, context: Context, key: str) -> Iterator[Refusal]:
    """What ``unmarshal_fields`` refuses."""
    if not isinstance(node, MappingNode) and not is_null(node):
        yield wrong_type(mismatch(node, "map[string]json.RawMessage", context), node, "map", key)


def _by_name(node: Node) -> dict[str, Entry]:
    return {one.name or "": one for one in members(node)} if isinstance(node, MappingNode) else {}


def _block(entry: Entry, context: Context) -> Iterator[Refusal]:
    node = entry.value
    if is_null(node) and context.path[-1:] == ("mps",):
        return
    yield from _fields_of(node, context, entry.name or "")
    found = _by_name(node)
    for name in ("renameByDefault", "failRequestsGreaterThanOne"):
        if name in found:
            yield from _bool(found[name], context)
    resources = found.get("resources")
    empty = "no resources specified"
    if resources is None:
        yield _missing(empty, node, entry, "resources", tuple(BLOCK.fields))
        return
    if isinstance(resources.value, Sequence) and resources.value.items:
        for item in resources.value.items:
            yield from _entry(item, resources, context)
    elif is_null(resources.value) or isinstance(resources.value, Sequence):
        yield Refusal(empty, resources.key.place, "missing", value=entry.name or "", key="resources")
    else:
        text = mismatch(resources.value, "[]v1.ReplicatedResource", context)
        yield wrong_type(text, resources.value, "list", "resources")


def _entry(item: Node, listed: Entry, context: Context) -> Iterator[Refusal]:
    yield from _fields_of(item, context, "resources")
    found = _by_name(item)
    known = tuple(ENTRY.fields)
    if "name" not in found:
        yield _missing("no resource name specified", item, listed, "name", known)
    else:
        yield from _resource_name(found["name"], context)
    if "devices" in found:
        text = quiet(check_devices, json_of(found["devices"].value))
        if text:
            value = (
                bounded(found["devices"].value.text) if isinstance(found["devices"].value, Scalar) else "…"
            )
            yield Refusal(text, place_of(found["devices"]), "devices", value=value, key="devices")
    if "replicas" not in found:
        yield _missing("no replicas specified", item, listed, "replicas", known)
    else:
        yield from _replicas(found["replicas"], context)
    if "rename" in found:
        yield from _resource_name(found["rename"], context)


def _replicas(entry: Entry, context: Context) -> Iterator[Refusal]:
    yield from _integer(entry.value, context, "replicas")
    if isinstance(entry.value, Scalar) and _below_two(entry.value):
        value = entry.value.text or "null"
        yield Refusal("number of replicas must be >= 2", place_of(entry), "", value=value, key="replicas")


def _below_two(node: Scalar) -> bool:
    """Whether a number of replicas is none; of several in a file the first that is none is the one refused."""
    return is_null(node) or (isinstance(node.value, int | float) and node.value < 2)


def _resource_name(entry: Entry, context: Context) -> Iterator[Refusal]:
    node = entry.value
    if json_kind(node) not in ("string", "null"):
        yield wrong_type(mismatch(node, "string", context), node, "text", entry.name or "")
        return
    raw = node.text if isinstance(node, Scalar) and not is_null(node) else ""
    text = quiet(resource_name, raw)
    if not text:
        return
    near = unmarked(raw).lower().replace("_", "-").replace("+", ".")
    near = near if near != raw and not quiet(resource_name, near) else ""
    variant = "name-long" if text.startswith("fully-qualified") else slip(raw) or "name"
    yield Refusal(text, place_of(entry), variant, value=bounded(raw), key=entry.name or "", near=near,
                  edits=edits_of(replace(node, near)) if near else ())  # fmt: skip


def _missing(text: str, node: Node, holder: Entry, name: str, known: tuple[str, ...]) -> Refusal:
    """A required key is not there: points at the one that was meant for it, else at the first of the map."""
    written = members(node) if isinstance(node, MappingNode) else []
    guess = Guesser()
    for one in written:
        key = one.name or ""
        if key not in known and (
            plain(key) == plain(name) or guess.own(BLOCK if name == "resources" else ENTRY, key) == name
        ):
            edits = edits_of(replace(one.key, name))
            same = plain(key) == plain(name)
            return Refusal(
                text,
                one.key.place,
                "near-key",
                value=bounded(key),
                key=name,
                near=name,
                edits=edits,
                safe=same,
            )
    if written and node is not holder.value:
        place = min((one.key.place for one in written), key=lambda span: span.start_offset)
    else:
        place = holder.key.place if node is holder.value or is_null(node) else node.place
    return Refusal(text, place, "missing", value=bounded(holder.name or ""), key=name)
