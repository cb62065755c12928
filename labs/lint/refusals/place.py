"""Where in a document the thing stands that its loader refuses it for, what kind of mistake it is, and how it may be mended.

The loader's answer carries the path to it; a place is always inside the document.
"""

from __future__ import annotations

import functools
import re
from dataclasses import replace

from labs.config.documents import Checked, Document, Kind, check
from labs.config.editing import edited, line_index
from labs.config.gojson import Mistake
from labs.config.goyaml import (
    DecodeError,
    LimitError,
    Mapping,
    Scalar,
    Span,
    TooManyNodesError,
    YamlError,
    decode,
    merged,
    read_all,
)
from labs.config.own import QUOTED_LIMIT
from labs.lint.refusals.syntax import something, syntax
from labs.lint.refusals.value import Refusal, bounded

_LONGEST_ERROR = 300
_TRIED_UP_TO = 100_000
"""Characters of a document whose fix is tried out: of one that leaves the same mistake elsewhere nothing is offered."""


def error_text(refusal: Refusal) -> str:
    """The loader's words for a message."""
    return bounded(refusal.text, _LONGEST_ERROR)


def refusal(document: Document, checked: Checked) -> Refusal | None:
    """Why the document's loader refuses it; None where it loads or no loader reads it."""
    answer = untried_refusal(document, checked)
    if (
        answer is None
        or not answer.edits
        or document.editable is not None
        or len(document.text) > _TRIED_UP_TO
    ):
        return answer
    try:
        again = read_again(edited(document.text, answer.edits), document.kind, (), ())
    except LimitError:
        return answer
    return answer if _differs(answer, untried_refusal(again.document, again)) else replace(answer, edits=())


def untried_refusal(document: Document, checked: Checked) -> Refusal | None:
    """The same, with a mend of which it is not known whether it leaves the mistake elsewhere."""
    if checked.loads is not False or checked.error is None:
        return None
    if document.problem is not None:
        return syntax(document.text, document.content, document.problem)
    plugin, mig = checked.plugin, checked.mig
    mistakes = (plugin.mistake,) if plugin is not None and plugin.mistake else mig.mistakes if mig else ()
    if not mistakes:
        return Refusal(checked.error, beginning(document))
    answer = _not_json(document, mistakes[0])
    if answer is None and plugin is not None:
        from labs.lint.refusals.plugin import plugin_refusal  # loaded where its loader refuses a file

        answer = plugin_refusal(document, plugin, mistakes[0])
    if answer is None and mig is not None:
        from labs.lint.refusals.mig import mig_refusal

        answer = mig_refusal(document, mistakes)
    if answer is None:
        return Refusal(mistakes[0].text, beginning(document))
    return replace(answer, place=_visible_place(document.text, answer.place))


@functools.lru_cache(maxsize=1)
def read_again(text: str, kind: Kind, env: tuple[tuple[str, str], ...], args: tuple[str, ...]) -> Checked:
    """A mended text with its loader's answer; kept, since what it is refused for next is asked of the same text."""
    return check(text, kind=kind, env=dict(env), args=args)[0]


def _differs(before: Refusal, after: Refusal | None) -> bool:
    """Whether edits mend what was found: else another such mistake would be told in the same words."""
    return after is None or (after.text, after.value, after.key) != (before.text, before.value, before.key)


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
    answer = syntax(document.text, document.content, problem)
    if not answer.edits or len(document.text) > _TRIED_UP_TO:
        return answer
    text = edited(document.text, answer.edits)
    try:
        read_all(text)
    except YamlError as error:
        after = syntax(text, text, error)
        return answer if _differs(answer, after) else replace(answer, edits=())
    return answer


def _not_json(document: Document, mistake: Mistake) -> Refusal | None:
    """Where a tree has no JSON value: keys that are no text, numbers without end, tags that do not fit."""
    root = document.root
    if root is None or mistake.code not in ("yaml", "key", "number"):
        return None
    if mistake.code == "yaml":
        try:
            decode(root, max_depth=256, max_nodes=1_000_000)
        except DecodeError as error:
            return _no_key(document.text, error, mistake.text)
        except TooManyNodesError:
            return None
    from labs.lint.refusals.located import locate

    located = locate(root, mistake.path)
    if located is None:
        return None
    if mistake.code == "number":
        value = located.node.text if isinstance(located.node, Scalar) else ""
        return Refusal(mistake.text, located.node.place, "wants-number", value=value)
    for entry in merged(located.node) if isinstance(located.node, Mapping) else ():
        key = entry.key
        if isinstance(key, Scalar) and (
            key.value is None or (isinstance(key.value, int) and key.value >= 1 << 63)
        ):
            return Refusal(
                mistake.text, key.place if key.text else entry.value.place, "yaml-key", value=key.text
            )
    return None


def _no_key(source: str, error: DecodeError, text: str) -> Refusal:
    """What `decode` stops at; a map as a key is `{{ … }}` as a rule, which YAML reads as a map in a map."""
    place = error.node.place
    start, end = place.start_offset, place.end_offset
    if source[max(start - 1, 0) : start + 1] == "{{":
        end += source[end : end + 1] == "}"
        whole = line_index(source).span(start - 1, end)
        return Refusal(text, whole, "template", value=bounded(source[start - 1 : end]))
    return Refusal(text, place, "yaml-key" if text.startswith("yaml: invalid map key") else "")
