"""`gpulab accuracy` answers whatever rows it is given: no combination of what a row may say makes it break off."""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from labs.cli import main
from tests.random_sample import examples

METRICS = [
    ("latency", "ms", st.floats(1, 1e4)),
    ("iterationTime", "s", st.floats(1e-3, 10)),
    ("throughput", "1/s", st.floats(0.1, 1e3)),
    ("throughput", "1/s in total", st.floats(0.1, 1e3)),
    ("utilization", "%", st.floats(1, 100)),
    ("speed", "of solo", st.floats(0.01, 2)),
    ("power", "W", st.floats(1, 400)),
]


@st.composite
def rows(draw: st.DrawFn) -> dict[str, Any]:
    """A row: any mechanism with any of what may stand beside it."""
    metric, unit, values = draw(st.sampled_from(METRICS))
    row: dict[str, Any] = {
        "dataset": "X",
        "gpu": draw(st.sampled_from(["a100-80gb", "v100-16gb", "unheard-of"])),
        "workload": draw(st.sampled_from(["w", "v"])),
        "job": draw(st.sampled_from(["service", "training"])),
        "mechanism": draw(st.sampled_from(["exclusive", "time-slicing", "mps", "mig"])),
        "profile": draw(st.sampled_from([None, "1g.10gb", "7g.80gb", "9g.90gb"])),
        "copies": draw(st.sampled_from([1, 1, 2, 7])),
        "threadPercent": draw(st.sampled_from([None, 10, 90, 100])),
        "metric": metric,
        "unit": unit,
        "value": round(draw(values), 3),
        "role": draw(st.sampled_from(["calibrate", "calibrate", "predict"])),
    }
    beside = draw(st.sampled_from([None, ["w"], ["v", "v"], ["ghost"]]))
    residency = draw(st.sampled_from([None, None, 0.6]))
    return (
        row
        | ({} if beside is None else {"beside": beside})
        | ({} if residency is None else {"residency": residency})
    )


@settings(max_examples=examples(60))
@given(st.lists(rows(), min_size=1, max_size=6))
def test_any_rows_are_answered(points: list[dict[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "points.jsonl"
        path.write_text("\n".join(json.dumps(row) for row in points), "utf-8")
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()):
            code = main(["accuracy", "--lang", "en", "--format", "json", "--points", str(path)])
    assert code in (0, 1)
    answer = json.loads(said.getvalue())
    wanted = sum(row["role"] == "predict" for row in points)
    speeds = sum(each["points"] for each in answer["datasets"])
    utilizations = (answer["utilization"] or {"points": 0})["points"]
    assert speeds + utilizations + len(answer["skipped"]) == wanted
