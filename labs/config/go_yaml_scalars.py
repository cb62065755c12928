"""What go-yaml v2 makes of a scalar's text: null, bool, int, float, timestamp or string (``resolve.go``)."""

from __future__ import annotations

import base64
import binascii
import math
import re

from labs.config.yaml_nodes import ScalarKind

Value = None | bool | int | float | str

_INT64 = 1 << 63
_WORDS: dict[str, tuple[ScalarKind, Value]] = {
    **dict.fromkeys("y Y yes Yes YES true True TRUE on On ON".split(), (ScalarKind.BOOL, True)),
    **dict.fromkeys("n N no No NO false False FALSE off Off OFF".split(), (ScalarKind.BOOL, False)),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), (ScalarKind.NULL, None)),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), (ScalarKind.FLOAT, math.nan)),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), (ScalarKind.FLOAT, math.inf)),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), (ScalarKind.FLOAT, -math.inf)),
}
_INTEGER = re.compile(
    r"(?P<sign>[+-]?)(?:0[xX](?P<hex>[0-9a-fA-F]+)|0[bB](?P<bin>[01]+)|0[oO](?P<oct>[0-7]+)"
    r"|0(?P<old>[0-7]+)|(?P<dec>[1-9][0-9]*|0))",
    re.ASCII,
)
_BASES = {"hex": 16, "bin": 2, "oct": 8, "old": 8, "dec": 10}
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", re.ASCII)
_BASE_TWO = re.compile(r"(?:0b[+-]?|-0b)[01]+", re.ASCII)
_DATE = re.compile(
    r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})"
    r"(?:(?P<sep>[Tt ])(?P<hour>\d{1,2}):(?P<minute>\d{1,2}):(?P<second>\d{1,2})(?:[.,]\d+)?"
    r"(?P<zone>Z|[+-]\d{2}:\d{2})?)?",
    re.ASCII,
)


def _integer(plain: str) -> int | None:
    """``strconv.ParseInt`` or ``ParseUint`` with base 0, of a text whose underscores are gone."""
    match = _INTEGER.fullmatch(plain)
    if match is None:
        return None
    kind = next(name for name in _BASES if match[name] is not None)
    magnitude = int(match[kind], _BASES[kind])
    if match["sign"] == "-":
        return -magnitude if magnitude <= _INT64 else None
    if magnitude < _INT64 or (magnitude < 2 * _INT64 and not match["sign"]):
        return magnitude
    return None


def resolve(tag: str, text: str) -> tuple[ScalarKind, Value]:
    """Kind and value of an untagged plain scalar."""
    del tag
    if text in _WORDS:
        return _WORDS[text]
    if not text or text[0] not in "+-.0123456789":
        return ScalarKind.STRING, text
    plain = text.replace("_", "")
    integer = _integer(plain)
    if integer is not None:
        return ScalarKind.INT, integer
    if _FLOAT.fullmatch(plain):
        number = float(plain)
        if math.isfinite(number):
            return ScalarKind.FLOAT, number
    return ScalarKind.STRING, text
