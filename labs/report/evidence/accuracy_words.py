"""How far predictions are off, as JSON (design.md, "accuracy") and in words for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from labs.report.writing import NOTHING, WIDTH, Column, Messages, Table, table_text, wrap
from labs.simulation.evidence import MECHANISMS, Accuracy, Dataset, Prediction, Skipped, Spread, spread

SKIPPED_MOST = 20  # of the figures that are left out, told one by one


def accuracy_json(accuracy: Accuracy) -> dict[str, Any]:
    """Errors per dataset and mechanism and per mechanism, with what was left out.

    Further those of utilizations (in points) and of the figures that calibrate.
    """
    by_mechanism = {name: accuracy.of(mechanism=name) for name in MECHANISMS}
    fitted = spread(accuracy.fitted)
    return {
        "datasets": [
            _group_json(dataset, mechanism, errors)
            for dataset, mechanism in accuracy.groups
            if (errors := accuracy.of(dataset=dataset, mechanism=mechanism)) is not None
        ],
        "mechanisms": {
            name: _middle_json(errors) for name, errors in by_mechanism.items() if errors is not None
        },
        "utilization": _utilization_json(accuracy.utilization),
        "calibration": None if fitted is None else _middle_json(fitted),
        "skipped": [
            {
                "line": skip.point.line,
                "dataset": skip.point.dataset,
                "workload": skip.point.workload,
                "mechanism": skip.point.mechanism,
                "reason": str(skip.why),
                "value": skip.value,
            }
            for skip in accuracy.skipped
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


def prediction_json(prediction: Prediction) -> dict[str, Any]:
    """A figure beside what the simulator says."""
    point = prediction.point
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
        "predicted": float(f"{prediction.value:.6g}"),
        "percent": _rounded(prediction.error),
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


def accuracy_text(accuracy: Accuracy, datasets: Mapping[str, Dataset], messages: Messages) -> str:
    """Tables and sentences; `datasets` are the sources that are known."""
    parts: list[str] = []
    # No heads of tables without a line above why nothing is predicted.
    if accuracy.groups or not accuracy.skipped:
        parts += [
            table_text(groups_table(accuracy, messages)),
            table_text(mechanisms_table(accuracy, messages)),
        ]
    parts += ["\n".join(wrap(line, WIDTH)) for line in notes(accuracy, messages)]
    named = {prediction.point.dataset for prediction in (*accuracy.predictions, *accuracy.fitted)}
    sources = [dataset for dataset in datasets.values() if dataset.id in named]
    if sources:
        parts.append("\n".join([messages.text("accuracy.sources"), *_sources(sources)]))
    if accuracy.skipped:
        parts.append("\n".join(_left_out(accuracy.skipped, messages)))
    return "\n\n".join(parts) + "\n"


def groups_table(accuracy: Accuracy, messages: Messages) -> Table:
    """A row for each dataset and mechanism."""
    text = messages.text
    keys = ("dataset", "mechanism", "points", "median", "mean", "p90", "worst", "worst-at")
    figures = {"points", "median", "mean", "p90", "worst"}
    heads = tuple(Column(text(f"accuracy.column.{key}"), key in figures) for key in keys)
    rows = []
    for dataset, mechanism in accuracy.groups:
        errors = accuracy.of(dataset=dataset, mechanism=mechanism)
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


def mechanisms_table(accuracy: Accuracy, messages: Messages) -> Table:
    """A row for each mechanism."""
    text = messages.text
    keys = ("mechanism", "points", "median", "mean", "p90")
    heads = tuple(Column(text(f"accuracy.column.{key}"), key != "mechanism") for key in keys)
    spreads = [(name, accuracy.of(mechanism=name)) for name in MECHANISMS]
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


def notes(accuracy: Accuracy, messages: Messages) -> Iterator[str]:
    """What stands under the tables."""
    busy, fitted = accuracy.utilization, spread(accuracy.fitted)
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


def where(prediction: Prediction, messages: Messages) -> str:
    """Which figure it is: the workload, and how it was shared."""
    point = prediction.point
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
    for dataset in datasets:
        lines = wrap(
            f"{dataset.id}: {dataset.title}. {dataset.authors}. {dataset.address}, {dataset.path}", WIDTH - 2
        )
        yield from (f"  {line}" for line in lines)


def _left_out(skipped: tuple[Skipped, ...], messages: Messages) -> Iterator[str]:
    yield messages.count("accuracy.skipped", len(skipped))
    for skip in skipped[:SKIPPED_MOST]:
        reason = messages.text(f"accuracy.why.{skip.why}", value=skip.value)
        sentence = messages.text(
            "accuracy.skipped-line", line=str(skip.point.line), dataset=skip.point.dataset, reason=reason
        )
        yield from (f"  {line}" for line in wrap(sentence, WIDTH - 2))
    if len(skipped) > SKIPPED_MOST:
        yield "  " + messages.count("accuracy.skipped-more", len(skipped) - SKIPPED_MOST)
