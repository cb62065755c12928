"""How far the simulator is off: published figures predicted, and jobs estimated from measurements."""

from labs.simulation.evidence import agreement
from labs.simulation.evidence.accuracy import Accuracy, Prediction, Skipped, Spread, accuracy, spread
from labs.simulation.evidence.busy_card import BUSIEST, busy_times
from labs.simulation.evidence.calibration import Observation, Sharing, UnknownDeviceError, job_with
from labs.simulation.evidence.copies import Came, Copies
from labs.simulation.evidence.copies_layout import CopiesLayout, Cut, copies_layout, cuts
from labs.simulation.evidence.copies_scenario import WAYS, Side, Situation
from labs.simulation.evidence.datasets import Dataset, builtin_datasets, builtin_points
from labs.simulation.evidence.estimate import (
    ERRORS,
    Conflict,
    Contradiction,
    Estimate,
    Forecast,
    Origin,
    estimate,
)
from labs.simulation.evidence.measurement import MAX_BYTES, MECHANISMS, Measurement, Role, read_measurements
from labs.simulation.evidence.pool_speed import Slowdown, group_profiles, pool_slowdowns
from labs.simulation.evidence.published import Published, PublishedFigures, builtin_published
from labs.simulation.evidence.quantity import SPEEDS

__all__ = [
    "BUSIEST",
    "ERRORS",
    "MAX_BYTES",
    "MECHANISMS",
    "SPEEDS",
    "WAYS",
    "Accuracy",
    "Came",
    "Conflict",
    "Contradiction",
    "Copies",
    "CopiesLayout",
    "Cut",
    "Dataset",
    "Estimate",
    "Forecast",
    "Measurement",
    "Observation",
    "Origin",
    "Prediction",
    "Published",
    "PublishedFigures",
    "Role",
    "Sharing",
    "Side",
    "Situation",
    "Skipped",
    "Slowdown",
    "Spread",
    "UnknownDeviceError",
    "accuracy",
    "agreement",
    "builtin_datasets",
    "builtin_points",
    "builtin_published",
    "busy_times",
    "copies_layout",
    "cuts",
    "estimate",
    "group_profiles",
    "job_with",
    "pool_slowdowns",
    "read_measurements",
    "spread",
]
