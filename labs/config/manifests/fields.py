"""Reading manifests tolerantly: a field that is not there, or of another type than it should be, is None.

Nothing here refuses a manifest; what is wrong with one is for others to say, at the place that a `Field` has. Keys match
exactly, of equal keys the last counts, merge keys are followed.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from labs.config.goyaml import Mapping, Node, Scalar, ScalarKind, Sequence, Span, find, merged

_QUANTITY = re.compile(
    r"(?P<number>[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+))"
    r"(?:(?P<binary>[KMGTPE])i|(?P<decimal>[numkMGTPE])|[eE](?P<exponent>[+-]?[0-9]{1,2}))?",
    re.ASCII,
)
_DECIMAL = {"n": -9, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = "KMGTPE"
_LONGEST_QUANTITY = 64


@dataclass(frozen=True, slots=True)
class Field:
    """A key of a manifest with its value; `repeated` where its mapping has the key more than once."""

    key: Node
    value: Node
    repeated: bool = False

    @property
    def name(self) -> str:
        """The key's text; empty where the key is no scalar."""
        return self.key.text if isinstance(self.key, Scalar) else ""

    @property
    def text(self) -> str | None:
        """The value, if it is a string."""
        return text_of(self.value)

    @property
    def boolean(self) -> bool | None:
        """The value, if it is a bool."""
        value = self.value
        if isinstance(value, Scalar) and value.kind is ScalarKind.BOOL and isinstance(value.value, bool):
            return value.value
        return None

    @property
    def written(self) -> str:
        """The value as it is written; empty for a mapping or a list."""
        return self.value.text if isinstance(self.value, Scalar) else ""

    @property
    def is_null(self) -> bool:
        """Whether nothing is written."""
        return isinstance(self.value, Scalar) and self.value.kind is ScalarKind.NULL

    @property
    def quantity(self) -> Fraction | None:
        """The value as a quantity of Kubernetes (`1`, `500m`, `4Gi`, `1e3`), if it is one."""
        return quantity(self.value)

    @property
    def whole(self) -> int | None:
        """The value as a whole number, if it is one, as a quantity may be."""
        amount = self.quantity
        return int(amount) if amount is not None and amount.denominator == 1 else None

    @property
    def key_place(self) -> Span:
        """Where the key is."""
        return self.key.place

    @property
    def place(self) -> Span:
        """Where the value is; where nothing is written, where the key is."""
        return self.key.place if self.is_null else self.value.place


def text_of(node: Node | None) -> str | None:
    """A node's text, if it is a string."""
    if isinstance(node, Scalar) and node.kind in (ScalarKind.STRING, ScalarKind.TIMESTAMP):
        return node.text
    return None


def field(node: Node | None, *path: str) -> Field | None:
    """The field at a path of keys; None where there is none."""
    holder = find(node, path[:-1])
    if not isinstance(holder, Mapping):
        return None
    hits = [entry for entry in merged(holder) if entry.name == path[-1]]
    return Field(hits[-1].key, hits[-1].value) if hits else None


def fields(node: Node | None, *path: str) -> tuple[Field, ...]:
    """The members of the mapping at a path of keys, in the order of the file."""
    holder = find(node, path)
    if not isinstance(holder, Mapping):
        return ()
    entries = tuple(merged(holder))
    last = {entry.name: entry for entry in entries}
    times = Counter(entry.name for entry in entries) if len(last) < len(entries) else {}
    return tuple(
        Field(entry.key, entry.value, times.get(name, 1) > 1)
        for name, entry in last.items()
        if name is not None
    )


def mapping(node: Node | None, *path: str) -> Mapping | None:
    """The mapping at a path of keys."""
    value = find(node, path)
    return value if isinstance(value, Mapping) else None


def items(node: Node | None, *path: str) -> tuple[Node, ...]:
    """The items of the list at a path of keys."""
    value = find(node, path)
    return value.items if isinstance(value, Sequence) else ()


def mappings(node: Node | None, *path: str) -> tuple[Mapping, ...]:
    """Those items of the list at a path of keys that are mappings."""
    return tuple(item for item in items(node, *path) if isinstance(item, Mapping))


def text(node: Node | None, *path: str) -> str | None:
    """The string at a path of keys."""
    return text_of(find(node, path))


def boolean(node: Node | None, *path: str) -> bool | None:
    """The bool at a path of keys."""
    member = field(node, *path)
    return None if member is None else member.boolean


def quantity(node: Node | None) -> Fraction | None:
    """The exact amount that a value means as a quantity of Kubernetes; None where it is none.

    Source: k8s.io/apimachinery, `pkg/api/resource/quantity.go`: a signed decimal with a suffix or an exponent.
    """
    if not isinstance(node, Scalar):
        return None
    if node.kind is ScalarKind.INT:
        return Fraction(node.value) if isinstance(node.value, int) else None
    if node.kind is ScalarKind.FLOAT:
        value = node.value
        return Fraction(repr(value)) if isinstance(value, float) and math.isfinite(value) else None
    if node.kind is not ScalarKind.STRING or len(node.text) > _LONGEST_QUANTITY:
        return None
    match = _QUANTITY.fullmatch(node.text)
    if match is None:
        return None
    number = Fraction(match["number"])
    if match["binary"]:
        return number * Fraction(1024 ** (_BINARY.index(match["binary"]) + 1))
    power = _DECIMAL[match["decimal"]] if match["decimal"] else int(match["exponent"] or 0)
    scale = Fraction(10 ** abs(power))
    return number * scale if power >= 0 else number / scale
