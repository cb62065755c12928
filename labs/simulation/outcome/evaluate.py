"""From a scenario's text to its outcome: read, run, add up. What every edge calls."""

from __future__ import annotations

from collections.abc import Callable

from labs.cluster.daemonset import refusal_text, refusals
from labs.config.own import Problem, ProblemsError
from labs.hardware.catalog import Catalog
from labs.simulation.laws import TooManyRequestsError
from labs.simulation.outcome.outcome import Outcome
from labs.simulation.outcome.totals import outcome_of
from labs.simulation.scenario import Scenario, Workloads, builtin_workloads, read_scenario
from labs.simulation.trace import Trace
from labs.simulation.world import RECORD_LIMIT, ConfigTooLargeError, RunTooLargeError, run
from labs.simulation.world.rollout import RolloutTooLargeError, too_large


class SpecRefusedError(ProblemsError):
    """The API server refuses the DaemonSet of a scenario; `words` are what `kubectl apply` prints."""

    def __init__(self, words: str, line: int) -> None:
        super().__init__((Problem("rollout-refused", line, 1, {"detail": words}),))
        self.words = words


def evaluate(
    text: str,
    catalog: Catalog,
    *,
    workloads: Callable[[], Workloads] = builtin_workloads,
    record_limit: int = RECORD_LIMIT,
    on_progress: Callable[[float], None] | None = None,
) -> Outcome:
    """The outcome of the scenario in `text`, whose jobs may use `workloads` by name.

    Raises ProblemsError with everything that is wrong with the text, also where it
    has a config beyond our limits, or asks for a run of more than `record_limit` records;
    SpecRefusedError where only its DaemonSet is.
    """
    scenario = read_scenario(text, catalog, workloads)
    rollout = scenario.rollout
    refused = () if rollout is None else refusals(rollout.strategy, rollout.min_ready_seconds)
    if rollout is not None and refused:
        raise SpecRefusedError(refusal_text(rollout.name, refused), rollout.line)
    trace = trace_of(scenario, record_limit=record_limit, on_progress=on_progress)
    return outcome_of(scenario, trace)


def trace_of(
    scenario: Scenario,
    *,
    record_limit: int = RECORD_LIMIT,
    on_progress: Callable[[float], None] | None = None,
) -> Trace:
    """Runs a scenario whose rollout, if it has one, the API server accepts. Raises ProblemsError as `evaluate` does."""
    try:
        return run(scenario, record_limit=record_limit, on_progress=on_progress)
    except ConfigTooLargeError as error:
        values = {"node": error.node.name, "detail": error.detail}
        problem = Problem("config-too-large", max(error.node.config_line, 1), 1, values)
        raise ProblemsError((problem,)) from None
    except TooManyRequestsError as error:
        seconds = error.at_us // 1_000_000
        problem = Problem("too-many-requests", 1, 1, {"limit": error.limit, "seconds": seconds})
        raise ProblemsError((problem,)) from None
    except RunTooLargeError as error:
        seconds = error.at_us // 1_000_000
        problem = Problem("run-too-large", 1, 1, {"limit": error.limit, "seconds": seconds})
        raise ProblemsError((problem,)) from None
    except RolloutTooLargeError as error:
        raise ProblemsError((too_large(error),)) from None
