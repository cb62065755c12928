"""A rollout at a moment as the regions of a page: picture, sentence, kubectl's lines, course, what was and may be done.

The data attributes are the contract with `labs/web/elements/gpu-rollout.js`: `data-change` is what a button tells Python.
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
from labs.report.writing import EMPTY, Html, Messages, attributes, escape, html, join
from labs.simulation.outcome.rollout import FleetNodeView

NODES_LISTED = 200  # in a menu


@dataclass(frozen=True, slots=True)
class RolloutWords:
    """In which language a rollout is shown, and what its ids in the page begin with."""

    messages: Messages
    element: str

    def html(self, key: str, **values: str | int) -> Html:
        """A sentence as HTML."""
        return escape(self.messages.text(key, **values))


def picture_html(frame: FleetFrame, words: RolloutWords) -> Html:
    """The picture in its two widths."""
    return join(
        (
            svg(fleet_scene(frame, words.messages, width), f"{words.element}-fleet-{width}", f"gl-{width}")
            for width in Width
        ),
        "\n",
    )


def course_html(course: ChartedRun, words: RolloutWords) -> Html:
    """The chart in its two widths."""
    return join(
        (
            svg(chart_scene(course, words.messages, width), f"{words.element}-course-{width}", f"gl-{width}")
            for width in Width
        ),
        "\n",
    )


def sentence_html(moment: Moment, words: RolloutWords) -> Html:
    """The sentences, the first, which answers, set apart from what follows."""
    first, *rest = (escape(sentence) for sentence in sentences(moment, words.messages))
    gap = escape(words.messages.text("list.sentences"))
    return html("<strong>{}</strong>{}", first, join(html("{}{}", gap, sentence) for sentence in rest))


def refused_html(refused: str, words: RolloutWords) -> Html:
    """That the API server takes no such DaemonSet, in its words."""
    said = html('<code class="gl-said" lang="en">{}</code>', escape(refused))
    return html("<strong>{}</strong> {}", words.html("fleet.refused"), said)


def kubectl_html(moment: Moment, words: RolloutWords) -> Html:
    """What kubectl prints, command by command."""
    name = words.html("fleet.kubectl")
    blocks = join(
        (
            html('<span class="gl-prompt">$ {}</span>\n{}', escape(command), escape(printed))
            for command, printed in kubectl_blocks(moment.rollout, moment.fleet)
        ),
        "\n\n",
    )
    box = html('<div class="gl-scroll" role="group" tabindex="0" aria-label="{}">', name)
    return html('{}<pre class="gl-kubectl" lang="en">{}</pre></div>', box, blocks)


# What was done


def actions_html(actions: Sequence[DoneAction], order: Sequence[int], words: RolloutWords) -> Html:
    """What was done, in the order of time; `order` has the number of each in the text."""
    if not actions:
        return html('<p class="gl-note">{}</p>', words.html("fleet.nothing-done"))
    items = join(
        (
            _action(action, place, number, words)
            for place, (action, number) in enumerate(zip(actions, order, strict=True), 1)
        ),
        "\n",
    )
    return html('<ol class="gl-deeds">{}</ol>', items)


def _action(action: DoneAction, place: int, number: int, words: RolloutWords) -> Html:
    messages = words.messages
    time = escape(messages.duration(action.at_us))
    command = join(
        html('<code class="gl-typed" lang="en">{}</code>', escape(line)) for line in action.commands
    )
    said = html('<code class="gl-said" lang="en">{}</code>', escape(action.said)) if action.said else EMPTY
    button = attributes(
        id=f"{words.element}-take-back-{number}",
        data_change=json.dumps({"unact": number}, separators=(",", ":")),
        aria_label=messages.text("fleet.take-back-this", n=place, what=action.what),
    )
    return join(
        (
            part
            for part in (
                html(
                    '<li class="gl-deed"><span class="gl-deed-number" aria-hidden="true">{}</span><div>',
                    place,
                ),
                html(
                    '<p class="gl-deed-what"><span class="gl-deed-time">{}</span> <strong>{}</strong> {}</p>',
                    time,
                    escape(action.what),
                    command,
                ),
                said,
                html('<p class="gl-deed-effect">{}</p>', escape(action.effect)),
                html('<p class="gl-note">{}</p>', escape(action.why)),
                html('<button type="button"{}>{}</button></div></li>', button, words.html("fleet.take-back")),
            )
            if part
        ),
        "\n",
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
) -> Html:
    """The acts on the DaemonSet and on a node that the reader chooses."""
    return join(
        [
            html('<div class="gl-act-group" role="group" aria-label="{}">', words.html("fleet.on-daemonset")),
            html('<p class="gl-head">{}</p>', words.html("fleet.on-daemonset")),
            _buttons(on_daemonset, words),
            html("</div>"),
            *(_node_acts(chosen, nodes, on_node, words) if chosen is not None else ()),
        ],
        "\n",
    )


def listed_nodes(chosen: FleetNodeView, nodes: Sequence[FleetNodeView]) -> Sequence[FleetNodeView]:
    """The nodes that the menu of nodes has: all, or of too many the chosen one."""
    return [chosen] if len(nodes) > NODES_LISTED else nodes


def _node_acts(
    chosen: FleetNodeView, nodes: Sequence[FleetNodeView], buttons: Sequence[ActButton], words: RolloutWords
) -> tuple[Html, ...]:
    field_id = f"{words.element}-node"
    options = join(
        html(
            "<option{}>{}</option>",
            attributes(value=node.name, selected=node.name == chosen.name),
            escape(node.name),
        )
        for node in listed_nodes(chosen, nodes)
    )
    select = attributes(id=field_id, data_node_choice=True, autocomplete="off")
    return (
        html('<div class="gl-act-group" role="group" aria-label="{}">', words.html("fleet.on-node")),
        html(
            '<p class="gl-head"><label for="{}">{}</label> <select{}>{}</select> <span>{}</span></p>',
            escape(field_id),
            words.html("fleet.on-node"),
            select,
            options,
            escape(_state(chosen, words.messages)),
        ),
        _buttons(buttons, words),
        html("</div>"),
    )


def _state(node: FleetNodeView, messages: Messages) -> str:
    """The chosen node in words."""
    parts = [state_text(node, messages), detail_text(node, messages)]
    parts += [offer_text(offer, messages, with_name=True) for offer in node.offers]
    return messages.text("list.comma").join(part for part in parts if part)


def _buttons(buttons: Sequence[ActButton], words: RolloutWords) -> Html:
    row = join(_act_button(button, words) for button in buttons)
    return html('<div class="gl-acts">{}</div>', row)


def _act_button(button: ActButton, words: RolloutWords) -> Html:
    change = json.dumps(button.change, separators=(",", ":"))
    button_attributes = attributes(type="button", id=f"{words.element}-{button.id}", data_change=change)
    return html("<button{}>{}</button>", button_attributes, escape(button.words))
