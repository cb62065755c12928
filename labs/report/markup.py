"""The one place where text becomes markup: everything that a page shows passes through `escape`."""

from __future__ import annotations

import re
from collections.abc import Iterable

_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
# Characters that XML forbids; an HTML page shows them as nothing good either.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def escape(text: str) -> str:
    """`text` for use between tags and in quoted attributes, of HTML and of SVG."""
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
    for name, value in values.items():
        name = name.rstrip("_").replace("_", "-")
        if value is True:
            written.append(f" {name}")
        elif value is not None and value is not False:
            written.append(f' {name}="{escape(value if isinstance(value, str) else number(value))}"')
    return "".join(written)


def number(value: float) -> str:
    """A coordinate: at most one decimal, no trailing zero."""
    text = f"{value:.1f}"
    return text.removesuffix(".0") if text != "-0.0" else "0"
