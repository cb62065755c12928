"""Named workloads: jobs with published figures, so that a scenario can say `use: yolos-small-a100-80gb` and no number.

They stand in `data/workloads.json`. Time alone and demand are taken from the calibrating figures of their dataset
(`calibration.py`; where MPS and MIG both tell a demand, the mean of both; `tests/unit/simulation/test_workloads.py` holds
them against these), residency from the utilization published beside them. What is `assumed` was not measured.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import files
from types import MappingProxyType

from labs.config.own import units
from labs.simulation.scenario.scenario import Job, JobKind

FORMAT = 1
ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
KEYS = {"id", "job", "dataset", "point", "batch", "assumed"}
SHARES = ("residency", "demand", "overlap")


class WorkloadsError(ValueError):
    """A file of named workloads that is not of its form."""


@dataclass(frozen=True, slots=True)
class NamedWorkload:
    """A job by name.

    `dataset` is its source (`datasets.py`) and `point` its name there, None where no figure of it is predicted; `batch`
    is what one request or iteration holds; `assumed` names what was not measured.
    """

    id: str
    job: Job
    dataset: str
    point: str | None
    batch: int
    assumed: tuple[str, ...]


Workloads = Mapping[str, NamedWorkload]


def read_workloads(text: str) -> Workloads:
    """The named workloads of a file by id, in order. Raises WorkloadsError."""
    try:
        whole = json.loads(text)
        rows = whole["workloads"]
        if whole["format"] != FORMAT or not isinstance(rows, list):
            raise WorkloadsError(f'expected {{"format": {FORMAT}, "workloads": [...]}}')
        workloads = [_workload(row) for row in rows]
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise WorkloadsError(f"not of the form of workloads.json: {error!r}") from error
    by_id = {workload.id: workload for workload in workloads}
    if len(by_id) < len(workloads):
        raise WorkloadsError("an id stands twice")
    return MappingProxyType(by_id)


@functools.cache
def builtin_workloads() -> Workloads:
    """The package's own."""
    return read_workloads((files("labs") / "simulation" / "data" / "workloads.json").read_text("utf-8"))


def _workload(row: object) -> NamedWorkload:
    if not isinstance(row, dict) or set(row) != KEYS:
        raise WorkloadsError(f"{row!r}: expected the keys {', '.join(sorted(KEYS))}")
    name, point, batch, assumed = row["id"], row["point"], row["batch"], row["assumed"]
    if not isinstance(name, str) or not ID.fullmatch(name):
        raise WorkloadsError(f"{name!r} is no id: lower-case letters, digits and single hyphens")
    if not isinstance(row["dataset"], str) or not (point is None or isinstance(point, str)):
        raise WorkloadsError(f"{name}: dataset and point are texts")
    if not isinstance(batch, int) or batch < 1:
        raise WorkloadsError(f"{name}: batch {batch!r} is no whole number from 1 on")
    if not isinstance(assumed, list) or not set(assumed) <= {"soloTime", *SHARES}:
        raise WorkloadsError(f"{name}: assumed lists some of soloTime, {', '.join(SHARES)}")
    return NamedWorkload(name, _job(name, row["job"]), row["dataset"], point, batch, tuple(assumed))


def _job(name: str, job: object) -> Job:
    if not isinstance(job, dict) or not set(job) <= {"kind", "soloTime", *SHARES}:
        raise WorkloadsError(f"{name}: job has kind, soloTime, {', '.join(SHARES)}")
    if job["kind"] not in (JobKind.SERVICE, JobKind.TRAINING):
        raise WorkloadsError(f"{name}: kind {job['kind']!r} is neither service nor training")
    solo = units.duration_us(job["soloTime"])
    if solo is None or solo < 1:
        raise WorkloadsError(f"{name}: soloTime {job['soloTime']!r} is no duration")
    shares = {key: job.get(key, 0.0) for key in SHARES}
    if not all(isinstance(share, (int, float)) and 0 <= share <= 1 for share in shares.values()):
        raise WorkloadsError(f"{name}: {', '.join(SHARES)} are numbers from 0 to 1")
    if Fraction(shares["demand"]) > Fraction(shares["residency"]):
        raise WorkloadsError(f"{name}: demand {shares['demand']} is greater than residency")
    residency, demand, overlap = (float(shares[key]) for key in SHARES)
    return Job(JobKind(job["kind"]), solo, residency, demand, overlap)
