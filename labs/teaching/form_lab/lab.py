"""A form lab: what it is made of, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from labs.report.writing import Html, Messages
from labs.teaching.form_lab.fields import Field
from labs.teaching.form_lab.values import Options, ValueFault, Values


@dataclass(frozen=True, slots=True)
class Taken:
    """A text to copy, or a file to save: under which heading, and the comment that its first line shall be ("": none)."""

    id: str
    heading: str
    text: str
    file: str = ""
    head: str = ""
    lang: str = "en"


@dataclass(frozen=True, slots=True)
class FormAnswer:
    """`summary` is the HTML of the sentence that answers, `regions` that of the lab's own regions, all of them each time."""

    summary: Html
    regions: Mapping[str, Html]
    files: tuple[Taken, ...] = ()
    command: str = ""


@dataclass(frozen=True, slots=True)
class Metric:
    """A figure for prose: its value, and the words for it in a language, unit included."""

    value: float
    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a terminal makes of an answer beside printing it: the exit code, and notes for standard error.

    An answer is bad news (exit code 1) where it is for the command that gives the same answer.
    """

    is_bad_news: bool = False
    notes: tuple[str, ...] = ()


class FaultsError(ValueError):
    """Values that are each of their form, but do not go together: `faults` say which and why."""

    def __init__(self, *faults: ValueFault) -> None:
        super().__init__("; ".join(f"{fault.field}: {fault.key}" for fault in faults))
        self.faults = faults


def _no_metrics(values: Values, messages: Messages) -> Mapping[str, Metric]:
    del values, messages
    return {}


def _fine(values: Values, messages: Messages) -> Verdict:
    del values, messages
    return Verdict()


@dataclass(frozen=True, slots=True)
class FormLab:
    """A lab whose state is the values of some fields.

    `presets` are values over the defaults by the preset's id, `regions` the names of the regions under the sentence in their
    order, `folded` those of them that stand in the fold below. `answer`, `text` (for a terminal), `verdict` and `metrics` are
    pure functions of values without faults; they raise FaultsError where values do not go together. `name` says how an option
    of a choice is called ("" where messages do), `options` which a choice has where that depends on other values. `section`
    is that of an article which the lab belongs to: a page's path under `docs/<language>/` and a heading's id; how it is
    called are the words `form-lab.<lab>.section`.
    """

    id: str
    section: str
    fields: tuple[Field, ...]
    regions: tuple[str, ...]
    answer: Callable[[Values, Messages], FormAnswer]
    text: Callable[[Values, Messages], str]
    presets: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    folded: tuple[str, ...] = ()
    metrics: Callable[[Values, Messages], Mapping[str, Metric]] = _no_metrics
    verdict: Callable[[Values, Messages], Verdict] = _fine
    name: Callable[[str, str, Messages], str] | None = None
    options: Options | None = None
