"""The flags of a config for which the device plugin refuses to start: it has read them all and checks what they say."""

from __future__ import annotations

from labs.config.documents import Document
from labs.config.goyaml import Entry, Node, Scalar, ScalarKind, Sequence
from labs.config.manifests import Field, PluginDocument, folded
from labs.config.plugin import (
    ALLOCATION_POLICIES,
    DEVICE_DISCOVERY_STRATEGIES,
    DEVICE_ID_STRATEGIES,
    DEVICE_LIST_STRATEGIES,
    MIG_STRATEGIES,
)
from labs.lint.findings import replace
from labs.lint.keys import Guesser
from labs.lint.refusals.value import Refusal, bounded, edits_of, slip, unmarked

_FLAG_VALUES: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    (
        "invalid --device-list-strategy option: invalid strategy: ",
        "plugin",
        "deviceListStrategy",
        DEVICE_LIST_STRATEGIES,
    ),
    ("invalid --device-id-strategy option: ", "plugin", "deviceIDStrategy", DEVICE_ID_STRATEGIES),
    (
        "invalid --device-discovery-strategy option ",
        "",
        "deviceDiscoveryStrategy",
        DEVICE_DISCOVERY_STRATEGIES,
    ),
    ("unknown MIG strategy: ", "", "migStrategy", MIG_STRATEGIES),
    (
        "invalid --shared-devices-allocation-policy option: ",
        "plugin",
        "sharedDevicesAllocationPolicy",
        ALLOCATION_POLICIES,
    ),
)


def flag_refusal(document: Document, view: PluginDocument, text: str) -> Refusal | None:
    """The flag for the plugin's answer; None where neither the file nor the environment is known to be behind it."""
    flags = None if view.flags is None else view.flags.value
    if text.startswith("using "):
        if view.mps is None:
            return None
        return Refusal(text, view.mps.field.key_place, value="mps")
    if text.startswith("invalid IMEX"):
        ids = None if view.imex is None else folded(view.imex.value, "channelIDs")
        if ids is None:
            return of_the_environment(document, text)
        return Refusal(text, ids.place, "imex", value=text.partition("found ")[2], key=ids.name)
    for prefix, section, name, allowed in _FLAG_VALUES:
        if text.startswith(prefix):
            held = folded(flags, section) if section else view.flags
            value = text.removeprefix(prefix)
            found = None if held is None else folded(held.value, name)
            node = _with_value(found, value)
            if found is not None and node is not None:
                return _flag_value(text, node, name, allowed, listed=node is not found.value)
            erased = _erased(flags, name) if value == "" else None
            if erased is not None:
                return Refusal(text, erased.key.place, "erased-flag", value=name, key=f"flags.{name}")
            return of_the_environment(document, text)
    return None


def _with_value(found: Field | None, value: str) -> Scalar | None:
    """The scalar with a text: the field's value, or an item of its list."""
    if found is None:
        return None
    nodes = found.value.items if isinstance(found.value, Sequence) else (found.value,)
    for node in nodes:
        if isinstance(node, Scalar) and (
            node.text == value or (node.kind is ScalarKind.NULL and value == "")
        ):
            return node
    return None


def _flag_value(text: str, node: Scalar, name: str, allowed: tuple[str, ...], listed: bool) -> Refusal:
    cleaned = unmarked(node.text).lower()
    items = [item.strip() for item in cleaned.split(",")]
    if name == "deviceListStrategy" and not listed and len(items) > 1 and set(items) <= set(allowed):
        near = f"[{', '.join(items)}]"
        edits = edits_of(replace(node, near))
        return Refusal(
            text,
            node.place,
            "flag-list",
            value=bounded(node.text),
            key=name,
            near=near,
            edits=edits,
            safe=True,
        )
    sure = cleaned in allowed
    near = cleaned if sure else Guesser().nearest(cleaned, allowed)
    edits = edits_of(replace(node, near)) if near else ()
    return Refusal(
        text, node.place, slip(node.text) or "flag", value=bounded(node.text), key=name, allowed=", ".join(allowed),
        near=near, edits=edits, safe=sure,
    )  # fmt: skip


def _erased(flags: Node | None, name: str) -> Entry | None:
    """The misplaced key under ``plugin`` or ``gfd`` that sets a common flag to nothing."""
    for section in ("plugin", "gfd"):
        held = folded(flags, section)
        found = None if held is None else folded(held.value, name)
        if found is not None:
            return Entry(found.key, found.value)
    return None


def of_the_environment(document: Document, text: str) -> Refusal | None:
    """An answer that no config changes, told at the beginning of this one."""
    root = document.mapping
    if root is None or not root.entries:
        return None
    return Refusal(text, root.entries[0].key.place, "environment")
