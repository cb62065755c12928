"""Labs whose state is the text of a sharing scenario."""

from labs.teaching.scenario_lab.controls import UnknownControlError, control_values, preset_text, with_change
from labs.teaching.scenario_lab.form import form_states
from labs.teaching.scenario_lab.lab import Control, ControlKind, Lab
from labs.teaching.scenario_lab.options import Option, choice_class, options_html
from labs.teaching.scenario_lab.reader import FORMAT, LAB, MAX_PRESETS, ControlReader, preset_values, read_lab
from labs.teaching.scenario_lab.results import KEPT, Results, UnknownMetricError
from labs.teaching.scenario_lab.share import (
    FRAGMENT_LIMIT,
    TEXT_LIMIT,
    VERSION,
    LinkError,
    LinkProblem,
    link_fragment,
    link_parts,
    packed,
    text_of_link,
    unpacked,
)
from labs.teaching.scenario_lab.stops import packed_answers, packed_stops
from labs.teaching.scenario_lab.view import lab_html

__all__ = [
    "FORMAT",
    "FRAGMENT_LIMIT",
    "KEPT",
    "LAB",
    "MAX_PRESETS",
    "TEXT_LIMIT",
    "VERSION",
    "Control",
    "ControlKind",
    "ControlReader",
    "Lab",
    "LinkError",
    "LinkProblem",
    "Option",
    "Results",
    "UnknownControlError",
    "UnknownMetricError",
    "choice_class",
    "control_values",
    "form_states",
    "lab_html",
    "link_fragment",
    "link_parts",
    "options_html",
    "packed",
    "packed_answers",
    "packed_stops",
    "preset_text",
    "preset_values",
    "read_lab",
    "text_of_link",
    "unpacked",
    "with_change",
]
