"""Texts in formats of our own: one YAML document each, read with every problem at its place."""

from labs.config.own import units
from labs.config.own.fields import QUOTED_LIMIT, SUGGESTIONS, Fields, Problems, Values, nearest, quoted
from labs.config.own.problem import Problem, ProblemsError
from labs.config.own.text import read_document
from labs.config.own.units import duration_us, quantity_bytes, rate_per_s, share

__all__ = [
    "QUOTED_LIMIT",
    "SUGGESTIONS",
    "Fields",
    "Problem",
    "Problems",
    "ProblemsError",
    "Values",
    "duration_us",
    "nearest",
    "quantity_bytes",
    "quoted",
    "rate_per_s",
    "read_document",
    "share",
    "units",
]
