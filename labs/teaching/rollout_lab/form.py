"""What the form of a rollout lab shows for a text, as HTML: menus only, so that an answer may replace them all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from labs.report.fleet import RolloutWords
from labs.report.writing import EMPTY, Html, Messages, attributes, escape, html, join
from labs.teaching.lab import choice_class, options_html
from labs.teaching.rollout_lab.edits import (
    FAILURES,
    NO_FAILURE,
    UNKNOWN_LABEL,
    fault_of,
    has_named_configs,
    node_names_of,
)
from labs.teaching.rollout_lab.fleet_edits import fleet_size
from labs.teaching.rollout_lab.lab import FAILING_NODE, FAILURE, FLEET, RolloutLab
from labs.teaching.scenario_lab import control_values

FLEETS = (5, 10, 20, 40, 60)
NOTHING = "–"  # where the text has no place for the control
OPTIONS_MOST = 200


@dataclass(frozen=True, slots=True)
class Menu:
    """A control: its value, and the values to choose from with their words; no value where the text has no such place."""

    id: str
    value: str | None
    options: tuple[tuple[str, str], ...]
    further: bool = False


def menus(lab: RolloutLab, text: str, messages: Messages) -> tuple[Menu, ...]:
    """The controls as they are for a text."""
    all_menus = (*_whole(text, messages), *_scalars(lab, text))
    are_alike = fleet_size(lab.scenario) is not None
    return tuple(menu for menu in all_menus if menu.id != FLEET or menu.value is not None or are_alike)


def _whole(text: str, messages: Messages) -> Iterator[Menu]:
    """The controls that every rollout lab has."""
    size, fault, names = fleet_size(text), fault_of(text), node_names_of(text)
    sizes = [str(value) for value in sorted({*FLEETS, *([] if size is None else [size])})]
    yield Menu(FLEET, None if size is None else str(size), tuple((value, value) for value in sizes))
    known = [value for value in FAILURES if value != UNKNOWN_LABEL or has_named_configs(text)]
    failures = tuple((value, messages.text(f"rollout-lab.failure.{value}")) for value in known)
    yield Menu(FAILURE, None if fault is None else fault.failure, failures)
    is_failing = fault is not None and fault.failure != NO_FAILURE
    node = fault.node if fault is not None and is_failing else None
    listed = names if len(names) <= OPTIONS_MOST else (node or "",)
    yield Menu(FAILING_NODE, node, tuple((name, name) for name in listed))


def _scalars(lab: RolloutLab, text: str) -> Iterator[Menu]:
    for control, control_value in zip(lab.controls, control_values(lab.scalars, text), strict=True):
        options = list(control.options)
        if control_value.is_present and control_value.value not in options:
            options.append(control_value.value)
        value = control_value.value if control_value.is_present else None
        yield Menu(control.id, value, tuple((each, each) for each in options), control.further)


def form_html(lab: RolloutLab, text: str, words: RolloutWords) -> Html:
    """The form: what matters most, and what is folded away."""
    shown_menus = menus(lab, text, words.messages)
    first = [_field(menu, words) for menu in shown_menus if not menu.further]
    further = [_field(menu, words) for menu in shown_menus if menu.further]
    legend = html('<legend class="gl-unseen">{}</legend>', words.html("lab.controls"))
    parts = [html('<fieldset class="gl-controls">{}', legend), *first, *further, html("</fieldset>")]
    return join(parts, "\n")


def _field(menu: Menu, words: RolloutWords) -> Html:
    field_id = f"{words.element}-{menu.id}"
    name = words.messages.text(f"rollout-lab.control.{menu.id}")
    label = join(map(escape, name.split("minReady")), "min<wbr>Ready")
    value = menu.value
    select = attributes(id=field_id, data_control=menu.id, disabled=value is None, autocomplete="off")
    output = NOTHING if value is None else dict(menu.options).get(value, value)
    return html(
        "<div{}><label{}>{}</label>"
        '<span class="gl-input"><select{}>{}</select>'
        "<output{}>{}</output></span></div>",
        attributes(class_=choice_class(menu.options)),
        attributes(for_=field_id),
        label,
        select,
        _options(menu.options, value),
        attributes(for_=field_id),
        escape(output),
    )


def _options(options: Sequence[tuple[str, str]], value: str | None) -> Html:
    blank = html('<option value="" selected>{}</option>', escape(NOTHING)) if value is None else EMPTY
    return html("{}{}", blank, options_html(options, value))
