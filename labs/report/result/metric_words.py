"""How a metric of a run is written in prose."""

from __future__ import annotations

from labs.hardware.units import SECOND_US
from labs.report.writing import Messages

SHARES = frozenset({"utilization", "workingUtilization"})
"""The metrics that are shares of 1 and are told in percent."""
TIMES = frozenset({"completionSeconds", "meanCompletionSeconds"})
"""The metrics that are seconds and are told as a duration."""


def metric_text(key: str, value: float, messages: Messages) -> str:
    """The metric with this key: 20, 40,140, 8%, 37 min 48 s."""
    if key in TIMES:
        return messages.duration(round(value * SECOND_US))
    return messages.percent(value) if key in SHARES else messages.number(value)
