"""A text for people as blocks, written as Markdown that reads well as mail, or as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from labs.report.markup import escape

_CODE = re.compile(r"`([^`]+)`")
_BOLD = re.compile(r"\*\*([^*]+)\*\*")


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
    def html(self) -> str:
        """The notice as HTML. Its headings are none of the page that it stands in."""
        title = f'<p class="gl-notice-title">{marked(self.title)}</p>'
        return "\n".join([title, *(_html(group) for group in _grouped(self.blocks))])


def marked(text: str) -> str:
    """A sentence as HTML, with code between grave accents and what is strong between two asterisks."""
    return _BOLD.sub(r"<strong>\1</strong>", _CODE.sub(r"<code>\1</code>", escape(text)))


def plain(text: str) -> str:
    """A value for a sentence: one that has no marks of its own, whoever wrote it."""
    return " ".join(text.replace("`", "'").split())


def _grouped(blocks: Iterable[Block]) -> Iterator[list[Block]]:
    """Items that follow one another together, all else alone."""
    for are_items, group in groupby(blocks, lambda block: isinstance(block, Item)):
        found = list(group)
        yield from [found] if are_items else [[block] for block in found]


def _markdown(group: list[Block]) -> str:
    match group[0]:
        case Heading(text):
            return f"## {text}"
        case Paragraph(text):
            return text
        case Code(language, text):
            return f"```{language}\n{text}```"
        case _:
            return "\n".join(f"- {block.text}" for block in group)


def _html(group: list[Block]) -> str:
    match group[0]:
        case Heading(text):
            return f'<p class="gl-head">{marked(text)}</p>'
        case Paragraph(text):
            return f"<p>{marked(text)}</p>"
        case Code(_, text):
            return f'<pre class="gl-lines-told" lang="en"><code>{escape(text)}</code></pre>'
        case _:
            return "<ul>" + "".join(f"<li>{marked(block.text)}</li>" for block in group) + "</ul>"
