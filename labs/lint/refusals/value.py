"""A refusal: what is wrong with a value that a loader does not take, as far as the value itself tells."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from labs.config.editing import Edit, replace
from labs.config.gojson import GoError, kind
from labs.config.goyaml import Entry, Mapping, Node, Scalar, ScalarKind, Sequence, Span
from labs.config.own import QUOTED_LIMIT
from labs.lint.keys import first_invisible, narrow, visible

T = TypeVar("T")

_MARKS = "“”„‟‘’‚‛＂＇「」『』«»"
_NO_SPACE = re.compile(r"(?P<key>[A-Za-z][\w./-]*)(?P<mark>[:=]|：[ \t]*)(?P<value>[^\s:=：/][^\s:=：]*)")
_PLACEHOLDER = re.compile(r"\$\{[^}]*\}|\$\([^)]*\)|<[A-Za-z][^>]*>|%[A-Z_]+%|__[A-Z_]+__|\$[A-Z_][A-Z_0-9]*")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why and where: `text` is the loader's own without its prefix, `variant` the kind of mistake (`""`: none known).

    `value` is what stands there, `key` the field it is for, `allowed` what may stand there, `near` what was probably
    meant. `edits` mend it, `safe` where the file can have meant nothing else. `also` is a second place.
    """

    text: str
    place: Span
    variant: str = ""
    value: str = ""
    key: str = ""
    allowed: str = ""
    near: str = ""
    edits: tuple[Edit, ...] = ()
    safe: bool = False
    also: Span | None = None


def bounded(text: str, most: int = QUOTED_LIMIT) -> str:
    """A text on one line, cut to a bearable length."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[:most] + "…"


def is_template(node: Node) -> bool:
    """Whether a node is what YAML makes of `{{ … }}`."""
    if isinstance(node, Scalar):
        return "{{" in node.text
    inner = node.entries[0].key if isinstance(node, Mapping) and len(node.entries) == 1 else None
    return isinstance(node, Mapping) and node.flow and isinstance(inner, Mapping)


def json_kind(node: Node) -> str:
    """The name that Go's errors use for a node's type."""
    if isinstance(node, Mapping):
        return "object"
    if isinstance(node, Sequence):
        return "array"
    return kind(node.value) if isinstance(node, Scalar) else "null"


def is_null(node: Node) -> bool:
    """Whether nothing is written."""
    return isinstance(node, Scalar) and node.kind is ScalarKind.NULL


def place_of(entry: Entry) -> Span:
    """Where a member's value is; its key's place where nothing is written."""
    return entry.key.place if is_null(entry.value) and not _written(entry.value) else entry.value.place


def _written(node: Node) -> bool:
    return isinstance(node, Scalar) and bool(node.text)


def wrong_type(text: str, node: Node, wanted: str, key: str) -> Refusal:
    """A value of another type than the field has; `wanted` is `text`, `bool`, `number`, `list` or `map`."""
    value = (
        bounded(node.text) if isinstance(node, Scalar) else ("{…}" if isinstance(node, Mapping) else "[…]")
    )
    variant, near, safe = f"wants-{wanted}", "", False
    edits: tuple[Edit, ...] = ()
    run_together = _NO_SPACE.fullmatch(node.text) if isinstance(node, Scalar) else None
    if run_together is not None and wanted == "map":
        near = f"{run_together['key']}: {narrow(run_together['value'])}"
        variant = "wide" if "：" in run_together["mark"] else "yaml-no-space"
        edits = edits_of(replace(node, near))
    elif isinstance(node, Scalar):
        variant, near, safe = _told_by_text(node, wanted, variant)
        edits = edits_of(replace(node, near)) if near else ()
    elif is_template(node):
        variant, value = "template", "{{ … }}"
    return Refusal(
        text, node.place, variant, value=value, key=key, near=near, edits=edits, safe=safe and bool(edits)
    )


def edits_of(edit: Edit | None) -> tuple[Edit, ...]:
    """An edit as a fix's edits."""
    return () if edit is None else (edit,)


_TRUTHS = {
    **dict.fromkeys(("true", "yes", "on", "1"), "true"),
    **dict.fromkeys(("false", "no", "off", "0"), "false"),
}


def _told_by_text(node: Scalar, wanted: str, variant: str) -> tuple[str, str, bool]:
    """The variant, what was meant, and whether nothing else can have been meant."""
    text = node.text
    special = slip(text)
    if special:
        cleaned = unmarked(text)
        fits = (wanted == "number" and cleaned.isascii() and cleaned.isdigit()) or cleaned in (
            "true",
            "false",
        )
        return special, cleaned if fits and special != "placeholder" and special != "template" else "", fits
    quoted = node.style in ("single", "double")
    if wanted == "number" and quoted and text.isascii() and text.isdigit():
        return "quoted-number", str(int(text[:20])), not text.startswith("0")
    if wanted == "bool" and quoted and text in _TRUTHS and not text.isdigit():
        return "quoted-bool", _TRUTHS[text], True
    if wanted == "bool" and text.lower() in _TRUTHS:
        return variant, _TRUTHS[text.lower()], False
    return variant, "", False


def slip(text: str) -> str:
    """The variant for a value that an editor or a pipeline spoilt: characters that look like others, quotes, templates."""
    if first_invisible(text):
        return "invisible"
    if text and (text[0] in _MARKS or text[-1] in _MARKS):
        return "quotes"
    if "{{" in text:
        return "template"
    if narrow(text) != text:
        return "wide"
    return "placeholder" if _PLACEHOLDER.search(text) else ""


def unmarked(text: str) -> str:
    """A value in plain characters, without typographic quotes, invisible characters and outer spaces."""
    return narrow(visible(text).strip().strip(_MARKS).strip())


def quiet(check: Callable[[T], object], value: T) -> str:
    """The error that a check of the loader raises for a value; `""` where it takes it."""
    try:
        check(value)
    except GoError as error:
        return str(error)
    return ""
