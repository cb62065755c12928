"""What a reader does to a form beside setting fields: takes a preset, adds and removes items, opens a link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from labs.teaching.form_lab.fields import Group, default_of
from labs.teaching.form_lab.lab import FormLab
from labs.teaching.form_lab.link import values_of_link
from labs.teaching.form_lab.values import defaults

MOST_KEYS = 1_000  # of what claims to be values


class UnknownPresetError(LookupError):
    """No preset has this id."""


def preset_values(lab: FormLab, preset: str) -> dict[str, str]:
    """The values of a preset. Raises UnknownPresetError."""
    if preset not in lab.presets:
        raise UnknownPresetError(preset)
    return {**defaults(lab.fields), **lab.presets[preset]}


def changed(
    lab: FormLab, before: Mapping[str, object], changes: Sequence[Mapping[str, Any]]
) -> tuple[dict[str, object], str]:
    """The values after what was done to the form as it was shown, and the field to stand in then ("": no matter which).

    Changes: `{"preset": id}`, `{"values": {...}}`, `{"link": fragment}`, `{"add": group}`,
    `{"remove": "<group>.<place>"}` (places are those of the form as it was shown), and `{"set": {field: text}}` for
    fields that were set after one of those. Raises KeyError, TypeError, ValueError (LinkError among them) or
    UnknownPresetError for anything else.
    """
    if len(before) > MOST_KEYS:
        raise ValueError("too much at once")
    values: dict[str, object] = {**defaults(lab.fields), **before}
    removed: dict[str, list[int]] = {}
    stand = ""
    for change in changes:
        match dict(change):
            case {"preset": str(preset)}:
                values, removed, stand = dict(preset_values(lab, preset)), {}, ""
            case {"values": dict(texts)}:
                if len(texts) > MOST_KEYS:
                    raise ValueError("too much at once")
                values, removed, stand = {**defaults(lab.fields), **texts}, {}, ""
            case {"set": dict(texts)}:
                for key, value in texts.items():
                    now = _moved(str(key), removed)
                    values |= {} if now is None else {now: value}
            case {"link": str(link)}:
                values, removed, stand = dict(values_of_link(lab, link)), {}, ""
            case {"add": str(group_id)}:
                stand = _added(_group(lab, group_id), values)
            case {"remove": str(place)}:
                group_id, _, asked = place.rpartition(".")
                gone = removed.setdefault(group_id, [])
                if int(asked) not in gone:
                    at = int(asked) - sum(earlier < int(asked) for earlier in gone)
                    stand = _removed(_group(lab, group_id), values, at)
                    gone.append(int(asked))
            case _:
                raise ValueError(f"no such change: {str(change)[:80]}")
    return values, stand


def _moved(key: str, removed: Mapping[str, Sequence[int]]) -> str | None:
    """The key that a field of the form as it was shown has since items were removed; None where it went with one."""
    group_id, _, rest = key.partition(".")
    place, _, field_id = rest.partition(".")
    if group_id not in removed or not (place.isascii() and place.isdigit()):
        return key
    gone = removed[group_id]
    return (
        None
        if int(place) in gone
        else f"{group_id}.{int(place) - sum(earlier < int(place) for earlier in gone)}.{field_id}"
    )


def _group(lab: FormLab, group_id: str) -> Group:
    for field in lab.fields:
        if isinstance(field, Group) and field.id == group_id:
            return field
    raise ValueError(f"{lab.id} has no group {group_id[:80]!r}")


def _count(group: Group, values: Mapping[str, object]) -> int:
    return min(group.most, max(group.least, int(str(values[group.id]))))


def _added(group: Group, values: dict[str, object]) -> str:
    """Adds an item with the fields' defaults, up to the most; stands in its first field."""
    count = _count(group, values)
    if count < group.most:
        values[group.id] = str(count + 1)
        for inner in group.fields:
            values[f"{group.id}.{count}.{inner.id}"] = default_of(inner)
    return f"{group.id}.{min(count, group.most - 1)}.{group.fields[0].id}"


def _removed(group: Group, values: dict[str, object], place: int) -> str:
    """Removes an item and moves those behind it up; stands in what took its place, or at what adds one."""
    count = _count(group, values)
    if not 0 <= place < count or count <= group.least:
        return ""
    for at in range(place, count - 1):
        for inner in group.fields:
            values[f"{group.id}.{at}.{inner.id}"] = values.get(f"{group.id}.{at + 1}.{inner.id}", "")
    for inner in group.fields:
        values.pop(f"{group.id}.{count - 1}.{inner.id}", None)
    values[group.id] = str(count - 1)
    return f"{group.id}.{min(place, count - 2)}.{group.fields[0].id}" if count > 1 else f"{group.id}-add"
