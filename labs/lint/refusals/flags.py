"""The flags of a config for which the device plugin refuses to start: it has read them all and checks what they say."""

from __future__ import annotations

from typing import Any

from labs.config.documents import Document
from labs.config.editing import replace
from labs.config.gojson import Mistake
from labs.config.goyaml import Entry, Node, Scalar, ScalarKind, Sequence
from labs.config.manifests import Field, folded
from labs.config.plugin import FLAG_WORDS, Loaded
from labs.lint.keys import Guesser
from labs.lint.refusals.value import Refusal, bounded, edits_of, slip, unmarked


def flag_refusal(document: Document, loaded: Loaded, mistake: Mistake) -> Refusal | None:
    """The flag for the plugin's answer; None where neither the file nor the environment is known to be behind it."""
    text, names = mistake.text, [str(step) for step in mistake.path]
    holder: Node | None = document.root
    for name in names[:-1]:
        section = folded(holder, name)
        holder = None if section is None else section.value
    field = folded(holder, names[-1])
    if mistake.code == "mps":
        return None if field is None else Refusal(text, field.key_place, value="mps")
    if mistake.code == "imex":
        if field is None:
            return of_the_environment(document, text)
        return Refusal(text, field.place, "imex", value=text.partition("found ")[2], key=field.name)
    value = _refused(loaded, names)
    node = _with_value(field, value)
    if field is not None and node is not None:
        return _flag_value(text, node, names[-1], FLAG_WORDS[names[-1]], listed=node is not field.value)
    flags = folded(document.root, "flags")
    erased = None if flags is None or value else _erased(flags.value, names[-1])
    if erased is not None:
        return Refusal(text, erased.key.place, "erased-flag", value=names[-1], key=f"flags.{names[-1]}")
    return of_the_environment(document, text)


def _refused(loaded: Loaded, names: list[str]) -> str:
    """The flag's value, of a list the first item, that the plugin does not know."""
    value: Any = {"flags": loaded.flags}
    for name in names:
        value = value[name]
    items = value if isinstance(value, list) else [value]
    return str(next(item for item in items if item not in FLAG_WORDS[names[-1]]))


def _with_value(member: Field | None, value: str) -> Scalar | None:
    """The scalar with a text: the field's value, or an item of its list."""
    if member is None:
        return None
    nodes = member.value.items if isinstance(member.value, Sequence) else (member.value,)
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
    """The misplaced key under `plugin` or `gfd` that sets a common flag to nothing."""
    for section in ("plugin", "gfd"):
        held = folded(flags, section)
        member = None if held is None else folded(held.value, name)
        if member is not None:
            return Entry(member.key, member.value)
    return None


def of_the_environment(document: Document, text: str) -> Refusal | None:
    """An answer that no config changes, told at the beginning of this one."""
    root = document.mapping
    if root is None or not root.entries:
        return None
    return Refusal(text, root.entries[0].key.place, "environment")
