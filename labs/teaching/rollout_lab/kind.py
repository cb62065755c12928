"""The kind of labs in which readers act on a DaemonSet rollout and watch where it stops.

A fence places one by its id:

    ```rollout
    rollout: stops-on-one-node
    ```
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from labs.config.own import ProblemsError
from labs.report.result import metric_text
from labs.report.writing import Messages
from labs.simulation.world import RECORD_LIMIT
from labs.simulation.world.rollout import VISIT_LIMIT
from labs.teaching.lab import (
    Choice,
    ChoiceError,
    CommandRun,
    Data,
    FenceError,
    Figure,
    LabKind,
    Limits,
    Page,
    Placed,
    Printed,
    Request,
    shown_scenario,
    unknown_preset,
    without_settings,
)
from labs.teaching.rollout_lab.answer import RolloutAnswers
from labs.teaching.rollout_lab.lab import RolloutLab, rollout_text
from labs.teaching.rollout_lab.reader import read_rollout_lab
from labs.teaching.rollout_lab.results import RolloutResults, RolloutSettings
from labs.teaching.rollout_lab.stops import packed_rollout_stops
from labs.teaching.rollout_lab.view import rollout_html
from labs.teaching.scenario_lab import UnknownControlError

FORMATS = ("text", "json")
_FENCE = re.compile(r"rollout: *(?P<id>[a-z0-9-]+) *")


class RolloutLabs(LabKind):
    """The rollout labs of a library, with the runs that were asked for last."""

    def __init__(self, data: Data, limits: Limits) -> None:
        self._labs: Mapping[str, RolloutLab] = data.of("rollout")
        self._english = data.messages["en"]
        settings = RolloutSettings(
            data.catalog, data.workloads, limits.visits or VISIT_LIMIT, limits.records or RECORD_LIMIT
        )
        self._results = RolloutResults(settings)
        self._answers = RolloutAnswers(self._labs, self._results)

    @staticmethod
    def read(text: str) -> RolloutLab:
        """The lab in the text of a file. Raises ProblemsError."""
        return read_rollout_lab(text)

    def place(self, lines: Sequence[str], page: Page) -> Placed:
        """The lab of that id. Raises FenceError."""
        match = _FENCE.fullmatch("\n".join(lines).strip())
        if match is None or match["id"] not in self._labs:
            form = "a rollout fence has the line rollout: ID"
            raise FenceError.at(1, f"{form}; known: {', '.join(self._labs)}")
        lab = self._labs[match["id"]]
        try:
            unmet = self._results.unmet(lab, None)
            if unmet:
                raise FenceError.at(1, f"{lab.id}: {unmet}")
            run = self._results.of(lab.scenario)
            return Placed(lab.id, rollout_html(lab, run, page.messages, has_stops=page.has_stops))
        except ProblemsError as error:
            raise FenceError.of(error, 0, self._english) from None

    def answer(self, request: Request) -> dict[str, Any]:
        """The answer to a request; what is no lab of the library is a lab that is only a text."""
        return self._answers.answer(request)

    def trials(self) -> Iterator[Mapping[str, Any]]:
        """Every lab as first seen, and an act in it with a step after it."""
        reset = {"reset": True}
        for lab_id in self._labs:
            yield {"lab": lab_id, "text": "", "changes": [reset]}
            yield {"lab": lab_id, "text": "", "changes": [reset, {"act": "roll-forward"}, {"step": 1}]}

    def stops(self, lab_id: str, languages: Sequence[str], respond: Callable[[str], str]) -> dict[str, bytes]:
        """By language, the answers to every preset, button, value of a menu and second, packed."""
        lab = self._labs[lab_id]
        return packed_rollout_stops(lab, self._results.of(lab.scenario), self._english, languages, respond)

    @property
    def ids(self) -> tuple[str, ...]:
        """All labs."""
        return tuple(self._labs)

    def presets(self, lab_id: str) -> tuple[str, ...]:
        """The ids of a lab's presets."""
        return tuple(preset.id for preset in self._labs[lab_id].presets)

    def unmet(self, lab_id: str, preset: str | None) -> str:
        """What the lab or its preset is expected to come to and does not. Raises ProblemsError, UnknownMetricError."""
        return self._results.unmet(self._labs[lab_id], preset)

    def figure(self, lab_id: str, preset: str | None, metric: str, messages: Messages) -> Figure:
        """A metric at the end of the rollout. Raises UnknownMetricError, ProblemsError."""
        value = self._results.metric(self._labs[lab_id], preset, metric)
        return Figure(value, metric_text(metric, value, messages), self.unmet(lab_id, preset))

    def show(self, choice: Choice) -> Printed:
        """The scenario, or a preset's. Raises ChoiceError."""
        return shown_scenario(choice, self.presets(choice.lab), self._text(choice))

    def run(self, choice: Choice) -> CommandRun:
        """What `gpulab rollout` says of the scenario. Raises ChoiceError."""
        return CommandRun(choice.lab, "rollout", self._text(choice))

    def _text(self, choice: Choice) -> str:
        lab, presets = self._labs[choice.lab], self.presets(choice.lab)
        without_settings(choice, presets, "rollout", "rollout.yaml")
        if choice.form not in FORMATS:
            raise ChoiceError(choice.messages.text("cli.rollout.lab-format", lab=choice.lab))
        try:
            return rollout_text(lab, choice.preset)
        except UnknownControlError:
            raise unknown_preset(choice.preset or "", presets, choice.messages) from None
