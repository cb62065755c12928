"""A lab as HTML: complete before any script runs, and the frame into which the browser's part puts new results.

The data attributes are the contract with `labs/web/`: regions to swap, controls, presets, actions, and the few words that
the script itself must say.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from labs.report.result import Picture, result_regions
from labs.report.writing import EMPTY, Html, Messages, attributes, escape, html, join
from labs.simulation.outcome import Outcome
from labs.simulation.outcome.moment import Snapshot
from labs.teaching.lab import choice_class, options_html, script_words, taking
from labs.teaching.scenario_lab.lab import Control, ControlKind, Lab

_HUMP = re.compile(r"(?<=[a-z]{3})(?=[A-Z])")  # where a name such as failRequestsGreaterThanOne may break
_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
SCRIPT_WORDS = (
    *("loading", "failed", "retry", "crashed", "stopped"),
    *("copied", "by-hand", "link", "aside", "restore", "discard"),
)


@dataclass(frozen=True, slots=True)
class ControlState:
    """What a form field shows: `value` as the form has it (true and false for a switch), `output` for a person.

    `disabled`: its place is not in the text. `options` are the (value, name) pairs of a choice.
    """

    id: str
    value: str
    output: str
    disabled: bool
    minimum: int = 0
    maximum: int = 0
    options: tuple[tuple[str, str], ...] = ()


def lab_html(
    lab: Lab,
    outcome: Outcome,
    snapshot: Snapshot,
    moments: tuple[int, ...],
    messages: Messages,
    states: Mapping[str, ControlState],
    element_id: str,
    *,
    has_stops: bool = False,
) -> Html:
    """The whole lab.

    `moments` (µs, ascending) are the times at which the picture changes, `snapshot` shows one of them; `states` are
    the lab's controls by id. A lab without words of its own (a scenario in a fence) has no title and no caption.
    `has_stops`: the site publishes the answers to what a reader may do first (`labs.teaching.scenario_lab.stops`).
    """
    regions = result_regions(outcome, snapshot, messages, element_id, lab.picture)
    words = script_words({word: f"script.{word}" for word in SCRIPT_WORDS}, messages)
    stops = f"{lab.id}.{messages.language}.bin" if has_stops else None
    head = attributes(id=element_id, lab=lab.id, lang=messages.language, data_stops=stops, **words)
    title = _own_words(lab, "title", messages)
    title_id = f"{element_id}-name"
    sentence = html('<p class="gl-sentence" data-region="sentence" role="status">{}</p>', regions["sentence"])
    parts = [
        html(
            '<gpu-lab{}><figure class="gl-lab"{}>',
            head,
            attributes(aria_labelledby=title_id if title else None),
        ),
        _paragraph("figcaption", title, class_="gl-title", id=title_id),
        _paragraph("p", _own_words(lab, "try", messages), class_="gl-try"),
        html('<p class="gl-status" data-region="opened" role="status"></p>'),
        _form(lab, messages, states, element_id) if lab.controls or lab.presets else EMPTY,
        html('<p class="gl-status" data-region="status"></p>'),
        html('<p class="gl-stale" data-region="stale"></p>'),
        html('<div class="gl-picture" data-region="picture">{}</div>', regions["picture"]),
        _time(snapshot, moments, messages, element_id),
        sentence,
        _paragraph("p", _own_words(lab, "caption", messages), class_="gl-caption"),
        _taking(lab, messages),
        _more(lab, messages, regions, element_id),
        html("</figure></gpu-lab>"),
    ]
    return join((part for part in parts if part), "\n")


def _own_words(lab: Lab, part: str, messages: Messages) -> str:
    key = f"lab.{lab.id}.{part}"
    return messages.text(key) if messages.has(key) else ""


def _paragraph(tag: str, text: str, **named: str) -> Html:
    name = escape(tag)
    return html("<{}{}>{}</{}>", name, attributes(**named), escape(text), name) if text else EMPTY


def _form(
    lab: Lab,
    messages: Messages,
    states: Mapping[str, ControlState],
    element_id: str,
) -> Html:
    presets = [
        html(
            '<button type="button" data-preset="{}">{}</button>',
            escape(preset.id),
            escape(messages.text(f"lab.{lab.id}.preset.{preset.id}")),
        )
        for preset in lab.presets
    ]
    reset = html(
        '<button type="button" data-action="reset" class="gl-reset">{}</button>',
        escape(messages.text("lab.reset")),
    )
    fields = {
        control: _field(lab, control, states[control.id], messages, element_id) for control in lab.controls
    }
    first = [field for control, field in fields.items() if not control.further]
    further = [field for control, field in fields.items() if control.further]
    return join(
        [
            html('<form class="gl-form" data-region="form">'),
            html(
                '<div class="gl-presets" role="group" aria-label="{}">', escape(messages.text("lab.presets"))
            ),
            *presets,
            reset,
            html("</div>"),
            html(
                '<fieldset class="gl-controls"><legend class="gl-unseen">{}</legend>',
                escape(messages.text("lab.controls")),
            ),
            *first,
            html("</fieldset>"),
            *(_further(further, messages) if further else ()),
            html("</form>"),
        ],
        "\n",
    )


def _further(fields: Sequence[Html], messages: Messages) -> tuple[Html, ...]:
    """The controls that most readers leave alone, folded away."""
    return (
        html('<details class="gl-further"><summary>{}</summary>', escape(messages.text("lab.further"))),
        html('<div class="gl-controls">'),
        *fields,
        html("</div></details>"),
    )


def _field(
    lab: Lab,
    control: Control,
    state: ControlState,
    messages: Messages,
    element_id: str,
) -> Html:
    field_id = f"{element_id}-{control.id}"
    name = messages.text(f"lab.{lab.id}.control.{control.id}")
    label = join(map(escape, _HUMP.split(name)), "<wbr>")
    output = html(
        '<output for="{}" data-output="{}">{}</output>',
        escape(field_id),
        escape(control.id),
        escape(state.output),
    )
    shared: dict[str, str | bool | None] = {
        "id": field_id,
        "data_control": control.id,
        "disabled": state.disabled,
    }
    field = f"gl-field gl-{control.kind}"
    match control.kind:
        case ControlKind.CHOICE:
            element = html(
                "<select{}>{}</select>", attributes(**shared), options_html(state.options, state.value)
            )
            field = choice_class(state.options)
        case ControlKind.SWITCH:
            element = html('<input type="checkbox"{}>', attributes(**shared, checked=state.value == "true"))
        case ControlKind.INTEGER | ControlKind.QUANTITY | ControlKind.RATE:
            limits = {"min": str(state.minimum), "max": str(state.maximum), "step": str(control.step)}
            position = {"value": state.value, "aria_valuetext": state.output}
            element = html('<input type="range"{}>', attributes(**shared, **limits, **position))
    return html(
        '<div{}><label for="{}">{}</label><span class="gl-input">{}{}</span></div>',
        attributes(class_=field),
        escape(field_id),
        label,
        element,
        output,
    )


def _time(snapshot: Snapshot, moments: Sequence[int], messages: Messages, element_id: str) -> Html:
    last = max(0, len(moments) - 1)
    position = max((index for index, at in enumerate(moments) if at <= snapshot.at_us), default=0)
    output = messages.duration(snapshot.at_us)
    field_id = f"{element_id}-time"
    slider = attributes(
        id=field_id, min="0", max=str(last), step="1", value=str(position), aria_valuetext=output
    )
    return html(
        '<div class="gl-time" data-region="time"{}>'
        '<label for="{}">{}</label>'
        '<input type="range" data-time{}>'
        '<output for="{}" data-output="time">{}</output></div>',
        attributes(hidden=last == 0),
        escape(field_id),
        escape(messages.text("lab.time")),
        slider,
        escape(field_id),
        escape(output),
    )


def _taking(lab: Lab, messages: Messages) -> Html:
    """What a reader takes along: a link, the scenario as a file, and the command that runs it."""
    file = f"{lab.id}.yaml" if _FILE_NAME.fullmatch(lab.id) else "scenario.yaml"
    pictures = "" if lab.picture is Picture.CARDS else f" --picture {lab.picture}"
    command = f"gpulab run {file}{pictures}"
    return taking(file, command, messages)


def _more(lab: Lab, messages: Messages, regions: Mapping[str, Html], element_id: str) -> Html:
    text_id = f"{element_id}-yaml"
    rows = min(40, lab.scenario.count("\n") + 1)
    area = attributes(
        id=text_id, rows=str(rows), spellcheck="false", autocapitalize="off", autocomplete="off"
    )
    return join(
        [
            html('<details class="gl-more"><summary>{}</summary>', escape(messages.text("lab.more"))),
            html('<div data-region="table">{}</div>', regions["table"]),
            html(
                '<div class="gl-yaml"><label for="{}">{}</label>',
                escape(text_id),
                escape(messages.text("lab.yaml")),
            ),
            html("<textarea data-yaml{}>\n{}</textarea></div>", area, escape(lab.scenario)),
            html('<p class="gl-hash" data-region="hash">{}</p>', regions["hash"]),
            html("</details>"),
        ],
        "\n",
    )
