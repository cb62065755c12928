"""The one place where text becomes markup: everything that a page shows passes through `escape`."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
# Characters that XML forbids; an HTML page shows them as nothing good either.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_NOT_PLAIN = re.compile(f"[&<>\"'{_FORBIDDEN.pattern[1:]}")


def escape(text: str) -> str:
    """`text` for use between tags and in quoted attributes, of HTML and of SVG."""
    if _NOT_PLAIN.search(text) is None:
        return text
    return _FORBIDDEN.sub("\ufffd", text).translate(_ENTITIES)


def quoting(text: str, quotes: Iterable[str]) -> str:
    """As `escape`, with the first of the `quotes` that stands in `text` marked as English: programs speak nothing else."""
    for quote in quotes:
        before, found, after = text.partition(quote) if quote else (text, "", "")
        if found:
            return f'{escape(before)}<span lang="en">{escape(found)}</span>{escape(after)}'
    return escape(text)


def attributes(**values: str | float | bool | None) -> str:
    """` name="value"` for each value: `_` in a name stands for `-`; True is the bare name; None and False are left out."""
    written = []
    for key, value in values.items():
        if value is None or value is False:
            continue
        if value is True:
            written.append(f" {_name(key)}")
        else:
            written.append(f' {_name(key)}="{escape(value) if isinstance(value, str) else number(value)}"')
    return "".join(written)


@functools.cache
def _name(key: str) -> str:
    """The attribute that a key of Python's stands for; there are as many as are written in the code."""
    return key.rstrip("_").replace("_", "-")


def number(value: float) -> str:
    """A coordinate: at most one decimal, no trailing zero."""
    text = f"{value:.1f}"
    return text.removesuffix(".0") if text != "-0.0" else "0"
