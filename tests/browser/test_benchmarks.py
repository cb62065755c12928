"""The benchmark of the article, once through: every figure is there, and none is judged."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import pages


@pytest.mark.timeout(300)
def test_the_article_is_measured(site_dir: Path) -> None:
    result = pages.measure(repeats=1, idle_ms=10, stops=(30, 20), cases=("cold",))
    weights, times = result.tables
    assert [row[0] for row in weights.rows] == [
        "the page itself",
        "head start of its labs",
        "all, once a lab is touched",
    ]
    own, _, everything = (float(str(row[1])) for row in weights.rows)
    assert 0 < own < everything
    assert [row[0] for row in times.rows] == list(result.samples)
    assert len(result.samples["next touches of the slider"]) == 2
    assert all(time > 0 for samples in result.samples.values() for time in samples)
