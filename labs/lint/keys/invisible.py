"""Characters that look like a space, like nothing or like plain ones, and that YAML takes for letters."""

from __future__ import annotations

import re

from labs.config.editing import Edit, replace
from labs.config.goyaml import Mapping, Node, Scalar, Sequence

_SPACES = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
_NOTHING = "\u00ad\u200b-\u200f\u2060-\u2064\ufeff"
_INVISIBLE = re.compile(f"[{_SPACES}{_NOTHING}]")
_WIDE = "\u3000"
_NARROW = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
"""The full-width forms of ASCII, as input methods write them."""
_NOTHINGS = re.compile(f"[{_NOTHING}]")
_NAMES = {
    "\u00a0": "NO-BREAK SPACE", "\u00ad": "SOFT HYPHEN", "\u200b": "ZERO WIDTH SPACE", "\u200c": "ZERO WIDTH NON-JOINER",
    "\u200d": "ZERO WIDTH JOINER", "\u2060": "WORD JOINER", "\u3000": "IDEOGRAPHIC SPACE", "\ufeff": "BYTE ORDER MARK",
}  # fmt: skip


def first_invisible(text: str) -> str:
    """The first such character of a text by its number and name (`U+00A0 NO-BREAK SPACE`); `""` where there is none."""
    match = _INVISIBLE.search(text)
    if match is None:
        return ""
    return f"U+{ord(match[0]):04X} {_NAMES.get(match[0], '')}".rstrip()


def visible(text: str) -> str:
    """The text with spaces for what looks like a space (two for an ideographic one) and without what looks like nothing."""
    return _INVISIBLE.sub(" ", _NOTHINGS.sub("", text).replace(_WIDE, "  "))


def narrow(text: str) -> str:
    """The text with plain characters for full-width ones."""
    return text.translate(_NARROW)


def escaped(text: str) -> str:
    """The text with such characters written out, for a message."""
    return _INVISIBLE.sub(lambda match: f"<U+{ord(match[0]):04X}>", text)


def invisible_keys(root: Node | None) -> list[Scalar]:
    """The keys that hold such characters, in the order of the file, each once."""
    keys: dict[int, Scalar] = {}
    todo: list[Node] = [] if root is None else [root]
    seen: set[int] = set()
    while todo:
        node = todo.pop()
        if node.span.start_offset in seen and node.alias is not None:
            continue
        if isinstance(node, Mapping):
            seen.add(node.span.start_offset)
            for entry in node.entries:
                key = entry.key
                if isinstance(key, Scalar) and key.alias is None and first_invisible(key.text):
                    keys[key.span.start_offset] = key
                todo.append(entry.value)
        elif isinstance(node, Sequence):
            seen.add(node.span.start_offset)
            todo.extend(node.items)
    return [keys[offset] for offset in sorted(keys)]


def invisible_edits(root: Node | None) -> tuple[Edit, ...]:
    """The edits that make all such keys of a tree plain."""
    edits = (replace(key, visible(key.text)) for key in invisible_keys(root) if key.style == "plain")
    return tuple(edit for edit in edits if edit is not None)
