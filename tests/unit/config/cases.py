"""The measured answers of the real loaders, as the table tests read them (``tests/cases``)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "cases"
CHART_ENVIRONMENT = {"MPS_ROOT": "/run/nvidia/mps"}
"""The environment that ``config.jsonl`` was measured in: what the chart and the operator always set."""


def rows(name: str) -> list[dict[str, Any]]:
    """All rows of a case file."""
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def device_plugin_rows() -> list[dict[str, Any]]:
    """The rows of ``config.jsonl`` that are device plugin configs."""
    return [row for row in rows("config.jsonl") if row["kind"] == "device-plugin"]
