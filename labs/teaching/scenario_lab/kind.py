"""The kind of labs whose state is the text of a sharing scenario.

A fence places one by its id, or as a whole scenario:

    ```lab
    lab: slots-and-memory
    ```
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from labs.config.goyaml import find, read
from labs.config.own import ProblemsError
from labs.report.result import metric_text, unmet_words
from labs.report.writing import Html, Messages
from labs.simulation.outcome.moment import moments, snapshot
from labs.simulation.world import RECORD_LIMIT
from labs.teaching.lab import (
    Choice,
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
from labs.teaching.scenario_lab.answer import lab_answer
from labs.teaching.scenario_lab.controls import UnknownControlError, preset_text
from labs.teaching.scenario_lab.form import form_states
from labs.teaching.scenario_lab.lab import Lab
from labs.teaching.scenario_lab.reader import read_lab
from labs.teaching.scenario_lab.results import KEPT, Results
from labs.teaching.scenario_lab.stops import packed_stops
from labs.teaching.scenario_lab.view import lab_html

_BY_ID = re.compile(r"lab: *(?P<id>[a-z0-9-]+) *")
_MEANT_BY_ID = re.compile(r"lab *:")  # no scenario has such a key


class ScenarioLabs(LabKind):
    """The scenario labs of a library, with the outcomes and the HTML that were asked for last."""

    def __init__(self, data: Data, limits: Limits) -> None:
        self._labs: Mapping[str, Lab] = data.of("lab")
        self._data = data
        self._english = data.messages["en"]
        self._results = Results(
            data.catalog, workloads=data.workloads, record_limit=limits.records or RECORD_LIMIT
        )
        self._written: dict[tuple[str, ...], Html] = {}

    @staticmethod
    def read(text: str) -> Lab:
        """The lab in the text of a file. Raises ProblemsError."""
        return read_lab(text)

    def place(self, lines: Sequence[str], page: Page) -> Placed:
        """The lab of that id, or of that scenario. Raises FenceError."""
        text = "\n".join(lines) + "\n"
        by_id = _BY_ID.fullmatch(text.strip())
        known = ", ".join(self._labs)
        meant = [number for number, line in enumerate(lines, 1) if _MEANT_BY_ID.match(line)]
        if by_id is None and meant:
            raise FenceError.at(meant[0], f"a fence with lab: ID has no other line; known: {known}")
        if by_id is not None and by_id["id"] not in self._labs:
            raise FenceError.at(1, f"there is no lab {by_id['id']!r}; known: {known}", column=6)
        lab = Lab(id_of(text), text, (), ()) if by_id is None else self._labs[by_id["id"]]
        try:
            unmet = self._unmet(lab.scenario)
            if unmet:
                line = _line_of_claim(text) if by_id is None else 1
                raise FenceError.at(line, f"{lab.id}: {unmet}")
            return Placed(lab.id, self._html(lab, page))
        except ProblemsError as error:
            raise FenceError.of(error, 1 if by_id is None else 0, self._english) from None

    def _html(self, lab: Lab, page: Page) -> Html:
        """The complete HTML of a lab, which stands on several pages."""
        key = (lab.id, lab.scenario, page.messages.language, str(page.has_stops))
        if key not in self._written:
            outcome = self._results.of(lab.scenario)
            times = moments(outcome.trace)
            self._written[key] = lab_html(
                lab,
                outcome,
                snapshot(outcome.scenario, outcome.trace, times[-1]),
                times,
                page.messages,
                form_states(lab, lab.scenario, page.messages, self._data.names),
                f"lab-{lab.id}",
                has_stops=page.has_stops and lab.id in self._labs,
            )
            if len(self._written) > KEPT:
                del self._written[next(iter(self._written))]
        return self._written[key]

    def answer(self, request: Request) -> dict[str, Any]:
        """The answer to a request; what is no lab of the library is a lab that is only a text."""
        lab = self._labs.get(request.lab) or Lab(request.lab, "", (), ())
        return lab_answer(lab, request, self._results, self._data.names)

    def trials(self) -> Iterator[Mapping[str, Any]]:
        """Every lab as first seen."""
        return ({"lab": lab_id, "text": "", "changes": [{"reset": True}]} for lab_id in self._labs)

    def stops(self, lab_id: str, languages: Sequence[str], respond: Callable[[str], str]) -> dict[str, bytes]:
        """By language, the answers to every preset and every value of a control, packed."""
        return packed_stops(self._labs[lab_id], languages, respond)

    @property
    def ids(self) -> tuple[str, ...]:
        """All labs."""
        return tuple(self._labs)

    def presets(self, lab_id: str) -> tuple[str, ...]:
        """The ids of a lab's presets."""
        return tuple(preset.id for preset in self._labs[lab_id].presets)

    def unmet(self, lab_id: str, preset: str | None) -> str:
        """What the scenario `expect`s and its run does not bring. Raises ProblemsError, UnknownMetricError."""
        return self._unmet(self._results.text(self._labs[lab_id], preset))

    def _unmet(self, text: str) -> str:
        return " ".join(unmet_words(self._results.of(text), self._english))

    def figure(self, lab_id: str, preset: str | None, metric: str, messages: Messages) -> Figure:
        """A metric of the run. Raises UnknownMetricError, ProblemsError."""
        value = self._results.metric(self._labs[lab_id], preset, metric)
        return Figure(value, metric_text(metric, value, messages), self.unmet(lab_id, preset))

    def show(self, choice: Choice) -> Printed:
        """The scenario, or a preset's. Raises ChoiceError."""
        return shown_scenario(choice, self.presets(choice.lab), self._text(choice))

    def run(self, choice: Choice) -> CommandRun:
        """What `gpulab run` says of the scenario. Raises ChoiceError."""
        return CommandRun(choice.lab, "run", self._text(choice), str(self._labs[choice.lab].picture))

    def _text(self, choice: Choice) -> str:
        lab, presets = self._labs[choice.lab], self.presets(choice.lab)
        without_settings(choice, presets, "run", "scenario.yaml")
        if choice.preset is None:
            return lab.scenario
        try:
            return preset_text(lab, choice.preset)
        except UnknownControlError:
            raise unknown_preset(choice.preset, presets, choice.messages) from None


def id_of(text: str) -> str:
    """An id for a lab that is only a text: by it a browser keeps a reader's draft, of this text and no other."""
    return f"scenario-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def _line_of_claim(text: str) -> int:
    """The 1-based line on which a scenario says what it expects."""
    claim = find(read(text), ("expect",))
    return 1 if claim is None else claim.span.start.line
