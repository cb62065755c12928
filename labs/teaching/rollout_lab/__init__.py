"""Labs in which readers act on a DaemonSet rollout and watch where it stops."""

from labs.teaching.rollout_lab.answer import RolloutAnswers
from labs.teaching.rollout_lab.lab import RolloutLab, rollout_text
from labs.teaching.rollout_lab.link import rollout_link
from labs.teaching.rollout_lab.reader import read_rollout_lab
from labs.teaching.rollout_lab.results import RolloutResults, RolloutSettings
from labs.teaching.rollout_lab.stops import packed_rollout_stops
from labs.teaching.rollout_lab.view import rollout_html

__all__ = [
    "RolloutAnswers",
    "RolloutLab",
    "RolloutResults",
    "RolloutSettings",
    "packed_rollout_stops",
    "read_rollout_lab",
    "rollout_html",
    "rollout_link",
    "rollout_text",
]
