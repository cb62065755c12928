"""Where in a document the thing stands that its loader refuses it for, what kind of mistake it is, and how it may be mended.

The tree is walked in the loader's order and each thing that it could refuse is told in the loader's words; the first whose
words are those of the loader's answer is the place. A place is always inside the document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from labs.config.documents import Checked, Document, check
from labs.config.gojson import ConversionError, to_json
from labs.config.goyaml import (
    DecodeError,
    Entry,
    LimitError,
    Mapping,
    Node,
    Scalar,
    Sequence,
    Span,
    TooManyNodesError,
    YamlError,
    decode,
    format_float,
    read_all,
)
from labs.config.own import QUOTED_LIMIT
from labs.lint.findings import edited, line_index
from labs.lint.refusals.syntax import something, syntax
from labs.lint.refusals.value import Refusal, bounded

_TAIL = re.compile(
    r"\A(?:.*?(?:while decoding JSON: |converting YAML to JSON: )|unable to load config: .*?error parsing config file: "
    r"|unable to validate flags: )",
    re.DOTALL,
)
_LONGEST_ERROR = 300
_TRIED_UP_TO = 100_000
"""Characters of a document whose fix is tried out: of one that leaves the same mistake elsewhere nothing is offered."""


def tail(error: str) -> str:
    """A loader's error without the words that come before every error of its kind."""
    return _TAIL.sub("", error, count=1)


def error_text(refusal: Refusal) -> str:
    """The loader's words for a message."""
    return bounded(refusal.text, _LONGEST_ERROR)


def refusal(document: Document, checked: Checked) -> Refusal | None:
    """Why the document's loader refuses it; None where it loads or no loader reads it."""
    found = untried_refusal(document, checked)
    if found is None or not found.edits or len(document.text) > _TRIED_UP_TO:
        return found
    try:
        again = check(edited(document.text, found.edits), kind=document.kind)[0]
    except LimitError:
        return found
    return found if _differs(found, untried_refusal(again.document, again)) else replace(found, edits=())


def untried_refusal(document: Document, checked: Checked) -> Refusal | None:
    """The same, with a mend of which it is not known whether it leaves the mistake elsewhere."""
    if checked.loads is not False or checked.error is None:
        return None
    texts = [tail(checked.error)]
    if checked.mig is not None:
        texts.extend(tail(other) for other in checked.mig.possible_errors[1:])
    if document.problem is not None:
        return syntax(document.text, document.content, document.problem)
    found = _not_json(document, texts[0])
    if found is None and checked.plugin is not None:
        from labs.lint.refusals.plugin import plugin_refusal  # loaded where its loader refuses a file

        found = plugin_refusal(document, checked.plugin, texts[0])
    if found is None and checked.mig is not None:
        from labs.lint.refusals.mig import mig_refusal

        found = mig_refusal(document, texts)
    if found is None:
        return Refusal(texts[0], beginning(document))
    return replace(found, place=_visible_place(document.text, found.place))


def _differs(found: Refusal, after: Refusal | None) -> bool:
    """Whether edits mend what was found: else another such mistake would be told in the same words."""
    return after is None or (after.text, after.value, after.key) != (found.text, found.value, found.key)


def _visible_place(text: str, place: Span) -> Span:
    """A place that covers something, also for what is not written."""
    if place.start_offset < place.end_offset or not text:
        return place
    start = something(text, place.start_offset)
    return line_index(text).span(start, start + 1)


def beginning(document: Document) -> Span:
    """What to point at where nothing better is known: the first key, or the first line that says something."""
    root = document.root
    if isinstance(root, Mapping) and root.entries:
        return root.entries[0].key.place
    match = re.search(r"\S[^\n\r\x85\u2028\u2029]*", document.text)
    index = line_index(document.text)
    if match is None:
        return index.span(0, min(1, len(document.text)))
    return index.span(match.start(), min(match.end(), match.start() + QUOTED_LIMIT))


def syntax_refusal(document: Document, problem: YamlError) -> Refusal:
    """Where a text stops being YAML: the place that go-yaml noticed, and what usually is behind such a message."""
    found = syntax(document.text, document.content, problem)
    if not found.edits or len(document.text) > _TRIED_UP_TO:
        return found
    text = edited(document.text, found.edits)
    try:
        read_all(text)
    except YamlError as error:
        after = syntax(text, text, error)
        return found if _differs(found, after) else replace(found, edits=())
    return found


def _not_json(document: Document, text: str) -> Refusal | None:
    """Where a tree has no JSON value: keys that are no text, numbers without end, tags that do not fit."""
    root = document.root
    if root is None:
        return None
    try:
        value = decode(root, max_depth=256, max_nodes=1_000_000)
        to_json(value, lambda path: False)
    except DecodeError as error:
        return _no_key(document.text, error, text)
    except ConversionError:
        for entry, scalar in _scalars(root):
            if entry is not None and text.startswith("unsupported map key"):
                if scalar.value is None or (isinstance(scalar.value, int) and scalar.value >= 1 << 63):
                    place = scalar.place if scalar.text else entry.value.place
                    return Refusal(text, place, "yaml-key", value=scalar.text)
            elif (
                entry is None
                and isinstance(scalar.value, float)
                and text.endswith(format_float(scalar.value))
            ):
                return Refusal(text, scalar.place, "wants-number", value=scalar.text)
    except TooManyNodesError:
        return None
    return None


def _no_key(source: str, error: DecodeError, text: str) -> Refusal:
    """What ``decode`` stops at; a map as a key is ``{{ … }}`` as a rule, which YAML reads as a map in a map."""
    place = error.node.place
    start, end = place.start_offset, place.end_offset
    if source[max(start - 1, 0) : start + 1] == "{{":
        end += source[end : end + 1] == "}"
        whole = line_index(source).span(start - 1, end)
        return Refusal(text, whole, "template", value=bounded(source[start - 1 : end]))
    return Refusal(text, place, "yaml-key" if text.startswith("yaml: invalid map key") else "")


def _scalars(root: Node) -> Iterator[tuple[Entry | None, Scalar]]:
    """All scalars with the entry that they are the key of, None for values."""
    todo: list[tuple[Entry | None, Node]] = [(None, root)]
    while todo:
        entry, node = todo.pop()
        if isinstance(node, Scalar):
            yield entry, node
        elif isinstance(node, Mapping):
            for one in reversed(node.entries):
                todo.append((None, one.value))
                todo.append((one, one.key))
        elif isinstance(node, Sequence):
            todo.extend((None, item) for item in reversed(node.items))
