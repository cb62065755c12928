"""How a metric of a run is written in prose."""

from __future__ import annotations

from labs.report.messages import Messages

SHARES = frozenset({"utilization"})
"""The metrics that are shares of 1 and are told in percent."""


def metric_text(key: str, value: float, messages: Messages) -> str:
    """The metric with this key: 20, 40,140, 8%."""
    return messages.percent(value) if key in SHARES else messages.number(value)
