"""A rollout lab's regions for a run and a moment of it: what the page is written with, and what the browser swaps in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from labs.report.fleet import (
    ActButton,
    ChartedRun,
    FleetFrame,
    Moment,
    RolloutWords,
    actions_html,
    acts_html,
    chosen_node,
    course_html,
    done_actions,
    kubectl_html,
    listed_nodes,
    picture_html,
    refused_html,
    sentence_html,
)
from labs.report.result import hash_html
from labs.report.writing import EMPTY, Html, Messages, html, join
from labs.simulation.outcome.rollout import FleetNodeView, FleetTimeline
from labs.teaching.rollout_lab.acts import Act, acts_on, daemonset_acts, order_of_events
from labs.teaching.rollout_lab.form import form_html, menus
from labs.teaching.rollout_lab.lab import RolloutLab
from labs.teaching.rollout_lab.results import RolloutRun


@dataclass(frozen=True, slots=True)
class MomentView:
    """A run and its course, the moment (µs) that is shown, and the node that the reader chose."""

    run: RolloutRun
    course: FleetTimeline
    at_us: int
    node: str | None = None

    @property
    def moment(self) -> Moment:
        """The moment."""
        run, course, fleet = self.run, self.course, self.course.at(self.at_us)
        last_us = run.rollout.last_event_us
        later = (event.at_us for event in run.rollout.events if self.at_us < event.at_us <= last_us)
        acts_next = next(later, None)
        place = course.index(self.at_us) + 1
        following = course.moments[place] if place < len(course.moments) else None
        if following is None:
            rests = acts_next is not None or course.is_settled
        else:
            rests = acts_next is not None and following >= acts_next
        return Moment(run.rollout, fleet, rests, acts_next)

    @property
    def chosen(self) -> FleetNodeView | None:
        """The node that acts are for."""
        return chosen_node(self.course.at(self.at_us), self.node)


def rollout_regions(
    lab: RolloutLab, text: str, run: RolloutRun, view: MomentView | None, words: RolloutWords
) -> dict[str, Html]:
    """HTML by region; `view` is None of a run that was refused."""
    form = {"form": form_html(lab, text, words), "hash": hash_html(run.trace_hash, words.messages)}
    if view is None:
        return {**form, "sentence": refused_html(run.refused or "", words)}
    return {**form, **moment_regions(text, view, words)}


def moment_regions(text: str, view: MomentView, words: RolloutWords) -> dict[str, Html]:
    """HTML by region of all that the moment decides."""
    run, moment, chosen = view.run, view.moment, view.chosen
    actions = done_actions(run.rollout, view.course, run.notes, words.messages)
    name = None if chosen is None else chosen.name
    times = [action.at_us for action in actions]
    end_us = run.last_s * 1_000_000 * 9 // 8  # a while in which nothing more happens
    course = ChartedRun(view.course.counts, times, moment.fleet.at_us, end_us)
    on_node = () if chosen is None else acts_on(run, chosen)
    return {
        "picture": picture_html(FleetFrame(run.rollout, moment.fleet, name), words),
        "sentence": sentence_html(moment, words),
        "course": join([course_html(course, words), _left_out(view.course, words)]),
        "kubectl": kubectl_html(moment, words),
        "deeds": actions_html(actions, order_of_events(text), words),
        "acts": acts_html(
            chosen,
            moment.fleet.nodes,
            [_button(act, words, name) for act in on_node],
            [_button(act, words, None) for act in daemonset_acts(run)],
            words,
        ),
    }


def offers(
    lab: RolloutLab, text: str, view: MomentView | None, messages: Messages
) -> Sequence[Sequence[Mapping[str, Any]]]:
    """The changes that these regions offer: menu by menu, those of the buttons, and the nodes to choose from."""
    values = [
        [{"control": menu.id, "value": value} for value, _ in menu.options]
        for menu in menus(lab, text, messages)
    ]
    if view is None:
        return values
    chosen, nodes = view.chosen, view.moment.fleet.nodes
    on_node = [] if chosen is None else [_change(act, chosen.name) for act in acts_on(view.run, chosen)]
    return [
        *values,
        [
            *({"unact": number} for number in order_of_events(text)),
            *(_change(act, None) for act in daemonset_acts(view.run)),
            *on_node,
        ],
        [] if chosen is None else [{"node": node.name} for node in listed_nodes(chosen, nodes)],
    ]


def _change(act: Act, node: str | None) -> Mapping[str, Any]:
    return {"act": str(act)} if node is None else {"act": str(act), "node": node}


def _left_out(course: FleetTimeline, words: RolloutWords) -> Html:
    """That a run has more moments than Play and the steps go through."""
    stops, every = len(course.stops), len(course.moments)
    if stops == every:
        return EMPTY
    sentence = words.html("rollout-lab.stops", shown=stops, moments=every)
    return html('\n<p class="gl-note">{}</p>', sentence)


def _button(act: Act, words: RolloutWords, node: str | None) -> ActButton:
    places = {Act.UNCORDON: Act.CORDON, Act.SELECT: Act.DESELECT}  # one button, whose words change
    return ActButton(
        f"act-{places.get(act, act)}", _change(act, node), words.messages.text(f"rollout-lab.act.{act}")
    )
