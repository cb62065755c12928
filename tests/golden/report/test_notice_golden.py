"""The notice to users, whole, in three languages: from no sharing, from other replicas, from another strategy, by MIG."""

from __future__ import annotations

import pytest

from labs.cluster.announcement import announce, without_sharing
from labs.cluster.sample_nodes import SAMPLE_NODES
from labs.config.plugin.loader import Loaded, load
from labs.report.notice.words import Circumstances, notice
from tests.golden.report.test_report_golden import golden
from tests.unit.report.stories import LANGUAGES, messages

TOLD = Circumstances("2026-12-01", "#gpu-platform", "shared-5")
SLICED = """version: v1
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources: [{name: nvidia.com/gpu, replicas: 5}]
"""
MPS = SLICED.replace("timeSlicing", "mps")
MIXED = """version: v1
flags: {migStrategy: mixed}
sharing:
  timeSlicing:
    renameByDefault: true
    resources: [{name: nvidia.com/gpu, replicas: 4}, {name: nvidia.com/mig-1g.5gb, replicas: 2}]
"""


def loaded(text: str) -> Loaded:
    found = load(text, env={"MPS_ROOT": "/run/nvidia/mps"})
    assert found.loads, found.error
    return found


STORIES = {
    "sliced": (None, SLICED, "a100-40gb-x4", TOLD),
    "more-replicas": (SLICED, SLICED.replace(": 5", ": 8"), None, Circumstances()),
    "sliced-to-mps": (SLICED, MPS, "t4-x1", Circumstances(start="Monday, 9:00")),
    "renamed-mig": ("version: v1\n", MIXED, "a100-40gb-mig-mixed", TOLD),
    "unshared": (MPS, "version: v1\n", None, Circumstances()),
    "nothing-shared": (None, "version: v1\n", "t4-x1", Circumstances(contact="Kim, ext. 42")),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", STORIES)
def test_notice(name: str, language: str) -> None:
    before, after, node, told = STORIES[name]
    new = loaded(after)
    old = without_sharing(new) if before is None else loaded(before)
    change = announce(old, new, None if node is None else SAMPLE_NODES[node])
    found = notice(change, told, messages(language)).markdown
    assert found == golden(f"notice-{name}.{language}.md", found)
