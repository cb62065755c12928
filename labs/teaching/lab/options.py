"""The options of a choice in a lab's form, and how much room they need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from labs.report.writing import Html, attributes, columns, escape, html, join

_NARROW = 21
"""The terminal columns of text that a field of usual width shows."""

Option = tuple[str, str]
"""A value, and how it is called."""


def options_html(options: Iterable[Option], chosen: str | None) -> Html:
    """The `option` elements."""
    return join(
        html("<option{}>{}</option>", attributes(value=value, selected=value == chosen), escape(name))
        for value, name in options
    )


def choice_class(options: Sequence[Option]) -> str:
    """The classes of the field: a long one where a name would be cut off."""
    longest = max((columns(name) for _, name in options), default=0)
    return "gl-field gl-choice gl-long" if longest > _NARROW else "gl-field gl-choice"
