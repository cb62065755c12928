"""Our YAML reader against go-yaml v2 at the edges of what that takes.

``go-yaml-edges.jsonl`` holds its answers, in the form of ``go-yaml.jsonl``: each escape, indicator and form of a number, the
lengths up to which a key or a number is one, the first and the last character of each width. Where a row has a ``comment``,
one of so many characters stands before the text, so that the first 512 bytes, which go-yaml's reader decodes together, end
inside it: the rows show how far it looks ahead of an error.
"""

from __future__ import annotations

from tests.unit.config.cases import rows
from tests.unit.config.test_go_yaml import answer, expected, text_of

EDGES = rows("go-yaml-edges.jsonl")


def test_a_text_at_the_edge_of_a_form_means_what_it_means_to_go_yaml() -> None:
    assert len(EDGES) > 1500
    for row in EDGES:
        assert (row, *answer(text_of(row))) == (row, *expected(row))
