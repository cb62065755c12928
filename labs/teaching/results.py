"""Outcomes of labs by text, each computed once: what prose refers to and pictures draw."""

from __future__ import annotations

from labs.hardware.catalog import Catalog
from labs.simulation.evaluate import evaluate
from labs.simulation.outcome import Outcome
from labs.simulation.run import RECORD_LIMIT
from labs.teaching.controls import UnknownControlError, preset_text
from labs.teaching.lab import Lab

KEPT = 64  # outcomes kept at a time


class UnknownMetricError(LookupError):
    """A reference names a preset or metric that is not there; `known` are those that are."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(name)
        self.name = name
        self.known = known


class Results:
    """Evaluates scenarios against one catalog and keeps the latest outcomes."""

    def __init__(self, catalog: Catalog, *, record_limit: int = RECORD_LIMIT) -> None:
        self._catalog = catalog
        self._record_limit = record_limit
        self._known: dict[str, Outcome] = {}

    def of(self, text: str) -> Outcome:
        """The outcome of a scenario's text. Raises ProblemsError (which is not kept)."""
        if text not in self._known:
            outcome = evaluate(text, self._catalog, record_limit=self._record_limit)
            while len(self._known) >= KEPT:
                del self._known[next(iter(self._known))]
            self._known[text] = outcome
        return self._known[text]

    def metric(self, lab: Lab, preset: str | None, key: str) -> float:
        """The metric `key` of the lab's scenario, or of one of its presets. Raises UnknownMetricError."""
        try:
            text = lab.scenario if preset is None else preset_text(lab, preset)
        except UnknownControlError:
            raise UnknownMetricError(preset or "", tuple(known.id for known in lab.presets)) from None
        found = self.of(text).metrics
        if key not in found:
            raise UnknownMetricError(key, tuple(found))
        return found[key]
