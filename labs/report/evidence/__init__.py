"""How far predictions are off, estimates, and copies of one workload side by side."""

from labs.report.evidence.accuracy_words import accuracy_json, accuracy_text, percent, signed, where
from labs.report.evidence.estimate_picture import estimate_picture
from labs.report.evidence.estimate_words import (
    contradiction_text,
    estimate_json,
    estimate_tables,
    estimate_text,
    rate_text,
    scenario_job,
    time_text,
)
from labs.report.evidence.four_ways_words import (
    SideBySide,
    error_sentences,
    layout_words,
    measured_rows,
    picture_html,
    sentence,
    way_name,
    ways_html,
    ways_table,
)

__all__ = [
    "SideBySide",
    "accuracy_json",
    "accuracy_text",
    "contradiction_text",
    "error_sentences",
    "estimate_json",
    "estimate_picture",
    "estimate_tables",
    "estimate_text",
    "layout_words",
    "measured_rows",
    "percent",
    "picture_html",
    "rate_text",
    "scenario_job",
    "sentence",
    "signed",
    "time_text",
    "way_name",
    "ways_html",
    "ways_table",
    "where",
]
