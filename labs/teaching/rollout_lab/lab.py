"""A rollout lab as data: a rollout scenario, the form over its text, situations to try, and what each is expected to come to.

The scenario's text is the single state of the lab, as of every lab: what a reader does to the cluster is one more event in
it, so that the same text runs in a terminal with the same result.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from labs.teaching.rollout_lab.edits import (
    FAILURES,
    NodeFault,
    fault_of,
    node_names_of,
    with_event,
    with_fault,
)
from labs.teaching.rollout_lab.fleet_edits import fleet_size, with_fleet_size
from labs.teaching.scenario_lab import Control, Lab, UnknownControlError, with_change

FLEET, FAILING_NODE, FAILURE = "fleet", "failing-node", "failure"
WHOLE = (FLEET, FAILING_NODE, FAILURE)
"""The controls that every rollout lab has beside those of its file: each rewrites more than a scalar."""
LEAST_NODES, MOST_NODES = 2, 60


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the end of a rollout is expected to be: metrics by key, and whether `kubectl rollout status` ends well."""

    metrics: Mapping[str, int] = field(default_factory=dict)
    done: bool | None = None


@dataclass(frozen=True, slots=True)
class RolloutPreset:
    """A situation: the lab's text, or `scenario`, with values for controls and then `acts` (events as YAML of one line).

    Its label is the message `rollout-lab.<lab>.preset.<id>`.
    """

    id: str
    values: Mapping[str, int | str | bool]
    acts: tuple[str, ...] = ()
    scenario: str | None = None
    expect: Expectation | None = None


@dataclass(frozen=True, slots=True)
class RolloutLab:
    """Messages `rollout-lab.<id>.title`, `.try`, `.caption`; `scenario` is the text as a reader first sees it."""

    id: str
    scenario: str
    controls: tuple[Control, ...] = ()
    presets: tuple[RolloutPreset, ...] = ()
    expect: Expectation | None = None

    @property
    def scalars(self) -> Lab:
        """The lab's controls of single scalars, as those of any lab."""
        return Lab(self.id, self.scenario, self.controls, ())

    def preset(self, preset_id: str) -> RolloutPreset:
        """The preset with this id. Raises UnknownControlError."""
        match = next((preset for preset in self.presets if preset.id == preset_id), None)
        if match is None:
            raise UnknownControlError(preset_id)
        return match


def rollout_text(lab: RolloutLab, preset_id: str | None = None) -> str:
    """The lab's own text, or a preset's. Raises UnknownControlError."""
    if preset_id is None:
        return lab.scenario
    preset = lab.preset(preset_id)
    text = lab.scenario if preset.scenario is None else preset.scenario
    for control_id, value in preset.values.items():
        text = with_setting(lab, text, control_id, value if isinstance(value, bool) else str(value))
    for act in preset.acts:
        text = with_event(text, act)
    return text


def with_setting(lab: RolloutLab, text: str, control_id: str, value: str | bool) -> str:
    """The text with a control at that value; as it is where the control has no place in it, or takes no such value.

    Raises UnknownControlError.
    """
    if control_id not in WHOLE:
        return with_change(lab.scalars, text, control_id, value)
    if control_id == FLEET:
        return _with_fleet(text, str(value))
    fault = fault_of(text)
    if fault is None:
        return text
    if control_id == FAILURE:
        return with_fault(text, NodeFault(str(value), fault.node)) if value in FAILURES else text
    return with_fault(text, NodeFault(fault.failure, str(value))) if value in node_names_of(text) else text


def _with_fleet(text: str, value: str) -> str:
    if not value.isascii() or not value.isdigit() or len(value) > 4 or fleet_size(text) is None:
        return text
    return with_fleet_size(text, min(max(int(value), LEAST_NODES), MOST_NODES))
