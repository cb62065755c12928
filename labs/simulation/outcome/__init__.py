"""What came of a run: snapshots, metrics and the outcome, all functions of the Trace."""

from labs.simulation.outcome.close_look import CloseLook, CloseRow, close_look
from labs.simulation.outcome.evaluate import SpecRefusedError, evaluate, trace_of
from labs.simulation.outcome.expected_error import EXPECTED_ERRORS
from labs.simulation.outcome.outcome import (
    CardKey,
    CardUse,
    FaultOutcome,
    GpuOutcome,
    MigConfigOutcome,
    Outcome,
    PodOutcome,
)
from labs.simulation.outcome.timeline import Lane, Mark, Row, Stretch, Timeline, timeline
from labs.simulation.outcome.totals import outcome_of

__all__ = [
    "EXPECTED_ERRORS",
    "CardKey",
    "CardUse",
    "CloseLook",
    "CloseRow",
    "FaultOutcome",
    "GpuOutcome",
    "Lane",
    "Mark",
    "MigConfigOutcome",
    "Outcome",
    "PodOutcome",
    "Row",
    "SpecRefusedError",
    "Stretch",
    "Timeline",
    "close_look",
    "evaluate",
    "outcome_of",
    "timeline",
    "trace_of",
]
