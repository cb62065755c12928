"""Whatever configs follow one another: the notice names every resource that changes and leaves no placeholder open."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from labs.cluster.announcement import NothingOfferedError, announce, without_sharing
from labs.cluster.sample_nodes import SAMPLE_NODES
from labs.config.plugin.loader import load
from labs.report.notice.words import Circumstances, notice
from labs.report.writing.notice import Code
from tests.unit.report.stories import LANGUAGES, messages

OPEN = re.compile(r"\{[a-z][A-Za-z0-9]*\}")
ESCAPED = re.compile(r"\\.")
NAMES = ("gpu", "mig-1g.5gb", "mig-3g.20gb", "gpus")


@st.composite
def configs(draw: st.DrawFn) -> str:
    text = f"version: v1\nflags: {{migStrategy: {draw(st.sampled_from(('none', 'single', 'mixed')))}}}\n"
    if draw(st.booleans()):
        names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3))
        resources = ", ".join(f"{{name: {name}, replicas: {draw(st.integers(2, 60))}}}" for name in names)
        switches = "".join(
            f"{key}: {str(draw(st.booleans())).lower()}, "
            for key in ("renameByDefault", "failRequestsGreaterThanOne")
            if draw(st.booleans())
        )
        block = draw(st.sampled_from(("timeSlicing", "mps")))
        text += f"sharing: {{{block}: {{{switches}resources: [{resources}]}}}}\n"
    return text


@given(
    configs(),
    st.none() | configs(),
    st.none() | st.sampled_from(sorted(SAMPLE_NODES)),
    st.none() | st.text(max_size=40),
)
def test_laws_of_a_notice(after: str, before: str | None, node: str | None, said: str | None) -> None:
    new = load(after, env={"MPS_ROOT": "/m"})
    old = without_sharing(new) if before is None else load(before, env={"MPS_ROOT": "/m"})
    if not (new.loads and old.loads):
        return
    try:
        found = announce(old, new, None if node is None else SAMPLE_NODES[node])
    except NothingOfferedError:
        return
    told = Circumstances(said, said, said)
    for language in LANGUAGES:
        written = notice(found, told, messages(language))
        text = written.markdown
        assert text == notice(found, told, messages(language)).markdown
        own = notice(found, Circumstances(), messages(language)).markdown
        assert not OPEN.search(own)
        for change in found.changed:
            for offer in (change.before, change.after):
                assert offer is None or f"{offer.resource}`" in text or f"{offer.resource}: 1`" in text
        inside = [block.text for block in written.blocks if not isinstance(block, Code)]
        assert all("\n" not in line for line in inside)
        assert all(ESCAPED.sub("", line).count("`") % 2 == 0 for line in inside)
