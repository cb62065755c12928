"""What the device plugin would refuse a config for next, were the first mistake mended: it reports one at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from labs.config.documents import Document, Kind
from labs.config.editing import Edit, edited, line_index
from labs.config.goyaml import LimitError, Position, Span
from labs.lint.refusals.place import read_again, untried_refusal
from labs.lint.refusals.value import Refusal

_ROUNDS = 5
_TRIED_UP_TO = 3_000
"""Characters of a config that is read again for each mistake: so long as a person waits for the answer."""
_HARMLESS = {"replicas": "2", "devices": "all", "name": "gpu", "rename": "gpu"}
"""What each of these takes, whatever else is in the file; any other value may be left out."""
_NO_BREAK = re.compile(r"[^\n\r\x85\u2028\u2029]")
_OF_A_VALUE = (
    "wants-text",
    "wants-bool",
    "flag",
    "version",
    "duration",
    "duration-unit",
    "placeholder",
    "wide",
)
"""Mistakes in a value that is written in the right place."""


def further_refusals(
    document: Document, first: Refusal, env: Mapping[str, str], args: Sequence[str]
) -> Iterator[Refusal]:
    """The mistakes behind the first, in the order in which the plugin comes to them, in places of the document's text.

    Ends at one that can't be looked past: no value that could be another, or one that the file alone does not decide.
    """
    if document.kind is not Kind.DEVICE_PLUGIN or len(document.text) > _TRIED_UP_TO:
        return
    if document.editable is not None:
        return  # the config is made of settings and stands nowhere as a text
    text = _alone(document)
    done: list[Edit] = []
    refusal = first
    for _ in range(_ROUNDS):
        mends = refusal.edits or _harmless(text, refusal)
        if not mends:
            return
        done.extend(mends)
        try:
            again = read_again(edited(text, done), document.kind, tuple(sorted(env.items())), tuple(args))
        except LimitError:
            return
        next_refusal = untried_refusal(again.document, again)
        placed = None if next_refusal is None else _placed_back(text, next_refusal, done)
        if placed is None:
            return
        refusal = placed
        if refusal.variant or refusal.key == "replicas":
            yield refusal


def _alone(document: Document) -> str:
    """The text with blanks before a later document of a stream, for a loader reads the first; places stay as they are."""
    if document.host is not None or not document.ordinal:
        return document.text
    begins = line_index(document.text).offset(Position(document.line, 1)) or 0
    return _NO_BREAK.sub(" ", document.text[:begins]) + document.text[begins:]


def _harmless(text: str, refusal: Refusal) -> tuple[Edit, ...]:
    """The edit that puts something in the value's place that the plugin takes."""
    covered = text[refusal.place.start_offset : refusal.place.end_offset]
    if refusal.key not in _HARMLESS and refusal.variant not in _OF_A_VALUE:
        return ()
    if not covered or "\n" in covered or text[refusal.place.end_offset :].lstrip(" ").startswith(":"):
        return ()
    return (Edit(refusal.place, _HARMLESS.get(refusal.key, "null")),)


def _placed_back(text: str, refusal: Refusal, done: Sequence[Edit]) -> Refusal | None:
    """A mistake of the mended text in places of the text itself; None where it is in what was mended."""
    place = _back(text, refusal.place, done)
    also = None if refusal.also is None else _back(text, refusal.also, done)
    edits = [(_back(text, edit.span, done), edit.text) for edit in refusal.edits]
    if place is None or refusal.variant == "environment":
        return None
    kept = tuple(Edit(span, new) for span, new in edits if span is not None)
    return replace(refusal, place=place, also=also, edits=kept if len(kept) == len(edits) else ())


def _back(text: str, span: Span, done: Sequence[Edit]) -> Span | None:
    shift = 0
    for edit in sorted(done, key=lambda mend: mend.span.start_offset):
        begins = edit.span.start_offset + shift
        ends = begins + len(edit.text)
        if span.end_offset <= begins:
            break
        if span.start_offset < ends:
            return None
        shift += len(edit.text) - (edit.span.end_offset - edit.span.start_offset)
    return line_index(text).span(span.start_offset - shift, span.end_offset - shift)
