"""The page *How far can you trust this?* as Markdown.

What `gpulab accuracy` finds in the package's figures, and what no figure covers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from labs.hardware.catalog import CONTEXT_MEMORY_BYTES, DRIVER_RESERVE_FRACTION
from labs.report.drawing import Axes, Series, scatter_scene, svg
from labs.report.evidence import percent, signed, where
from labs.report.pages.evidence import Evidence
from labs.report.writing import NOTHING, Html, Messages, escape, html, unbroken
from labs.simulation.evidence import (
    SPEEDS,
    Prediction,
    Role,
    Spread,
    agreement,
    spread,
)
from labs.simulation.laws import AHEAD, mig, mps, time_slicing
from labs.simulation.outcome import EXPECTED_ERRORS
from labs.simulation.scenario import SM_WEIGHT, TRAINING_OVERLAP

CLASSES = {
    "time-slicing": ("gl-ts-soft", "gl-ts"),
    "mps": ("gl-mps-soft", "gl-mps"),
    "mig": ("gl-mig-soft", "gl-mig"),
}
WORST = 3  # figures of a mechanism that are named
UTILIZATION_BAND = 10.0  # points
FAILURES = (
    "host",
    "llm-on-mig",
    "busy-servers",
    "faster-than-alone",
    "middle-copies",
    "bandwidth",
    "tail",
    "levels",
    "power",
    "uncovered",
)
ASSUMPTIONS = ("slice", "tax", "async", "residency", "overlap", "mps", "interference", "mig", "memory", "cpu")
STATED = {error.mechanism: error.percent for error in EXPECTED_ERRORS}


class TrustPage:
    """Writes the page of one language."""

    def __init__(self, messages: Messages, evidence: Evidence) -> None:
        self._messages = messages
        self._text = messages.text
        self._seen = evidence

    def page(self) -> str:
        """The whole page."""
        text = self._text
        title = text("trust-page.title")
        parts = [
            "---",
            f'title: "{title}"',
            f'description: "{text("trust-page.description")}"',
            "---",
            "",
            f"# {title} {{#trust}}",
            "",
            text("trust-page.lead"),
            "",
            *self._summary(),
        ]
        for mechanism in CLASSES:
            parts += self._mechanism(mechanism)
        parts += [*self._robustness(), *self._utilization(), *self._one_number(), *self._calibration()]
        parts += [*self._list("assumptions", ASSUMPTIONS), *self._list("failures", FAILURES)]
        parts += [*self._workloads(), *self._terminal()]
        return "\n".join(parts)

    def _summary(self) -> Iterator[str]:
        rows = []
        for mechanism in CLASSES:
            errors = self._errors(self._seen.accuracy.of(mechanism=mechanism))
            rows.append(
                (
                    f"[{self._text(f'mechanism.{mechanism}')}](#{mechanism})",
                    self._messages.number(errors.points),
                    self._percent(errors.median),
                    self._percent(errors.mean),
                    self._percent(errors.p90),
                    f"±{self._percent(STATED[mechanism])}",
                )
            )
        yield from self._heading("summary")
        yield from self._table(("mechanism", "points", "median", "mean", "p90", "stated"), rows)
        yield from (self._text("trust-page.summary-note"), "")

    def _mechanism(self, mechanism: str) -> Iterator[str]:
        text, accuracy = self._text, self._seen.accuracy
        mine = [
            prediction
            for prediction in accuracy.predictions
            if prediction.point.mechanism == mechanism and not prediction.is_utilization
        ]
        yield from self._heading(mechanism)
        yield from (text(f"trust-page.{mechanism}"), "")
        yield from self._picture(mechanism, mine)
        rows = []
        for dataset in sorted({prediction.point.dataset for prediction in mine}):
            errors = self._errors(accuracy.of(dataset=dataset, mechanism=mechanism))
            rows.append((self._link(dataset), *self._cells(errors)))
        yield from self._table(("dataset", "points", "median", "mean", "p90", "worst", "worst-at"), rows)
        yield from (text("trust-page.worst"), "")
        worst = sorted(mine, key=lambda prediction: (-abs(prediction.error), prediction.point.line))[:WORST]
        yield from (f"- {self._figure(prediction)}" for prediction in worst)
        yield ""

    def _picture(self, mechanism: str, mine: Sequence[Prediction]) -> Iterator[str]:
        text = self._text
        name, stated = text(f"mechanism.{mechanism}"), self._percent(STATED[mechanism])
        axes = Axes(
            text("trust-page.axis-measured"),
            text("trust-page.axis-predicted"),
            *CLASSES[mechanism],
            band=STATED[mechanism],
        )
        title = text("trust-page.picture", mechanism=name)
        errors = self._errors(spread(mine))
        description = text(
            "trust-page.picture-words",
            points=errors.points,
            median=self._percent(errors.median),
            p90=self._percent(errors.p90),
        )
        scene = scatter_scene(_series(mine), axes, title, description)
        yield self._figure_html(svg(scene, f"trust-{mechanism}"), text("trust-page.caption", stated=stated))
        yield ""

    def _figure_html(self, drawn: Html, caption: str) -> Html:
        return html(
            '<figure class="gl-plot-box">{}<figcaption>{}</figcaption></figure>',
            unbroken(drawn),
            escape(caption),
        )

    def _robustness(self) -> Iterator[str]:
        """What the tables flatter: the errors of jobs unlike those measured."""
        text = self._text
        yield from self._heading("robustness")
        yield from (text("trust-page.robustness-text"), "")

    def _utilization(self) -> Iterator[str]:
        text = self._text
        mine = [prediction for prediction in self._seen.accuracy.predictions if prediction.is_utilization]
        errors = self._errors(spread(mine))
        yield from self._heading("utilization")
        values = {"points": errors.points, "median": errors.median, "mean": errors.mean, "p90": errors.p90}
        yield from (text("trust-page.utilization-text", **values), "")
        series = Series("D04", tuple((prediction.point.value, prediction.value) for prediction in mine))
        axes = Axes(
            text("trust-page.axis-utilization-measured"),
            text("trust-page.axis-utilization-predicted"),
            "gl-exclusive-soft",
            "gl-exclusive",
            UTILIZATION_BAND,
            is_ratio=False,
        )
        title = text("trust-page.picture-utilization")
        scene = scatter_scene([series], axes, title, text("trust-page.utilization-text", **values))
        caption = text("trust-page.caption-utilization", band=UTILIZATION_BAND)
        yield from (self._figure_html(svg(scene, "trust-utilization"), caption), "")

    def _one_number(self) -> Iterator[str]:
        errors = self._errors(self._seen.across.of(mechanism="mig"))
        yield from self._heading("one-number")
        text = self._text(
            "trust-page.one-number-text",
            points=errors.points,
            median=self._percent(errors.median),
            p90=self._percent(errors.p90),
        )
        yield from (text, "")

    def _calibration(self) -> Iterator[str]:
        text, accuracy = self._text, self._seen.accuracy
        fitted = self._errors(spread(accuracy.fitted))
        yield from self._heading("calibration")
        yield from (
            text(
                "trust-page.calibration-text",
                points=sum(point.role is Role.CALIBRATE for point in self._seen.points),
                median=self._percent(fitted.median),
                worst=self._percent(abs(fitted.worst.error)),
                held=len(accuracy.predictions),
            ),
            "",
        )
        for dataset in self._seen.datasets.values():
            mine = [point for point in self._seen.points if point.dataset == dataset.id]
            held = sum(point.role is Role.PREDICT for point in mine)
            yield from (f"### {dataset.id} {{#{dataset.id.lower()}}}", "")
            yield from ('<div lang="en" markdown>', "")
            paper = f"[{dataset.title}]({dataset.address}). {dataset.authors}, {dataset.year}."
            yield f"{paper} `{dataset.path}`, commit `{dataset.commit[:12]}`."
            yield from ("", "</div>", "")
            said = {
                part: text(f"dataset.{dataset.id.lower()}.{part}")
                for part in ("gpu", "workload", "calibrated")
            }
            yield from (text("trust-page.dataset", **said), "")
            if mine:
                yield from (text("trust-page.counts", held=held, calibrating=len(mine) - held), "")

    def _list(self, part: str, keys: Sequence[str]) -> Iterator[str]:
        yield from self._heading(part)
        yield from (self._text(f"trust-page.{part}-text"), "")
        for key in keys:
            yield "- " + self._messages.pick(f"trust-page.{part}-list.{key}", self._constants())
        yield ""

    def _constants(self) -> dict[str, str]:
        """The constants of the model, as the code has them."""
        number = self._messages.number
        return {
            "tax": self._percent(100 * time_slicing.SWITCH_TAX),
            "needed": self._percent(100 * time_slicing.ASYNC_RESIDENCY),
            "overlap": number(float(TRAINING_OVERLAP)),
            "mps": number(mps.EXPONENT),
            "interference": self._percent(100 * mps.INTERFERENCE),
            "mig": number(mig.EXPONENT),
            "sms": self._percent(100 * SM_WEIGHT),
            "bandwidth": self._percent(100 * (1 - SM_WEIGHT)),
            "ahead": number(AHEAD),
            **self._bounds(),
            "context": self._messages.bytes_text(CONTEXT_MEMORY_BYTES),
            "reserve": self._percent(100 * float(DRIVER_RESERVE_FRACTION)),
        }

    def _bounds(self) -> dict[str, str]:
        """How far means and single requests may lie apart."""
        bounds = {
            "throughput": agreement.THROUGHPUT,
            "competing": agreement.COMPETING,
            "open": agreement.OPEN_LATENCY,
            "contested": agreement.COMPETING_OPEN_LATENCY,
            "busy": agreement.OPEN_BUSY,
        }
        return {name: self._percent(100 * share) for name, share in bounds.items()}

    def _workloads(self) -> Iterator[str]:
        yield from self._heading("named-workloads")
        yield from (self._text("trust-page.named-workloads-text"), "")
        number = self._messages.number
        rows = [
            (
                f"`{workload.id}`",
                self._text(f"workload.{workload.id}"),
                self._messages.duration(workload.job.solo_time_us),
                number(workload.job.residency, 2) + ("*" if "residency" in workload.assumed else ""),
                number(workload.job.demand, 2) + ("*" if "demand" in workload.assumed else ""),
                self._link(workload.dataset),
            )
            for workload in self._seen.workloads.values()
        ]
        yield from self._table(("use", "workload", "solo", "residency", "demand", "source"), rows)
        yield from (self._text("trust-page.named-workloads-note"), "")
        yield from ("```yaml", "job: {use: yolos-small-a100-80gb, rate: 2/s}", "```", "")

    def _terminal(self) -> Iterator[str]:
        yield from self._heading("in-a-terminal")
        yield from (self._text("trust-page.in-a-terminal-text"), "")
        yield "```sh"
        yield "gpulab accuracy"
        yield "gpulab accuracy --points measurements.jsonl --format json"
        yield "gpulab estimate --solo 88ms --mps 7=320ms --gpu a100-80gb"
        yield from ("```", "")

    def _heading(self, part: str) -> Iterator[str]:
        yield from (f"## {self._text(f'trust-page.heading.{part}')} {{#{part}}}", "")

    def _table(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
        left = {"mechanism", "dataset", "worst-at", "use", "workload", "source"}
        yield "| " + " | ".join(self._text(f"trust-page.column.{name}") for name in columns) + " |"
        yield "|" + "|".join(" --- " if name in left else " ---: " for name in columns) + "|"
        yield from ("| " + " | ".join(row) + " |" for row in rows)
        yield ""

    def _cells(self, errors: Spread) -> tuple[str, ...]:
        return (
            self._messages.number(errors.points),
            self._percent(errors.median),
            self._percent(errors.mean),
            self._percent(errors.p90),
            signed(errors.worst.error, self._messages),
            f"`{where(errors.worst, self._messages)}`",
        )

    def _figure(self, prediction: Prediction) -> str:
        """A figure in a line: what it is, measured, predicted."""
        return self._text(
            "trust-page.figure",
            dataset=self._link(prediction.point.dataset),
            where=f"`{where(prediction, self._messages)}`",
            measured=self._value(prediction.point.value, prediction.point.unit),
            predicted=self._value(prediction.value, prediction.point.unit),
            percent=signed(prediction.error, self._messages),
        )

    def _value(self, value: float, unit: str) -> str:
        """A value with its unit, in the words of the language where the unit has any."""
        if unit in SPEEDS:
            speed = self._percent(100 * value / SPEEDS[unit])
            return self._text("trust-page.of-solo", percent=speed)
        digits = self._messages.number(value, 1 if value >= 10 else 3)
        if unit.startswith("1/s"):
            return self._text("unit.per_second", n=digits)
        return self._text("unit.milliseconds", n=digits) if unit == "ms" else f"{digits} {unit}"

    def _link(self, dataset: str) -> str:
        return f"[{dataset}](#{dataset.lower()})" if dataset in self._seen.datasets else dataset or NOTHING

    def _percent(self, value: float) -> str:
        return percent(value, self._messages)

    def _errors(self, errors: Spread | None) -> Spread:
        if errors is None:
            raise ValueError("the package's figures leave a part of the page without any")
        return errors


def _series(mine: Sequence[Prediction]) -> list[Series]:
    return [
        Series(
            dataset,
            tuple(
                (prediction.measured_slowdown, prediction.slowdown)
                for prediction in mine
                if prediction.point.dataset == dataset
            ),
        )
        for dataset in sorted({prediction.point.dataset for prediction in mine})
    ]
