"""A run's result as one HTML file that needs nothing beside it: what `gpulab run --format html` writes."""

from __future__ import annotations

from labs.report.result.html import result_regions
from labs.report.result.picture import Picture
from labs.report.result.sentence import sentence
from labs.report.writing import Messages, escape
from labs.simulation.outcome import Outcome
from labs.simulation.outcome.moment import Snapshot


def html_document(
    outcome: Outcome,
    snapshot: Snapshot,
    messages: Messages,
    style_sheet: str,
    picture: Picture = Picture.CARDS,
) -> str:
    """The sentence, the picture at the moment of `snapshot`, the tables and the Trace's hash."""
    regions = result_regions(outcome, snapshot, messages, "run", picture)
    return "\n".join(
        [
            "<!doctype html>",
            f'<html lang="{escape(messages.language)}">',
            '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
            f"<title>{escape(sentence(outcome, messages))}</title>",
            f"<style>\n{style_sheet}</style></head>",
            '<body class="gl-document"><main>',
            f'<h1 class="gl-sentence">{regions["sentence"]}</h1>',
            f'<div class="gl-picture">{regions["picture"]}</div>',
            regions["table"],
            f'<p class="gl-hash">{regions["hash"]}</p>',
            "</main></body></html>",
            "",
        ]
    )
