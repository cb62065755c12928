"""The lab *estimate*: `gpulab estimate` as a form.

From what a person can measure of a job to its residency and demand, to what other ways of sharing would do to it, and to
what contradicts what.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from fractions import Fraction

from labs.hardware.catalog import GpuModel
from labs.report.evidence import (
    contradiction_text,
    estimate_picture,
    estimate_tables,
    estimate_text,
    rate_text,
    scenario_job,
    time_text,
)
from labs.report.writing import EMPTY, WIDTH, Html, Messages, escape, html, join, table_html, wrap
from labs.simulation.evidence import Estimate, Observation, Origin, Sharing, UnknownDeviceError, estimate
from labs.simulation.scenario import JobKind
from labs.teaching.form_lab.fields import Choice, Entry, Group, Measure, Slider, When
from labs.teaching.form_lab.lab import FaultsError, FormAnswer, FormLab, Metric, Taken, Verdict
from labs.teaching.form_lab.values import ValueFault, Values
from labs.teaching.lab import Data

ID = "estimate"
NO_CARD = "none"
NO_PROFILE = "–"
MOST_MEASURED = 6
MOST_COPIES = 48  # clients of an MPS daemon
LEAST_S, LONGEST_S = Fraction(1, 1_000_000), Fraction(86_400)
WAYS = ("time-slicing", "mps", "threads", "mig")
SHARED = When("way", ("time-slicing", "mps", "threads"))
INSIGHT_COPIES = 4
LEAST_SHARE = Fraction(1, 10_000)

MEASURED = Group(
    "measured",
    (
        Choice("way", WAYS, "mps"),
        Slider("copies", 1, MOST_COPIES, 7, when=SHARED),
        Slider("percent", 1, 100, 25, when=When("way", ("threads",))),
        Choice("profile", (NO_PROFILE,), NO_PROFILE, when=When("way", ("mig",))),
        Entry("time", Measure.PACE, "320ms", LEAST_S, LONGEST_S),
    ),
    MOST_MEASURED,
)
PRESETS: Mapping[str, Mapping[str, str]] = {
    "yolos-mps": {},
    "yolos-mig": {"measured.0.way": "mig", "measured.0.profile": "1g.10gb", "measured.0.time": "342ms"},
    "both": {
        "measured": "2",
        "measured.0.way": "time-slicing",
        "measured.0.copies": "3",
        "measured.0.time": "293ms",
        "measured.1.way": "mps",
        "measured.1.copies": "7",
        "measured.1.time": "320ms",
    },
    "utilization": {
        "solo": "96.7ms",
        "kind": "training",
        "utilization": "88%",
        "card": "a100-40gb",
        "measured": "0",
    },
    "contradiction": {
        "utilization": "30%",
        "measured.0.copies": "3",
        "measured.0.time": "164ms",
    },
}
"""YOLOS: nos (D01), BERT training: MISO (D03). The last one is YOLOS under MPS beside a utilization that it does not have."""


def estimate_lab(data: Data) -> FormLab:
    """The lab over a library's cards."""
    cards = tuple(model.id for model in data.catalog.models if model.supports_mig)
    lab = _EstimateLab(data)
    return FormLab(
        id=ID,
        section="articles/gpu-sharing#mps",
        fields=(
            Entry("solo", Measure.PACE, "88.15ms", LEAST_S, LONGEST_S),
            Choice("kind", (str(JobKind.SERVICE), str(JobKind.TRAINING)), str(JobKind.SERVICE)),
            Entry("utilization", Measure.SHARE, "", LEAST_SHARE, Fraction(1), optional=True),
            Choice("card", (NO_CARD, *cards), "a100-80gb"),
            MEASURED,
            Slider("upTo", 2, 16, 8, further=True),
        ),
        regions=("picture", "job", "table"),
        folded=("table",),
        answer=lab.answer,
        text=lab.text,
        presets=PRESETS,
        metrics=lab.metrics,
        verdict=lab.verdict,
        name=lab.name,
        options=lab.options,
    )


class _EstimateLab:
    def __init__(self, data: Data) -> None:
        self._data = data

    def name(self, field: str, value: str, messages: Messages) -> str:
        """How a card or a way of sharing is called."""
        if field == "card":
            return self._data.names.get(value, "")
        if field == "measured.way" and value != "threads":
            return messages.text(f"mechanism.{value}")
        return ""

    def options(self, values: Values, item: str, choice: Choice) -> tuple[str, ...]:
        """The profiles of the card that is chosen."""
        if not item or choice.id != "profile":
            return ()
        model = self._model(values)
        return tuple(profile.name for profile in model.mig_profiles) if model else (NO_PROFILE,)

    def _model(self, values: Values) -> GpuModel | None:
        card = values.texts.get("card", NO_CARD)
        return None if card == NO_CARD else self._data.catalog.get(card)

    def estimate(self, values: Values) -> Estimate:
        """The estimate of what the form says. Raises FaultsError."""
        solo, utilization = values.amount("solo"), values.amount("utilization")
        seen = tuple(self._seen(values))
        try:
            return estimate(
                JobKind(values["kind"]),
                float(solo or 0),
                seen,
                None if utilization is None else float(utilization),
                self._data.catalog,
                model=self._model(values),
                copies=values.whole("upTo"),
            )
        except UnknownDeviceError as error:
            place = next(
                at for at, observation in enumerate(seen) if observation.sharing.profile == error.value
            )
            profile = {"profile": error.value}
            raise FaultsError(ValueFault(f"measured.{place}.profile", "profile-figure", profile)) from None

    def _seen(self, values: Values) -> Iterator[Observation]:
        for place, row in enumerate(values.rows("measured")):
            seconds = float(row.amount("time") or 0)
            way, copies = row["way"], row.whole("copies")
            if way == "mig":
                if values["card"] == NO_CARD:
                    raise FaultsError(ValueFault("card", "mig-card"))
                yield Observation(Sharing("mig", values["card"], row["profile"]), seconds)
                continue
            if way != "threads" and copies < 2:
                raise FaultsError(ValueFault(f"measured.{place}.copies", "one-copy"))
            percent = row.whole("percent") if way == "threads" else None
            name = "mps" if way == "threads" else way
            yield Observation(Sharing(name, "", None, copies, percent), seconds)

    def answer(self, values: Values, messages: Messages) -> FormAnswer:
        """What the measurements say."""
        seen = tuple(self._seen(values))
        estimate = self.estimate(values)
        tables = estimate_tables(estimate, messages)
        heading = messages.text("estimate-lab.scenario")
        return FormAnswer(
            summary=html(
                "<p>{}</p>{}", escape(_insight(estimate, values, messages)), _conflicts(estimate, messages)
            ),
            regions={
                "picture": estimate_picture(estimate, seen, values.whole("upTo"), f"lab-{ID}", messages),
                "job": _job(estimate, messages),
                "table": join(table_html(table) for table in tables),
            },
            files=(Taken("job", heading, scenario_job(estimate)),),
            command=_command(values),
        )

    def text(self, values: Values, messages: Messages) -> str:
        """The same for a terminal: the insight, and what the command says."""
        estimate = self.estimate(values)
        insight = "\n".join(wrap(_insight(estimate, values, messages), WIDTH))
        return f"{insight}\n\n{estimate_text(estimate, messages)}  {_command(values)}\n"

    def verdict(self, values: Values, messages: Messages) -> Verdict:
        """Bad news where measurements contradict one another or the model, as it is for the command."""
        del messages
        return Verdict(bool(self.estimate(values).contradictions))

    def metrics(self, values: Values, messages: Messages) -> Mapping[str, Metric]:
        """Residency and demand, and how many times longer four copies take under each way."""
        estimate = self.estimate(values)
        shares = {"residency": estimate.residency, "demand": estimate.demand}
        metrics = {name: Metric(value, messages.number(value, 2)) for name, value in shares.items()}
        for name, mechanism in (("timeSlicingSlowdown", "time-slicing"), ("mpsSlowdown", "mps")):
            times = _slowdown(estimate, mechanism, min(INSIGHT_COPIES, values.whole("upTo")))
            metrics[name] = Metric(times, messages.text("unit.times", n=messages.number(times)))
        return metrics


def _slowdown(estimate: Estimate, mechanism: str, copies: int) -> float:
    return next(
        forecast.slowdown
        for forecast in estimate.forecasts
        if forecast.sharing.mechanism == mechanism
        and forecast.sharing.copies == copies
        and forecast.sharing.thread_percent is None
    )


def _insight(estimate: Estimate, values: Values, messages: Messages) -> str:
    """The sentence that answers: what each way is charged by, and what that comes to."""
    copies = min(INSIGHT_COPIES, values.whole("upTo"))
    return messages.text(
        "estimate-lab.insight",
        residency=messages.number(estimate.residency, 2),
        demand=messages.number(estimate.demand, 2),
        copies=copies,
        slicing=messages.number(_slowdown(estimate, "time-slicing", copies)),
        mps=messages.number(_slowdown(estimate, "mps", copies)),
    )


def _conflicts(estimate: Estimate, messages: Messages) -> Html:
    if not estimate.contradictions:
        return EMPTY
    items = join(
        html("<li>{}</li>", escape(contradiction_text(contradiction, messages)))
        for contradiction in estimate.contradictions
    )
    heading = escape(messages.text("estimate.contradictions"))
    return html(
        '<div class="gl-problems"><p class="gl-problems-head">{}</p><ol>{}</ol></div>', heading, items
    )


def _terms(estimate: Estimate, messages: Messages) -> Iterator[tuple[str, str]]:
    """What was found of the job, each with where it comes from."""
    text = messages.text
    solo = text(
        "estimate-lab.solo",
        time=time_text(estimate.solo_s, messages),
        rate=rate_text(estimate.solo_s, messages),
    )
    yield text("estimate-lab.term.solo"), solo
    for name, value, origin in (
        ("residency", estimate.residency, estimate.residency_from),
        ("demand", estimate.demand, estimate.demand_from),
    ):
        yield (
            text(f"estimate-lab.term.{name}"),
            text(f"estimate-lab.{name}.{origin}", value=messages.number(value, 3)),
        )
    if estimate.demand_from is Origin.ASSUMED:
        yield text("estimate-lab.term.worst-case"), text("estimate-lab.worst-case")


def _job(estimate: Estimate, messages: Messages) -> Html:
    rows = join(
        html("<dt>{}</dt><dd>{}</dd>", escape(term), escape(words))
        for term, words in _terms(estimate, messages)
    )
    return html('<dl class="gl-terms">{}</dl>', rows)


def _command(values: Values) -> str:
    """The command that says the same in a terminal."""
    parts = ["gpulab", "estimate", "--solo", _typed(values["solo"])]
    if values["kind"] != str(JobKind.SERVICE):
        parts += ["--kind", values["kind"]]
    if values["card"] != NO_CARD:
        parts += ["--gpu", values["card"]]
    if values.amount("utilization") is not None:
        parts += ["--utilization", _typed(values["utilization"])]
    for row in values.rows("measured"):
        time, copies = _typed(row["time"]), row["copies"]
        match row["way"]:
            case "mig":
                parts += ["--mig", f"{row['profile']}={time}"]
            case "threads":
                count = "" if copies == "1" else f"x{copies}"
                parts += ["--threads", f"{row['percent']}{count}={time}"]
            case way:
                parts += [f"--{way}", f"{copies}={time}"]
    if values["upTo"] != "8":
        parts += ["--copies", values["upTo"]]
    return shlex.join(parts)


def _typed(text: str) -> str:
    return text.replace(" ", "")
