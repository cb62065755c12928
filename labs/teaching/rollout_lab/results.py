"""Rollouts of labs by text, each run once: what prose refers to, what pictures and sentences are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from labs.cluster.daemonset import refusal_text, refusals
from labs.config.own import ProblemsError
from labs.hardware.catalog import Catalog
from labs.hardware.units import SECOND_US
from labs.simulation.outcome import trace_of
from labs.simulation.outcome.rollout import FleetSnapshot, FleetTimeline, fleet_metrics, rollout_notes
from labs.simulation.scenario import Note, Scenario, Workloads, builtin_workloads, read_scenario
from labs.simulation.scenario.rollout import Rollout, is_beside_nodes, read_rollout
from labs.simulation.trace import Trace
from labs.simulation.world import RECORD_LIMIT
from labs.simulation.world.rollout import VISIT_LIMIT, RolloutTooLargeError, run_rollout, too_large
from labs.teaching.lab import UnknownMetricError
from labs.teaching.rollout_lab.lab import Expectation, RolloutLab, rollout_text
from labs.teaching.scenario_lab import UnknownControlError

KEPT = 16  # runs, as far as they are small
RECORDS_KEPT = 400_000  # of all runs together; the latest is kept whatever its size


@dataclass(frozen=True, slots=True)
class RolloutSettings:
    """What scenarios with nodes and workloads refer to, and how much work a run may be."""

    catalog: Catalog
    workloads: Callable[[], Workloads] = builtin_workloads
    visit_limit: int = VISIT_LIMIT
    record_limit: int = RECORD_LIMIT


@dataclass(frozen=True, slots=True)
class RolloutRun:
    """A scenario's run. `refused` are the API server's words where it takes no such DaemonSet, and then nothing ran.

    There is no `course` then. `is_joined`: beside nodes and workloads; `notes` tell which events came to nothing.
    """

    rollout: Rollout
    refused: str | None
    trace_hash: str | None
    course: FleetTimeline | None = None
    is_joined: bool = False
    notes: tuple[Note, ...] = ()

    @property
    def moments(self) -> Sequence[int]:
        """The times (µs, ascending from 0) after which the fleet differs; none where nothing ran."""
        return () if self.course is None else self.course.moments

    @property
    def end(self) -> FleetSnapshot | None:
        """The fleet at the end."""
        return None if self.course is None else self.course.at(self.course.moments[-1])

    @property
    def metrics(self) -> Mapping[str, int]:
        """The numbers at the end by key; empty where nothing ran."""
        return {} if self.end is None else fleet_metrics(self.end, is_joined=self.is_joined)

    @property
    def last_s(self) -> int:
        """The last change in whole seconds, rounded up; at least 1."""
        return max(1, -(-self.moments[-1] // SECOND_US)) if self.moments else 1


class RolloutResults:
    """Runs scenarios and keeps the latest."""

    def __init__(self, settings: RolloutSettings) -> None:
        self._settings = settings
        self._known: dict[str, RolloutRun] = {}

    def of(self, text: str) -> RolloutRun:
        """The run of a scenario's text. Raises ProblemsError (which is not kept)."""
        if text not in self._known:
            self._known[text] = _run(text, self._settings)
            while len(self._known) > 1 and (len(self._known) > KEPT or self._records > RECORDS_KEPT):
                del self._known[next(iter(self._known))]
        return self._known[text]

    @property
    def _records(self) -> int:
        return sum(run.course.records for run in self._known.values() if run.course is not None)

    def metric(self, lab: RolloutLab, preset: str | None, key: str) -> int:
        """The metric of the lab's text, or of one of its presets. Raises UnknownMetricError, ProblemsError."""
        metrics = self.of(self.text(lab, preset)).metrics
        if key not in metrics:
            raise UnknownMetricError(key, tuple(metrics))
        return metrics[key]

    def text(self, lab: RolloutLab, preset: str | None) -> str:
        """The lab's text, or that of one of its presets. Raises UnknownMetricError."""
        try:
            return rollout_text(lab, preset)
        except UnknownControlError:
            raise UnknownMetricError(preset or "", tuple(known.id for known in lab.presets)) from None

    def unmet(self, lab: RolloutLab, preset: str | None) -> str:
        """What the lab, or a preset of it, is expected to come to and does not, in English; empty where nothing is.

        Raises UnknownMetricError, ProblemsError.
        """
        text = self.text(lab, preset)
        expect = lab.expect if preset is None else lab.preset(preset).expect
        return "" if expect is None else _unmet(expect, self.of(text))


def _unmet(expect: Expectation, run: RolloutRun) -> str:
    if run.end is None:
        return f"the API server refuses it: {run.refused}"
    measured: dict[str, int | bool] = {**run.metrics, "done": run.end.is_done}
    wanted: dict[str, int | bool] = {**expect.metrics}
    if expect.done is not None:
        wanted["done"] = expect.done
    return "; ".join(
        f"expected {key} {value}, found {measured[key]}"
        for key, value in wanted.items()
        if measured[key] != value
    )


def _read(text: str, settings: RolloutSettings) -> tuple[Rollout, Scenario | None]:
    """A rollout alone, or that of a scenario with nodes and workloads. Raises ProblemsError."""
    if not is_beside_nodes(text):
        return read_rollout(text), None
    scenario = read_scenario(text, settings.catalog, settings.workloads)
    assert scenario.rollout is not None
    return scenario.rollout, scenario


def _trace(rollout: Rollout, scenario: Scenario | None, settings: RolloutSettings) -> Trace:
    """Runs it. Raises ProblemsError where it is too large."""
    if scenario is not None:
        return trace_of(scenario, record_limit=settings.record_limit)
    try:
        return run_rollout(rollout, visit_limit=settings.visit_limit).trace
    except RolloutTooLargeError as error:
        raise ProblemsError((too_large(error),)) from None


def _run(text: str, settings: RolloutSettings) -> RolloutRun:
    rollout, scenario = _read(text, settings)
    refused = refusals(rollout.strategy, rollout.min_ready_seconds)
    if refused:
        return RolloutRun(rollout, refusal_text(rollout.name, refused), None)
    trace = _trace(rollout, scenario, settings)
    notes = rollout_notes(rollout, trace.rollout)
    course = FleetTimeline(rollout, trace, scenario)
    return RolloutRun(rollout, None, trace.hash(), course, is_joined=scenario is not None, notes=notes)
