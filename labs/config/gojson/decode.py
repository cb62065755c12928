"""JSON as `sigs.k8s.io/yaml` makes it from a YAML value, and decoding in the manner of Go's `encoding/json`.

What Go does and Python's `json` does not: object keys are sorted by their bytes, struct keys match without regard to case,
a type error is kept until the end while an error of a hand-written `UnmarshalJSON` stops at once, and an error names the
path of struct fields down to the value.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

from labs.config.goyaml import (
    GoMap,
    GoValue,
    decimal_parts,
    format_float,
    go_syntax,
    positional,
    scientific,
    type_name,
)

Json: TypeAlias = Any
"""None, bool, int, float, str, list, or dict with its keys in byte order."""


Path: TypeAlias = tuple[str | int, ...]
"""The way to a value: keys as the document has them, and indexes of lists."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """What a loader refuses a document for: its words, where, and the kind of mistake (`""`: the words say all).

    The `path` leads to the value, or ends in the key that is missing. `wanted` is the Go type of a value of the wrong type.
    """

    text: str
    path: Path = ()
    code: str = ""
    wanted: str = ""


class GoError(ValueError):
    """An error of a hand-written `UnmarshalJSON`; its message is final, `path` and `code` are those of a `Mistake`."""

    wanted = ""

    def __init__(self, text: str, path: Path = (), code: str = "") -> None:
        super().__init__(text)
        self.path = path
        self.code = code

    @property
    def mistake(self) -> Mistake:
        """What is wrong, without the error."""
        return Mistake(str(self), self.path, self.code, self.wanted)


class ConversionError(GoError):
    """A YAML value that JSON cannot hold."""


class TypeMismatchError(GoError):
    """`json.UnmarshalTypeError`: a JSON value of the wrong type, and the field it was for."""

    def __init__(
        self, value: str, wanted: str, struct_name: str = "", field_path: str = "", path: Path = ()
    ) -> None:
        self.value = value
        self.wanted = wanted
        where = f"Go struct field {struct_name}.{field_path}" if struct_name or field_path else "Go value"
        super().__init__(f"json: cannot unmarshal {value} into {where} of type {wanted}", path, "type")


@contextmanager
def within(*steps: str | int) -> Iterator[None]:
    """Where a value at these steps is decoded: errors get the steps before their paths."""
    try:
        yield
    except GoError as error:
        error.path = (*steps, *error.path)
        raise


# --- from YAML values


def to_json(value: GoValue, is_text: Callable[[Path], bool]) -> Json:
    """The JSON value, with object keys in byte order; raises `ConversionError`.

    `is_text` says of a path of keys whether the converter finds a string field there, so that a number or a bool becomes
    its text; inside lists it finds none.
    """
    return _finite(_convert(value, (), is_text), ())


def _convert(value: GoValue, path: Path, is_text: Callable[[Path], bool] | None) -> Json:
    if isinstance(value, GoMap):
        members = ((object_key(key, item, path), item) for key, item in value)
        return {key: _convert(item, (*path, key), is_text) for key, item in members}
    if isinstance(value, list):
        return [_convert(item, (*path, index), None) for index, item in enumerate(value)]
    if is_text is not None and path and isinstance(value, bool | int | float) and is_text(path):
        return _as_string(value)
    return value


def _finite(value: Json, path: Path) -> Json:
    """The same value with keys in byte order; refuses what JSON has no number for."""
    if isinstance(value, dict):
        return {key: _finite(value[key], (*path, key)) for key in sorted(value, key=_utf8)}
    if isinstance(value, list):
        return [_finite(item, (*path, index)) for index, item in enumerate(value)]
    if isinstance(value, float) and not math.isfinite(value):
        raise ConversionError(f"json: unsupported value: {format_float(value)}", path, "number")
    return value


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def object_key(key: GoValue, value: GoValue = None, path: Path = ()) -> str:
    """The text of an object's key for a key of YAML; raises `ConversionError`."""
    if isinstance(key, str):
        return key
    if isinstance(key, bool):
        return "true" if key else "false"
    if isinstance(key, int) and type_name(key) == "int":
        return str(key)
    if isinstance(key, float):
        text = _float32(key)
        return {"+Inf": ".inf", "-Inf": "-.inf", "NaN": ".nan"}.get(text, text)
    kind_text = "%!s(<nil>)" if key is None else type_name(key)
    text = f"unsupported map key of type: {kind_text}, key: {go_syntax(key)}, value: {go_syntax(value)}"
    raise ConversionError(text, path, "key")


def _as_string(value: bool | int | float) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else _float32(value)


def _float32(value: float) -> str:
    """`strconv.FormatFloat(value, 'g', -1, 32)`: the shortest decimal that is the same 32-bit float."""
    single = _single(value)
    if not math.isfinite(single):
        return format_float(single)
    for precision in range(1, 10):
        digits = f"{single:.{precision - 1}e}"
        if _single(float(digits)) == single:
            return format_float(single, digits=digits)
    return format_float(single)


def _single(value: float) -> float:
    """The nearest 32-bit float."""
    try:
        single: float = struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    return single


# --- the text of JSON

_ESCAPED = {
    '"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t",
    "<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029",
    **{chr(code): f"\\u{code:04x}" for code in range(0x20) if chr(code) not in "\b\f\n\r\t"},
}  # fmt: skip
_ESCAPES = str.maketrans(_ESCAPED)


def dump(value: Json) -> str:
    """The value as `json.Marshal` writes it: compact, HTML characters escaped."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return number(value)
    if isinstance(value, str):
        return '"' + value.translate(_ESCAPES) + '"'
    if isinstance(value, list):
        return "[" + ",".join(dump(item) for item in value) + "]"
    return "{" + ",".join(f"{dump(key)}:{dump(item)}" for key, item in value.items()) + "}"


def number(value: int | float) -> str:
    """A number as `json.Marshal` writes it."""
    if isinstance(value, int):
        return str(value)
    sign, digits, exponent = decimal_parts(repr(value))
    if value != 0 and not -6 <= exponent < 21:
        return sign + scientific(digits, exponent, width=1)
    return sign + positional(digits, exponent)


# --- decoding


def kind(value: Json) -> str:
    """The name that Go's errors use for a JSON value's type."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def fold(key: str) -> str:
    """A key as `encoding/json` folds it: case apart, and the two letters outside ASCII that fold into it."""
    return key.replace("\u017f", "s").replace("\u212a", "k").lower() if not key.isascii() else key.lower()


@dataclass(frozen=True, slots=True)
class DecodeContext:
    """Where a value stands: the Go struct it is a field of, the fields to it, and its path in the document."""

    struct_name: str = ""
    fields: tuple[str, ...] = ()
    path: Path = ()

    def into(self, struct_name: str, *fields: str, key: str) -> DecodeContext:
        """The context of a field of the struct that this context's value is; `key` is how the document writes it."""
        return DecodeContext(struct_name, (*self.fields, *fields), (*self.path, key))

    def at(self, step: str | int) -> DecodeContext:
        """The context of an item, or of a member of a map: Go's errors do not name it."""
        return DecodeContext(self.struct_name, self.fields, (*self.path, step))

    def named(self, error: TypeMismatchError) -> TypeMismatchError:
        """The error with this context's struct and fields, and its path before the error's."""
        fields = ".".join(self.fields)
        return TypeMismatchError(
            error.value, error.wanted, self.struct_name, fields, (*self.path, *error.path)
        )


class Decoding:
    """One `json.Unmarshal`: keeps the first type error, and raises it at the end (`finish`)."""

    def __init__(self) -> None:
        self._saved: TypeMismatchError | None = None

    def mismatch(self, value: str, wanted: str, context: DecodeContext) -> None:
        """Remembers a type error, if it is the first."""
        if self._saved is None:
            self._saved = context.named(TypeMismatchError(value, wanted))

    def finish(self) -> None:
        """Raises the first type error, if there was one."""
        if self._saved is not None:
            raise self._saved

    def custom(self, unmarshal: Callable[[Json], None], value: Json, context: DecodeContext) -> None:
        """Runs a hand-written `UnmarshalJSON`; its error stops the decoding, a type error of it gets this place."""
        try:
            unmarshal(value)
        except TypeMismatchError as error:
            raise context.named(error) from None
        except GoError as error:
            error.path = (*context.path, *error.path)
            raise

    def text(self, value: Json, context: DecodeContext, wanted: str = "string") -> str | None:
        """A string, or None where the value is null or of another type."""
        if isinstance(value, str):
            return value
        if value is not None:
            self.mismatch(kind(value), wanted, context)
        return None

    def boolean(self, value: Json, context: DecodeContext) -> bool | None:
        """A bool, or None where the value is null or of another type."""
        if isinstance(value, bool):
            return value
        if value is not None:
            self.mismatch(kind(value), "bool", context)
        return None

    def integer(self, value: Json, context: DecodeContext) -> int | None:
        """An `int`, or None where the value is null or none."""
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.mismatch(kind(value), "int", context)
            return None
        parsed = parse_integer(number(value))
        if parsed is None:
            self.mismatch("number " + number(value), "int", context)
        return parsed


def parse_integer(text: str) -> int | None:
    """`strconv.ParseInt(text, 10, 64)` of a JSON number; None where it refuses."""
    if not text.lstrip("-").isdecimal() or len(text) > 20:
        return None
    value = int(text)
    return value if -(1 << 63) <= value < 1 << 63 else None


def unmarshal_text(value: Json, wanted: str = "string") -> str | None:
    """`json.Unmarshal` into a string of its own; None for null. Raises `TypeMismatchError`."""
    decoding = Decoding()
    text = decoding.text(value, DecodeContext(), wanted)
    decoding.finish()
    return text


def unmarshal_bool(value: Json) -> bool | None:
    """`json.Unmarshal` into a bool of its own; None for null."""
    decoding = Decoding()
    result = decoding.boolean(value, DecodeContext())
    decoding.finish()
    return result


def unmarshal_int(value: Json) -> int | None:
    """`json.Unmarshal` into an `int` of its own; None for null."""
    decoding = Decoding()
    result = decoding.integer(value, DecodeContext())
    decoding.finish()
    return result


def unmarshal_fields(value: Json) -> dict[str, Json]:
    """`json.Unmarshal` into `map[string]json.RawMessage`: a case-sensitive look at an object; null gives none."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise TypeMismatchError(kind(value), "map[string]json.RawMessage")
    return value


def unmarshal_list(value: Json, wanted: str) -> list[Json]:
    """`json.Unmarshal` into a slice: its elements, none for null."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise TypeMismatchError(kind(value), wanted)
    return value
