"""The picture of time: who ran when, and how busy the cards were."""

from labs.report.time.picture import time_scene, time_view, under_each_other
from labs.report.time.text import time_text

__all__ = [
    "time_scene",
    "time_text",
    "time_view",
    "under_each_other",
]
