"""Labs in which readers check a config of their own: `gpulab check` on a page."""

from labs.teaching.check_lab.answer import CheckAnswers
from labs.teaching.check_lab.checking import Checking, Situation
from labs.teaching.check_lab.finding_link import lab_fragment
from labs.teaching.check_lab.sample import CheckSample, read_check_sample
from labs.teaching.check_lab.view import check_html

__all__ = [
    "CheckAnswers",
    "CheckSample",
    "Checking",
    "Situation",
    "check_html",
    "lab_fragment",
    "read_check_sample",
]
