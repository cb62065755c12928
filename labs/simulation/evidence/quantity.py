"""What a published figure counts: a time per request or iteration, a rate, a speed against alone, or a busy share."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0}
_RATE = re.compile(r"[^/]*/\s*(?P<per>s|sec|second|min|h)(?P<whose>\s.*)?")
_PER = {"s": 1.0, "sec": 1.0, "second": 1.0, "min": 60.0, "h": 3600.0}
_TOTAL = ("total", "all copies", "together", "aggregate")
_EACH = ("per copy", "per process", "per client", "per pod", "per replica", "per instance", "per job", "each")


class Quantity(StrEnum):
    """What is counted."""

    TIME = "time"
    RATE = "rate"
    SPEED = "speed"
    UTILIZATION = "utilization"


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit as the figures use it.

    `size`: seconds of a time, seconds that a rate is for, or the value of the whole for a share; `in_total`: a rate of
    all copies together.
    """

    quantity: Quantity
    size: float
    in_total: bool = False

    def cycle_s(self, value: float, copies: int) -> float:
        """Seconds per request or iteration (of a speed: times as long as alone) that a value says."""
        if self.quantity is Quantity.TIME:
            return value * self.size
        per_copy = value / copies if self.in_total else value
        return self.size / per_copy

    def value(self, cycle_s: float, copies: int) -> float:
        """The other way round."""
        if self.quantity is Quantity.TIME:
            return cycle_s / self.size
        return self.size / cycle_s * (copies if self.in_total else 1)


METRICS = {
    "latency": Quantity.TIME,
    "iterationTime": Quantity.TIME,
    "throughput": Quantity.RATE,
    "speed": Quantity.SPEED,
    "utilization": Quantity.UTILIZATION,
}
SPEEDS = {"of solo": 1.0, "of alone": 1.0, "% of solo": 100.0}
SHARES = {"%": 100.0, "percent": 100.0, "share": 1.0, "1": 1.0}


def unit_of(metric: str, unit: str) -> Unit | None:
    """The unit of a figure, or None where metric or unit is not known or they do not go together."""
    wanted = METRICS.get(metric)
    if wanted is Quantity.TIME and unit in SECONDS:
        return Unit(Quantity.TIME, SECONDS[unit])
    if wanted in (Quantity.RATE, Quantity.SPEED) and unit in SPEEDS:
        return Unit(Quantity.SPEED, SPEEDS[unit])
    if wanted is Quantity.RATE and (match := _RATE.fullmatch(unit)) is not None:
        whose = (match["whose"] or "").strip()
        in_total = any(word in whose for word in _TOTAL)
        if whose and not in_total and whose.lower() not in _EACH:
            return None  # per card, say: whose rate it is changes it by as much as there are copies
        return Unit(Quantity.RATE, _PER[match["per"]], in_total)
    if wanted is Quantity.UTILIZATION and unit in SHARES:
        return Unit(Quantity.UTILIZATION, SHARES[unit])
    return None
