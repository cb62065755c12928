"""Files of measurements: what is read, and what is said of one that can't be."""

from __future__ import annotations

import json

import pytest

from labs.config.own.problem import ProblemsError
from labs.simulation.evidence.datasets import (
    DatasetError,
    builtin_datasets,
    builtin_points,
    builtin_points_text,
    read_datasets,
)
from labs.simulation.evidence.measurement import MAX_BYTES, MAX_POINTS, Measurement, Role, read_measurements
from labs.simulation.evidence.quantity import Quantity, Unit, unit_of
from labs.simulation.scenario.scenario import JobKind

LINE: dict[str, object] = {
    "dataset": "D01",
    "gpu": "a100-80gb",
    "workload": "yolos-small",
    "job": "service",
    "mechanism": "time-slicing",
    "profile": None,
    "copies": 3,
    "threadPercent": None,
    "metric": "latency",
    "unit": "ms",
    "value": 293.1,
    "role": "predict",
}


def problems(text: str) -> list[tuple[str, int, int]]:
    with pytest.raises(ProblemsError) as raised:
        read_measurements(text)
    return [(each.key, each.line, each.column) for each in raised.value.problems]


def line(**values: object) -> str:
    return json.dumps({**LINE, **values})


def test_a_line_is_a_figure() -> None:
    assert read_measurements("\n" + line() + "\n\n") == (
        Measurement(
            2,
            "D01",
            "a100-80gb",
            "yolos-small",
            JobKind.SERVICE,
            "time-slicing",
            None,
            3,
            None,
            "latency",
            "ms",
            293.1,
            Role.PREDICT,
        ),
    )


def test_other_keys_are_left_to_whoever_wrote_them() -> None:
    (found,) = read_measurements(line(note="as in table 3", beside=["bert"], residency=0.857))
    assert (found.beside, found.residency) == (("bert",), 0.857)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("{", "points-json"),
        ('{"value": NaN}', "points-json"),
        ("[" * 100_000, "points-json"),
        ("1" * 10_000, "points-json"),
        (line()[:-1] + ', "value": 5}', "duplicate-key"),
        ("[]", "points-object"),
        ("7", "points-object"),
        (line(dataset=""), "points-text"),
        (line(workload=7), "points-text"),
        (line(gpu="x" * 201), "points-text"),
        (line(job="idle"), "not-one-of"),
        (line(mechanism="MPS"), "not-one-of"),
        (line(role="check"), "not-one-of"),
        (line(copies=0), "out-of-range"),
        (line(copies=2.5), "not-a-whole-number"),
        (line(copies=True), "not-a-whole-number"),
        (line(copies=10**9), "out-of-range"),
        (line(threadPercent=101), "out-of-range"),
        (line(value=0), "points-number"),
        (line(value="88"), "points-number"),
        (line(value=True), "points-number"),
        (line(residency=1.5), "points-number"),
        (line(beside="bert"), "points-names"),
        (line(beside=[1]), "points-names"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, key: str) -> None:
    assert (key, 2) in [(found, number) for found, number, _ in problems(f"\n{text}")]


def test_a_missing_key_is_named_and_no_value_of_it_is_judged() -> None:
    short = {key: value for key, value in LINE.items() if key not in ("value", "role")}
    assert problems(json.dumps(short)) == [("missing-key", 1, 1)] * 2


def test_the_column_is_that_of_the_key() -> None:
    text = line(copies=0)
    assert problems(text) == [("out-of-range", 1, text.index('"copies"') + 1)]


def test_every_bad_line_is_told_up_to_a_bearable_number() -> None:
    with pytest.raises(ProblemsError) as raised:
        read_measurements("[]\n" * 30)
    assert (len(raised.value.problems), raised.value.more) == (20, 10)


def test_a_file_without_figures_is_refused() -> None:
    assert problems(" \n\n") == [("points-none", 1, 1)]


def test_as_many_figures_as_are_allowed_fit_into_as_many_bytes_as_are() -> None:
    lengths = [len(text.encode()) + 1 for text in builtin_points_text().splitlines()]
    assert MAX_POINTS * sum(lengths) / len(lengths) < MAX_BYTES
    assert len(read_measurements((line() + "\n") * MAX_POINTS)) == MAX_POINTS


def test_a_file_with_too_many_figures_is_refused_where_it_is_too_long() -> None:
    assert problems((line() + "\n") * (MAX_POINTS + 1)) == [("points-too-many", MAX_POINTS + 1, 1)]


@pytest.mark.parametrize(
    ("metric", "unit", "expected"),
    [
        ("latency", "ms", Unit(Quantity.TIME, 0.001)),
        ("iterationTime", "s", Unit(Quantity.TIME, 1.0)),
        ("throughput", "1/s per copy", Unit(Quantity.RATE, 1.0)),
        ("throughput", "images/s", Unit(Quantity.RATE, 1.0)),
        ("throughput", "1/min in total", Unit(Quantity.RATE, 60.0, in_total=True)),
        ("throughput", "of solo", Unit(Quantity.SPEED, 1.0)),
        ("utilization", "%", Unit(Quantity.UTILIZATION, 100.0)),
        ("utilization", "share", Unit(Quantity.UTILIZATION, 1.0)),
        ("throughput", "images/s per Pod", Unit(Quantity.RATE, 1.0)),
        ("throughput", "1/s per card", None),
        ("throughput", "1/s maybe", None),
        ("latency", "1/s", None),
        ("utilization", "ms", None),
        ("power", "W", None),
    ],
)
def test_a_unit_says_what_is_counted(metric: str, unit: str, expected: Unit | None) -> None:
    assert unit_of(metric, unit) == expected


@pytest.mark.parametrize(
    ("metric", "unit"), [("latency", "ms"), ("throughput", "1/s"), ("throughput", "1/s in total")]
)
def test_a_value_survives_the_way_to_seconds_and_back(metric: str, unit: str) -> None:
    found = unit_of(metric, unit)
    assert found is not None
    assert found.value(found.cycle_s(12.5, 3), 3) == pytest.approx(12.5)


def test_every_figure_of_the_package_has_a_source_and_a_unit_that_is_known() -> None:
    for point in builtin_points():
        assert point.dataset in builtin_datasets()
        assert unit_of(point.metric, point.unit) is not None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"format": 2, "datasets": []}',
        '{"format": 1, "datasets": [7]}',
        '{"format": 1, "datasets": [{"id": "D01"}]}',
    ],
)
def test_sources_that_are_not_of_their_form_are_refused(text: str) -> None:
    with pytest.raises(DatasetError):
        read_datasets(text)
