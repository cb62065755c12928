"""What a form is set to: every field's text and, of an entry, its amount. Read from anything, for it comes from anybody."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from fractions import Fraction
from typing import TypeVar

from labs.config.own import duration_us, nearest, quantity_bytes, rate_per_s, share
from labs.hardware.units import SECOND_US
from labs.report.writing import one_line, visible
from labs.teaching.form_lab.fields import (
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

_WHOLE = re.compile(r"-?[0-9]{1,9}", re.ASCII)
_TIMES = tuple(
    (unit, Fraction(n, SECOND_US))
    for unit, n in (("h", 3_600_000_000), ("s", SECOND_US), ("ms", 1000), ("us", 1))
)
_MEMORY = tuple((unit, Fraction(n)) for unit, n in (("TiB", 2**40), ("GiB", 2**30), ("MiB", 2**20), ("B", 1)))
T = TypeVar("T")
Options = Callable[["Values", str, Choice], tuple[str, ...]]
"""The values of a choice that depend on others: of the item whose keys begin with the text ("" for the form)."""


@dataclass(frozen=True, slots=True)
class ValueFault:
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
        """The number of a slider, of a group's items, or of an entry that counts."""
        return int(self.texts[key])

    def amount(self, key: str) -> Fraction | None:
        """The amount of an entry in its measure; None where it is empty."""
        return self.amounts.get(key)

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


def _under(by_key: Mapping[str, T], start: str) -> dict[str, T]:
    return {key.removeprefix(start): value for key, value in by_key.items() if key.startswith(start)}


def defaults(fields: tuple[Field, ...]) -> dict[str, str]:
    """What a form holds at first."""
    texts: dict[str, str] = {}
    for field in fields:
        if not isinstance(field, Group):
            texts[field.id] = default_of(field)
            continue
        texts[field.id] = str(len(field.default))
        for place, item in enumerate(field.default):
            for inner in field.fields:
                texts[f"{field.id}.{place}.{inner.id}"] = item.get(inner.id, default_of(inner))
    return texts


def read_values(
    fields: tuple[Field, ...],
    raw: Mapping[str, object],
    options: Options | None = None,
    typed: Collection[str] = (),
) -> tuple[Values, tuple[ValueFault, ...]]:
    """The values of `raw` over the defaults, and what is wrong with entries that are shown.

    What a form can't hold is set to what it can: a choice that there is not to the first, a number into its bounds. Of the
    fields that somebody `typed` the name of, all is told instead, whether they are shown or not.
    """
    reader = _Reader(fields, raw, options, typed)
    return Values(reader.texts, reader.amounts), tuple(reader.faults)


class _Reader:
    """Reads the fields in their order, so that what depends on others comes behind them."""

    def __init__(
        self,
        fields: tuple[Field, ...],
        raw: Mapping[str, object],
        options: Options | None,
        typed: Collection[str],
    ) -> None:
        self._raw, self._options, self._typed = raw, options, typed
        self._first = defaults(fields)
        self.texts: dict[str, str] = {}
        self.amounts: dict[str, Fraction] = {}
        self.faults: list[ValueFault] = []
        for field in fields:
            if not isinstance(field, Group):
                self._read(field, "")
                continue
            raw_count = self._raw.get(field.id, self._first[field.id])
            count = _number(raw_count, field.least, field.most, len(field.default))
            self.texts[field.id] = str(count)
            self._check(field, field.id, str(raw_count))
            for place in range(count):
                for inner in field.fields:
                    self._read(inner, f"{field.id}.{place}.")

    def _read(self, field: Plain, item: str) -> None:
        key = item + field.id
        raw = self._raw.get(key)
        first = self._first.get(key, default_of(field))
        if isinstance(raw, bool):
            raw = str(raw).lower()
        text = raw if isinstance(raw, str) else first
        match field:
            case Choice():
                known = self.known(field, item)
                self.texts[key] = text if text in known else first if first in known else known[0]
            case Slider():
                self.texts[key] = str(_number(text, field.minimum, field.maximum, field.default))
            case Switch():
                self.texts[key] = text if text in ("true", "false") else field.text
            case Lines():
                self.texts[key] = text
                if len(text) > LINES_LIMIT and self._counts(field, key, item):
                    self.texts[key] = text[: LINES_LIMIT + 1]
                    self.faults.append(ValueFault(key, "too-long", {"most": f"{LINES_LIMIT:,}"}))
            case Entry():
                self.texts[key] = text[: ENTRY_LIMIT + 1]
                if self._counts(field, key, item):
                    self._measure(field, key)
        self._check(field, key, text, item)

    def _counts(self, field: Plain, key: str, item: str) -> bool:
        return key in self._typed or Values(self.texts).shows(field.when, item)

    def known(self, choice: Choice, item: str) -> tuple[str, ...]:
        """The values that a choice has as the form stands."""
        if self._options is None:
            return choice.options
        return self._options(Values(self.texts, self.amounts), item, choice) or choice.options

    def _check(self, field: Field, key: str, text: str, item: str = "") -> None:
        """Of a field that somebody typed, what is wrong with a text that the form can't hold."""
        if key not in self._typed or self.texts[key] == text:
            return
        value = {"value": quoted(text)}
        match field:
            case Choice():
                known = self.known(field, item)
                near = _near(text, known)
                words = {**value, "known": ", ".join(known), "near": near}
                self.faults.append(ValueFault(key, "choice-near" if near else "choice", words))
            case Switch():
                self.faults.append(ValueFault(key, "choice", {**value, "known": "true, false"}))
            case Slider(minimum=least, maximum=most) | Group(least=least, most=most):
                bounds = {"least": str(least), "most": str(most), "example": self.texts[key]}
                amount = amount_of(Measure.COUNT, text)
                if amount != int(self.texts[key]):
                    kind = "count" if amount is None else "bounds"
                    self.faults.append(ValueFault(key, kind, {**value, **bounds}))
            case _:
                pass  # what entries and texts hold is said where they are read

    def _measure(self, entry: Entry, key: str) -> None:
        text = self.texts[key].strip()
        values = {
            "value": quoted(text),
            "example": entry.default or EXAMPLES[entry.measure],
            **bounds_of(entry),
        }
        if not text:
            if not entry.optional:
                self.faults.append(ValueFault(key, "empty", values))
            return
        if len(text) > ENTRY_LIMIT:
            self.faults.append(ValueFault(key, "too-long", {"most": str(ENTRY_LIMIT)}))
            return
        amount = amount_of(entry.measure, text)
        if amount is None:
            self.faults.append(ValueFault(key, str(entry.measure), values))
        elif (entry.least is not None and amount < entry.least) or (
            entry.most is not None and amount > entry.most
        ):
            self.faults.append(ValueFault(key, "bounds", values))
        else:
            self.amounts[key] = amount


def unknown_fields(fields: tuple[Field, ...], typed: Collection[str], values: Values) -> Iterator[ValueFault]:
    """What is wrong with the names of fields that somebody typed: there is no such field, or no such item yet."""
    groups = {field.id: field for field in fields if isinstance(field, Group)}
    known = [
        name
        for field in fields
        for name in (
            field.id,
            *(f"{field.id}.0.{inner.id}" for inner in (field.fields if isinstance(field, Group) else ())),
        )
    ]
    for key in typed:
        if key in values:
            continue
        group_id, _, rest = key.partition(".")
        place, _, field_id = rest.partition(".")
        group = groups.get(group_id)
        if group and _WHOLE.fullmatch(place) and field_id in {inner.id for inner in group.fields}:
            words = {"group": group_id, "n": values[group_id], "most": str(group.most)}
            if int(place) < group.most:
                yield ValueFault(key, "no-item", {**words, "needed": str(int(place) + 1)})
            else:
                yield ValueFault(key, "no-place", {**words, "last": str(group.most - 1)})
            continue
        near = _near(key, known)
        words = {"value": quoted(key), "known": ", ".join(known), "near": near}
        yield ValueFault(key, "no-field-near" if near else "no-field", words)


def _near(text: str, known: Sequence[str]) -> str:
    """The one that somebody may have meant: the first that begins so, or the most like it."""
    begun = [name for name in known if len(text) > 1 and name.startswith(text)]
    return begun[0] if begun else nearest(text, known)


def bounds_of(entry: Entry) -> dict[str, str]:
    """The least and the most of an entry as one would type them; nothing where it has no bounds."""
    if entry.least is None or entry.most is None:
        return {}
    return {"least": _typed(entry.measure, entry.least), "most": _typed(entry.measure, entry.most)}


def quoted(text: str) -> str:
    """What somebody gave, as a sentence about it quotes it."""
    return visible(one_line(text) or text)


EXAMPLES: Mapping[Measure, str] = {
    Measure.DURATION: "88ms",
    Measure.RATE: "11.3/s",
    Measure.PACE: "88ms",
    Measure.MEMORY: "6GiB",
    Measure.SHARE: "44%",
    Measure.COUNT: "4",
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
        case Measure.COUNT:
            return Fraction(int(text)) if _WHOLE.fullmatch(text) else None
        case Measure.NAME:
            return Fraction(0) if text.isprintable() else None


def _fraction(whole: int | None) -> Fraction | None:
    return None if whole is None else Fraction(whole)


def _typed(measure: Measure, bound: Fraction) -> str:
    """A bound as one would type it."""
    match measure:
        case Measure.DURATION:
            return _in_units(bound / SECOND_US, _TIMES)
        case Measure.PACE:
            return _in_units(bound, _TIMES)
        case Measure.RATE:
            return f"{_digits(bound)}/s"
        case Measure.MEMORY:
            return _in_units(bound, _MEMORY)
        case Measure.SHARE:
            return f"{_digits(bound * 100)}%"
        case Measure.COUNT | Measure.NAME:
            return _digits(bound)


def _in_units(amount: Fraction, units: Sequence[tuple[str, Fraction]]) -> str:
    """In the largest unit that leaves a whole number, or in the smallest."""
    unit, size = next(((unit, size) for unit, size in units if amount and amount % size == 0), units[-1])
    return f"{_digits(amount / size)}{unit}"


def _digits(value: Fraction) -> str:
    return f"{float(value):.10g}"


def _number(value: object, least: int, most: int, default: int) -> int:
    """A whole number within bounds; the default where none is given."""
    text = str(value)
    if not _WHOLE.fullmatch(text):
        return default
    return min(most, max(least, int(text)))
