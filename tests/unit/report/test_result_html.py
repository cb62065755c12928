from __future__ import annotations

import re

import pytest

from labs.report.result.html import result_regions, sentence_html
from labs.report.writing.markup import escape
from tests.unit.report.stories import LANGUAGES, TOO_MANY, messages, play, shared


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


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_of_the_plugin_are_marked_as_english_wherever_they_stand(language: str) -> None:
    """A voice that reads Japanese or Korean changes for them; the words around them are not marked."""
    story = play(shared(), 1, error='replicas must be >= 2, not "1"')
    regions = result_regions(story.outcome, story.snapshot, messages(language), "lab-a")
    quoted = "replicas must be &gt;= 2, not &quot;1&quot;"
    assert regions["sentence"].count(f'<span lang="en">{quoted}</span>') == 1
    assert f'<td lang="en">{quoted}</td>' in regions["table"]
    assert '<td lang="en">Pending</td>' in regions["table"]
    assert "gl-figures" not in "".join(re.findall(r'<td[^>]*lang="en"[^>]*>', regions["table"]))


def test_the_reason_of_a_refused_admission_is_marked_whole() -> None:
    story = play(shared(request=2), refuse_many=True)
    assert f'<span lang="en">{escape(TOO_MANY)}</span>' in sentence_html(story.outcome, messages("ko"))
