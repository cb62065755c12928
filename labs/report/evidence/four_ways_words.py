"""Copies of one workload under four ways of sharing, side by side: as a table, as pictures, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from labs.hardware.units import SECOND_US
from labs.report.drawing import svg
from labs.report.evidence.copies_picture import CSS, Curve, Dot, Plot, PlotWidth, copies_scene
from labs.report.evidence.estimate_words import rate_text, time_text
from labs.report.writing import EMPTY, NOTHING, Column, Html, Messages, Table, attributes, escape, html, join
from labs.simulation.evidence import ERRORS, WAYS, Came, CopiesLayout, Published, PublishedFigures
from labs.simulation.scenario import Job, JobKind

ROWS = ("working", "each", "slowdown", "together", "busy", "oom", "hit")


@dataclass(frozen=True, slots=True)
class SideBySide:
    """The same job under each way to share a card, for every number of copies.

    `came` is by way and number of copies (from 1), `layouts` by number of copies; `published` are figures that were
    measured like this. `copies` are looked at; by way, a fault of one of these `hit` so many, and Traces have `hashes`.
    """

    job: Job
    iterations: int
    copies: int
    came: Mapping[str, tuple[Came, ...]]
    hit: Mapping[str, int]
    hashes: Mapping[str, str]
    layouts: tuple[CopiesLayout | None, ...]
    published: tuple[Published, ...]

    @property
    def is_training(self) -> bool:
        """Whether the job ends."""
        return self.job.kind is JobKind.TRAINING

    def now(self, way: str) -> Came:
        """What comes of the copies that are looked at."""
        return self.came[way][self.copies - 1]

    def takes_s(self, came: Came) -> float | None:
        """Seconds that a copy's request takes, or until the last training job is done."""
        return came.done_s if self.is_training else came.cycle_s


def way_name(way: str, messages: Messages) -> str:
    """The way's name."""
    return messages.text(f"mechanism.{way}")


def sentence(comparison: SideBySide, messages: Messages) -> str:
    """The sentence that answers."""
    text = messages.text
    ways = [way for way in WAYS[1:] if comparison.now(way).slowdown is not None]
    parts = [
        text(
            "four-ways.times",
            times=messages.number(comparison.now(way).slowdown or 0),
            way=way_name(way, messages),
        )
        for way in ways
    ]
    sentences = []
    if parts:
        sentences.append(messages.count("four-ways.each", comparison.copies, ways=messages.join(parts)))
    lacking = [
        text("four-ways.lack", n=comparison.now(way).out_of_memory, way=way_name(way, messages))
        for way in WAYS[1:]
        if comparison.now(way).out_of_memory
    ]
    if lacking:
        sentences.append(text("four-ways.oom", ways=messages.join(lacking)))
    values = {
        "residency": messages.number(comparison.job.residency, 2),
        "demand": messages.number(comparison.job.demand, 2),
    }
    sentences.append(text("four-ways.charged", **values))
    return text("list.sentences").join(sentences)


def cells(comparison: SideBySide, row: str, way: str, messages: Messages) -> tuple[str, str]:
    """What a row of the table says of a way, and behind it the known error ("": none is known, or there is nothing)."""
    came, text = comparison.now(way), messages.text
    percent = ERRORS.get(way, 0.0)
    predicted = percent and (way == "mig" or comparison.copies > 1 or came.slowdown not in (None, 1.0))
    error = text("four-ways.error", percent=messages.number(percent)) if predicted else ""
    match row:
        case "working":
            if came.error is not None:
                return text("four-ways.not-offered"), ""
            running = text("four-ways.working", n=came.working, copies=comparison.copies)
            waits = text("four-ways.waiting", n=came.waiting) if came.waiting else ""
            return running + waits, ""
        case "each":
            takes = comparison.takes_s(came)
            return (NOTHING, "") if takes is None else (_time(takes, messages), error)
        case "slowdown":
            if came.slowdown is None:
                return NOTHING, ""
            return text("unit.times", n=messages.number(came.slowdown, 2)), error
        case "together":
            return (rate_text(1 / came.per_s, messages), error) if came.per_s else (NOTHING, "")
        case "busy":
            return (messages.percent(came.busy) if came.working else NOTHING), ""
        case "oom":
            return messages.number(came.out_of_memory), ""
        case _:
            hit = comparison.hit[way]
            if not hit:
                return NOTHING, ""
            return (text("four-ways.hit-one") if hit == 1 else text("four-ways.hit-all", n=hit)), ""


def _time(seconds: float, messages: Messages) -> str:
    return time_text(seconds, messages) if seconds < 100 else messages.duration(round(seconds) * SECOND_US)


def row_name(comparison: SideBySide, row: str, messages: Messages) -> str:
    """What a row counts."""
    if row in ("each", "together"):
        return messages.text(f"four-ways.row.{row}-{comparison.job.kind}")
    return messages.text(f"four-ways.row.{row}")


def ways_table(comparison: SideBySide, messages: Messages) -> Table:
    """A column for each way, for a terminal."""
    heads = [Column("")] + [Column(way_name(way, messages), figures=True) for way in WAYS]
    rows = []
    for row in ROWS:
        values = [cells(comparison, row, way, messages) for way in WAYS]
        rows.append(
            (row_name(comparison, row, messages), *(f"{value} {error}".strip() for value, error in values))
        )
    return Table(messages.count("four-ways.caption", comparison.copies), tuple(heads), tuple(rows))


def ways_html(comparison: SideBySide, messages: Messages) -> Html:
    """The same as HTML: each head in its way's hue, errors small behind their figures, the fault with a link to its lab."""
    caption = escape(messages.count("four-ways.caption", comparison.copies))
    heads = join(
        html(
            '<th scope="col" class="gl-figures gl-way-{}">{}</th>',
            escape(CSS[way]),
            escape(way_name(way, messages)),
        )
        for way in WAYS
    )
    body = []
    for row in ROWS:
        figures = []
        for way in WAYS:
            value, error = cells(comparison, row, way, messages)
            small = html(' <span class="gl-error">{}</span>', escape(error)) if error else EMPTY
            figures.append(html('<td class="gl-figures">{}{}</td>', escape(value), small))
        name = escape(row_name(comparison, row, messages))
        if row == "hit":
            name = html('<a href="page:labs/blast-radius">{}</a>', name)
        body.append(html('<tr><th scope="row">{}</th>{}</tr>', name, join(figures)))
    return html(
        '<div class="gl-scroll" role="group" tabindex="0"{}>'
        '<table class="gl-result gl-four"><caption>{}</caption><thead><tr><td></td>{}</tr></thead>'
        "<tbody>{}</tbody></table></div>",
        attributes(aria_label=caption),
        caption,
        heads,
        join(body),
    )


def layout_words(comparison: SideBySide, messages: Messages) -> str:
    """How the card is cut for MIG, and why so; which copies have no device."""
    layout = comparison.layouts[comparison.copies - 1]
    if layout is None:
        return messages.text("four-ways.layout.none")
    words = messages.pick(f"four-ways.layout.{layout.reason}", {"profile": layout.profile, "n": layout.count})
    rest = comparison.copies - layout.count
    return words + (messages.count("four-ways.layout.rest", rest) if rest > 0 else "")


def plots(comparison: SideBySide, figures: PublishedFigures, messages: Messages) -> tuple[Plot, Plot]:
    """All together, and each, against the number of copies."""
    largest = max(
        (comparison.takes_s(came) or 0.0 for runs in comparison.came.values() for came in runs), default=0.0
    )
    unit, size = ("ms", 1e-3) if largest < 2 else ("s", 1.0) if largest < 600 else ("min", 60.0)
    kind = str(comparison.job.kind)
    together, singly = [], []
    for way in WAYS:
        percent, name = ERRORS.get(way, 0.0), way_name(way, messages)
        runs = [(at + 1, came) for at, came in enumerate(comparison.came[way])]
        dots = tuple(_dots(comparison, way, figures, messages))
        sums = tuple((n, came.per_s) for n, came in runs if came.per_s)
        totals = tuple(Dot(figure.copies, figure.copies / figure.cycle_s, label) for figure, label in dots)
        together.append(Curve(way, name, sums, percent, totals))
        times = tuple(
            (n, takes / size) for n, came in runs if (takes := comparison.takes_s(came)) is not None
        )
        rounds = comparison.iterations or 1
        singles = tuple(Dot(figure.copies, figure.cycle_s * rounds / size, label) for figure, label in dots)
        singly.append(Curve(way, name, times, percent, singles))
    axis, most = messages.text("four-ways.axis"), len(comparison.came["exclusive"])
    heading = messages.text(f"four-ways.plot.each-{kind}", unit=messages.text(f"four-ways.unit.{unit}"))
    return (
        Plot(
            messages.text(f"four-ways.plot.together-{kind}"), axis, tuple(together), most, comparison.copies
        ),
        Plot(heading, axis, tuple(singly), most, comparison.copies),
    )


def _dots(
    comparison: SideBySide, way: str, figures: PublishedFigures, messages: Messages
) -> Iterator[tuple[Published, str]]:
    """The figures that were measured under that way and, of MIG, on the profile that stands here for as many copies."""
    for figure in comparison.published:
        if figure.way != way or figure.copies > len(comparison.layouts):
            continue
        layout = comparison.layouts[figure.copies - 1]
        if way == "mig" and (layout is None or layout.profile != figure.profile):
            continue
        yield figure, measured_words(figure, figures, messages)


def measured_words(figure: Published, figures: PublishedFigures, messages: Messages) -> str:
    """A measurement and its source."""
    source = figures.sources[figure.dataset]
    return messages.text(
        "four-ways.measured",
        way=way_name(figure.way, messages) + (f" {figure.profile}" if figure.profile else ""),
        copies=figure.copies,
        time=time_text(figure.cycle_s, messages),
        source=f"{source.authors}, {source.year}",
    )


def picture_html(comparison: SideBySide, figures: PublishedFigures, prefix: str, messages: Messages) -> Html:
    """Both plots, for a wide column and for a phone's."""
    drawn = plots(comparison, figures, messages)
    title = messages.text("four-ways.alt")
    description = messages.text("list.sentences").join(
        (sentence(comparison, messages), _totals(comparison, messages))
    )
    widths = ((PlotWidth.WIDE, "wide"), (PlotWidth.NARROW, "narrow"))
    pictures = join(
        svg(copies_scene(drawn, width, title, description), f"{prefix}-{name}", f"gl-{name}")
        for width, name in widths
    )
    return html('<div class="gl-picture">{}</div>', pictures)


def _totals(comparison: SideBySide, messages: Messages) -> str:
    parts = [
        f"{way_name(way, messages)} {rate_text(1 / comparison.now(way).per_s, messages)}"
        for way in WAYS
        if comparison.now(way).per_s
    ]
    return messages.text("four-ways.totals", ways=messages.join(parts)) if parts else ""


def measured_rows(
    comparison: SideBySide, figures: PublishedFigures, messages: Messages
) -> Iterator[tuple[Published, tuple[str, ...]]]:
    """Each published figure beside the prediction for the same: way, copies, measured, predicted, off by."""
    for way in WAYS:
        for figure, _ in _dots(comparison, way, figures, messages):
            came = comparison.came[way][figure.copies - 1]
            if came.cycle_s is None:
                continue
            off = 100.0 * (came.cycle_s - figure.cycle_s) / figure.cycle_s
            sign = "+" if off >= 0.05 else "−" if off <= -0.05 else ""
            yield (
                figure,
                (
                    way_name(way, messages) + (f" {figure.profile}" if figure.profile else ""),
                    messages.number(figure.copies),
                    time_text(figure.cycle_s, messages),
                    time_text(came.cycle_s, messages),
                    sign + messages.text("unit.percent", n=messages.number(abs(off))),
                ),
            )


def error_sentences(ways: Sequence[str], messages: Messages) -> tuple[str, ...]:
    """What each way's known error rests on."""
    return tuple(
        messages.text(
            "table.expected_error",
            mechanism=way_name(way, messages),
            percent=messages.number(ERRORS[way]),
            basis=messages.text(f"expected-error.{way}"),
        )
        for way in ways
        if way in ERRORS
    )
