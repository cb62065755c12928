"""The benchmark of the article, once through: every figure is there, and none is judged."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tools.paths import ROOT

TOUCHED = ("rollout, first touch: an act, cold",)
# In a process of its own, as the command runs: Playwright's synchronous interface is one to a process.
MEASURE = f"""
import json
from benchmarks import pages
result = pages.measure(repeats=1, idle_ms=10, stops=(30, 20), cases=("cold",), edits=2, presses=3, touched={TOUCHED})
weights, times = result.tables
print(json.dumps([[list(row) for row in weights.rows], [list(row) for row in times.rows], dict(result.samples)]))
"""


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_article_is_measured(site_dir: Path) -> None:
    command = [sys.executable, "-c", MEASURE]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    weights, times, samples = json.loads(done.stdout.splitlines()[-1])
    assert [row[0] for row in weights] == [
        "the page itself",
        "head start of its labs",
        "all, once a lab is touched",
    ]
    own, _, everything = (float(str(row[1])) for row in weights)
    assert 0 < own < everything
    assert [row[0] for row in times] == list(samples)
    assert len(samples["next touches of the slider"]) == 2
    assert len(samples["check lab, 34 lines"]) == 2
    assert [len(samples[f"next steps, of {count}"]) for count in (4, 16)] == [3, 3]
    assert [len(samples[name]) for name in TOUCHED] == [1]
    [ratio] = [row[4] for row in times if row[0] == "next touches of the slider"]
    assert ratio == 1
    assert all(time > 0 for each in samples.values() for time in each)
