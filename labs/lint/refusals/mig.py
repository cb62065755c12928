"""What mig-parted refuses a config for: its mistake, placed and explained."""

from __future__ import annotations

from collections.abc import Sequence

from labs.config.documents import Document
from labs.config.editing import replace
from labs.config.gojson import Mistake
from labs.config.goyaml import Entry, Mapping, Node, Scalar
from labs.config.mig_parted import ALL_DEVICES, VERSION, parse_profile
from labs.lint.keys import Guesser, plain
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

_TOP = ("version", "mig-configs")
_ENTRY = ("device-filter", "devices", "mig-enabled", "mig-devices")


def mig_refusal(document: Document, mistakes: Sequence[Mistake]) -> Refusal | None:
    """The place for mig-parted's answer, which may vary: a key that the file may not have goes before what is in others."""
    root = document.root
    if root is None:
        return None
    if not isinstance(root, Mapping):
        return Refusal(mistakes[0].text, root.place, "not-a-map", value=json_kind(root))
    return _refusal(
        root, min(mistakes, key=lambda mistake: mistake.code != "unexpected" or len(mistake.path) > 1)
    )


def _refusal(root: Mapping, mistake: Mistake) -> Refusal | None:
    text, code = mistake.text, mistake.code
    located = locate(root, mistake.path)
    if code in ("missing", "mig-needs-devices") or (code == "version" and located is None):
        return _missing(root, mistake)
    if located is None:
        return None
    if mistake.path == ("version",):
        return _version(text, located.entry)
    if code == "type":
        return of_another_type(mistake, located)
    if code == "unexpected":
        return _unexpected(text, located.entry, _TOP if len(mistake.path) == 1 else _ENTRY)
    if code == "mig-empty":
        return Refusal(text, located.entry.key.place, code, value=bounded(located.key))
    if code == "no-counts":
        return Refusal(text, located.entry.key.place, code, value="mig-devices")
    if code == "mig-off":
        devices = locate(root, (*mistake.path[:-1], "mig-devices"))
        also = None if devices is None else devices.entry.key.place
        return Refusal(text, place_of(located.entry), code, value="mig-devices", key="mig-enabled", also=also)
    return _value(text, code, located)


def _value(text: str, code: str, located: Located) -> Refusal | None:
    """What a field of an entry does not take."""
    node, key = located.node, located.key
    if code == "device-filter":
        return _filter(text, node)
    if code == "devices":
        return _devices(text, located)
    if code == "profile":
        near = _profile_near(key)
        edits = edits_of(replace(located.entry.key, near)) if near else ()
        place = located.entry.key.place
        return Refusal(text, place, slip(key) or "", value=bounded(key), near=near, edits=edits)
    if code == "count":
        value = str(node.value) if isinstance(node, Scalar) else ""
        return Refusal(text, node.place, code, value=value, key=bounded(key))
    return None


def _missing(root: Mapping, mistake: Mistake) -> Refusal | None:
    holder = locate(root, mistake.path[:-1])
    if holder is None:
        return None
    refusal = missing(mistake, holder, _ENTRY if len(mistake.path) > 1 else _TOP)
    enabled = locate(root, (*mistake.path[:-1], "mig-enabled"))
    if mistake.code == "mig-needs-devices" and refusal.variant == "missing" and enabled is not None:
        return Refusal(mistake.text, enabled.entry.key.place, "mig-needs-devices", key="mig-devices")
    return refusal


def _version(text: str, entry: Entry) -> Refusal:
    node = entry.value
    edits = edits_of(replace(node, VERSION))
    if json_kind(node) not in ("string", "null"):
        value = bounded(node.text) if isinstance(node, Scalar) else "…"
        is_sure = isinstance(node, Scalar) and node.text in ("1", "1.0")
        return Refusal(text, node.place, "version", value=value, key="version", allowed=VERSION, near=VERSION,
                       edits=edits, safe=is_sure)  # fmt: skip
    value = "" if is_null(node) or not isinstance(node, Scalar) else node.text
    is_sure = unmarked(value).lower() in ("v1", "1", "1.0")
    return Refusal(text, place_of(entry), slip(value) or "version", value=bounded(value), key="version",
                   allowed=VERSION, near=VERSION, edits=edits if value else (), safe=is_sure)  # fmt: skip


def _unexpected(text: str, entry: Entry, known: tuple[str, ...]) -> Refusal:
    name = entry.name or ""
    near = Guesser().nearest(name, known)
    # The key itself is spoilt, or it is one that nobody knows.
    variant = slip(name) or ("near-key" if near else "mig-field")
    edits = edits_of(replace(entry.key, near)) if near else ()
    is_same = bool(near) and plain(near) == plain(name)
    return Refusal(text, entry.key.place, variant, value=bounded(name), key=near, allowed=", ".join(known),
                   near=near, edits=edits, safe=is_same)  # fmt: skip


def _filter(text: str, node: Node) -> Refusal:
    if isinstance(node, Scalar) and json_kind(node) == "number":
        edits = edits_of(replace(node, f'"{node.text}"'))
        return Refusal(
            text, node.place, "", value=bounded(node.text), key="device-filter", edits=edits, safe=True
        )
    return wrong_type(text, node, "text", "device-filter")


def _devices(text: str, located: Located) -> Refusal:
    node, kind = located.node, json_kind(located.node)
    if node is not located.entry.value:
        return wrong_type(text, node, "number", "devices")
    if kind in ("string", "null"):
        value = node.text if isinstance(node, Scalar) and kind == "string" else ""
        is_index = value.isdecimal() and value.isascii()
        near = ALL_DEVICES if unmarked(value).lower() == ALL_DEVICES else f"[{value}]" if is_index else ""
        edits = edits_of(replace(node, near)) if near else ()
        return Refusal(text, place_of(located.entry), slip(value) or "", value=bounded(value) or "null", key="devices",
                       near=near, edits=edits, safe=near == ALL_DEVICES)  # fmt: skip
    is_whole = isinstance(node, Scalar) and kind == "number" and isinstance(node.value, int)
    near = f"[{node.value}]" if is_whole and isinstance(node, Scalar) else ""
    value = bounded(node.text) if isinstance(node, Scalar) else "{…}"
    edits = edits_of(replace(node, near)) if near else ()
    return Refusal(text, node.place, "", value=value, key="devices", near=near, edits=edits)


def _profile_near(profile: str) -> str:
    """A profile that is spelt as one, where it is plain which was meant: spaces, case, a resource's name, `GiB`."""
    near = unmarked(profile).lower().replace(" ", "")
    near = near.removeprefix("nvidia.com/").removeprefix("mig-").removeprefix("mig")
    near = near.replace("gib", "gb")
    if near.endswith(".me"):
        near = near.removesuffix(".me") + "+me"
    return near if near != profile and not quiet(parse_profile, near) else ""
