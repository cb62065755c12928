"""What a kind of lab is (`LabKind`), and what all kinds share: fences, requests, links, menus, choices in a terminal."""

from labs.teaching.lab.choice import (
    Choice,
    ChoiceError,
    CommandRun,
    Printed,
    shown_scenario,
    unknown_preset,
    without_settings,
)
from labs.teaching.lab.fence import FenceError, FenceProblem, Page, Placed
from labs.teaching.lab.figure import Figure, UnknownMetricError
from labs.teaching.lab.kind import Data, LabKind, Limits
from labs.teaching.lab.links import (
    FRAGMENT_LIMIT,
    TEXT_LIMIT,
    VERSION,
    LinkError,
    LinkProblem,
    fragment_of,
    link_answer,
    link_parts,
    packed,
    packed_text,
    unpacked,
)
from labs.teaching.lab.options import Option, choice_class, options_html
from labs.teaching.lab.packing import packed_answers
from labs.teaching.lab.request import MOST_CHANGES, Request
from labs.teaching.lab.taking import taking
from labs.teaching.lab.words import SHARED_WORDS, script_words

__all__ = [
    "FRAGMENT_LIMIT",
    "MOST_CHANGES",
    "SHARED_WORDS",
    "TEXT_LIMIT",
    "VERSION",
    "Choice",
    "ChoiceError",
    "CommandRun",
    "Data",
    "FenceError",
    "FenceProblem",
    "Figure",
    "LabKind",
    "Limits",
    "LinkError",
    "LinkProblem",
    "Option",
    "Page",
    "Placed",
    "Printed",
    "Request",
    "UnknownMetricError",
    "choice_class",
    "fragment_of",
    "link_answer",
    "link_parts",
    "options_html",
    "packed",
    "packed_answers",
    "packed_text",
    "script_words",
    "shown_scenario",
    "taking",
    "unknown_preset",
    "unpacked",
    "without_settings",
]
