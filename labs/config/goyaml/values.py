"""A YAML tree as the Go value that go-yaml v2 unmarshals it to (`decode.go`, into `interface{}`).

Go's types matter here: `1`, `1.0`, `true` and `"1"` are four different map keys, and an error message prints a value
as Go's `%#v` does.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias, Union

from labs.config.goyaml.nodes import Mapping, Node, Scalar, SelfReference, Sequence, is_merge
from labs.config.goyaml.scalars import ResolveError, resolve

GoValue: TypeAlias = Union[bool, int, float, str, "list[GoValue]", "GoMap", None]

_INT64_MAX = (1 << 63) - 1
_ALIAS_RATIO_LOW = 400_000
_ALIAS_RATIO_HIGH = 4_000_000


class DecodeError(ValueError):
    """Why a tree has no Go value, in go-yaml's words (after `yaml: `), and the node it is about."""

    def __init__(self, message: str, node: Node) -> None:
        super().__init__(message)
        self.message = message
        self.node = node


class TooManyNodesError(ValueError):
    """Aliases make the tree larger or deeper than the caller allows."""

    def __init__(self, node: Node) -> None:
        super().__init__("more nodes than allowed after aliases are expanded")
        self.node = node


@dataclass(slots=True)
class GoMap:
    """A `map[interface {}]interface {}`: keys are told apart by Go type and value; the last value set counts."""

    _items: dict[tuple[str, object], tuple[GoValue, GoValue]] = field(default_factory=dict)

    def set(self, key: GoValue, value: GoValue) -> None:
        """Sets a key; a NaN is never equal to another."""
        identity: object = key
        if isinstance(key, float) and math.isnan(key):
            identity = object()
        self._items[type_name(key), identity] = (key, value)

    def __iter__(self) -> Iterator[tuple[GoValue, GoValue]]:
        return iter(self._items.values())

    def __len__(self) -> int:
        return len(self._items)


def type_name(value: GoValue) -> str:
    """The Go type of a value as `%T` prints it."""
    if value is None:
        return "<nil>"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int" if value <= _INT64_MAX else "uint64"
    if isinstance(value, float):
        return "float64"
    if isinstance(value, str):
        return "string"
    return "[]interface {}" if isinstance(value, list) else "map[interface {}]interface {}"


def decode(node: Node, *, max_depth: int, max_nodes: int) -> GoValue:
    """The Go value of a document's root; raises `DecodeError` or `TooManyNodesError`."""
    return _Decoder(max_depth, max_nodes).value(node, 0)


class _Decoder:
    def __init__(self, max_depth: int, max_nodes: int) -> None:
        self._max_depth = max_depth
        self._max_nodes = max_nodes
        self._count = 0
        self._alias_count = 0
        self._alias_depth = 0

    def value(self, node: Node, depth: int) -> GoValue:
        if node.alias is None:
            return self._plain(node, depth)
        self._tally(node)
        self._alias_depth += 1
        result = self._plain(node, depth)
        self._alias_depth -= 1
        return result

    def _tally(self, node: Node) -> None:
        """Counts as go-yaml does against documents that are mostly aliases (`decode.go`, `unmarshal`)."""
        self._count += 1
        if self._alias_depth:
            self._alias_count += 1
        too_many = self._alias_count > 100 and self._count > 1000
        if too_many and self._alias_count / self._count > _allowed_alias_ratio(self._count):
            raise DecodeError("document contains excessive aliasing", node)
        if self._count > self._max_nodes:
            raise TooManyNodesError(node)

    def _plain(self, node: Node, depth: int) -> GoValue:
        self._tally(node)
        if isinstance(node, SelfReference):
            raise DecodeError(f"anchor '{node.anchor}' value contains itself", node)
        if isinstance(node, Scalar):
            return self._scalar(node)
        if depth >= self._max_depth:
            raise TooManyNodesError(node)
        if isinstance(node, Sequence):
            return [self.value(item, depth + 1) for item in node.items]
        assert isinstance(node, Mapping)
        result = GoMap()
        self._fill(node, result, depth)
        return result

    @staticmethod
    def _scalar(node: Scalar) -> GoValue:
        if node.tag == "":
            return node.value
        try:
            return resolve(node.tag, node.text, node.tag == "!" or node.style == "plain")[1]
        except ResolveError as error:
            raise DecodeError(str(error), node) from None

    def _fill(self, node: Mapping, result: GoMap, depth: int) -> None:
        for entry in node.entries:
            if is_merge(entry.key):
                self._merge(entry.value, result, depth)
                continue
            key = self.value(entry.key, depth + 1)
            if isinstance(key, list | GoMap):
                raise DecodeError(f"invalid map key: {go_syntax(key)}", entry.key)
            result.set(key, self.value(entry.value, depth + 1))

    def _merge(self, source: Node, result: GoMap, depth: int) -> None:
        """Sets what `<<` names, in the order of the file: a key written before it is overridden."""
        if isinstance(source, Sequence) and source.alias is None:
            for item in reversed(source.items):
                self._merge_one(item, result, depth)
        else:
            self._merge_one(source, result, depth)

    def _merge_one(self, source: Node, result: GoMap, depth: int) -> None:
        if isinstance(source, SelfReference) and source.of_mapping:
            raise DecodeError(f"anchor '{source.anchor}' value contains itself", source)
        if not isinstance(source, Mapping):
            raise DecodeError("map merge requires map or sequence of maps as the value", source)
        if depth >= self._max_depth:
            raise TooManyNodesError(source)
        self._tally(source)
        if source.alias is not None:
            self._alias_depth += 1
            self._tally(source)
        self._fill(source, result, depth + 1)
        if source.alias is not None:
            self._alias_depth -= 1


def _allowed_alias_ratio(count: int) -> float:
    if count <= _ALIAS_RATIO_LOW:
        return 0.99
    if count >= _ALIAS_RATIO_HIGH:
        return 0.10
    return 0.99 - 0.89 * ((count - _ALIAS_RATIO_LOW) / (_ALIAS_RATIO_HIGH - _ALIAS_RATIO_LOW))


# --- Go's printing


def go_syntax(value: GoValue, *, nested: bool = False) -> str:
    """A value as `%#v` prints it; map keys sorted as `fmt` sorts them, by type and then by value."""
    if value is None:
        return "interface {}(nil)" if nested else "<nil>"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if value <= _INT64_MAX else hex(value)
    if isinstance(value, float):
        return format_float(value)
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, list):
        return "[]interface {}{" + ", ".join(go_syntax(item, nested=True) for item in value) + "}"
    pairs = sorted(value, key=lambda pair: _sort_key(pair[0]))
    inner = ", ".join(f"{go_syntax(key, nested=True)}:{go_syntax(item, nested=True)}" for key, item in pairs)
    return "map[interface {}]interface {}{" + inner + "}"


_TYPE_ORDER = ("<nil>", "string", "uint64", "int", "float64", "bool")
"""Where a Go 1.26 binary lays these types out, by which `fmt` sorts keys of different types."""


def _sort_key(key: GoValue) -> tuple[int, int | float, bytes]:
    order = _TYPE_ORDER.index(type_name(key))
    if isinstance(key, str):
        return order, 0, key.encode("utf-8", "surrogatepass")
    if isinstance(key, int | float):
        return order, -math.inf if math.isnan(key) else key, b""
    return order, 0, b""


_QUOTED = {
    "\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v", '"': '\\"', "\\": "\\\\",
}  # fmt: skip


def quote(text: str) -> str:
    """A string as Go's `strconv.Quote` writes it."""
    return '"' + "".join(_quoted(char) for char in text) + '"'


def _quoted(char: str) -> str:
    if char in _QUOTED:
        return _QUOTED[char]
    if char.isprintable():
        return char
    code = ord(char)
    if code < 0x20 or code == 0x7F:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def format_float(value: float, *, digits: str | None = None) -> str:
    """A float as `strconv.FormatFloat(value, 'g', -1, 64)` writes it.

    `digits` gives another shortest decimal (of the form that `repr` writes) to lay out in the same way.
    """
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    sign, mantissa, exponent = decimal_parts(digits or repr(value))
    if exponent < -4 or exponent >= 6:
        return sign + scientific(mantissa, exponent)
    return sign + positional(mantissa, exponent)


def decimal_parts(text: str) -> tuple[str, str, int]:
    """Sign, significant digits without trailing zeros and decimal exponent of a number as `repr` writes it."""
    sign = "-" if text.startswith("-") else ""
    head, _, tail = text.lstrip("-").partition("e")
    whole, _, fraction = head.partition(".")
    digits = (whole + fraction).lstrip("0")
    exponent = len(whole) - 1 + int(tail or "0") - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    return (sign, digits, exponent) if digits else (sign, "0", 0)


def scientific(digits: str, exponent: int, *, width: int = 2) -> str:
    """`d.ddde+XX` with at least `width` digits in the exponent."""
    point = "." + digits[1:] if len(digits) > 1 else ""
    return f"{digits[0]}{point}e{'-' if exponent < 0 else '+'}{abs(exponent):0{width}d}"


def positional(digits: str, exponent: int) -> str:
    """The digits with a decimal point and no exponent."""
    if exponent < 0:
        return "0." + "0" * (-exponent - 1) + digits
    if exponent >= len(digits) - 1:
        return digits + "0" * (exponent - len(digits) + 1)
    return digits[: exponent + 1] + "." + digits[exponent + 1 :]
