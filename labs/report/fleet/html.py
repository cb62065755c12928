"""A rollout at a moment as the regions of a page: picture, sentence, kubectl's lines, course, what was and may be done.

The data attributes are the contract with `labs/web/gpu-rollout.js`: ``data-change`` is what a button tells Python.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from labs.report.cards import Width
from labs.report.drawing import svg
from labs.report.fleet.actions import DoneAction
from labs.report.fleet.chart import ChartedRun, chart_scene
from labs.report.fleet.kubectl import kubectl_blocks
from labs.report.fleet.picture import FleetFrame, fleet_scene
from labs.report.fleet.tile import detail_text, offer_text
from labs.report.fleet.words import Moment, sentences, state_text
from labs.report.writing import Messages, attributes, escape
from labs.simulation.outcome.rollout import FleetNodeView

NODES_LISTED = 200  # in a menu


@dataclass(frozen=True, slots=True)
class RolloutWords:
    """In which language a rollout is shown, and what its ids in the page begin with."""

    messages: Messages
    element: str

    def html(self, key: str, **values: str | int) -> str:
        """A sentence as HTML."""
        return escape(self.messages.text(key, **values))


def picture_html(frame: FleetFrame, words: RolloutWords) -> str:
    """The picture in its two widths."""
    return "\n".join(
        svg(fleet_scene(frame, words.messages, width), f"{words.element}-fleet-{width}", f"gl-{width}")
        for width in Width
    )


def course_html(course: ChartedRun, words: RolloutWords) -> str:
    """The chart in its two widths."""
    return "\n".join(
        svg(chart_scene(course, words.messages, width), f"{words.element}-course-{width}", f"gl-{width}")
        for width in Width
    )


def sentence_html(moment: Moment, words: RolloutWords) -> str:
    """The sentences, the first, which answers, set apart from what follows."""
    first, *rest = (escape(told) for told in sentences(moment, words.messages))
    gap = words.messages.text("list.sentences")
    return f"<strong>{first}</strong>" + "".join(f"{gap}{told}" for told in rest)


def refused_html(refused: str, words: RolloutWords) -> str:
    """That the API server takes no such DaemonSet, in its words."""
    said = f'<code class="gl-said" lang="en">{escape(refused)}</code>'
    return f"<strong>{words.html('fleet.refused')}</strong> {said}"


def kubectl_html(moment: Moment, words: RolloutWords) -> str:
    """What kubectl prints, command by command."""
    name = words.html("fleet.kubectl")
    blocks = "\n\n".join(
        f'<span class="gl-prompt">$ {escape(command)}</span>\n{escape(printed)}'
        for command, printed in kubectl_blocks(moment.rollout, moment.fleet)
    )
    box = f'<div class="gl-scroll" role="group" tabindex="0" aria-label="{name}">'
    return f'{box}<pre class="gl-kubectl" lang="en">{blocks}</pre></div>'


# What was done


def actions_html(actions: Sequence[DoneAction], order: Sequence[int], words: RolloutWords) -> str:
    """What was done, in the order of time; ``order`` has the number of each in the text."""
    if not actions:
        return f'<p class="gl-note">{words.html("fleet.nothing-done")}</p>'
    items = "\n".join(
        _action(action, place, number, words)
        for place, (action, number) in enumerate(zip(actions, order, strict=True), 1)
    )
    return f'<ol class="gl-deeds">{items}</ol>'


def _action(action: DoneAction, place: int, number: int, words: RolloutWords) -> str:
    messages = words.messages
    time = escape(messages.duration(action.at_us))
    command = "".join(f'<code class="gl-typed" lang="en">{escape(each)}</code>' for each in action.commands)
    said = f'<code class="gl-said" lang="en">{escape(action.said)}</code>' if action.said else ""
    told = attributes(
        id=f"{words.element}-take-back-{number}",
        data_change=json.dumps({"unact": number}, separators=(",", ":")),
        aria_label=messages.text("fleet.take-back-this", n=place, what=action.what),
    )
    return "\n".join(
        part
        for part in (
            f'<li class="gl-deed"><span class="gl-deed-number" aria-hidden="true">{place}</span><div>',
            f'<p class="gl-deed-what"><span class="gl-deed-time">{time}</span> '
            f"<strong>{escape(action.what)}</strong> {command}</p>",
            said,
            f'<p class="gl-deed-effect">{escape(action.effect)}</p>',
            f'<p class="gl-note">{escape(action.why)}</p>',
            f'<button type="button"{told}>{words.html("fleet.take-back")}</button></div></li>',
        )
        if part
    )


# What may be done


@dataclass(frozen=True, slots=True)
class ActButton:
    """A button: its id's end, what it tells Python, and its words."""

    id: str
    change: Mapping[str, object]
    words: str


def acts_html(
    chosen: FleetNodeView | None,
    nodes: Sequence[FleetNodeView],
    on_node: Sequence[ActButton],
    on_daemonset: Sequence[ActButton],
    words: RolloutWords,
) -> str:
    """The acts on the DaemonSet and on a node that the reader chooses."""
    return "\n".join(
        [
            f'<div class="gl-act-group" role="group" aria-label="{words.html("fleet.on-daemonset")}">',
            f'<p class="gl-head">{words.html("fleet.on-daemonset")}</p>',
            _buttons(on_daemonset, words),
            "</div>",
            *(_node_acts(chosen, nodes, on_node, words) if chosen is not None else ()),
        ]
    )


def _node_acts(
    chosen: FleetNodeView, nodes: Sequence[FleetNodeView], buttons: Sequence[ActButton], words: RolloutWords
) -> tuple[str, ...]:
    field_id = f"{words.element}-node"
    listed = [chosen] if len(nodes) > NODES_LISTED else nodes
    options = "".join(
        f"<option{attributes(value=node.name, selected=node.name == chosen.name)}>{escape(node.name)}</option>"
        for node in listed
    )
    told = attributes(id=field_id, data_node_choice=True, autocomplete="off")
    return (
        f'<div class="gl-act-group" role="group" aria-label="{words.html("fleet.on-node")}">',
        f'<p class="gl-head"><label for="{escape(field_id)}">{words.html("fleet.on-node")}</label> '
        f"<select{told}>{options}</select> <span>{escape(_state(chosen, words.messages))}</span></p>",
        _buttons(buttons, words),
        "</div>",
    )


def _state(node: FleetNodeView, messages: Messages) -> str:
    """The chosen node in words."""
    parts = [state_text(node, messages), detail_text(node, messages)]
    parts += [offer_text(offer, messages, with_name=True) for offer in node.offers]
    return messages.text("list.comma").join(part for part in parts if part)


def _buttons(buttons: Sequence[ActButton], words: RolloutWords) -> str:
    shown = "".join(_act_button(button, words) for button in buttons)
    return f'<div class="gl-acts">{shown}</div>'


def _act_button(button: ActButton, words: RolloutWords) -> str:
    change = json.dumps(button.change, separators=(",", ":"))
    told = attributes(type="button", id=f"{words.element}-{button.id}", data_change=change)
    return f"<button{told}>{escape(button.words)}</button>"
