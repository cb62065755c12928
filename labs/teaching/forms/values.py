"""What a form is set to: every field's text and, of an entry, its amount. Read from anything, for it comes from anybody."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from fractions import Fraction
from typing import TypeVar

from labs.config.units import duration_us, quantity_bytes, rate_per_s, share
from labs.teaching.forms.fields import (
    ENTRY_LIMIT,
    LINES_LIMIT,
    Choice,
    Entry,
    Field,
    Group,
    Lines,
    Measure,
    Plain,
    Slider,
    Switch,
    When,
    default_of,
)

SECOND_US = 1_000_000
T = TypeVar("T")
Options = Callable[["Values", str, Choice], tuple[str, ...]]
"""The values of a choice that depend on others: of the item whose keys begin with the text ("" for the form)."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a field: `key` names the message `form.problem.<key>` (`what` and `remedy`), with its values."""

    field: str
    key: str
    values: Mapping[str, str] = dataclass_field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Values(Mapping[str, str]):
    """Texts by field, as `fields.py` has them; what is not set is not there. `amounts` of entries that are not empty."""

    texts: Mapping[str, str]
    amounts: Mapping[str, Fraction] = dataclass_field(default_factory=dict)

    def __getitem__(self, key: str) -> str:
        return self.texts[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def __len__(self) -> int:
        return len(self.texts)

    def whole(self, key: str) -> int:
        """The number of a slider, or of a group's items."""
        return int(self.texts[key])

    def amount(self, key: str) -> Fraction | None:
        """The amount of an entry in its measure; None where it is empty."""
        return self.amounts.get(key)

    def is_on(self, key: str) -> bool:
        """Whether a switch is on."""
        return self.texts[key] == "true"

    def rows(self, group: str) -> tuple[Values, ...]:
        """The items of a group, each with its fields by their own ids."""
        return tuple(
            Values(_under(self.texts, f"{group}.{place}."), _under(self.amounts, f"{group}.{place}."))
            for place in range(self.whole(group))
        )

    def shows(self, when: When | None, item: str = "") -> bool:
        """Whether a field of the item (its keys begin with that) is shown."""
        if when is None:
            return True
        return self.texts.get(item + when.field, self.texts.get(when.field)) in when.values


def _under(found: Mapping[str, T], start: str) -> dict[str, T]:
    return {key.removeprefix(start): value for key, value in found.items() if key.startswith(start)}


def defaults(fields: tuple[Field, ...]) -> dict[str, str]:
    """What a form holds at first."""
    texts: dict[str, str] = {}
    for one in fields:
        if not isinstance(one, Group):
            texts[one.id] = default_of(one)
            continue
        texts[one.id] = str(len(one.default))
        for place, given in enumerate(one.default):
            for inner in one.fields:
                texts[f"{one.id}.{place}.{inner.id}"] = given.get(inner.id, default_of(inner))
    return texts


def read_values(
    fields: tuple[Field, ...], raw: Mapping[str, object], options: Options | None = None
) -> tuple[Values, tuple[Fault, ...]]:
    """The values of `raw` over the defaults, and what is wrong with entries that are shown.

    What a form can't hold is set to what it can: a choice that there is not to the first, a number into its bounds.
    """
    reader = _Reader(fields, raw, options)
    return Values(reader.texts, reader.amounts), tuple(reader.faults)


class _Reader:
    """Reads the fields in their order, so that what depends on others comes behind them."""

    def __init__(self, fields: tuple[Field, ...], raw: Mapping[str, object], options: Options | None) -> None:
        self._raw, self._options = raw, options
        self._first = defaults(fields)
        self.texts: dict[str, str] = {}
        self.amounts: dict[str, Fraction] = {}
        self.faults: list[Fault] = []
        for one in fields:
            if not isinstance(one, Group):
                self._read(one, "")
                continue
            given = self._raw.get(one.id, self._first[one.id])
            count = _number(given, one.least, one.most, len(one.default))
            self.texts[one.id] = str(count)
            for place in range(count):
                for inner in one.fields:
                    self._read(inner, f"{one.id}.{place}.")

    def _read(self, one: Plain, item: str) -> None:
        key = item + one.id
        given = self._raw.get(key)
        first = self._first.get(key, default_of(one))
        if isinstance(given, bool):
            given = str(given).lower()
        text = given if isinstance(given, str) else first
        match one:
            case Choice():
                known = self._known(one, item)
                self.texts[key] = text if text in known else first if first in known else known[0]
            case Slider():
                self.texts[key] = str(_number(text, one.minimum, one.maximum, one.default))
            case Switch():
                self.texts[key] = text if text in ("true", "false") else one.text
            case Lines():
                self.texts[key] = text
                if len(text) > LINES_LIMIT and self._shows(one, item):
                    self.texts[key] = text[: LINES_LIMIT + 1]
                    self.faults.append(Fault(key, "too-long", {"most": f"{LINES_LIMIT:,}"}))
            case Entry():
                self.texts[key] = text[: ENTRY_LIMIT + 1]
                if self._shows(one, item):
                    self._measure(one, key)

    def _known(self, one: Choice, item: str) -> tuple[str, ...]:
        if self._options is None:
            return one.options
        return self._options(Values(self.texts, self.amounts), item, one) or one.options

    def _shows(self, one: Plain, item: str) -> bool:
        return Values(self.texts).shows(one.when, item)

    def _measure(self, one: Entry, key: str) -> None:
        text = self.texts[key].strip()
        if not text:
            if not one.optional:
                self.faults.append(Fault(key, "empty", {"example": one.default or EXAMPLES[one.measure]}))
            return
        if len(text) > ENTRY_LIMIT:
            self.faults.append(Fault(key, "too-long", {"most": str(ENTRY_LIMIT)}))
            return
        amount = amount_of(one.measure, text)
        if amount is None:
            example = one.default or EXAMPLES[one.measure]
            self.faults.append(Fault(key, str(one.measure), {"value": text, "example": example}))
        elif (one.least is not None and amount < one.least) or (one.most is not None and amount > one.most):
            bounds = {"least": _told(one.measure, one.least), "most": _told(one.measure, one.most)}
            self.faults.append(Fault(key, "bounds", {"value": text, **bounds}))
        else:
            self.amounts[key] = amount


EXAMPLES: Mapping[Measure, str] = {
    Measure.DURATION: "88ms",
    Measure.RATE: "11.3/s",
    Measure.PACE: "88ms",
    Measure.MEMORY: "6GiB",
    Measure.SHARE: "44%",
    Measure.NAME: "trainer",
}


def amount_of(measure: Measure, text: str) -> Fraction | None:
    """The amount that a text says in a measure; None where it says none. A name has none and is 0."""
    match measure:
        case Measure.DURATION:
            return _fraction(duration_us(text))
        case Measure.RATE:
            return rate_per_s(text)
        case Measure.PACE:
            microseconds = duration_us(text)
            if microseconds is not None:
                return Fraction(microseconds, SECOND_US)
            rate = rate_per_s(text)
            return 1 / rate if rate else None
        case Measure.MEMORY:
            return _fraction(quantity_bytes(text))
        case Measure.SHARE:
            return share(text)
        case Measure.NAME:
            return Fraction(0) if text.isprintable() else None


def _fraction(whole: int | None) -> Fraction | None:
    return None if whole is None else Fraction(whole)


def _told(measure: Measure, bound: Fraction | None) -> str:
    """A bound as one would type it."""
    if bound is None:
        return "…"
    match measure:
        case Measure.DURATION | Measure.PACE:
            seconds = float(bound) / (SECOND_US if measure is Measure.DURATION else 1)
            if seconds >= 1:
                return f"{seconds:g}s"
            return f"{seconds * 1000:g}ms" if seconds >= 0.001 else f"{seconds * SECOND_US:g}us"
        case Measure.RATE:
            return f"{float(bound):g}/s"
        case Measure.MEMORY:
            return f"{float(bound) / 2**30:g}GiB"
        case _:
            return f"{float(bound):g}"


def _number(given: object, least: int, most: int, default: int) -> int:
    """A whole number within bounds; the default where none is given."""
    text = str(given)
    plain = text.removeprefix("-")
    if not (plain.isascii() and plain.isdigit() and len(plain) <= 9):
        return default
    return min(most, max(least, int(text)))
