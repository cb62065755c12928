"""What go-yaml v2 makes of a scalar's text: null, bool, int, float, timestamp or string (`resolve.go`)."""

from __future__ import annotations

import base64
import binascii
import math
import re

from labs.config.goyaml.nodes import ScalarKind

Value = bool | int | float | str | None

TAG_PREFIX = "tag:yaml.org,2002:"
_STR = TAG_PREFIX + "str"
_BINARY = TAG_PREFIX + "binary"
_TIMESTAMP = TAG_PREFIX + "timestamp"
_RESOLVABLE = frozenset(
    {"", *(TAG_PREFIX + name for name in ("str", "bool", "int", "float", "null", "timestamp"))}
)
_KIND_TAGS = {
    ScalarKind.NULL: "null",
    ScalarKind.BOOL: "bool",
    ScalarKind.INT: "int",
    ScalarKind.FLOAT: "float",
    ScalarKind.STRING: "str",
    ScalarKind.TIMESTAMP: "timestamp",
}
_INT64 = 1 << 63
_UINT64_DIGITS = 64  # in base 2
_WORDS: dict[str, tuple[ScalarKind, Value]] = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES"), (ScalarKind.BOOL, True)),
    **dict.fromkeys(("true", "True", "TRUE", "on", "On", "ON"), (ScalarKind.BOOL, True)),
    **dict.fromkeys(("n", "N", "no", "No", "NO"), (ScalarKind.BOOL, False)),
    **dict.fromkeys(("false", "False", "FALSE", "off", "Off", "OFF"), (ScalarKind.BOOL, False)),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), (ScalarKind.NULL, None)),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), (ScalarKind.FLOAT, math.nan)),
    **dict.fromkeys((".inf", ".Inf", ".INF"), (ScalarKind.FLOAT, math.inf)),
    **dict.fromkeys(("+.inf", "+.Inf", "+.INF"), (ScalarKind.FLOAT, math.inf)),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), (ScalarKind.FLOAT, -math.inf)),
}
_INTEGER = re.compile(
    "(?P<sign>[+-]?)(?:0[xX](?P<x>[0-9a-fA-F]+)|0[bB](?P<b>[01]+)|0[oO](?P<o>[0-7]+)"
    "|0(?P<old>[0-7]+)|(?P<dec>[1-9][0-9]*|0))"
)
_BASES = {"x": 16, "b": 2, "o": 8, "old": 8, "dec": 10}
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_DOTTED_FLOAT = re.compile(r"\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?")
_SIGNED_BINARY = re.compile("0b(?P<plus>[+-]?[01]+)|-0b(?P<minus>[01]+)")
_DATE = re.compile(
    "(?P<year>[0-9]{4})-(?P<month>[0-9]{1,2})-(?P<day>[0-9]{1,2})"
    "(?:(?P<sep>[Tt]|[ ]+)(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{1,2}):(?P<second>[0-9]{1,2})(?:[.,][0-9]+)?"
    "(?P<zone>Z|[+-](?P<zh>[0-9]{2}):(?P<zm>[0-9]{2}))?)?"
)
_MONTH_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_BASE64 = re.compile("(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")


class ResolveError(ValueError):
    """A tag that the text does not fit; the message is go-yaml's."""


def resolve_event(tag: str, text: str, implicit: bool) -> tuple[ScalarKind, Value]:
    """Kind and value for the tree: like `resolve`, with a text that does not fit its tag kept as a string."""
    try:
        return resolve(tag, text, implicit)
    except ResolveError:
        return ScalarKind.STRING, text


def resolve(tag: str, text: str, implicit: bool) -> tuple[ScalarKind, Value]:
    """Kind and value of a scalar with this full tag (`""` for none); raises `ResolveError`.

    `implicit` is true for a plain scalar without a tag. A timestamp's value is its text: that is what go-yaml v2 hands
    on where no type asks for a time.
    """
    if tag == "" and not implicit:
        return ScalarKind.STRING, text
    if tag == _BINARY:
        return ScalarKind.STRING, _binary(text)
    if tag not in _RESOLVABLE:
        return ScalarKind.STRING, text
    if tag == _STR:
        return ScalarKind.STRING, text
    kind, value = _by_text(tag, text)
    if tag == "" or tag == TAG_PREFIX + _KIND_TAGS[kind]:
        return kind, value
    if tag == TAG_PREFIX + "float" and kind is ScalarKind.INT and isinstance(value, int) and value < _INT64:
        return ScalarKind.FLOAT, float(value)
    wanted = "!!" + tag.removeprefix(TAG_PREFIX)
    raise ResolveError(f"cannot decode !!{_KIND_TAGS[kind]} `{text}` as a {wanted}")


def _by_text(tag: str, text: str) -> tuple[ScalarKind, Value]:
    first = text[:1]
    if first and first not in "+-.0123456789yYnNtTfFoO~":
        return ScalarKind.STRING, text
    if text in _WORDS:
        return _WORDS[text]
    if first == ".":
        return _float(text, text) if _DOTTED_FLOAT.fullmatch(text) else (ScalarKind.STRING, text)
    if not first or first not in "+-0123456789":
        return ScalarKind.STRING, text
    if tag in ("", _TIMESTAMP) and is_timestamp(text):
        return ScalarKind.TIMESTAMP, text
    plain = text.replace("_", "")
    integer = parse_int(plain)
    if integer is not None:
        return ScalarKind.INT, integer
    if _FLOAT.fullmatch(plain):
        return _float(plain, text)
    binary = _SIGNED_BINARY.fullmatch(plain)
    if binary is not None:
        signed = int(binary["plus"] or "-" + binary["minus"], 2)
        if -_INT64 <= signed < _INT64:
            return ScalarKind.INT, signed
    return ScalarKind.STRING, text


def _float(digits: str, text: str) -> tuple[ScalarKind, Value]:
    """A float, or the text itself where it is too large for one."""
    number = float(digits)
    return (ScalarKind.FLOAT, number) if math.isfinite(number) else (ScalarKind.STRING, text)


def parse_int(text: str) -> int | None:
    """Go's `ParseInt` or, failing that, `ParseUint`, with base 0 and no underscores; None where both refuse."""
    match = _INTEGER.fullmatch(text)
    if match is None:
        return None
    base = next(name for name in _BASES if match[name] is not None)
    if len(match[base].lstrip("0")) > _UINT64_DIGITS:  # int() refuses thousands of them
        return None
    magnitude = int(match[base], _BASES[base])
    if match["sign"] == "-":
        return -magnitude if magnitude <= _INT64 else None
    limit = _INT64 if match["sign"] else 2 * _INT64
    return magnitude if magnitude < limit else None


def is_timestamp(text: str) -> bool:
    """Whether go-yaml takes a text for a date or a time."""
    match = _DATE.fullmatch(text)
    if match is None:
        return False
    month, day = int(match["month"]), int(match["day"])
    if not 1 <= month <= 12 or not 1 <= day <= _days(int(match["year"]), month):
        return False
    if match["sep"] is None:
        return True
    spaced = match["sep"].isspace()
    if spaced == (match["zone"] is not None):
        return False
    if match["zh"] is not None and not (int(match["zh"]) <= 24 and int(match["zm"]) < 60):
        return False
    return int(match["hour"]) < 24 and int(match["minute"]) < 60 and int(match["second"]) < 60


def _days(year: int, month: int) -> int:
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 29 if month == 2 and leap else _MONTH_DAYS[month - 1]


def _binary(text: str) -> str:
    """The text that `!!binary` stands for; bytes that are no UTF-8 become U+FFFD one by one, as in Go's JSON."""
    compact = text.replace("\r", "").replace("\n", "")
    if _BASE64.fullmatch(compact) is None:
        raise ResolveError("!!binary value contains invalid base64 data")
    try:
        data = base64.b64decode(compact, validate=True)
    except binascii.Error:
        raise ResolveError("!!binary value contains invalid base64 data") from None
    return data.decode("utf-8", "surrogateescape").translate(_LONE_BYTES)


_LONE_BYTES = dict.fromkeys(range(0xDC80, 0xDD00), 0xFFFD)
