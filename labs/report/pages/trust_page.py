"""The page *How far can you trust this?* as Markdown: what `gpulab accuracy` finds in the package's figures, and what no
figure covers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from labs.hardware.catalog import CONTEXT_MEMORY_BYTES, DRIVER_RESERVE_FRACTION
from labs.report.drawing import Axes, Series, scatter_scene, svg
from labs.report.evidence import percent, signed, where
from labs.report.pages.evidence import Evidence
from labs.report.writing import NOTHING, Messages
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
            errors = self._errors(self._seen.found.of(mechanism=mechanism))
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
        text, found = self._text, self._seen.found
        mine = [
            one for one in found.predictions if one.point.mechanism == mechanism and not one.is_utilization
        ]
        yield from self._heading(mechanism)
        yield from (text(f"trust-page.{mechanism}"), "")
        yield from self._picture(mechanism, mine)
        rows = []
        for dataset in sorted({one.point.dataset for one in mine}):
            errors = self._errors(found.of(dataset=dataset, mechanism=mechanism))
            rows.append((self._link(dataset), *self._cells(errors)))
        yield from self._table(("dataset", "points", "median", "mean", "p90", "worst", "worst-at"), rows)
        yield from (text("trust-page.worst"), "")
        worst = sorted(mine, key=lambda one: (-abs(one.error), one.point.line))[:WORST]
        yield from (f"- {self._figure(one)}" for one in worst)
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
        told = text(
            "trust-page.picture-words",
            points=errors.points,
            median=self._percent(errors.median),
            p90=self._percent(errors.p90),
        )
        scene = scatter_scene(_series(mine), axes, title, told)
        yield self._figure_html(svg(scene, f"trust-{mechanism}"), text("trust-page.caption", stated=stated))
        yield ""

    def _figure_html(self, drawn: str, caption: str) -> str:
        inside = drawn.replace("\n", "")
        return f'<figure class="gl-plot-box">{inside}<figcaption>{caption}</figcaption></figure>'

    def _robustness(self) -> Iterator[str]:
        """What the tables flatter: the errors of jobs unlike those measured."""
        text = self._text
        yield from self._heading("robustness")
        yield from (text("trust-page.robustness-text"), "")

    def _utilization(self) -> Iterator[str]:
        text = self._text
        mine = [one for one in self._seen.found.predictions if one.is_utilization]
        errors = self._errors(spread(mine))
        yield from self._heading("utilization")
        values = {"points": errors.points, "median": errors.median, "mean": errors.mean, "p90": errors.p90}
        yield from (text("trust-page.utilization-text", **values), "")
        series = Series("D04", tuple((one.point.value, one.value) for one in mine))
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
        text, found = self._text, self._seen.found
        fitted = self._errors(spread(found.fitted))
        yield from self._heading("calibration")
        yield from (
            text(
                "trust-page.calibration-text",
                points=sum(each.role is Role.CALIBRATE for each in self._seen.points),
                median=self._percent(fitted.median),
                worst=self._percent(abs(fitted.worst.error)),
                held=len(found.predictions),
            ),
            "",
        )
        for one in self._seen.datasets.values():
            mine = [each for each in self._seen.points if each.dataset == one.id]
            held = sum(each.role is Role.PREDICT for each in mine)
            yield from (f"### {one.id} {{#{one.id.lower()}}}", "")
            yield from ('<div lang="en" markdown>', "")
            yield f"[{one.title}]({one.address}). {one.authors}, {one.year}. `{one.path}`, commit `{one.commit[:12]}`."
            yield from ("", "</div>", "")
            said = {
                part: text(f"dataset.{one.id.lower()}.{part}") for part in ("gpu", "workload", "calibrated")
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
                f"`{one.id}`",
                self._text(f"workload.{one.id}"),
                self._messages.duration(one.job.solo_time_us),
                number(one.job.residency, 2) + ("*" if "residency" in one.assumed else ""),
                number(one.job.demand, 2) + ("*" if "demand" in one.assumed else ""),
                self._link(one.dataset),
            )
            for one in self._seen.workloads.values()
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

    def _figure(self, one: Prediction) -> str:
        """A figure in a line: what it is, measured, predicted."""
        return self._text(
            "trust-page.figure",
            dataset=self._link(one.point.dataset),
            where=f"`{where(one, self._messages)}`",
            measured=self._value(one.point.value, one.point.unit),
            predicted=self._value(one.value, one.point.unit),
            percent=signed(one.error, self._messages),
        )

    def _value(self, value: float, unit: str) -> str:
        """A value with its unit, in the words of the language where the unit has any."""
        if unit in SPEEDS:
            speed = self._percent(100 * value / SPEEDS[unit])
            return self._text("trust-page.of-solo", percent=speed)
        shown = self._messages.number(value, 1 if value >= 10 else 3)
        if unit.startswith("1/s"):
            return self._text("unit.per_second", n=shown)
        return self._text("unit.milliseconds", n=shown) if unit == "ms" else f"{shown} {unit}"

    def _link(self, dataset: str) -> str:
        return f"[{dataset}](#{dataset.lower()})" if dataset in self._seen.datasets else dataset or NOTHING

    def _percent(self, value: float) -> str:
        return percent(value, self._messages)

    def _errors(self, found: Spread | None) -> Spread:
        if found is None:
            raise ValueError("the package's figures leave a part of the page without any")
        return found


def _series(mine: Sequence[Prediction]) -> list[Series]:
    return [
        Series(
            dataset,
            tuple((one.measured_slowdown, one.slowdown) for one in mine if one.point.dataset == dataset),
        )
        for dataset in sorted({one.point.dataset for one in mine})
    ]
