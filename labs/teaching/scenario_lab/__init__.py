"""Labs whose state is the text of a sharing scenario."""

from labs.teaching.scenario_lab.controls import UnknownControlError, control_values, with_change
from labs.teaching.scenario_lab.kind import ScenarioLabs
from labs.teaching.scenario_lab.lab import Control, Lab
from labs.teaching.scenario_lab.reader import FORMAT, LAB, MAX_PRESETS, ControlReader, preset_values
from labs.teaching.scenario_lab.results import Results

__all__ = [
    "FORMAT",
    "LAB",
    "MAX_PRESETS",
    "Control",
    "ControlReader",
    "Lab",
    "Results",
    "ScenarioLabs",
    "UnknownControlError",
    "control_values",
    "preset_values",
    "with_change",
]
