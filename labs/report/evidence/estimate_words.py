"""What measurements say of a job, as JSON and in words: its parameters, contradictions, forecasts with their error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from labs.report.writing import NOTHING, WIDTH, Column, Messages, Table, table_text, wrap
from labs.simulation.evidence import ERRORS, Conflict, Contradiction, Estimate, Forecast, Origin, Sharing

MICRO = 1_000_000


def estimate_json(estimate: Estimate, messages: Messages) -> dict[str, Any]:
    """Shares from 0 to 1, seconds, per second; `errorPercent` is the known error of a forecast."""
    return {
        "kind": str(estimate.kind),
        "solo": {"seconds": _digits(estimate.solo_s), "perSecond": _digits(1 / estimate.solo_s)},
        "residency": {"value": round(estimate.residency, 4), "from": str(estimate.residency_from)},
        "demand": {"value": round(estimate.demand, 4), "from": str(estimate.demand_from)},
        "job": scenario_job(estimate),
        "contradictions": [
            {
                "conflict": str(contradiction.conflict),
                **({} if contradiction.seen is None else sharing_json(contradiction.seen.sharing)),
                "measured": _digits(contradiction.measured),
                "modelled": _digits(contradiction.modelled),
                "message": contradiction_text(contradiction, messages),
            }
            for contradiction in estimate.contradictions
        ],
        "predictions": [_forecast_json(forecast) for forecast in estimate.forecasts],
    }


def _forecast_json(forecast: Forecast) -> dict[str, Any]:
    return {
        **sharing_json(forecast.sharing),
        "seconds": _digits(forecast.cycle_s),
        "perSecond": _digits(1 / forecast.cycle_s),
        "slowdown": round(forecast.slowdown, 4),
        "errorPercent": forecast.error_percent,
    }


def sharing_json(sharing: Sharing) -> dict[str, Any]:
    """How a job is shared, in the keys of a published figure."""
    return {
        "mechanism": sharing.mechanism,
        "profile": sharing.profile,
        "copies": sharing.copies,
        "threadPercent": sharing.thread_percent,
    }


def scenario_job(estimate: Estimate) -> str:
    """The job as it goes into a scenario."""
    job = estimate.job
    parts = [f"kind: {job.kind}", f"soloTime: {_duration(job.solo_time_us)}"]
    parts += ["iterations: 1000"] if estimate.kind == "training" else []
    parts += [f"residency: {round(job.residency, 3):g}", f"demand: {round(job.demand, 3):g}"]
    return f"job: {{{', '.join(parts)}}}"


def _duration(microseconds: int) -> str:
    return f"{microseconds / 1000:g}ms" if microseconds < 10 * MICRO else f"{microseconds / MICRO:g}s"


def _digits(value: float) -> float:
    return float(f"{value:.6g}")


def estimate_text(estimate: Estimate, messages: Messages) -> str:
    """Sentences, tables and the job for a scenario."""
    text = messages.text
    lines = [
        text(
            "estimate.solo",
            time=time_text(estimate.solo_s, messages),
            rate=rate_text(estimate.solo_s, messages),
        ),
        text(
            f"estimate.residency.{estimate.residency_from}",
            value=messages.number(estimate.residency, 3),
        ),
        text(f"estimate.demand.{estimate.demand_from}", value=messages.number(estimate.demand, 3)),
    ]
    parts = ["\n".join(wrapped for line in lines for wrapped in wrap(line, WIDTH))]
    if estimate.contradictions:
        listed = [text("estimate.contradictions")]
        for contradiction in estimate.contradictions:
            listed += [f"  {line}" for line in wrap(contradiction_text(contradiction, messages), WIDTH - 2)]
        parts.append("\n".join(listed))
    parts += [table_text(table) for table in estimate_tables(estimate, messages)]
    if estimate.demand_from is Origin.ASSUMED:
        parts.append("\n".join(wrap(text("estimate.worst-case"), WIDTH)))
    parts.append(text("estimate.job") + "\n  " + scenario_job(estimate))
    return "\n\n".join(parts) + "\n"


def contradiction_text(contradiction: Contradiction, messages: Messages) -> str:
    """A contradiction and what to do about it."""
    if contradiction.conflict is Conflict.DEMAND or contradiction.seen is None:
        values = {"demand": contradiction.measured, "residency": contradiction.modelled}
        return messages.text(
            "estimate.conflict.demand-over-residency",
            **{name: messages.number(value, 2) for name, value in values.items()},
        )
    return messages.text(
        f"estimate.conflict.{contradiction.conflict}",
        where=where_text(contradiction.seen.sharing, messages),
        measured=time_text(contradiction.measured, messages),
        modelled=time_text(contradiction.modelled, messages),
    )


def where_text(sharing: Sharing, messages: Messages) -> str:
    """A way of sharing, in a few words."""
    name = messages.text(f"mechanism.{sharing.mechanism}")
    if sharing.profile is not None:
        return f"{name} {sharing.profile}"
    if sharing.thread_percent is not None:
        name += " " + messages.text("unit.percent", n=messages.number(sharing.thread_percent))
    return f"{name} × {messages.number(sharing.copies)}"


def time_text(seconds: float, messages: Messages) -> str:
    """A time with three digits that count."""
    if seconds < 1:
        decimals = 3 if seconds < 0.001 else 2 if seconds < 0.01 else 1 if seconds < 0.1 else 0
        return messages.text("unit.milliseconds", n=messages.number(seconds * 1000, decimals))
    return messages.text("unit.seconds", n=messages.number(seconds, 2 if seconds < 10 else 1))


def rate_text(seconds: float, messages: Messages) -> str:
    """The rate of what takes so many seconds."""
    rate = 1 / seconds
    if rate < 0.1:
        return messages.text("unit.per_hour", n=messages.number(rate * 3600, 1))
    return messages.text(
        "unit.per_second", n=messages.number(rate, 2 if rate < 10 else 1 if rate < 100 else 0)
    )


def estimate_tables(estimate: Estimate, messages: Messages) -> tuple[Table, ...]:
    """The forecasts: of Pods that share a card, and of MIG profiles where the card is known."""
    both = (_shared_table(estimate, messages), _mig_table(estimate, messages))
    return tuple(table for table in both if table)


def _shared_table(estimate: Estimate, messages: Messages) -> Table:
    """A row for each number of Pods, a column for each way to share a whole card."""
    ways: tuple[tuple[str, Callable[[Sharing], bool]], ...] = (
        ("time-slicing", lambda sharing: sharing.mechanism == "time-slicing"),
        ("mps", lambda sharing: sharing.mechanism == "mps" and sharing.thread_percent is None),
        ("mps-capped", lambda sharing: sharing.mechanism == "mps" and sharing.thread_percent is not None),
    )
    by_way = {
        name: {forecast.sharing.copies: forecast for forecast in estimate.forecasts if fits(forecast.sharing)}
        for name, fits in ways
    }
    counts = sorted({count for forecasts in by_way.values() for count in forecasts})
    heads = [Column(messages.text("estimate.column.pods"), figures=True)]
    for name, _ in ways:
        error = messages.number(ERRORS[name.removesuffix("-capped")])
        heads.append(Column(messages.text(f"estimate.column.{name}", percent=error), figures=True))
    rows = tuple(
        (
            messages.number(count),
            *(
                time_text(forecasts[count].cycle_s, messages) if count in forecasts else NOTHING
                for forecasts in by_way.values()
            ),
        )
        for count in counts
    )
    return Table(messages.text("estimate.shared"), tuple(heads), rows)


def _mig_table(estimate: Estimate, messages: Messages) -> Table | None:
    rows = tuple(_mig_rows(estimate, messages))
    if not rows:
        return None
    error = messages.number(ERRORS["mig"])
    heads = (
        Column(messages.text("estimate.column.profile")),
        Column(messages.text("estimate.column.mig", percent=error), figures=True),
        Column(messages.text("estimate.column.rate"), figures=True),
    )
    return Table(messages.text("estimate.mig"), heads, rows)


def _mig_rows(estimate: Estimate, messages: Messages) -> Iterator[tuple[str, ...]]:
    for forecast in estimate.forecasts:
        if forecast.sharing.profile is not None:
            yield (
                forecast.sharing.profile,
                time_text(forecast.cycle_s, messages),
                rate_text(forecast.cycle_s, messages),
            )
