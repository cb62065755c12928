"""A run's result as one HTML file that needs nothing beside it: what `gpulab run --format html` writes."""

from __future__ import annotations

from labs.report.result.html import result_regions
from labs.report.result.picture import Picture
from labs.report.result.sentence import sentence
from labs.report.writing import Html, Messages, escape, html, join, style_text
from labs.simulation.outcome import Outcome
from labs.simulation.outcome.moment import Snapshot


def html_document(
    outcome: Outcome,
    snapshot: Snapshot,
    messages: Messages,
    style_sheet: str,
    picture: Picture = Picture.CARDS,
) -> Html:
    """The sentence, the picture at the moment of `snapshot`, the tables and the Trace's hash."""
    regions = result_regions(outcome, snapshot, messages, "run", picture)
    return join(
        [
            html("<!doctype html>"),
            html('<html lang="{}">', escape(messages.language)),
            html('<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'),
            html("<title>{}</title>", escape(sentence(outcome, messages))),
            html("<style>\n{}</style></head>", style_text(style_sheet)),
            html('<body class="gl-document"><main>'),
            html('<h1 class="gl-sentence">{}</h1>', regions["sentence"]),
            html('<div class="gl-picture">{}</div>', regions["picture"]),
            regions["table"],
            html('<p class="gl-hash">{}</p>', regions["hash"]),
            html("</main></body></html>\n"),
        ],
        "\n",
    )
