"""The sentences that the code says in one language, by stable key, and numbers with their units.

A language is a folder of TOML files, one for each topic (`labs/messages/<language>/<topic>.toml`). Their tables nest to
dotted keys: `[lab.slots-and-memory]` with `title = "…"` is `lab.slots-and-memory.title`; a table may go on in another file.
A sentence may hold placeholders such as `{pods}`; there is nothing else in braces (no attributes, no formats), so no value
can reach into an object. `{{` and `}}` stand for a brace.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from labs.hardware.units import MIB, SECOND_US

Value = str | int | float

_PLACEHOLDER = re.compile(r"\{\{|\}\}|\{([a-z][A-Za-z0-9]*)\}|[{}]")
_UNITS = (("tib", 2**40), ("gib", 2**30), ("mib", 2**20), ("kib", 2**10))


VISIBLE = 80  # characters of what was given that a sentence quotes


class MessageError(ValueError):
    """A key that is not there, placeholders that do not match their values, or a file that is no table of sentences."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence cut at its placeholders: literal texts at even places, names of placeholders at odd ones.

    `placeholders` are the names that need a value.
    """

    parts: tuple[str, ...]
    placeholders: frozenset[str]

    @classmethod
    def parse(cls, key: str, text: str) -> Sentence:
        """Cut `text`. Raises `MessageError` for a lone brace or anything but a plain name between two."""
        parts = [""]
        end = 0
        for match in _PLACEHOLDER.finditer(text):
            parts[-1] += text[end : match.start()]
            end = match.end()
            if match[1] is not None:
                parts += [match[1], ""]
            elif len(match[0]) == 2:
                parts[-1] += match[0][0]
            else:
                raise MessageError(
                    f"message {key!r}: lone {match[0]!r} in {text!r}; write {{name}} or double the brace"
                )
        parts[-1] += text[end:]
        return cls(tuple(parts), frozenset(parts[1::2]))

    def fill(self, values: Mapping[str, str]) -> str:
        """The sentence with its values; every placeholder has one."""
        if len(self.parts) == 1:
            return self.parts[0]
        return "".join(values[part] if index % 2 else part for index, part in enumerate(self.parts))


class Messages:
    """All sentences of one language (`language` is its code: en, ja, ko)."""

    def __init__(self, language: str, table: Mapping[str, Any]) -> None:
        """`table` nests: a value is a sentence or a table of more. Raises `MessageError` for anything else."""
        self.language = language
        self._sentences = MappingProxyType({key: Sentence.parse(key, text) for key, text in _flat("", table)})

    @classmethod
    def from_toml(cls, texts: Iterable[str], language: str) -> Messages:
        """Read a language's files. Raises `MessageError` for text that is no such file, and for a key said twice."""
        table: dict[str, Any] = {}
        for text in texts:
            try:
                _add("", table, tomllib.loads(text))
            except tomllib.TOMLDecodeError as error:
                raise MessageError(f"messages of {language!r} are not TOML: {error}") from error
        return cls(language, table)

    @property
    def keys(self) -> tuple[str, ...]:
        """All keys, sorted."""
        return tuple(sorted(self._sentences))

    def placeholders(self, key: str) -> frozenset[str]:
        """The placeholders of a sentence."""
        return self._sentence(key).placeholders

    def has(self, key: str) -> bool:
        """Whether there is such a sentence."""
        return key in self._sentences

    def text(self, key: str, /, **values: Value) -> str:
        """The sentence with its values. Raises `MessageError` for an unknown key, a missing or a needless value."""
        sentence = self._sentence(key)
        if values.keys() != sentence.placeholders:
            names = frozenset(values)
            missing = ", ".join(sorted(sentence.placeholders - names)) or "none"
            needless = ", ".join(sorted(names - sentence.placeholders)) or "none"
            raise MessageError(
                f"message {key!r} ({self.language}): missing values: {missing}; needless: {needless}"
            )
        return sentence.fill({name: self._as_text(value) for name, value in values.items()})

    def pick(self, key: str, values: Mapping[str, Value]) -> str:
        """As `text`, for a sentence that needs only some of `values`."""
        needed = self._sentence(key).placeholders
        return self.text(key, **{name: value for name, value in values.items() if name in needed})

    def count(self, key: str, n: int, /, **values: Value) -> str:
        """The sentence `<key>.one` for n = 1, `<key>.other` else, with `n` among its values where it wants it."""
        form = f"{key}.{'one' if n == 1 else 'other'}"
        if "n" in self._sentence(form).placeholders:
            values["n"] = n
        return self.text(form, **values)

    def number(self, value: float, decimals: int = 1) -> str:
        """Digits in groups of three; at most `decimals` decimals and no trailing zeros: 12,345.6 and 38."""
        if isinstance(value, int):
            return f"{value:,}"  # exact, however large
        text = f"{value:,.{decimals}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
        return "0" if text == "-0" else text

    def percent(self, share: float) -> str:
        """A share of 1 in percent."""
        return self.text("unit.percent", n=self.number(100 * share, 0 if share >= 0.1 or share == 0 else 1))

    def bytes_text(self, n: int) -> str:
        """Bytes in the largest unit that leaves at least 1: 38 GiB, 300 MiB, 0 GiB."""
        for unit, size in _UNITS:
            if n >= size:
                return self.text(f"unit.{unit}", n=self.number(n / size, 0 if unit == "mib" else 1))
        return self.text("unit.bytes", n=n) if n else self.text("unit.gib", n=0)

    def mib_text(self, mib: float) -> str:
        """As `bytes_text`, for a number of MiB."""
        return self.bytes_text(round(mib * MIB))

    def duration(self, microseconds: int) -> str:
        """A time in at most two units: 250 ms, 10 s, 1 min 30 s, 2 h."""
        if abs(microseconds) < SECOND_US and microseconds:
            return self.text("unit.milliseconds", n=self.number(microseconds / 1000))
        if microseconds % SECOND_US and microseconds < 10 * SECOND_US:
            return self.text("unit.seconds", n=self.number(microseconds / SECOND_US))
        seconds = round(microseconds / SECOND_US)
        sizes = (("hours", seconds // 3600), ("minutes", seconds // 60 % 60), ("seconds", seconds % 60))
        parts = [(unit, n) for unit, n in sizes if n][:2] or [("seconds", 0)]
        return self.text("unit.join").join(self.text(f"unit.{unit}", n=n) for unit, n in parts)

    def join(self, items: list[str]) -> str:
        """Words in a row: "a, b and c"."""
        if len(items) < 2:
            return "".join(items)
        return self.text("list.last", head=self.text("list.comma").join(items[:-1]), last=items[-1])

    def _sentence(self, key: str) -> Sentence:
        try:
            return self._sentences[key]
        except KeyError:
            raise MessageError(f"no message {key!r} in {self.language!r}") from None

    def _as_text(self, value: Value) -> str:
        return value if isinstance(value, str) else self.number(value)


def visible(text: str) -> str:
    """What somebody gave, as a sentence about it quotes it: a blank in its quotes, of a long one the beginning."""
    if not text.strip():
        return f'"{text[:VISIBLE]}"'
    return text if len(text) <= VISIBLE else f"{text[:VISIBLE]}…"


def visible_path(path: str) -> str:
    """A path as a sentence about it quotes it: of a long one the end, where the file's name stands."""
    return visible(path) if len(path) <= VISIBLE else f"…{path[-VISIBLE:]}"


def _add(prefix: str, table: dict[str, Any], more: Mapping[str, Any]) -> None:
    for name, value in more.items():
        if name in table and isinstance(table[name], dict) and isinstance(value, dict):
            _add(f"{prefix}{name}.", table[name], value)
        elif name in table:
            raise MessageError(f"message {prefix}{name!r} stands in two files")
        else:
            table[name] = value


def _flat(prefix: str, table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        key = f"{prefix}{name}"
        if isinstance(value, str):
            yield key, value
        elif isinstance(value, Mapping):
            yield from _flat(f"{key}.", value)
        else:
            raise MessageError(f"message {key!r} is {value!r}; a message is a string")
