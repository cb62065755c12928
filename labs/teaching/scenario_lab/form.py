"""What a lab's form shows for a text: every control's value, its words, its bounds."""

from __future__ import annotations

from collections.abc import Mapping

from labs.report.writing import Messages
from labs.teaching.scenario_lab.controls import ControlValue, control_values
from labs.teaching.scenario_lab.lab import Control, ControlKind, Lab
from labs.teaching.scenario_lab.view import ControlState

NOTHING = "–"  # beside a control whose place is not in the text


def form_states(lab: Lab, text: str, messages: Messages, names: Mapping[str, str]) -> dict[str, ControlState]:
    """The state of every control by its id.

    `names` says how an option is called everywhere ("t4-16gb": "Tesla T4"); a lab can name the options of its own controls
    in its words (`lab.<id>.option.<control>`).
    """
    values = zip(lab.controls, control_values(lab, text), strict=True)
    return {
        control.id: _state(control, value, messages, {**names, **_own_names(lab, control, messages)})
        for control, value in values
    }


def _own_names(lab: Lab, control: Control, messages: Messages) -> dict[str, str]:
    keys = {option: f"lab.{lab.id}.option.{control.id}.{option}" for option in control.options}
    return {option: messages.text(key) for option, key in keys.items() if messages.has(key)}


def _state(
    control: Control, value: ControlValue, messages: Messages, names: Mapping[str, str]
) -> ControlState:
    return ControlState(
        id=control.id,
        value=value.value,
        output=_output(control, value.value, messages, names) if value.is_present else NOTHING,
        disabled=not value.is_present,
        minimum=value.minimum,
        maximum=value.maximum,
        options=_options(control, value, names),
    )


def _output(control: Control, value: str, messages: Messages, names: Mapping[str, str]) -> str:
    if control.kind is ControlKind.QUANTITY:
        return messages.text(f"unit.{control.unit.lower()}", n=messages.number(float(value)))
    if control.kind is ControlKind.RATE:
        return messages.text("unit.per_second", n=messages.number(float(value), 2))
    return names.get(value, value)


def _options(control: Control, value: ControlValue, names: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The options of a choice; the text's own value is among them whatever it is."""
    if control.kind is not ControlKind.CHOICE:
        return ()
    own = (value.value,) if value.is_present and value.value not in control.options else ()
    return tuple((option, names.get(option, option)) for option in (*own, *control.options))
