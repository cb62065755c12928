"""What a reader may do first in a lab, and the answers to all of it packed small, for a page to show before Python is there.

The answers are long and much alike: pictures that differ in a few coordinates. Each is cut into pieces (tags and lines),
each piece into a template and its numbers; templates are stored once, numbers as differences from the answer before.
`labs/web/stops.js` puts them together again, to the letter.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from labs.teaching.scenario_lab.lab import Control, ControlKind, Lab

FORMAT = 1
SHORT, FIXED, WORD = "\x01", "\x02", "\x03"  # places in a template: 4 or 4.5, 4.0, the answer's long word
_PIECES = re.compile(r"(?<=\\n)|(?<=>)(?=<)")  # JSON's sign for a new line; between two tags
_WORD = re.compile(r"[0-9a-f]{40,}")  # a hash
_NUMBER = re.compile(r"\d+\.\d(?!\d)|\d{1,6}(?![\d.])")

_Place = tuple[int, int]  # a template, and which of its pieces in an answer
_Numbers = Mapping[_Place, Sequence[int]]  # in tenths


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
        for told in groups.values():
            told.append([])
        for stop in group:  # in all languages, while what the scenario comes to is still known
            for language, told in groups.items():
                asked = {
                    "lab": lab.id,
                    "lang": language,
                    "text": lab.scenario,
                    "change": dict(stop.change),
                }
                told[-1].append((stop.key, respond(json.dumps(asked))))
    return {language: packed_answers(told) for language, told in groups.items()}


def packed_answers(groups: Sequence[Sequence[tuple[str, str]]]) -> bytes:
    """Groups of (key, answer), an answer being JSON text; the first of all is what every group is told from."""
    templates: dict[str, int] = {}
    first: _Numbers = {}
    packed = []
    for group in groups:
        before, answers = first, []
        for _, answer in group:
            pieces, numbers, word = _cut(_plain(answer), templates)
            answers.append([",".join(map(str, pieces)), _differences(numbers, before), word])
            before = numbers
            first = first or numbers
        packed.append({"keys": [key for key, _ in group], "answers": answers})
    whole = {"format": FORMAT, "templates": list(templates), "groups": packed}
    text = json.dumps(whole, ensure_ascii=False, separators=(",", ":"))
    return gzip.compress(text.encode(), 9, mtime=0)


def _stop(control: Control, value: str | bool) -> Stop:
    shown = str(value).lower() if isinstance(value, bool) else value
    return Stop(f"{control.id}={shown}", {"control": control.id, "value": value})


def _values(control: Control) -> Iterator[str | bool]:
    match control.kind:
        case ControlKind.CHOICE:
            yield from control.options
        case ControlKind.SWITCH:
            yield from (False, True)
        case _:
            yield from map(str, range(control.minimum, control.maximum + 1, control.step))


def _plain(answer: str) -> str:
    """The same JSON with its letters as they are: in `\\u30b9` there would be a number."""
    return json.dumps(json.loads(answer), ensure_ascii=False, separators=(",", ":"))


def _cut(answer: str, templates: dict[str, int]) -> tuple[list[int], _Numbers, str]:
    """The templates of an answer's pieces in order (new ones are added to `templates`), their numbers, its long word."""
    words = _WORD.findall(answer)
    word = words[0] if words else ""
    pieces, numbers = [], {}
    seen: dict[int, int] = defaultdict(int)
    for piece in _PIECES.split(answer.replace(word, WORD) if word else answer):
        template, found = _template(piece)
        index = templates.setdefault(template, len(templates))
        pieces.append(index)
        numbers[index, seen[index]] = found
        seen[index] += 1
    return pieces, numbers, word


def _template(piece: str) -> tuple[str, list[int]]:
    found: list[int] = []

    def placed(number: re.Match[str]) -> str:
        tenths = round(float(number[0]) * 10)
        for place, decimals in ((SHORT, tenths % 10 > 0), (FIXED, True)):
            if number[0] == (f"{tenths // 10}.{tenths % 10}" if decimals else str(tenths // 10)):
                found.append(tenths)
                return place
        return number[0]

    return (piece if _WORD.search(piece) else _NUMBER.sub(placed, piece)), found


def _differences(numbers: _Numbers, before: _Numbers) -> str:
    """By template, then by its places, then by piece: what is nearly the same stands together. 0 is left out."""
    by_template: dict[int, list[Sequence[int]]] = defaultdict(list)
    for template, piece in sorted(numbers):
        by_template[template].append(numbers[template, piece])
    told: list[str] = []
    for template, rows in by_template.items():
        for place in range(len(rows[0])):
            for piece, row in enumerate(rows):
                known = before.get((template, piece)) or (rows[piece - 1] if piece else None)
                difference = row[place] - (known[place] if known else 0)
                told.append(str(difference) if difference else "")
    return ",".join(told)
