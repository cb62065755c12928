"""TOML as a tree of nodes with places, as far as node settings are written in it."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from labs.config.goyaml import Entry, LineIndex, Mapping, Node, Scalar, ScalarKind, Sequence, Span

LONGEST = 200_000
"""Characters of a text that is read."""
MOST_DEPTH = 20
_PART = r"""(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')"""
_DOTTED = rf"{_PART}(?:[ \t]*\.[ \t]*{_PART})*"
_TABLE = re.compile(rf"^[ \t]*\[[ \t]*(?P<name>{_DOTTED})[ \t]*\]", re.MULTILINE)
_KEY = re.compile(
    rf"^[ \t]*(?P<key>{_DOTTED})[ \t]*=[ \t]*(?P<value>[^\n#\"']*(?:\"[^\"\n]*\"|'[^'\n]*')?[^\n#\"']*)",
    re.MULTILINE,
)
_PARTS = re.compile(_PART)

Path = tuple[str, ...]


class TomlError(ValueError):
    """A text that is no TOML, or longer or deeper than is read."""


def toml_tree(text: str) -> Mapping:
    """The text's tables as nodes, each key and value where it stands, or else where its table does."""
    if len(text) > LONGEST:
        raise TomlError(f"longer than {LONGEST} characters")
    try:
        tables = tomllib.loads(text.replace("\r\n", "\n"))
    except (ValueError, RecursionError) as error:  # also a number of too many digits
        raise TomlError(str(error)) from None
    places = _places(text)
    return _mapping(tables, (), places, LineIndex(text).span(0, 0))


def _places(text: str) -> dict[Path, tuple[Span, Span]]:
    """Where keys and values stand, by the whole path of the key."""
    index = LineIndex(text)
    places: dict[Path, tuple[Span, Span]] = {}
    tables = [(match.start(), match) for match in _TABLE.finditer(text)]
    keys = [(match.start(), match) for match in _KEY.finditer(text)]
    table: Path = ()
    for _, match in sorted([*tables, *keys], key=lambda each: each[0]):
        if match.re is _TABLE:
            table = _path(match["name"])
            span = index.span(match.start("name"), match.end("name"))
            places.setdefault(table, (span, span))
        else:
            path = (*table, *_path(match["key"]))
            end = match.start("value") + len(match["value"].rstrip())
            value = index.span(match.start("value"), max(end, match.start("value")))
            places.setdefault(path, (index.span(match.start("key"), match.end("key")), value))
    return places


def _path(name: str) -> Path:
    return tuple(part.strip("\"'") for part in _PARTS.findall(name))


def _mapping(
    table: dict[str, Any], path: Path, places: dict[Path, tuple[Span, Span]], around: Span
) -> Mapping:
    if len(path) > MOST_DEPTH:
        raise TomlError(f"deeper than {MOST_DEPTH} tables")
    entries = []
    for key, value in table.items():
        key_span, value_span = places.get((*path, key), (around, around))
        name = Scalar(span=key_span, text=key, kind=ScalarKind.STRING, value=key, style="double")
        entries.append(Entry(name, _node(value, (*path, key), places, value_span)))
    return Mapping(span=around, entries=tuple(entries))


def _node(value: Any, path: Path, places: dict[Path, tuple[Span, Span]], span: Span) -> Node:
    if isinstance(value, dict):
        return _mapping(value, path, places, span)
    if isinstance(value, list):
        if len(path) > MOST_DEPTH:
            raise TomlError(f"deeper than {MOST_DEPTH} tables")
        items = tuple(_node(item, (*path, str(index)), places, span) for index, item in enumerate(value))
        return Sequence(span=span, items=items)
    if isinstance(value, bool):
        return Scalar(span=span, text=str(value).lower(), kind=ScalarKind.BOOL, value=value, style="plain")
    if isinstance(value, int):
        return Scalar(span=span, text=str(value)[:40], kind=ScalarKind.INT, value=value, style="plain")
    text = str(value)
    return Scalar(span=span, text=text, kind=ScalarKind.STRING, value=text, style="double")
