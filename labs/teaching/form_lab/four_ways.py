"""The lab *four-ways*: one workload in 1 to 8 copies on a card, under exclusive use, time-slicing, MPS and MIG."""

from __future__ import annotations

import functools
import shlex
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from labs.hardware.catalog import GpuModel
from labs.hardware.units import MIB
from labs.report.evidence import (
    SideBySide,
    error_sentences,
    layout_words,
    measured_rows,
    picture_html,
    sentence,
    way_name,
    ways_html,
    ways_table,
)
from labs.report.writing import (
    WIDTH,
    Column,
    Html,
    Messages,
    Table,
    attributes,
    escape,
    html,
    join,
    table_text,
    wrap,
)
from labs.simulation.evidence import (
    WAYS,
    Copies,
    Cut,
    Side,
    Situation,
    builtin_published,
    copies_layout,
    cuts,
)
from labs.simulation.scenario import Job, JobKind
from labs.teaching.form_lab.fields import Choice, Entry, Measure, Slider, When
from labs.teaching.form_lab.lab import FaultsError, FormAnswer, FormLab, Metric, Taken
from labs.teaching.form_lab.values import ValueFault, Values, defaults
from labs.teaching.lab import Data

ID = "four-ways"
FIRST = "yolos-small-a100-80gb"
OWN = "own"
THERE = "measured"  # the card on which a named workload was measured
AUTO = "auto"
MOST = 8
PREFIX = f"lab-{ID}"
KEPT = 32
IS_OWN = When("workload", (OWN,))
MODES = ("memory", "plugin")
PRESETS: Mapping[str, Mapping[str, str]] = {
    "published": {"workload": FIRST, "layout": "1g.10gb"},
    "small": {"workload": "bert-b1-a100-80gb", "copies": "8"},
    "large": {"workload": "vgg16-b8-a100-80gb"},
    "training": {"workload": "transformer-b64-training-a100-40gb", "copies": "3"},
    "memory": {"workload": FIRST, "copies": "7", "memory": "12", "mps": "plugin"},
}


def four_ways(data: Data) -> FormLab:
    """The lab over a library's cards and named workloads."""
    lab = _FourWays(data)
    fields = (
        Choice("workload", (*data.workloads(), OWN), FIRST),
        Slider("copies", 1, MOST, 4),
        Choice("card", (THERE, *lab.cards), THERE),
        Slider("memory", 1, 80, 6),
        Choice("kind", (str(JobKind.SERVICE), str(JobKind.TRAINING)), str(JobKind.SERVICE), when=IS_OWN),
        Entry("solo", Measure.DURATION, "50ms", Fraction(100), Fraction(60_000_000), when=IS_OWN),
        Entry("residency", Measure.SHARE, "90%", Fraction(1, 100), Fraction(1), when=IS_OWN),
        Entry("demand", Measure.SHARE, "40%", Fraction(0), Fraction(1), when=IS_OWN),
        Entry("overlap", Measure.SHARE, "0", Fraction(0), Fraction(1), when=IS_OWN),
        Choice("layout", (AUTO,), AUTO, further=True),
        Choice("mps", MODES, MODES[0], further=True),
    )
    lab.first = defaults(fields)
    return FormLab(
        id=ID,
        section="articles/gpu-sharing#mps",
        fields=fields,
        regions=("picture", "ways", "layout", "measured"),
        folded=("measured",),
        answer=lab.answer,
        text=lab.text,
        presets=PRESETS,
        metrics=lab.metrics,
        name=lab.name,
        options=lab.options,
    )


class _FourWays:
    def __init__(self, data: Data) -> None:
        self._data = data
        self._copies = Copies(data.catalog)
        self._figures = builtin_published()
        self._curves = functools.lru_cache(maxsize=KEPT)(self._all_copies)
        self._cuts = functools.cache(self._cuts_of)
        self.first: Mapping[str, str] = {}
        known = [model.id for model in data.catalog.models if model.memory_mib.value is not None]
        self.cards = tuple(sorted(known, key=lambda card: not FIRST.endswith(card)))

    def name(self, field: str, value: str, messages: Messages) -> str:
        """How a workload, a card or a layout is called."""
        key = f"workload.{value}"
        if field == "workload" and messages.has(key):
            return messages.text(key)
        return self._data.names.get(value, "") if field == "card" else ""

    def options(self, values: Values, item: str, choice: Choice) -> tuple[str, ...]:
        """Where numbers are one's own, no card is the one of the measurement; a layout has the card's profiles."""
        del item
        if choice.id == "card" and values.texts["workload"] == OWN:
            return self.cards
        if choice.id == "layout":
            return (AUTO, *(cut.profile for cut in self._cuts(self._model(values).id)))
        return ()

    def _cuts_of(self, card: str) -> tuple[Cut, ...]:
        return cuts(self._data.catalog.get(card))

    def _model(self, values: Values) -> GpuModel:
        card = values.texts["card"]
        return self._data.catalog.get(self._measured_on(values.texts["workload"]) if card == THERE else card)

    def _measured_on(self, use: str) -> str:
        """The card that a named workload's id ends with; a project's own workload may end with none."""
        cards = [card for card in self.cards if use.endswith(card)]
        return max(cards, key=len, default=self.cards[0])

    def _situation(self, values: Values) -> Situation:
        """What the form says of the job, the card and each copy. Raises FaultsError."""
        use = values["workload"]
        named = self._data.workloads().get(use)
        job = self._own(values) if named is None else named.job
        rest = (None if named is None else use, self._model(values).id, values.whole("memory") * 1024)
        return Situation(job, *rest, values["mps"] == "plugin")

    def _own(self, values: Values) -> Job:
        solo, residency, demand, overlap = (
            values.amount(key) or Fraction(0) for key in ("solo", "residency", "demand", "overlap")
        )
        if demand > residency:
            fault = {"demand": values["demand"], "residency": values["residency"]}
            raise FaultsError(ValueFault("demand", "copies-demand", fault))
        return Job(
            JobKind(values["kind"]),
            round(solo),
            round(float(residency), 4),
            round(float(demand), 4),
            round(float(overlap), 4),
        )

    def _all_copies(
        self, situation: Situation, chosen: str
    ) -> tuple[Mapping[str, tuple[Side, ...]], SideBySide]:
        """By way, the sides by number of copies, and what came of them; nothing is looked at yet."""
        known, memory = self._cuts(situation.card), situation.memory_mib * MIB
        picked = None if chosen == AUTO else chosen
        layouts = tuple(copies_layout(known, copies, memory, picked) for copies in range(1, MOST + 1))
        sides = {
            way: tuple(Side(way, at + 1, situation, layout) for at, layout in enumerate(layouts))
            for way in WAYS
        }
        came = {way: tuple(self._copies.of(side) for side in each) for way, each in sides.items()}
        is_there = situation.use is not None and self._measured_on(situation.use) == situation.card
        published = () if not is_there or situation.capped else self._figures.of(situation.use)
        return sides, SideBySide(situation.job, situation.iterations, 1, came, {}, {}, layouts, published)

    def compared(self, values: Values) -> tuple[Mapping[str, Side], SideBySide]:
        """The four sides that are looked at, and what comes of all numbers of copies. Raises FaultsError."""
        sides, curves = self._curves(self._situation(values), values["layout"])
        copies = values.whole("copies")
        chosen = {way: each[copies - 1] for way, each in sides.items()}
        hit = {way: self._copies.hit(side) for way, side in chosen.items()}
        hashes = {way: self._copies.trace_hash(side) for way, side in chosen.items()}
        return chosen, replace(curves, copies=copies, hit=hit, hashes=hashes)

    def answer(self, values: Values, messages: Messages) -> FormAnswer:
        """The four ways side by side."""
        sides, compared = self.compared(values)
        notes = [layout_words(compared, messages), *self._notes(values, messages)]
        dots = [messages.text("four-ways.note.dots")] if compared.published else []
        return FormAnswer(
            summary=html("<p>{}</p>", escape(sentence(compared, messages))),
            regions={
                "ways": ways_html(compared, messages),
                "picture": picture_html(compared, self._figures, PREFIX, messages),
                "layout": join(
                    html('<p class="gl-caption">{}</p>', escape(note)) for note in (*dots, *notes)
                ),
                "measured": self._measured(compared, messages),
            },
            files=tuple(_taken(way, sides[way].text, compared, messages) for way in WAYS),
            command=self._command(values),
        )

    def _notes(self, values: Values, messages: Messages) -> list[str]:
        """What to know of the card, of MPS and of what was not measured."""
        text, use = messages.text, values["workload"]
        alone = values["mps"] == "plugin" and values.whole("copies") == 1
        sentences = [
            text("four-ways.note.mps-plugin-alone" if alone else f"four-ways.note.mps-{values['mps']}")
        ]
        if use != OWN and self._measured_on(use) != self._model(values).id:
            there = self._data.names.get(self._measured_on(use), "")
            sentences.append(text("four-ways.note.other-card", card=there))
        return sentences

    def _measured(self, compared: SideBySide, messages: Messages) -> Html:
        """The published figures beside the predictions, and what the known errors rest on."""
        errors = join(
            html('<p class="gl-note">{}</p>', escape(error)) for error in error_sentences(WAYS, messages)
        )
        rows = join(
            html(
                "{}{}",
                html(
                    "{}{}",
                    html('<tr><th scope="row">{}</th>', escape(cells[0])),
                    join(html('<td class="gl-figures">{}</td>', escape(cell)) for cell in cells[1:]),
                ),
                html("<td>{}</td></tr>", self._source_html(measurement.dataset)),
            )
            for measurement, cells in measured_rows(compared, self._figures, messages)
        )
        if not rows:
            return html(
                '<p class="gl-note">{}</p>{}', escape(messages.text("four-ways.no-measurement")), errors
            )
        caption = escape(messages.text("four-ways.measured-caption"))
        heads = join(
            html(
                '<th scope="col"{}>{}</th>',
                attributes(class_="gl-figures" if column.figures else None),
                escape(column.heading),
            )
            for column in _measured_columns(messages)
        )
        return html(
            '<div class="gl-scroll" role="group" tabindex="0"{}><table class="gl-result">'
            "<caption>{}</caption><thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>{}",
            attributes(aria_label=caption),
            caption,
            heads,
            rows,
            errors,
        )

    def _source_html(self, dataset: str) -> Html:
        source = self._figures.sources[dataset]
        return html(
            "<a{}>{}</a>", attributes(href=source.address), escape(f"{source.authors}, {source.year}")
        )

    def _command(self, values: Values) -> str:
        """The command that says the same in a terminal."""
        differ = [f"{key}={value}" for key, value in values.items() if self.first.get(key) != value]
        parts = [part for each in differ if self._counts(each, values) for part in ("--set", each)]
        return shlex.join(["gpulab", "lab", "run", ID, *parts])

    def _counts(self, setting: str, values: Values) -> bool:
        """Whether a setting makes a difference: one's own numbers do not where a workload is named."""
        key = setting.partition("=")[0]
        return values["workload"] == OWN or key not in ("kind", "solo", "residency", "demand", "overlap")

    def text(self, values: Values, messages: Messages) -> str:
        """The same for a terminal."""
        sides, compared = self.compared(values)
        notes = [layout_words(compared, messages), *self._notes(values, messages)]
        rows = tuple(
            (*cells, f"{source.authors}, {source.year}")
            for row, cells in measured_rows(compared, self._figures, messages)
            for source in (self._figures.sources[row.dataset],)
        )
        tables = [ways_table(compared, messages)]
        if rows:
            tables.append(
                Table(messages.text("four-ways.measured-caption"), _measured_columns(messages), rows)
            )
        hashes = [
            messages.text("four-ways.hash", way=way_name(way, messages), hash=compared.hashes[way])
            for way in sides
        ]
        lines = [line for each in (*notes, *error_sentences(WAYS, messages)) for line in wrap(each, WIDTH)]
        parts = ["\n".join(wrap(sentence(compared, messages), WIDTH)), *(table_text(row) for row in tables)]
        parts += [
            "\n".join(lines),
            "\n".join([messages.text("result.hash"), *(f"  {row}" for row in hashes)]),
        ]
        return "\n\n".join(parts) + "\n"

    def metrics(self, values: Values, messages: Messages) -> Mapping[str, Metric]:
        """Of each way how many times longer a copy takes, and requests or iterations per second of all together; the job."""
        _, compared = self.compared(values)
        metrics: dict[str, Metric] = {}
        for way, name in zip(WAYS, ("exclusive", "timeSlicing", "mps", "mig"), strict=True):
            came = compared.now(way)
            if came.slowdown is not None:
                times = messages.text("unit.times", n=messages.number(came.slowdown))
                metrics[f"{name}Slowdown"] = Metric(came.slowdown, times)
            metrics[f"{name}PerSecond"] = Metric(
                came.per_s, messages.text("unit.per_second", n=messages.number(came.per_s))
            )
            hit = compared.hit[way]
            metrics[f"{name}Hit"] = Metric(hit, messages.number(hit))
        metrics["copies"] = Metric(compared.copies, messages.number(compared.copies))
        metrics["residency"] = Metric(compared.job.residency, messages.number(compared.job.residency, 2))
        metrics["demand"] = Metric(compared.job.demand, messages.number(compared.job.demand, 2))
        return metrics


def _measured_columns(messages: Messages) -> tuple[Column, ...]:
    keys = ("way", "copies", "measured", "predicted", "off", "source")
    return tuple(
        Column(messages.text(f"four-ways.column.{key}"), key not in ("way", "source")) for key in keys
    )


def _taken(way: str, text: str, compared: SideBySide, messages: Messages) -> Taken:
    """A scenario as a file, with the Trace hash that it has here and elsewhere."""
    file = f"{ID}-{way}.yaml"
    command = messages.text("lab.file-head", command=f"gpulab run {file}")
    heading = messages.text("four-ways.scenario", way=way_name(way, messages), hash=compared.hashes[way][:12])
    return Taken(way, heading, text, file, f"# {command}")
