"""Where a text stops being YAML: the place that go-yaml noticed, and what usually is behind such a message."""

from __future__ import annotations

import re

from labs.config.editing import Edit, line_index
from labs.config.goyaml import Span, YamlError
from labs.config.own import QUOTED_LIMIT
from labs.lint.keys import first_invisible, narrow, visible
from labs.lint.refusals.value import Refusal, bounded

_BREAKS = "\n\r\x85\u2028\u2029"
_KEY = re.compile(r"[ \t]*(?:- +)?[^:#]+:(?:\s|$)")
_NO_SPACE = re.compile(r"[ \t]*(?:- +)?(?P<key>[A-Za-z][\w./-]*)(?P<mark>[:=])(?P<value>[^\s:=/][^:=]*)")
_WIDE_COLON = re.compile(
    r"[ \t]*(?:- +)?(?P<key>[A-Za-z][\w./-]*)(?P<mark>：[ \t]*)(?P<value>[^：#]*)(?P<rest>#.*)?"
)
_NOT_ALLOWED = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_INDENTED = re.compile(r"^(?P<indent>[ ]*\t[ \t]*)", re.MULTILINE)
_QUOTE = re.compile(r"(?:[:,\[{-][ \t]+|[\[{])(?P<mark>[\"'])")


def syntax(text: str, content: str | bytes, problem: YamlError) -> Refusal:
    """What is wrong with a document's text; `content` is what it was read from."""
    message = problem.message
    index = line_index(text)
    if any(words in message for words in ("control characters", "UTF-8", "UTF-16", "Unicode", "surrogate")):
        # The text ends where it stops being readable, which may be well before the character.
        value, line = _forbidden(content)
        place = index.span(max(len(text) - 1, 0), len(text))
        return Refusal(message, place, "yaml-characters", value=value, near=line)
    offset = None if problem.position is None else index.offset(problem.position)
    start = something(text, len(text) if offset is None else offset)
    place = index.span(start, min(start + 1, len(text)))
    line_start, line_end = _line(text, start)
    if "could not find expected ':'" in message and _KEY.match(text, line_start, line_end):
        # This line has its colon: it is the one before that was begun as a key.
        start = max(len(text[:line_start].rstrip()) - 1, 0)
        line_start, line_end = _line(text, start)
        begins = line_end - len(text[line_start:line_end].lstrip())
        place = index.span(begins, line_end)
    return _spoilt(text, start, (line_start, line_end), message) or _said(
        text, place, (line_start, line_end), message
    )


def _spoilt(text: str, start: int, line: tuple[int, int], message: str) -> Refusal | None:
    """What an editor or a template left on the line, whatever go-yaml says of it."""
    index, said = line_index(text), text[slice(*line)]
    if "{{" in said or "{%" in said:
        return Refusal(message, index.span(start, min(start + 1, len(text))), "template", value=bounded(said))
    if first_invisible(said):
        whole = index.span(*line)
        return Refusal(message, whole, "invisible", value=bounded(said), edits=(Edit(whole, visible(said)),))
    indent = said[: len(said) - len(said.lstrip(" \t"))]
    if "\t" in indent and ("tab" in message or "start any token" in message):
        at = line[0] + indent.index("\t")
        place = index.span(at, at + 1)
        return Refusal(message, place, "yaml-tab", value=bounded(said), edits=_without_tabs(text))
    if text[start : start + 1] == "\t":
        return Refusal(message, index.span(start, start + 1), "yaml-tab", value=bounded(said))
    return None


def _said(text: str, place: Span, line: tuple[int, int], message: str) -> Refusal:
    """What go-yaml's words tell."""
    value = bounded(text[slice(*line)])
    if "unknown anchor" in message or "value contains itself" in message:
        return Refusal(message, place, "yaml-anchor", value=value)
    if "could not find expected ':'" in message or "mapping values are not allowed" in message:
        return _no_space(text, *line, message) or Refusal(message, place, "yaml-colon", value=value)
    if "unexpected end of stream" in message:
        return _open_quote(text, message) or Refusal(message, place, "yaml", value=value)
    if "cannot start any token" in message or "alphabetic or numeric character" in message:
        mark = text[place.start_offset : place.start_offset + 1]
        return Refusal(message, place, "yaml-reserved", value=mark)
    before = text[max(0, line[0] - 2 * QUOTED_LIMIT) : line[0]]
    return Refusal(message, place, "template" if "{{" in before else "yaml", value=value)


def _forbidden(content: str | bytes) -> tuple[str, str]:
    """The first character or byte that YAML does not allow, and the line it is in."""
    text = content.decode("utf-8", "surrogateescape") if isinstance(content, bytes) else content
    match = _NOT_ALLOWED.search(text)
    if match is None:
        return "?", "?"
    code = ord(match[0])
    notation = f"0x{code - 0xDC00:02X}" if 0xDC80 <= code < 0xDD00 else f"U+{code:04X}"
    return notation, str(line_index(text).position(match.start()).line)


def _without_tabs(text: str) -> tuple[Edit, ...]:
    """Two spaces for each tab in the indentation of all lines."""
    index = line_index(text)
    return tuple(
        Edit(index.span(*match.span("indent")), match["indent"].replace("\t", "  "))
        for match in _INDENTED.finditer(text)
    )


def something(text: str, offset: int) -> int:
    """The offset, or of the last character before it that is no space, where it is behind all else on its line."""
    start = min(offset, len(text))
    line_start, line_end = _line(text, start)
    if text[start:line_end].strip():
        return start
    said = text[line_start:start].rstrip()
    if said:
        return line_start + len(said) - 1
    return start if start < len(text) else max(len(text.rstrip()) - 1, 0)


def _line(text: str, offset: int) -> tuple[int, int]:
    """Where the line of an offset begins and ends, without its break."""
    start, end = offset, offset
    while start and text[start - 1] not in _BREAKS:
        start -= 1
    while end < len(text) and text[end] not in _BREAKS:
        end += 1
    return start, end


def _no_space(text: str, line_start: int, line_end: int, message: str) -> Refusal | None:
    """A key without a colon and a space, on the line or on the one before: `key:value`, `key=value`, `key：`."""
    places = [(line_start, line_end)]
    if line_start:
        places.append(_line(text, line_start - len("\r\n" if text[:line_start].endswith("\r\n") else "\n")))
    index = line_index(text)
    for start, end in places:
        match, variant = _NO_SPACE.fullmatch(text, start, end), "yaml-no-space"
        if match is None:
            match, variant = _WIDE_COLON.fullmatch(text, start, end), "wide"
        if match is not None:
            meant = narrow(match["value"])
            edit = Edit(
                index.span(match.start("mark"), match.end("value")),
                f": {meant}" if meant.strip() else f":{meant}",
            )
            place = index.span(match.start("key"), match.end("value"))
            near = bounded(f"{match['key']}: {meant}".strip())
            return Refusal(message, place, variant, value=bounded(match[0].strip()), near=near, edits=(edit,))
    return None


def _open_quote(text: str, message: str) -> Refusal | None:
    """The quote that is never closed: the first behind which there is no other of its kind."""
    last = {mark: text.rfind(mark) for mark in "\"'"}
    for match in _QUOTE.finditer(text):
        if match.start("mark") == last[match["mark"]]:
            start, end = match.start("mark"), _line(text, match.start("mark"))[1]
            return Refusal(
                message, line_index(text).span(start, end), "yaml-quote", value=bounded(text[start:end])
            )
    return None
