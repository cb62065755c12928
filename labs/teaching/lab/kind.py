"""What a kind of lab is: how its fence, its file, a request of its script and a terminal's command become answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from labs.hardware.catalog import Catalog
from labs.report.writing import Messages
from labs.simulation.scenario import Workloads
from labs.teaching.lab.choice import Choice, ChoiceError, CommandRun, Printed
from labs.teaching.lab.fence import Page, Placed
from labs.teaching.lab.figure import Figure, UnknownMetricError
from labs.teaching.lab.request import Request


class Data(Protocol):
    """What kinds of labs take from a library (`labs.library.Library` is one)."""

    @property
    def catalog(self) -> Catalog:
        """The cards."""

    @property
    def names(self) -> Mapping[str, str]:
        """How a person calls what an id stands for."""

    @property
    def workloads(self) -> Callable[[], Workloads]:
        """The named workloads, when asked."""

    @property
    def messages(self) -> Mapping[str, Messages]:
        """The sentences by language."""

    @property
    def rules(self) -> Mapping[str, Messages]:
        """The words of the lint rules by language."""

    def of(self, kind: str) -> Mapping[str, Any]:
        """The labs of a kind by id."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much work one run may be: records of a trace, visits of a rollout's controller (None: the simulator's own)."""

    records: int | None = None
    visits: int | None = None


class LabKind(Protocol):
    """A kind of lab over the labs of a library, made as `<class>(data, limits)`; it keeps what it has computed.

    What is known of a kind before its room is loaded stands in `labs.teaching.kinds`. A kind without a terminal's side, or
    that prose does not refer to, leaves the methods for that as they are here.
    """

    @staticmethod
    def read(text: str) -> Any:
        """The lab in the text of a file; it has an `id`. Raises ProblemsError."""
        raise ValueError(f"no file holds such a lab: {text[:80]!r}")

    @staticmethod
    def made() -> Mapping[str, Any]:
        """The labs by id, of a kind whose labs are code."""
        return {}

    # On a page

    def place(self, lines: Sequence[str], page: Page) -> Placed:
        """The lab that a fence with these lines places. Raises FenceError."""
        ...

    def answer(self, request: Request) -> dict[str, Any]:
        """The answer to a request, as JSON. Raises what a request may be wrong in."""
        ...

    def trials(self) -> Iterable[Mapping[str, Any]]:
        """Requests without a language that go through all that the kind computes, every lab's first answer among them."""
        return ()

    def stops(
        self, lab_id: str, languages: Sequence[str], respond: Callable[[str], str]
    ) -> Mapping[str, bytes]:
        """By language, the answers of `respond` to all that a reader may do first, packed; nothing where Python answers."""
        del lab_id, languages, respond
        return {}

    # By the id of a lab: in prose and in a terminal

    @property
    def ids(self) -> Sequence[str]:
        """The labs that prose refers to and a terminal lists, in order."""
        return ()

    def presets(self, lab_id: str) -> Sequence[str]:
        """The ids of a lab's presets."""
        del lab_id
        return ()

    def unmet(self, lab_id: str, preset: str | None) -> str:
        """What a lab or its preset is expected to come to and does not, in English; empty where nothing is."""
        del lab_id, preset
        return ""

    def figure(self, lab_id: str, preset: str | None, metric: str, messages: Messages) -> Figure:
        """A figure of a lab or its preset. Raises UnknownMetricError."""
        del lab_id, preset, messages
        raise UnknownMetricError(metric, ())

    def show(self, choice: Choice) -> Printed:
        """What a lab is made of. Raises ChoiceError."""
        raise ChoiceError(choice.lab)

    def run(self, choice: Choice) -> Printed | CommandRun:
        """What a lab answers. Raises ChoiceError."""
        raise ChoiceError(choice.lab)
