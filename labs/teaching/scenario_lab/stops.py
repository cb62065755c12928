"""What a reader may do first in a lab, and the answers to all of it, for a page to show before Python is there."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from labs.teaching.lab import packed_answers
from labs.teaching.scenario_lab.lab import Control, ControlKind, Lab


@dataclass(frozen=True, slots=True)
class Stop:
    """One thing to do in a lab as first seen: `change` as a request has it, and a key for it."""

    key: str
    change: Mapping[str, str | bool]


def stop_groups(lab: Lab) -> tuple[tuple[Stop, ...], ...]:
    """The lab as first seen and its presets; then, by control, each value that the form can give it.

    Controls that are folded away are not among them: few readers begin there, and the answers would weigh as much again.
    """
    presets = [Stop(f"preset={preset.id}", {"preset": preset.id}) for preset in lab.presets]
    return (
        (Stop("reset", {"reset": True}), *presets),
        *(
            tuple(_stop(control, value) for value in _values(control))
            for control in lab.controls
            if not control.further
        ),
    )


def packed_stops(lab: Lab, languages: Iterable[str], respond: Callable[[str], str]) -> dict[str, bytes]:
    """By language, the answers of `respond` (labs.browser's) to all stops of a lab, packed."""
    groups: dict[str, list[list[tuple[str, str]]]] = {language: [] for language in languages}
    for group in stop_groups(lab):
        for answers in groups.values():
            answers.append([])
        for stop in group:  # in all languages, while what the scenario comes to is still known
            for language, answers in groups.items():
                request = {
                    "lab": lab.id,
                    "lang": language,
                    "text": lab.scenario,
                    "changes": [dict(stop.change)],
                }
                answers[-1].append((stop.key, respond(json.dumps(request))))
    return {language: packed_answers(answers) for language, answers in groups.items()}


def _stop(control: Control, value: str | bool) -> Stop:
    text = str(value).lower() if isinstance(value, bool) else value
    return Stop(f"{control.id}={text}", {"control": control.id, "value": value})


def _values(control: Control) -> Iterator[str | bool]:
    match control.kind:
        case ControlKind.CHOICE:
            yield from control.options
        case ControlKind.SWITCH:
            yield from (False, True)
        case _:
            yield from map(str, range(control.minimum, control.maximum + 1, control.step))
