"""A form lab as a reader left it, as a link's fragment and back: `lab=four-ways&v=1&set.copies=4&text.solo=eNpL…`.

Only what differs from the form as the site has it is told: plain values as they are (`set.`), others packed (`text.`). A link
comes from anybody: it is bounded, and what comes out are values that the form takes unchanged.
"""

from __future__ import annotations

import re

from labs.teaching.form_lab.fields import Choice, Field, Group, Slider, Switch
from labs.teaching.form_lab.lab import FormLab
from labs.teaching.form_lab.values import Values, read_values
from labs.teaching.lab import LinkError, LinkProblem, fragment_of, link_parts, packed_text, unpacked

_PLAIN = re.compile(r"[A-Za-z0-9._-]*")
_SET, _TEXT = "set.", "text."


def form_link(lab: FormLab, values: Values) -> str:
    """The fragment (without #) that shows these values. Raises LinkError (TOO_MUCH)."""
    first, _ = read_values(lab.fields, {}, lab.options)
    parts: dict[str, str] = {}
    for key, value in values.items():
        if first.get(key) == value:
            continue
        if _PLAIN.fullmatch(value):
            parts[f"{_SET}{key}"] = value
        else:
            parts[f"{_TEXT}{key}"] = packed_text(value)
    return fragment_of(lab.id, parts)


def values_of_link(lab: FormLab, fragment: str) -> dict[str, str]:
    """The values that a fragment (without #) shows. Raises LinkError for whatever is no such fragment."""
    texts: dict[str, str] = {}
    for part, value in link_parts(lab.id, fragment).items():
        if part.startswith(_SET):
            texts[part.removeprefix(_SET)] = value
        elif part.startswith(_TEXT):
            texts[part.removeprefix(_TEXT)] = unpacked(value)
        else:
            raise LinkError(LinkProblem.BROKEN)
    values, _ = read_values(lab.fields, texts, lab.options)
    strict = {
        key for key, field in _keys(lab.fields, values) if isinstance(field, Choice | Slider | Switch | Group)
    }
    for key, value in texts.items():
        if key not in values or (key in strict and values[key] != value):
            raise LinkError(LinkProblem.BROKEN)
    return dict(values)


def _keys(fields: tuple[Field, ...], values: Values) -> list[tuple[str, Field]]:
    """Every key of a form with its field."""
    keyed: list[tuple[str, Field]] = []
    for field in fields:
        keyed.append((field.id, field))
        if isinstance(field, Group):
            keyed += [
                (f"{field.id}.{place}.{inner.id}", inner)
                for place in range(values.whole(field.id))
                for inner in field.fields
            ]
    return keyed
