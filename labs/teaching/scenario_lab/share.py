"""A lab as a reader left it, as a link's fragment and back: what differs from the lab's own text.

    lab=slots-and-memory&v=1&set.big=6&set.replicas=4     controls of the lab's own text
    lab=slots-and-memory&v=1&preset=two&set.replicas=4    controls of a preset's text
    lab=slots-and-memory&v=1&text=q1YqLU4t…               the text itself, packed

A value counts only where its control takes it unchanged, and what comes out is the text of a scenario, which is read like
any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from labs.teaching.lab import LinkError, LinkProblem, fragment_of, link_parts, packed_text, unpacked
from labs.teaching.scenario_lab.controls import UnknownControlError, control_values, preset_text, with_change
from labs.teaching.scenario_lab.lab import ControlKind, Lab

_PLAIN = re.compile(r"[A-Za-z0-9._-]+")
_SET = "set."


def link_fragment(lab: Lab, text: str) -> str:
    """The fragment (without #) that shows `text` in the lab. Raises LinkError (TOO_MUCH)."""
    for preset, base in _bases(lab):
        settings = _settings(lab, base, text)
        if settings is not None:
            return fragment_of(lab.id, {**({"preset": preset} if preset else {}), **settings})
    return fragment_of(lab.id, {"text": packed_text(text)})


def text_of_link(lab: Lab, fragment: str) -> str:
    """The text that a fragment (without #) shows in the lab. Raises LinkError for whatever is no such fragment."""
    parts = link_parts(lab.id, fragment)
    if "text" in parts:
        text = parts.pop("text")
        if parts:
            raise LinkError(LinkProblem.BROKEN)
        return unpacked(text)
    return _with_settings(lab, parts)


def _bases(lab: Lab) -> Iterator[tuple[str, str]]:
    """The texts that settings may be told over, by preset; the lab's own has none."""
    if lab.scenario:
        yield "", lab.scenario
    for preset in lab.presets:
        if _PLAIN.fullmatch(preset.id):
            yield preset.id, preset_text(lab, preset.id)


def _settings(lab: Lab, base: str, text: str) -> dict[str, str] | None:
    """The controls that make `text` of `base`, as parts of a link; None where controls alone do not."""
    if base == text:
        return {}
    before = {control.id: control for control in control_values(lab, base)}
    settings: dict[str, str] = {}
    for control in control_values(lab, text):
        if control.value == before[control.id].value:
            continue
        if not (control.is_present and _PLAIN.fullmatch(control.id) and _PLAIN.fullmatch(control.value)):
            return None
        settings[_SET + control.id] = control.value
        base = with_change(lab, base, control.id, control.value)
    return settings if base == text else None


def _with_settings(lab: Lab, parts: Mapping[str, str]) -> str:
    settings = dict(parts)
    preset = settings.pop("preset", None)
    try:
        text = lab.scenario if preset is None else preset_text(lab, preset)
        for part, value in settings.items():
            if not part.startswith(_SET):
                raise LinkError(LinkProblem.BROKEN)
            text = _with_setting(lab, text, part.removeprefix(_SET), value)
    except UnknownControlError:
        raise LinkError(LinkProblem.BROKEN) from None
    if not text:
        raise LinkError(LinkProblem.BROKEN)  # a lab that is only a text has no settings
    return text


def _with_setting(lab: Lab, text: str, control_id: str, value: str) -> str:
    """`text` with the control at exactly that value."""
    control = next((control for control in lab.controls if control.id == control_id), None)
    is_switch = control is not None and control.kind is ControlKind.SWITCH
    changed = with_change(lab, text, control_id, value == "true" if is_switch else value)
    value_now = next(value_now for value_now in control_values(lab, changed) if value_now.id == control_id)
    if value_now.value != value:
        raise LinkError(LinkProblem.BROKEN)
    return changed
