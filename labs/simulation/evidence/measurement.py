"""Published measurements: one figure a line, as JSON (`data/points.jsonl`, and any file of the same shape).

A figure says on which card which job was measured, by how many equal copies and how they shared it, and what came out.
`role` tells the figures from which a job's own parameters are taken (`calibrate`) from those that are to be predicted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NoReturn

from labs.config.own import Problem, ProblemsError, nearest
from labs.simulation.scenario import JobKind

MAX_POINTS = 20_000
MAX_BYTES = 8_000_000  # of a file: room for so many figures of usual length
MAX_COPIES = 128
MAX_TEXT = 200
MAX_BESIDE = 100
PROBLEMS_KEPT = 20
REQUIRED = (
    "dataset",
    "gpu",
    "workload",
    "job",
    "mechanism",
    "profile",
    "copies",
    "threadPercent",
    "metric",
    "unit",
    "value",
    "role",
)
JOBS = (str(JobKind.SERVICE), str(JobKind.TRAINING))
MECHANISMS = ("exclusive", "time-slicing", "mps", "mig")


class Role(StrEnum):
    """What a figure is for."""

    CALIBRATE = "calibrate"
    PREDICT = "predict"


@dataclass(frozen=True, slots=True)
class Measurement:
    """One published figure, and the line on which it stands.

    `copies` equal Pods of `workload` share a card (under `mig` each has a device of its own), with one Pod of each
    workload in `beside`. `profile`: what is shared is a MIG device of this profile, not a whole card. `thread_percent`:
    the cap of each MPS client. `residency`: the share of time with a kernel on the GPU alone, where it is known.
    """

    line: int
    dataset: str
    gpu: str
    workload: str
    job: JobKind
    mechanism: str
    profile: str | None
    copies: int
    thread_percent: int | None
    metric: str
    unit: str
    value: float
    role: Role
    beside: tuple[str, ...] = ()
    residency: float | None = None


def read_measurements(text: str) -> tuple[Measurement, ...]:
    """The figures of a file. Empty lines are skipped.

    Raises ProblemsError with what is wrong with which line.
    """
    points: list[Measurement] = []
    problems: list[Problem] = []
    more = 0
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        if len(points) == MAX_POINTS:
            problems.append(Problem("points-too-many", number, 1, {"maximum": MAX_POINTS}))
            break
        try:
            points.append(_Line(line, number).read())
        except ProblemsError as error:
            more += max(0, len(problems) + len(error.problems) - PROBLEMS_KEPT)
            problems = [*problems, *error.problems][:PROBLEMS_KEPT]
    if not points and not problems:
        problems.append(Problem("points-none", 1, 1, {}))
    if problems:
        raise ProblemsError(tuple(problems), more)
    return tuple(points)


class _Line:
    """Reads one line; `read` raises ProblemsError with the problems found in it."""

    def __init__(self, text: str, number: int) -> None:
        self._text = text
        self._number = number
        self._values: Mapping[str, object] = {}
        self._problems: list[Problem] = []

    def read(self) -> Measurement:
        """The figure."""
        self._values = self._parsed()
        for key in REQUIRED:
            if key not in self._values:
                self._problems.append(Problem("missing-key", self._number, 1, {"key": key}))
        point = Measurement(
            line=self._number,
            dataset=self._words("dataset"),
            gpu=self._words("gpu"),
            workload=self._words("workload"),
            job=JobKind(self._choice("job", JOBS)),
            mechanism=self._choice("mechanism", MECHANISMS),
            profile=None if self._values.get("profile") is None else self._words("profile"),
            copies=self._whole("copies", MAX_COPIES),
            thread_percent=(
                None if self._values.get("threadPercent") is None else self._whole("threadPercent", 100)
            ),
            metric=self._words("metric"),
            unit=self._words("unit"),
            value=self._number_within("value", 1e-12, 1e15),
            role=Role(self._choice("role", tuple(Role))),
            beside=self._beside(),
            residency=(
                None if self._values.get("residency") is None else self._number_within("residency", 0.0, 1.0)
            ),
        )
        if self._problems:
            raise ProblemsError(tuple(self._problems))
        return point

    def _parsed(self) -> Mapping[str, object]:
        try:
            value = json.loads(self._text, parse_constant=_refuse, object_pairs_hook=_once)
        except _TwiceError as error:
            written = json.dumps(error.key)
            column = self._text.find(written, self._text.find(written) + 1) + 1
            self._give_up("duplicate-key", max(1, column), key=error.key[:MAX_TEXT])
        except json.JSONDecodeError as error:
            self._give_up("points-json", error.colno, detail=error.msg)
        except (ValueError, RecursionError) as error:  # NaN, endless digits, endless brackets
            self._give_up("points-json", 1, detail=str(error)[:MAX_TEXT])
        if not isinstance(value, dict):
            self._give_up("points-object", 1, value=_json_text(value))
        return value

    def _give_up(self, problem: str, column: int, /, **values: str | int) -> NoReturn:
        raise ProblemsError((Problem(problem, self._number, column, values),))

    def _add(self, problem: str, key: str, **values: str | int) -> None:
        if key in self._values:  # else it is missing, which is said
            column = max(0, self._text.find(json.dumps(key))) + 1
            value = _json_text(self._values[key])
            self._problems.append(
                Problem(problem, self._number, column, {"key": key, "value": value, **values})
            )

    def _words(self, key: str) -> str:
        value = self._values.get(key)
        if isinstance(value, str) and 0 < len(value) <= MAX_TEXT:
            return value
        self._add("points-text", key, maximum=MAX_TEXT)
        return ""

    def _choice(self, key: str, allowed: tuple[str, ...]) -> str:
        value = self._values.get(key)
        if isinstance(value, str) and value in allowed:
            return value
        near = nearest(value, allowed) if isinstance(value, str) else ""
        self._add("not-one-of", key, allowed=near or ", ".join(allowed))
        return allowed[0]

    def _whole(self, key: str, maximum: int) -> int:
        value = self._values.get(key)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= maximum:
            return value
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        self._add("out-of-range" if is_whole else "not-a-whole-number", key, minimum=1, maximum=maximum)
        return 1

    def _number_within(self, key: str, minimum: float, maximum: float) -> float:
        value = self._values.get(key)
        if isinstance(value, (int, float)) and not isinstance(value, bool) and minimum <= value <= maximum:
            return float(value)
        self._add("points-number", key, minimum=f"{minimum:g}", maximum=f"{maximum:g}")
        return 1.0

    def _beside(self) -> tuple[str, ...]:
        value = self._values.get("beside")
        if value is None:
            return ()
        if isinstance(value, list) and len(value) <= MAX_BESIDE:
            names = tuple(name for name in value if isinstance(name, str))
            if len(names) == len(value):
                return names
        self._add("points-names", "beside", maximum=MAX_BESIDE)
        return ()


class _TwiceError(Exception):
    """A key that stands twice in an object, of which JSON would take the last."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values: dict[str, object] = {}
    for key, value in pairs:
        if key in values:
            raise _TwiceError(key)
        values[key] = value
    return values


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def _json_text(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:59] + "…"
