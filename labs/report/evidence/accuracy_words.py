"""How far predictions are off, as JSON (design.md, "accuracy") and in words for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from labs.report.writing import NOTHING, WIDTH, Column, Messages, Table, table_text, wrap
from labs.simulation.evidence import MECHANISMS, Accuracy, Dataset, Prediction, Skipped, Spread, spread

SKIPPED_MOST = 20  # of the figures that are left out, told one by one


def accuracy_json(found: Accuracy) -> dict[str, Any]:
    """Errors per dataset and mechanism, per mechanism, of utilizations (in points), of the figures that calibrate, and what
    was left out."""
    by_mechanism = {name: found.of(mechanism=name) for name in MECHANISMS}
    fitted = spread(found.fitted)
    return {
        "datasets": [
            _group_json(dataset, mechanism, errors)
            for dataset, mechanism in found.groups
            if (errors := found.of(dataset=dataset, mechanism=mechanism)) is not None
        ],
        "mechanisms": {
            name: _middle_json(errors) for name, errors in by_mechanism.items() if errors is not None
        },
        "utilization": _utilization_json(found.utilization),
        "calibration": None if fitted is None else _middle_json(fitted),
        "skipped": [
            {
                "line": one.point.line,
                "dataset": one.point.dataset,
                "workload": one.point.workload,
                "mechanism": one.point.mechanism,
                "reason": str(one.why),
                "value": one.value,
            }
            for one in found.skipped
        ],
    }


def _middle_json(errors: Spread) -> dict[str, Any]:
    return {
        "points": errors.points,
        "medianAbsPercent": _rounded(errors.median),
        "meanAbsPercent": _rounded(errors.mean),
    }


def _group_json(dataset: str, mechanism: str, errors: Spread) -> dict[str, Any]:
    return {
        "id": dataset,
        "mechanism": mechanism,
        **_middle_json(errors),
        "p90AbsPercent": _rounded(errors.p90),
        "worst": prediction_json(errors.worst),
    }


def prediction_json(one: Prediction) -> dict[str, Any]:
    """A figure beside what the simulator says."""
    point = one.point
    return {
        "line": point.line,
        "workload": point.workload,
        "profile": point.profile,
        "copies": point.copies,
        "threadPercent": point.thread_percent,
        **({"beside": list(point.beside)} if point.beside else {}),
        "metric": point.metric,
        "unit": point.unit,
        "measured": point.value,
        "predicted": float(f"{one.value:.6g}"),
        "percent": _rounded(one.error),
    }


def _utilization_json(errors: Spread | None) -> dict[str, Any] | None:
    if errors is None:
        return None
    return {
        "points": errors.points,
        "medianAbsPoints": _rounded(errors.median),
        "meanAbsPoints": _rounded(errors.mean),
        "p90AbsPoints": _rounded(errors.p90),
    }


def _rounded(value: float) -> float:
    return round(value, 3)


def accuracy_text(found: Accuracy, datasets: Mapping[str, Dataset], messages: Messages) -> str:
    """Tables and sentences; `datasets` are the sources that are known."""
    parts: list[str] = []
    if found.groups or not found.skipped:  # no heads of tables without a line above why nothing is predicted
        parts += [table_text(groups_table(found, messages)), table_text(mechanisms_table(found, messages))]
    parts += ["\n".join(wrap(line, WIDTH)) for line in notes(found, messages)]
    named = {one.point.dataset for one in (*found.predictions, *found.fitted)}
    sources = [one for one in datasets.values() if one.id in named]
    if sources:
        parts.append("\n".join([messages.text("accuracy.sources"), *_sources(sources)]))
    if found.skipped:
        parts.append("\n".join(_left_out(found.skipped, messages)))
    return "\n\n".join(parts) + "\n"


def groups_table(found: Accuracy, messages: Messages) -> Table:
    """A row for each dataset and mechanism."""
    text = messages.text
    keys = ("dataset", "mechanism", "points", "median", "mean", "p90", "worst", "worst-at")
    figures = {"points", "median", "mean", "p90", "worst"}
    heads = tuple(Column(text(f"accuracy.column.{key}"), key in figures) for key in keys)
    rows = []
    for dataset, mechanism in found.groups:
        errors = found.of(dataset=dataset, mechanism=mechanism)
        assert errors is not None
        rows.append(
            (
                dataset,
                text(f"mechanism.{mechanism}"),
                messages.number(errors.points),
                percent(errors.median, messages),
                percent(errors.mean, messages),
                percent(errors.p90, messages),
                signed(errors.worst.error, messages),
                where(errors.worst, messages),
            )
        )
    return Table(text("accuracy.groups"), heads, tuple(rows))


def mechanisms_table(found: Accuracy, messages: Messages) -> Table:
    """A row for each mechanism."""
    text = messages.text
    keys = ("mechanism", "points", "median", "mean", "p90")
    heads = tuple(Column(text(f"accuracy.column.{key}"), key != "mechanism") for key in keys)
    spreads = [(name, found.of(mechanism=name)) for name in MECHANISMS]
    rows = tuple(
        (
            text(f"mechanism.{name}"),
            messages.number(errors.points),
            percent(errors.median, messages),
            percent(errors.mean, messages),
            percent(errors.p90, messages),
        )
        for name, errors in spreads
        if errors is not None
    )
    return Table(text("accuracy.mechanisms"), heads, rows)


def notes(found: Accuracy, messages: Messages) -> Iterator[str]:
    """What stands under the tables."""
    busy, fitted = found.utilization, spread(found.fitted)
    if busy is not None:
        yield messages.text(
            "accuracy.utilization",
            points=busy.points,
            median=messages.number(busy.median),
            mean=messages.number(busy.mean, 1),
            p90=messages.number(busy.p90),
        )
    if fitted is not None:
        yield messages.text(
            "accuracy.calibration",
            points=fitted.points,
            median=percent(fitted.median, messages),
            worst=percent(abs(fitted.worst.error), messages),
        )


def percent(value: float, messages: Messages) -> str:
    """A number of percent."""
    return messages.text("unit.percent", n=messages.number(value))


def signed(value: float, messages: Messages) -> str:
    """A number of percent with its sign."""
    return ("+" if value > 0 else "") + percent(value, messages)


def where(one: Prediction, messages: Messages) -> str:
    """Which figure it is: the workload, and how it was shared."""
    point = one.point
    parts = [point.workload]
    if point.profile is not None:
        parts.append(point.profile)
    if point.copies > 1:
        parts.append(f"× {messages.number(point.copies)}")
    if point.thread_percent is not None:
        parts.append(messages.text("unit.percent", n=messages.number(point.thread_percent)))
    parts += [f"+ {name}" for name in point.beside]
    return " ".join(parts) or NOTHING


def _sources(datasets: list[Dataset]) -> Iterator[str]:
    for one in datasets:
        lines = wrap(f"{one.id}: {one.title}. {one.authors}. {one.address}, {one.path}", WIDTH - 2)
        yield from (f"  {line}" for line in lines)


def _left_out(skipped: tuple[Skipped, ...], messages: Messages) -> Iterator[str]:
    yield messages.count("accuracy.skipped", len(skipped))
    for one in skipped[:SKIPPED_MOST]:
        reason = messages.text(f"accuracy.why.{one.why}", value=one.value)
        told = messages.text(
            "accuracy.skipped-line", line=str(one.point.line), dataset=one.point.dataset, reason=reason
        )
        yield from (f"  {line}" for line in wrap(told, WIDTH - 2))
    if len(skipped) > SKIPPED_MOST:
        yield "  " + messages.count("accuracy.skipped-more", len(skipped) - SKIPPED_MOST)
