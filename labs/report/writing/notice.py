"""A text for people as blocks, written as Markdown that reads well as mail, or as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from labs.report.writing.markup import Html, escape, html, join

# Before ASCII punctuation a backslash makes that itself (CommonMark 0.31, 2.4).
_MARKS = re.compile(r"\\([!-/:-@\[-`{-~])|(&lt;|&amp;|&#126;|&#36;)|`([^`]+)`|\*\*([^*`]+)\*\*")
_ALWAYS = re.compile(r"[\\`*\[\]]")
_EDGE_OF_A_WORD = re.compile(r"(?<![^\W_])_|_(?![^\W_])")  # an underscore inside a word is itself
_ENTITY = re.compile(r"&(?=#[0-9]{1,7};|#[xX][0-9A-Fa-f]{1,6};|[A-Za-z][A-Za-z0-9]{0,31};)")
_IN_PAIRS = {"~": "&#126;", "$": "&#36;"}  # a single one is itself
_OPENS_A_BLOCK = re.compile(r"(?:([0-9]{1,9})(?=[.)])|(?=[#>+\-]))")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a section."""

    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text, with code between grave accents."""

    text: str


@dataclass(frozen=True, slots=True)
class Item:
    """A point of a list; points that follow one another are one list."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """Lines to take over as they are."""

    language: str
    text: str


Block = Heading | Paragraph | Item | Code


@dataclass(frozen=True, slots=True)
class Notice:
    """A title and what follows it."""

    title: str
    blocks: tuple[Block, ...]

    @property
    def markdown(self) -> str:
        """The notice as Markdown; ends with a line feed."""
        parts = [f"# {self.title}", *(_markdown(group) for group in _grouped(self.blocks))]
        return "\n\n".join(parts) + "\n"

    @property
    def html(self) -> Html:
        """The notice as HTML. Its headings are none of the page that it stands in."""
        title = html('<p class="gl-notice-title">{}</p>', marked(self.title))
        return join([title, *(_html(group) for group in _grouped(self.blocks))], "\n")


def marked(text: str) -> Html:
    """A sentence as HTML, with code between grave accents and what is strong between two asterisks."""
    parts, end = [], 0
    for match in _MARKS.finditer(text):
        literal, entity, code, strong = match.groups()
        parts.append(escape(text[end : match.start()]))
        if code is not None:
            parts.append(html("<code>{}</code>", escape(code)))
        elif strong is not None:
            parts.append(html("<strong>{}</strong>", escape(strong)))
        else:
            parts.append(html("&{};", escape(entity[1:-1])) if entity else escape(literal))
        end = match.end()
    return join([*parts, escape(text[end:])])


def one_line(text: str) -> str:
    """What somebody wrote, on one line; what nobody sees, such as a mark that turns the writing around, as U+FFFD."""
    return "".join(character if character.isprintable() else "\ufffd" for character in " ".join(text.split()))


def plain(text: str) -> str:
    """A value for a sentence, whoever wrote it: it reads as it was written, in Markdown of any kind and in HTML.

    Escaped is what Markdown would obey and no more, so that the notice stays readable as mail. Where a line begins with the
    value, the renderer sees to it.
    """
    line = _ALWAYS.sub(_escaped, one_line(text))
    line = _EDGE_OF_A_WORD.sub(_escaped, line)
    line = _ENTITY.sub("&amp;", line).replace(
        "<", "&lt;"
    )  # not every Markdown obeys a backslash before these
    for mark, entity in _IN_PAIRS.items():
        line = line.replace(mark, entity) if line.count(mark) > 1 else line
    return line


def _escaped(match: re.Match[str]) -> str:
    return f"\\{match[0]}"


def code(text: str) -> str:
    """A value for code between grave accents in a sentence, where nothing else is a mark."""
    return one_line(text).replace("`", "'")


def _grouped(blocks: Iterable[Block]) -> Iterator[list[Block]]:
    """Items that follow one another together, all else alone."""
    for are_items, group in groupby(blocks, lambda block: isinstance(block, Item)):
        run = list(group)
        yield from [run] if are_items else [[block] for block in run]


def _markdown(group: list[Block]) -> str:
    match group[0]:
        case Heading(text):
            return f"## {text}"
        case Paragraph(text):
            return _no_block(text)
        case Code(language, text):
            return f"```{language}\n{text}```"
        case _:
            return "\n".join(f"- {_no_block(block.text)}" for block in group)


def _no_block(text: str) -> str:
    """A line that begins with what would open a heading, a list or a quotation has that escaped."""
    match = _OPENS_A_BLOCK.match(text)
    return text if match is None else f"{match[0]}\\{text[match.end() :]}"


def _html(group: list[Block]) -> Html:
    match group[0]:
        case Heading(text):
            return html('<p class="gl-head">{}</p>', marked(text))
        case Paragraph(text):
            return html("<p>{}</p>", marked(text))
        case Code(_, text):
            return html('<pre class="gl-lines-told" lang="en"><code>{}</code></pre>', escape(text))
        case _:
            return html("<ul>{}</ul>", join(html("<li>{}</li>", marked(block.text)) for block in group))
