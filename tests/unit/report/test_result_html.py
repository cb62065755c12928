from __future__ import annotations

import re

from labs.report.result_html import result_regions
from tests.unit.report.stories import messages, play, shared


def test_the_regions_of_a_result() -> None:
    story = play(shared())
    regions = result_regions(story.outcome, story.snapshot, messages("en"), "lab-a")
    assert list(regions) == ["picture", "sentence", "table", "hash"]
    assert regions["sentence"].startswith(
        "<strong>4 of 20 Pods ran out of GPU memory although all are Running.</strong> They share GPU 0"
    )
    assert regions["hash"] == f"Trace hash <code>{story.outcome.trace_hash}</code>"
    assert regions["table"].count("<table") == 3


def test_a_picture_in_two_widths_with_ids_of_its_own() -> None:
    story = play(shared())
    picture = result_regions(story.outcome, story.snapshot, messages("ko"), "lab-a-2")["picture"]
    assert re.findall(r'<svg class="gl-svg (gl-\w+)"', picture) == ["gl-wide", "gl-narrow"]
    ids = re.findall(r' id="([^"]+)"', picture)
    assert len(set(ids)) == len(ids) == 8
    assert all(identifier.startswith("lab-a-2-") for identifier in ids)
