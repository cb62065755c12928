"""Reads the file of a rollout lab into a `RolloutLab`, or says all that is wrong."""

from __future__ import annotations

from labs.config.goyaml import Mapping, Node
from labs.config.own import Fields, Problem, Problems, ProblemsError, Values, read_document
from labs.simulation.outcome.rollout import METRICS
from labs.teaching.rollout_lab.lab import WHOLE, Expectation, RolloutLab, RolloutPreset
from labs.teaching.scenario_lab import FORMAT, LAB, MAX_PRESETS, ControlReader, preset_values

MAX_ACTS, MAX_COUNT = 24, 1_000_000
DONE = "done"


def read_rollout_lab(text: str) -> RolloutLab:
    """The rollout lab in `text`. Raises ProblemsError."""
    root = read_document(text)
    if root is None:
        raise ProblemsError((Problem("missing-key", 1, 1, {"key": "format"}),))
    return _Reader().read(root)


class _Reader:
    def __init__(self) -> None:
        self._problems = Problems()
        self._values = Values(self._problems)

    def read(self, root: Node) -> RolloutLab:
        fields, values = Fields(root, self._problems, where="lab"), self._values
        values.version(fields.required("format"), FORMAT)
        lab_id = values.text(fields.required("id"), "id")
        scenario = values.text(fields.required("scenario"), "scenario")
        expect = self._expectation(fields.optional("expect"))
        controls = ControlReader(values).read(fields.optional("controls"))
        presets_node = fields.optional("presets")
        known = {*WHOLE, *(control.id for control in controls)}
        presets = tuple(
            preset
            for item in (values.items(presets_node, "presets", MAX_PRESETS) if presets_node else ())
            if (preset := self._preset(item, known)) is not None
        )
        fields.finish((*LAB, "expect"))
        self._problems.raise_if_any()
        return RolloutLab(lab_id or "", scenario or "", controls, presets, expect)

    def _preset(self, item: Node, controls: set[str]) -> RolloutPreset | None:
        fields, values = Fields(item, self._problems, where="presets"), self._values
        preset_id = values.text(fields.required("id"), "id")
        settings = preset_values(fields.optional("values"), controls, self._problems)
        acts_node = fields.optional("acts")
        acts = [
            values.text(act, "acts")
            for act in (values.items(acts_node, "acts", MAX_ACTS) if acts_node else ())
        ]
        scenario = values.text(fields.optional("scenario"), "scenario")
        expect = self._expectation(fields.optional("expect"))
        fields.finish()
        if preset_id is None:
            return None
        events = tuple(act for act in acts if act is not None)
        return RolloutPreset(preset_id, settings, events, scenario, expect)

    def _expectation(self, node: Node | None) -> Expectation | None:
        if node is None:
            return None
        fields, values = Fields(node, self._problems, where="expect"), self._values
        done = values.one_of(fields.optional(DONE), DONE, ("true", "false"))
        metrics = {
            key: number
            for key in METRICS
            if (number := values.integer(fields.optional(key), key, 0, MAX_COUNT)) is not None
        }
        fields.finish()
        return (
            Expectation(metrics, None if done is None else done == "true")
            if isinstance(node, Mapping)
            else None
        )
