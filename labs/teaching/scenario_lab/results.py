"""Outcomes of labs by text, each computed once: what prose refers to and pictures draw."""

from __future__ import annotations

from collections.abc import Callable

from labs.hardware.catalog import Catalog
from labs.simulation.outcome import Outcome, evaluate
from labs.simulation.scenario import Workloads, builtin_workloads
from labs.simulation.world import RECORD_LIMIT
from labs.teaching.lab import UnknownMetricError
from labs.teaching.scenario_lab.controls import UnknownControlError, preset_text
from labs.teaching.scenario_lab.lab import Lab

KEPT = 64  # outcomes kept at a time, while together they have no more than RECORDS_KEPT
RECORDS_KEPT = 500_000  # some 100 MB: a page's Python has 2 GB at most


class Results:
    """Evaluates scenarios against one catalog and keeps the latest outcomes."""

    def __init__(
        self,
        catalog: Catalog,
        *,
        workloads: Callable[[], Workloads] = builtin_workloads,
        record_limit: int = RECORD_LIMIT,
    ) -> None:
        self._catalog = catalog
        self._workloads = workloads
        self._record_limit = record_limit
        self._known: dict[str, Outcome] = {}
        self._texts: dict[tuple[str, str, str], str] = {}

    def of(self, text: str) -> Outcome:
        """The outcome of a scenario's text. Raises ProblemsError (which is not kept)."""
        if text not in self._known:
            outcome = evaluate(
                text, self._catalog, workloads=self._workloads, record_limit=self._record_limit
            )
            self._known[text] = outcome
            while len(self._known) > 1 and (len(self._known) > KEPT or self._records() > RECORDS_KEPT):
                del self._known[next(iter(self._known))]
        return self._known[text]

    def _records(self) -> int:
        return sum(len(outcome.trace.records) for outcome in self._known.values())

    def metric(self, lab: Lab, preset: str | None, key: str) -> float:
        """The metric `key` of the lab's scenario, or of one of its presets. Raises UnknownMetricError."""
        metrics = self.of(self.text(lab, preset)).metrics
        if key not in metrics:
            raise UnknownMetricError(key, tuple(metrics))
        return metrics[key]

    def text(self, lab: Lab, preset: str | None) -> str:
        """The lab's scenario, or that of one of its presets. Raises UnknownMetricError."""
        if preset is None:
            return lab.scenario
        key = (lab.id, lab.scenario, preset)
        if key not in self._texts:
            try:
                self._texts[key] = preset_text(lab, preset)
            except UnknownControlError:
                raise UnknownMetricError(preset, tuple(known.id for known in lab.presets)) from None
            if len(self._texts) > KEPT:
                del self._texts[next(iter(self._texts))]
        return self._texts[key]
