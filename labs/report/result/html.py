"""The result of a run as the regions of a page, which the browser swaps in one by one."""

from __future__ import annotations

from labs.report.cards import Width, central_scene
from labs.report.drawing import svg
from labs.report.result.picture import Picture
from labs.report.result.sentence import sentences
from labs.report.result.tables import error_notes, tables
from labs.report.time import time_scene, time_view
from labs.report.writing import NOTHING, Html, Messages, escape, html, join, quoting, table_html
from labs.simulation.outcome import Outcome
from labs.simulation.outcome.moment import Snapshot


def result_regions(
    outcome: Outcome,
    snapshot: Snapshot,
    messages: Messages,
    id_prefix: str,
    picture: Picture = Picture.CARDS,
) -> dict[str, Html]:
    """HTML by region: picture (at the moment of `snapshot`), sentence, table and hash (of the whole run)."""
    return {
        "picture": picture_html(outcome, snapshot, messages, id_prefix, picture),
        "sentence": sentence_html(outcome, messages),
        "table": join(
            [
                *(table_html(table) for table in tables(outcome, messages)),
                *(html('<p class="gl-note">{}</p>', escape(note)) for note in error_notes(outcome, messages)),
            ],
            "\n",
        ),
        "hash": hash_html(outcome.trace_hash, messages),
    }


def picture_html(
    outcome: Outcome, snapshot: Snapshot, messages: Messages, id_prefix: str, picture: Picture
) -> Html:
    """The pictures, each in its two widths; the style sheet shows one of these, and hides the other from everyone."""
    drawings = []
    if picture.has_cards:
        drawings += [
            svg(central_scene(snapshot, messages, width), f"{id_prefix}-{width}", f"gl-{width}")
            for width in Width
        ]
    if picture.has_time:
        view = time_view(outcome.scenario, outcome.trace, snapshot.at_us)
        drawings += [
            svg(time_scene(view, messages, width), f"{id_prefix}-time-{width}", f"gl-{width} gl-over-time")
            for width in Width
        ]
    return join(drawings, "\n")


def hash_html(trace_hash: str | None, messages: Messages) -> Html:
    """The hash of the Trace, or that there is none (a dash)."""
    return html("{} <code>{}</code>", escape(messages.text("result.hash")), escape(trace_hash or NOTHING))


def sentence_html(outcome: Outcome, messages: Messages) -> Html:
    """The sentences, the first, which answers, set apart from what follows."""
    quotes = _quotes(outcome)
    first, *rest = (quoting(sentence, quotes) for sentence in sentences(outcome, messages))
    gap = escape(messages.text("list.sentences"))
    return html("<strong>{}</strong>{}", first, join(html("{}{}", gap, sentence) for sentence in rest))


def _quotes(outcome: Outcome) -> list[str]:
    """What plugin, scheduler and kubelet said, the longest first: it may hold another."""
    said = {node.error or "" for node in outcome.nodes} | {pod.message or "" for pod in outcome.pods}
    return sorted(said, key=lambda quote: (-len(quote), quote))
