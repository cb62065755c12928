"""A rollout lab's regions for a run and a moment of it: what the page is written with, and what the browser swaps in."""

from __future__ import annotations

from dataclasses import dataclass

from labs.report.fleet_chart import Course
from labs.report.fleet_deeds import done_deeds
from labs.report.fleet_html import (
    ActButton,
    RolloutWords,
    acts_html,
    course_html,
    deeds_html,
    kubectl_html,
    picture_html,
    refused_html,
    sentence_html,
)
from labs.report.fleet_picture import FleetFrame
from labs.report.fleet_state import chosen_node
from labs.report.fleet_words import Moment
from labs.report.result_html import hash_html
from labs.simulation.rollout_snapshot import FleetNodeView
from labs.teaching.rollout_acts import Act, acts_on, daemonset_acts, order_of_events
from labs.teaching.rollout_form import form_html
from labs.teaching.rollout_lab import RolloutLab
from labs.teaching.rollout_results import RolloutRun


@dataclass(frozen=True, slots=True)
class Shown:
    """A run, the index of the moment that is shown, and the node that the reader chose."""

    run: RolloutRun
    index: int
    node: str | None = None

    @property
    def moment(self) -> Moment:
        """The moment; of a run that was refused there is none."""
        run, fleet = self.run, self.run.snapshots[self.index]
        last_us = run.rollout.last_event_us
        later = [event.at_us for event in run.rollout.events if fleet.at_us < event.at_us <= last_us]
        following = run.moments[self.index + 1] if self.index + 1 < len(run.moments) else None
        acts_next = later[0] if later else None
        rests = following is None or (acts_next is not None and following >= acts_next)
        return Moment(run.rollout, fleet, rests, acts_next)

    @property
    def chosen(self) -> FleetNodeView | None:
        """The node that acts are for."""
        return chosen_node(self.run.snapshots[self.index], self.node)


def rollout_regions(lab: RolloutLab, text: str, shown: Shown, words: RolloutWords) -> dict[str, str]:
    """HTML by region."""
    form = {"form": form_html(lab, text, words), "hash": hash_html(shown.run.trace_hash, words.messages)}
    if shown.run.refused is not None:
        return {**form, "sentence": refused_html(shown.run.refused, words)}
    return {**form, **moment_regions(text, shown, words)}


def moment_regions(text: str, shown: Shown, words: RolloutWords) -> dict[str, str]:
    """HTML by region of all that the moment decides."""
    run, moment, chosen = shown.run, shown.moment, shown.chosen
    deeds = done_deeds(run.rollout, run.moments, run.snapshots, run.notes, words.messages)
    name = None if chosen is None else chosen.name
    times = [deed.at_us for deed in deeds]
    end_us = run.last_s * 1_000_000 * 9 // 8  # a while in which nothing more happens
    course = Course(run.moments, run.snapshots, times, moment.fleet.at_us, end_us)
    on_node = () if chosen is None else acts_on(run, chosen)
    return {
        "picture": picture_html(FleetFrame(run.rollout, moment.fleet, name), words),
        "sentence": sentence_html(moment, words),
        "course": course_html(course, words),
        "kubectl": kubectl_html(moment, words),
        "deeds": deeds_html(deeds, order_of_events(text), words),
        "acts": acts_html(
            chosen,
            moment.fleet.nodes,
            [_button(act, words, name) for act in on_node],
            [_button(act, words, None) for act in daemonset_acts(run)],
            words,
        ),
    }


def _button(act: Act, words: RolloutWords, node: str | None) -> ActButton:
    change = {"act": str(act)} if node is None else {"act": str(act), "node": node}
    places = {Act.UNCORDON: Act.CORDON, Act.SELECT: Act.DESELECT}  # one button, whose words change
    return ActButton(f"act-{places.get(act, act)}", change, words.messages.text(f"rollout-lab.act.{act}"))
