"""The kinds of labs, in one tuple: browser, Markdown, library, terminal and theme go through it, and know no kind.

To add one: an entry here; its room, with a class that is a `labs.teaching.lab.LabKind`; its words in `labs/messages/`, and
its element's script and style sheet in `labs/web/`. `tests/unit/edges/test_own_kind.py` adds a small one.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:  # a room is loaded when a lab of its kind is asked for
    from collections.abc import Callable

    from labs.teaching.lab import Data, LabKind, Limits


@dataclass(frozen=True, slots=True)
class KindEntry:
    """A kind of lab as it is known before its room is loaded.

    `name` is the word of its fences, `room` where its `LabKind` is (`<module>:<class>`), `request` the `kind` of its script's
    requests ("": what names none), `element` the element on a page, whose attribute `lab` is the lab's id and whose script
    is `<element>.js`. `folder` is that of a library's data with a file for each lab ("": the labs are code), `words` where
    its labs' titles stand (`<words>.<lab>.title`), `style` a style sheet beside labs.css. `unsearched` are the parts
    (`.gl-<part>`) that nobody would search for.
    """

    name: str
    room: str
    request: str
    element: str
    words: str
    folder: str = ""
    style: str = ""
    unsearched: tuple[str, ...] = ()

    @property
    def script(self) -> str:
        """The file of the element's script."""
        return f"{self.element}.js"

    def load(self) -> type[LabKind]:
        """The kind itself."""
        module, _, name = self.room.partition(":")
        return cast("type[LabKind]", getattr(import_module(module), name))

    def opened(self, data: Data, limits: Limits) -> LabKind:
        """The kind over these labs."""
        make = cast("Callable[[Data, Limits], LabKind]", self.load())
        return make(data, limits)


KINDS = (
    KindEntry(
        name="lab",
        room="labs.teaching.scenario_lab:ScenarioLabs",
        request="",
        element="gpu-lab",
        words="lab",
        folder="labs",
        unsearched=("form", "status", "picture", "time", "more", "hash", "unseen"),
    ),
    KindEntry(
        name="check",
        room="labs.teaching.check_lab:CheckLabs",
        request="check",
        element="gpu-check",
        words="check-sample",
        folder="checks",
        style="checks.css",
        unsearched=("form", "status", "yaml", "source", "mend", "taking", "check-rest"),
    ),
    KindEntry(
        name="planner",
        room="labs.teaching.planner_lab:PlannerLabs",
        request="plan",
        element="gpu-planner",
        words="planner",
        style="planner.css",
        unsearched=("form", "status", "plan", "head", "outputs", "taking"),
    ),
    KindEntry(
        name="form",
        room="labs.teaching.form_lab:FormLabs",
        request="form",
        element="gpu-form",
        words="form-lab",
        style="forms.css",
        unsearched=("form", "status", "stale", "taking", "more"),
    ),
    KindEntry(
        name="rollout",
        room="labs.teaching.rollout_lab:RolloutLabs",
        request="rollout",
        element="gpu-rollout",
        words="rollout-lab",
        folder="rollouts",
        style="rollout.css",
        unsearched=(
            "form",
            "status",
            "stale",
            "picture",
            "player",
            "course",
            "rollout-sides",
            "more",
            "taking",
        ),
    ),
)
"""In the order in which a terminal lists their labs; the first answers requests that name no kind."""
