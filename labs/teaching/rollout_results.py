"""Rollouts of labs by text, each run once: what prose refers to, what pictures and sentences are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from labs.cluster.daemonset_spec import refusal_text, refusals
from labs.config.problem import Problem, ProblemsError
from labs.simulation.rollout import SECOND_US, Rollout
from labs.simulation.rollout_metrics import fleet_metrics
from labs.simulation.rollout_moments import fleet_moments, fleet_snapshots
from labs.simulation.rollout_reader import read_rollout
from labs.simulation.rollout_snapshot import FleetSnapshot
from labs.simulation.rollout_world import RolloutTooLargeError, run_rollout
from labs.teaching.controls import UnknownControlError
from labs.teaching.results import UnknownMetricError
from labs.teaching.rollout_lab import Expectation, RolloutLab, rollout_text

KEPT = 32  # runs
VISITS_IN_A_PAGE = 400_000  # of nodes and records: a second or two in a browser
"""See `labs.simulation.rollout_world.VISIT_LIMIT`."""


@dataclass(frozen=True, slots=True)
class RolloutRun:
    """A scenario's run. ``refused`` are the API server's words where it takes no such DaemonSet, and then nothing ran.

    ``snapshots`` are the fleet at each of ``moments`` (µs, ascending from 0); ``settled``: nothing more happens by itself.
    """

    rollout: Rollout
    refused: str | None
    trace_hash: str | None
    moments: tuple[int, ...] = ()
    snapshots: tuple[FleetSnapshot, ...] = ()
    settled: bool = False

    @property
    def end(self) -> FleetSnapshot | None:
        """The fleet at the end."""
        return self.snapshots[-1] if self.snapshots else None

    @property
    def metrics(self) -> Mapping[str, int]:
        """The numbers at the end by key; empty where nothing ran."""
        return {} if self.end is None else fleet_metrics(self.end)

    @property
    def last_s(self) -> int:
        """The last change in whole seconds, rounded up; at least 1."""
        return max(1, -(-self.moments[-1] // SECOND_US)) if self.moments else 1

    def at(self, at_us: int) -> int:
        """The index of the moment that shows a time: the last one up to it."""
        return max((index for index, moment in enumerate(self.moments) if moment <= at_us), default=0)


class RolloutResults:
    """Runs scenarios and keeps the latest."""

    def __init__(self, *, visit_limit: int | None = None) -> None:
        self._visit_limit = visit_limit
        self._known: dict[str, RolloutRun] = {}

    def of(self, text: str) -> RolloutRun:
        """The run of a scenario's text. Raises ProblemsError (which is not kept)."""
        if text not in self._known:
            self._known[text] = _run(read_rollout(text), self._visit_limit)
            if len(self._known) > KEPT:
                del self._known[next(iter(self._known))]
        return self._known[text]

    def metric(self, lab: RolloutLab, preset: str | None, key: str) -> int:
        """The metric of the lab's text, or of one of its presets. Raises UnknownMetricError, ProblemsError."""
        found = self.of(self.text(lab, preset)).metrics
        if key not in found:
            raise UnknownMetricError(key, tuple(found))
        return found[key]

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
    found: dict[str, int | bool] = {**run.metrics, "done": run.end.is_done}
    wanted: dict[str, int | bool] = {**expect.metrics}
    if expect.done is not None:
        wanted["done"] = expect.done
    return "; ".join(
        f"expected {key} {value}, found {found[key]}" for key, value in wanted.items() if found[key] != value
    )


def _run(rollout: Rollout, visit_limit: int | None) -> RolloutRun:
    refused = refusals(rollout.strategy, rollout.min_ready_seconds)
    if refused:
        return RolloutRun(rollout, refusal_text(rollout.name, refused), None)
    try:
        end = run_rollout(rollout) if visit_limit is None else run_rollout(rollout, visit_limit=visit_limit)
    except RolloutTooLargeError as error:
        values = {"limit": error.limit, "seconds": error.at_us // SECOND_US}
        raise ProblemsError((Problem("rollout-too-large", 1, 1, values),)) from None
    moments = fleet_moments(rollout, end.trace)
    snapshots = tuple(fleet_snapshots(rollout, end.trace, moments))
    return RolloutRun(rollout, None, end.trace.hash(), moments, snapshots, end.settled)
