"""Controls are views of a scenario's text: each reads one scalar of it, and a change rewrites just that."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor

from labs.config.goyaml import Node, Position, Scalar, Span, YamlError, find, read, replace_span
from labs.config.own import quantity_bytes, rate_per_s
from labs.teaching.scenario_lab.lab import INTO_TEXT, Control, ControlKind, Lab, Preset

SLIDERS = (ControlKind.INTEGER, ControlKind.QUANTITY, ControlKind.RATE)
BLOCK_STYLES = ("literal", "folded")
UNIT_BYTES = {"MiB": 1024**2, "GiB": 1024**3}


@dataclass(frozen=True, slots=True)
class ControlValue:
    """What a control shows for a text: `value` as a form field has it ("38", "true", "a100-40gb").

    `is_present` is False where the text has no such scalar, or one that is not of the control's kind. A value
    outside the control's bounds widens them: the form shows the text as it is.
    """

    id: str
    value: str
    is_present: bool
    minimum: int = 0
    maximum: int = 0


class UnknownControlError(LookupError):
    """A change names a control or preset that the lab does not have."""


def control_values(lab: Lab, text: str) -> tuple[ControlValue, ...]:
    """What every control of the lab shows for `text`, in order; none is found in a text that is no YAML."""
    try:
        root = read(text)
    except YamlError:
        root = None
    return tuple(_state(control, root) for control in lab.controls)


def with_change(lab: Lab, text: str, control_id: str, value: str | bool) -> str:
    """`text` with the control's scalar set to what the form field says; as it is where it has no such scalar.

    Raises UnknownControlError. Numbers are kept within the control's bounds.
    """
    control = next((control for control in lab.controls if control.id == control_id), None)
    if control is None:
        raise UnknownControlError(control_id)
    try:
        root = read(text)
    except YamlError:
        return text
    place = _locate(root, control.path)
    written = _written(control, value)
    return text if place is None or written is None else replace_span(text, place[1], written)


def preset_text(lab: Lab, preset_id: str) -> str:
    """The lab's own text, or the preset's, with the preset's values. Raises UnknownControlError."""
    preset = next((preset for preset in lab.presets if preset.id == preset_id), None)
    if preset is None:
        raise UnknownControlError(preset_id)
    return _with_values(lab, preset)


def _with_values(lab: Lab, preset: Preset) -> str:
    text = lab.scenario if preset.scenario is None else preset.scenario
    for control_id, value in preset.values.items():
        text = with_change(lab, text, control_id, value if isinstance(value, bool) else str(value))
    claim = find(read(text), ("expect",))
    return text if preset.expect is None or claim is None else replace_span(text, claim.span, preset.expect)


def _locate(root: Node | None, path: tuple[str | int, ...]) -> tuple[Scalar, Span] | None:
    """The scalar at a path and where it stands in the outermost text; None for a block of lines, which is no form field's."""
    if INTO_TEXT not in path:
        node = find(root, path)
        if not isinstance(node, Scalar) or node.style in BLOCK_STYLES:
            return None
        return node, _value_span(node)
    cut = path.index(INTO_TEXT)
    block = find(root, path[:cut])
    if not isinstance(block, Scalar):
        return None
    try:
        inner = _locate(read(block.text), path[cut + 1 :])
    except YamlError:
        return None
    span = None if inner is None else block.outer_span(inner[1])
    return None if inner is None or span is None else (inner[0], span)


def _value_span(scalar: Scalar) -> Span:
    """The scalar without its anchor, which others may refer to."""
    if scalar.anchor is None or not scalar.segments:
        return scalar.span
    first, quotes = scalar.segments[0], int(scalar.style in ("single", "double"))
    start = Position(first.line, first.column - quotes)
    return Span(start, scalar.span.end, first.source_offset - quotes, scalar.span.end_offset)


def _state(control: Control, root: Node | None) -> ControlValue:
    place = _locate(root, control.path)
    value = None if place is None else _control_text(control, place[0])
    minimum, maximum = control.minimum, control.maximum
    if value is None:
        return ControlValue(control.id, "", False, minimum, maximum)
    if control.kind in SLIDERS:
        minimum, maximum = min(minimum, floor(float(value))), max(maximum, ceil(float(value)))
    return ControlValue(control.id, value, True, minimum, maximum)


def _control_text(control: Control, scalar: Scalar) -> str | None:
    """The scalar as the form field shows it; None where it is not of the control's kind."""
    if control.kind is ControlKind.CHOICE:
        return scalar.text
    if control.kind is ControlKind.SWITCH:
        return str(scalar.value).lower() if isinstance(scalar.value, bool) else None
    if control.kind is ControlKind.INTEGER:
        number = scalar.value
        if not isinstance(number, int) or isinstance(number, bool):
            return None
        return str(number + control.offset)
    if control.kind is ControlKind.RATE:
        rate = rate_per_s(scalar.text)
        return None if rate is None else f"{float(rate):g}"
    size = quantity_bytes(scalar.text)
    return None if size is None else f"{size / UNIT_BYTES[control.unit]:g}"


def _written(control: Control, value: str | bool) -> str | None:
    """The YAML of a form field's value; None where it is no value of the control's kind."""
    text = str(value).lower() if isinstance(value, bool) else value
    if control.kind is ControlKind.SWITCH:
        return text if text in ("true", "false") else None
    if control.kind is ControlKind.CHOICE:
        return text if text in control.options else None
    try:
        number = round(float(text))
    except (ValueError, OverflowError):
        return None
    bounded = min(max(number, control.minimum), control.maximum)
    if control.kind is ControlKind.INTEGER:
        return str(bounded - control.offset)
    return f"{bounded}/s" if control.kind is ControlKind.RATE else f"{bounded}{control.unit}"
