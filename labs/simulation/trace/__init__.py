"""What happened: flat frozen records in order, and their hash."""

from labs.simulation.trace.rollout_trace import SETTLED, RolloutHappening, RolloutRecord
from labs.simulation.trace.trace import Happening, Health, Record, Trace

__all__ = [
    "SETTLED",
    "Happening",
    "Health",
    "Record",
    "RolloutHappening",
    "RolloutRecord",
    "Trace",
]
