"""A planner lab as a reader left it, as a link's fragment and back: `lab=<id>&v=1&card=a100-40gb&cut=3g.20gb_1g.5gb.at0`.

A link comes from anybody: it is bounded, and what comes out is a cut whose every name is in the catalog.
"""

from __future__ import annotations

from labs.hardware.catalog import Catalog
from labs.teaching.lab import LinkError, LinkProblem, fragment_of, link_parts
from labs.teaching.planner_lab.cut import Cut, UnreadableCutError, read_cut, steps_text


def planner_link(lab_id: str, cut: Cut) -> str:
    """The fragment (without #) that shows this cut in that lab."""
    return fragment_of(lab_id, {"card": cut.model.id, "cut": steps_text(cut.steps)})


def cut_of_link(lab_id: str, fragment: str, catalog: Catalog) -> Cut:
    """What a fragment (without #) shows in that lab. Raises LinkError for whatever is no such fragment."""
    parts = link_parts(lab_id, fragment)
    if set(parts) != {"card", "cut"}:
        raise LinkError(LinkProblem.BROKEN)
    try:
        return read_cut(f"{parts['card']}:{parts['cut']}", catalog)
    except UnreadableCutError:
        raise LinkError(LinkProblem.BROKEN) from None
