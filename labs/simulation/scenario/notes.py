"""What a scenario asks for and nothing comes of: where that stands in the text, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from labs.simulation.scenario.rollout import NoEffect, RolloutEvent


class Subject(StrEnum):
    """What is asked for."""

    EVENT = "event"
    BEHAVIOUR = "behaviour"  # these three hold for the whole of a rollout
    REVISION = "revision"
    LABEL = "label"
    FAULT = "fault"
    MIG_CONFIG = "mig-config"
    WORKLOAD = "workload"


@dataclass(frozen=True, slots=True)
class Note:
    """Nothing came of something at `at_us`, on a `node` (None: on all that it names, or on none in particular).

    `line` and `column` are 1-based. `event` is that of a rollout; of anything else `name` says what it is: a fault's kind, a
    MIG config's node, a workload, a revision, a label. `ends_us` is when the scenario ends, `error` the plugin's of a config.
    """

    subject: Subject
    why: NoEffect
    line: int
    column: int
    at_us: int
    ends_us: int
    name: str = ""
    node: str | None = None
    event: RolloutEvent | None = None
    error: str = ""
