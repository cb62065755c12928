"""Answers to what a reader may do first in a lab, packed small, for a page to show before Python is there.

The answers are long and much alike: pictures that differ in a few coordinates. Each is cut into pieces (tags and lines),
each piece into a template and its numbers; templates are stored once, numbers as differences from the answer before.
`labs/web/engine/stops.js` puts them together again, to the letter.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

FORMAT = 1
SHORT, FIXED, WORD = "\x01", "\x02", "\x03"  # places in a template: 4 or 4.5, 4.0, the answer's long word
_PIECES = re.compile(r"(?<=\\n)|(?<=>)(?=<)")  # JSON's sign for a new line; between two tags
_WORD = re.compile(r"[0-9a-f]{40,}")  # a hash
_NUMBER = re.compile(r"\d+\.\d(?!\d)|\d{1,6}(?![\d.])")

_Place = tuple[int, int]  # a template, and which of its pieces in an answer
_Numbers = Mapping[_Place, Sequence[int]]  # in tenths


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
        template, row = _template(piece)
        index = templates.setdefault(template, len(templates))
        pieces.append(index)
        numbers[index, seen[index]] = row
        seen[index] += 1
    return pieces, numbers, word


def _template(piece: str) -> tuple[str, list[int]]:
    row: list[int] = []

    def placed(number: re.Match[str]) -> str:
        tenths = round(float(number[0]) * 10)
        for place, decimals in ((SHORT, tenths % 10 > 0), (FIXED, True)):
            if number[0] == (f"{tenths // 10}.{tenths % 10}" if decimals else str(tenths // 10)):
                row.append(tenths)
                return place
        return number[0]

    return (piece if _WORD.search(piece) else _NUMBER.sub(placed, piece)), row


def _differences(numbers: _Numbers, before: _Numbers) -> str:
    """By template, then by its places, then by piece: what is nearly the same stands together. 0 is left out."""
    by_template: dict[int, list[Sequence[int]]] = defaultdict(list)
    for template, piece in sorted(numbers):
        by_template[template].append(numbers[template, piece])
    differences: list[str] = []
    for template, rows in by_template.items():
        for place in range(len(rows[0])):
            for piece, row in enumerate(rows):
                known = before.get((template, piece)) or (rows[piece - 1] if piece else None)
                difference = row[place] - (known[place] if known else 0)
                differences.append(str(difference) if difference else "")
    return ",".join(differences)
