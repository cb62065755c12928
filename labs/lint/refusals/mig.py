"""What mig-parted could refuse a config for, thing by thing (``labs.config.mig_parted.fields``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from labs.config.documents import Document
from labs.config.gojson import Context, TypeMismatchError, number, parse_integer
from labs.config.goyaml import Entry, Node, Scalar, Span
from labs.config.goyaml import Mapping as MappingNode
from labs.config.goyaml import Sequence as SequenceNode
from labs.config.mig_parted import ALL_DEVICES, VERSION, parse_profile
from labs.lint.findings import replace
from labs.lint.keys import Guesser, plain
from labs.lint.refusals.plugin import members, mismatch
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

_TOP = ("version", "mig-configs")
_ENTRY = ("device-filter", "devices", "mig-enabled", "mig-devices")
_NOWHERE = Context()


def mig_refusal(document: Document, texts: Sequence[str]) -> Refusal | None:
    """The place for mig-parted's answer, which may vary: of all its possible texts the first that stands in the file."""
    root = document.root
    if root is None:
        return None
    if not isinstance(root, MappingNode):
        return Refusal(texts[0], root.place, "not-a-map", value=json_kind(root))
    possible = frozenset(texts)
    return next((one for one in _spec(root) if one.text in possible), None)


def _spec(root: MappingNode) -> Iterator[Refusal]:
    found = {one.name or "": one for one in members(root)}
    version = found.get("version")
    if version is None:
        text = "unable to parse with missing 'version' field" if found else "unknown version: "
        place = root.entries[0].key.place if root.entries else root.place
        yield _near_or_missing(text, root, Entry(root, root), "version", _TOP, place)
    else:
        yield from _version(version)
    guess = Guesser()
    for name, one in found.items():
        if name not in _TOP:
            yield _unexpected(one, _TOP, guess)
    configs = found.get("mig-configs")
    if configs is None:
        return
    none = "at least one entry in 'mig-configs' is required"
    if is_null(configs.value) or (isinstance(configs.value, MappingNode) and not configs.value.entries):
        yield Refusal(none, configs.key.place, "mig-empty", value="mig-configs")
    elif not isinstance(configs.value, MappingNode):
        text = mismatch(configs.value, "map[string]v1.MigConfigSpecSlice", _NOWHERE)
        yield wrong_type(text, configs.value, "map", "mig-configs")
    else:
        for one in members(configs.value):
            yield from _config(one, guess)


def _version(entry: Entry) -> Iterator[Refusal]:
    node = entry.value
    if json_kind(node) not in ("string", "null"):
        near = edits_of(replace(node, VERSION))
        text, value = (
            mismatch(node, "string", _NOWHERE),
            bounded(node.text) if isinstance(node, Scalar) else "…",
        )
        sure = isinstance(node, Scalar) and node.text in ("1", "1.0")
        yield Refusal(
            text,
            node.place,
            "version",
            value=value,
            key="version",
            allowed=VERSION,
            near=VERSION,
            edits=near,
            safe=sure,
        )
        return
    value = "" if is_null(node) or not isinstance(node, Scalar) else node.text
    if value != VERSION:
        sure = unmarked(value).lower() in ("v1", "1", "1.0")
        yield Refusal(
            f"unknown version: {value}", place_of(entry), slip(value) or "version", value=bounded(value), key="version",
            allowed=VERSION, near=VERSION, edits=edits_of(replace(node, VERSION)) if value else (), safe=sure,
        )  # fmt: skip


def _config(named: Entry, guess: Guesser) -> Iterator[Refusal]:
    node = named.value
    empty = f"at least one entry in '{named.name}' is required"
    if is_null(node):
        yield Refusal(empty, named.key.place, "mig-empty", value=bounded(named.name or ""))
    elif not isinstance(node, SequenceNode):
        yield wrong_type(mismatch(node, "v1.MigConfigSpecSlice", _NOWHERE), node, "list", named.name or "")
    elif not node.items:
        yield Refusal(empty, named.key.place, "mig-empty", value=bounded(named.name or ""))
    else:
        for item in node.items:
            yield from _entry(item, named, guess)


def _entry(item: Node, named: Entry, guess: Guesser) -> Iterator[Refusal]:
    if not isinstance(item, MappingNode) and not is_null(item):
        yield wrong_type(
            mismatch(item, "map[string]json.RawMessage", _NOWHERE), item, "map", named.name or ""
        )
        return
    found = {one.name or "": one for one in members(item)} if isinstance(item, MappingNode) else {}
    place = min(
        (one.key.place for one in found.values()), key=lambda span: span.start_offset, default=item.place
    )
    place = named.key.place if is_null(item) else place
    for required in ("devices", "mig-enabled"):
        if required not in found:
            yield _near_or_missing(
                f"missing required field: {required}", item, named, required, _ENTRY, place
            )
    for name, one in found.items():
        if name == "device-filter":
            yield from _filter(one)
        elif name == "devices":
            yield from _devices(one)
        elif name == "mig-enabled":
            if json_kind(one.value) not in ("bool", "null"):
                yield wrong_type(mismatch(one.value, "bool", _NOWHERE), one.value, "bool", name)
        elif name == "mig-devices":
            yield from _counts(one)
        else:
            yield _unexpected(one, _ENTRY, guess)
    enabled, devices = found.get("mig-enabled"), found.get("mig-devices")
    if enabled is not None:
        at = enabled.key.place
        text = "missing required field 'mig-devices' when 'mig-enabled' is true"
        near = _near_or_missing(text, item, named, "mig-devices", _ENTRY, at)
        yield (
            near if near.variant == "near-key" else Refusal(text, at, "mig-needs-devices", key="mig-devices")
        )
        if devices is not None:
            yield Refusal("MIG devices included when 'mig-enabled' is false", place_of(enabled), "mig-off",
                          value="mig-devices", key="mig-enabled", also=devices.key.place)  # fmt: skip


def _unexpected(entry: Entry, known: tuple[str, ...], guess: Guesser) -> Refusal:
    name = entry.name or ""
    near = guess.nearest(name, known)
    same = bool(near) and plain(near) == plain(name)
    # The key itself is spoilt, or it is one that nobody knows.
    variant = slip(name) or ("near-key" if near else "mig-field")
    edits = edits_of(replace(entry.key, near)) if near else ()
    return Refusal(
        f"unexpected field: {name}", entry.key.place, variant, value=bounded(name), key=near, allowed=", ".join(known),
        near=near, edits=edits, safe=same,
    )  # fmt: skip


def _near_or_missing(
    text: str, node: Node, holder: Entry, name: str, known: tuple[str, ...], place: Span
) -> Refusal:
    """A required key is not there: points at the one that was meant for it, else at ``place``."""
    guess = Guesser()
    for one in members(node) if isinstance(node, MappingNode) else ():
        key = one.name or ""
        if key not in known and guess.nearest(key, known) == name:
            same = plain(key) == plain(name)
            return Refusal(text, one.key.place, "near-key", value=bounded(key), key=name, near=name,
                           edits=edits_of(replace(one.key, name)), safe=same)  # fmt: skip
    return Refusal(text, place, "missing", value=bounded(holder.name or ""), key=name)


def _filter(entry: Entry) -> Iterator[Refusal]:
    node = entry.value
    found = json_kind(node)
    if found in ("string", "null"):
        return
    text = TypeMismatchError(found, "string")
    if not isinstance(node, SequenceNode):
        yield _filter_value(f"({text}, {TypeMismatchError(found, '[]string')})", node)
        return
    for item in node.items:
        if json_kind(item) not in ("string", "null"):
            yield _filter_value(f"({text}, {TypeMismatchError(json_kind(item), 'string')})", item)
            return


def _filter_value(text: str, node: Node) -> Refusal:
    if isinstance(node, Scalar) and json_kind(node) == "number":
        edit = replace(node, f'"{node.text}"')
        return Refusal(
            text,
            node.place,
            "",
            value=bounded(node.text),
            key="device-filter",
            edits=edits_of(edit),
            safe=True,
        )
    return wrong_type(text, node, "text", "device-filter")


def _devices(entry: Entry) -> Iterator[Refusal]:
    node = entry.value
    found = json_kind(node)
    if found in ("string", "null"):
        value = node.text if isinstance(node, Scalar) and found == "string" else ""
        if value != ALL_DEVICES:
            near = (
                ALL_DEVICES
                if unmarked(value).lower() == ALL_DEVICES
                else f"[{value}]"
                if value.isdecimal() and value.isascii()
                else ""
            )
            yield Refusal(
                f"invalid string input for 'devices': {value}", place_of(entry), slip(value) or "",
                value=bounded(value) or "null", key="devices", near=near, edits=edits_of(replace(node, near)) if near else (),
                safe=near == ALL_DEVICES,
            )  # fmt: skip
        return
    text = TypeMismatchError(found, "string")
    if not isinstance(node, SequenceNode):
        value = bounded(node.text) if isinstance(node, Scalar) else "{…}"
        near = (
            f"[{node.value}]"
            if isinstance(node, Scalar) and found == "number" and isinstance(node.value, int)
            else ""
        )
        edits = edits_of(replace(node, near)) if near else ()
        why = f"({text}, {TypeMismatchError(found, '[]int')})"
        yield Refusal(why, node.place, "", value=value, key="devices", near=near, edits=edits)
        return
    for item in node.items:
        problem = _not_int(item)
        if problem is not None:
            yield wrong_type(f"({text}, {problem})", item, "number", "devices")
            return


def _not_int(node: Node) -> TypeMismatchError | None:
    found = json_kind(node)
    if found == "null":
        return None
    if found == "number" and isinstance(node, Scalar) and isinstance(node.value, int | float):
        if parse_integer(number(node.value)) is not None:
            return None
        found = f"number {number(node.value)}"
    return TypeMismatchError(found, "int")


def _counts(entry: Entry) -> Iterator[Refusal]:
    node = entry.value
    if is_null(node):
        return
    if not isinstance(node, MappingNode):
        yield wrong_type(mismatch(node, "types.MigConfig", _NOWHERE), node, "map", "mig-devices")
        return
    prefix = "error validating values in 'mig-devices' field: "
    listed = members(node)
    for one in listed:
        problem = _not_int(one.value)
        if problem is not None:
            yield wrong_type(str(problem), one.value, "number", one.name or "")
    for one in listed:
        profile = one.name or ""
        why = quiet(parse_profile, profile)
        if why:
            near = _profile_near(profile)
            edits = edits_of(replace(one.key, near)) if near else ()
            text = f"{prefix}invalid format for '{profile}': {why}"
            variant = slip(profile) or ""
            yield Refusal(text, one.key.place, variant, value=bounded(profile), near=near, edits=edits)
        count = one.value.value if isinstance(one.value, Scalar) else None
        if isinstance(count, int | float) and count < 0:
            yield Refusal(f"{prefix}invalid count for '{int(count)}': <nil>", one.value.place, "count",
                          value=str(count), key=bounded(profile))  # fmt: skip
    yield Refusal(
        f"{prefix}all counts for all MigProfiles are 0", entry.key.place, "no-counts", value="mig-devices"
    )


def _profile_near(profile: str) -> str:
    """A profile that is spelt as one, where it is plain which was meant: spaces, case, a resource's name, ``GiB``."""
    near = unmarked(profile).lower().replace(" ", "")
    near = near.removeprefix("nvidia.com/").removeprefix("mig-").removeprefix("mig")
    near = near.replace("gib", "gb")
    if near.endswith(".me"):
        near = near.removesuffix(".me") + "+me"
    return near if near != profile and not quiet(parse_profile, near) else ""
