"""A page of the docs taken apart: its sections and what each of them holds.

A section reaches from one heading to the next, whatever their levels. What stands before the first heading,
the front matter included, is the section `_top`. The text of a footnote belongs to the section that
refers to it first.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

TOP = "_top"

_HEADING = re.compile(r"(#{1,6})\s+(?P<title>.*?)\s*(?:\{(?P<attributes>[^{}]*)\})?\s*#*\s*$")
_ID = re.compile(r"(?:^|\s)#(\S+)")
_FENCE = re.compile(r"(?P<indent>[ >\t]*)(?P<marks>`{3,}|~{3,})(?P<info>[^`]*)$")
_UNDERLINE = re.compile(r"(=+|-{2,})\s*$")
_ADMONITION = re.compile(r"\s*(?P<marks>!!!|\?\?\?\+?)\s+(?P<kind>[\w-]+(?: [\w-]+)*)")
_TAB = re.compile(r'\s*===[!+]?\s+"')
_FOOTNOTE = re.compile(r"\[\^(?P<id>[^\]\s]+)\]:\s?(?P<text>.*)")
_TABLE_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_CODE_SPAN = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
_TARGET = r"\(\s*<?((?:[^()\s<>]|\([^()\s]*\))*)>?(?:\s+[\"'][^\"']*[\"'])?\s*\)"
_IMAGE = re.compile(r"!\[[^\]]*\]" + _TARGET)
_LINK = re.compile(r"(?<!!)\[[^\[\]]*\]" + _TARGET)
_LINK_DEFINITION = re.compile(r"\[[^\]^][^\]]*\]:\s+<?(\S+?)>?(?:\s|$)")
_AUTOLINK = re.compile(r"<(https?://[^>\s]+)>")
_HREF = re.compile(r"<a\s[^>]*?href=[\"']([^\"']*)[\"']")
_SRC = re.compile(r"<img\s[^>]*?src=[\"']([^\"']*)[\"']")
_REFERENCE = re.compile(r"\[\^([^\]\s]+)\](?!:)")
_NUMBER = re.compile(r"\{\{\s*([^{}]+?)\s*\}\}")
_LANGUAGE_SEGMENT = re.compile(r"(?<=/)(?:ja|ko|en)/")


@dataclass(frozen=True, slots=True)
class Element:
    """A countable part of a section: its kind, what identifies it in every language, and its line."""

    kind: str
    value: str
    line: int


@dataclass(slots=True)
class Section:
    """A heading with what follows it. `id` is None where the heading has no explicit one."""

    id: str | None
    level: int
    title: str
    line: int
    elements: list[Element] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)

    def of(self, kind: str) -> tuple[Element, ...]:
        """The elements of a kind, in order."""
        return tuple(element for element in self.elements if element.kind == kind)


@dataclass(slots=True)
class Page:
    """A Markdown file: its sections in order, its footnotes by id, its defects as (line, message, remedy)."""

    sections: list[Section] = field(default_factory=list)
    footnotes: dict[str, Element] = field(default_factory=dict)
    defects: list[tuple[int, str, str]] = field(default_factory=list)

    def section(self, section_id: str) -> Section | None:
        """The first section with this id."""
        return next((section for section in self.sections if section.id == section_id), None)

    def digests(self) -> dict[str, str]:
        """A hash of each section's words, footnotes included; how lines are wrapped does not count."""
        homes: dict[str, list[str]] = {}
        placed: set[str] = set()
        for section in self.sections:
            notes = [note.value for note in section.of("footnote")]
            fresh = [note for note in dict.fromkeys(notes) if note in self.footnotes and note not in placed]
            placed.update(fresh)
            homes[section.id or ""] = [self.footnotes[note].value for note in fresh]
        return {
            section.id: _digest([section.title, *section.prose, *homes[section.id]])
            for section in self.sections
            if section.id
        }


def read_page(text: str, language: str = "") -> Page:
    """Take a Markdown text apart; code that asks for the page's own `language` is the same in all of them."""
    return _Reader(_COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text), language).read()


def without_code(line: str) -> str:
    """The line with a Latin letter for each code span: words around one still touch something."""
    return _CODE_SPAN.sub("x", line)


def without_comments(code: str, language: str) -> str:
    """Code with its comments and the lines they leave empty taken out, for the languages that we know."""
    mark = {"js": "//", "ts": "//", "go": "//", "json5": "//", "mermaid": "%%"}.get(language, "#")
    if language in {"", "text", "console", "markdown", "md", "html", "css", "json", "diff"}:
        return code
    kept = [_uncommented(line, mark) for line in code.split("\n")]
    pairs = zip(kept, code.split("\n"), strict=True)
    return "\n".join(line for line, original in pairs if line or not original.strip())


def _uncommented(line: str, mark: str) -> str:
    quote = ""
    for index, letter in enumerate(line):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'" and (index == 0 or not line[index - 1].isalnum()):
            quote = letter
        elif line.startswith(mark, index) and (index == 0 or line[index - 1].isspace()):
            return line[:index].rstrip()
    return line.rstrip()


def _digest(parts: list[str]) -> str:
    text = "\n".join("".join(part.split()) for part in parts)
    return hashlib.sha256("".join(text.split("\n")).encode()).hexdigest()[:16]


class _Reader:
    """Reads a page line by line; `_number` is the line in hand, from 1."""

    def __init__(self, text: str, language: str) -> None:
        self._lines = text.split("\n")
        self._own_language = re.compile(rf"(--lang[= ]){re.escape(language)}\b") if language else None
        self._number = 0
        self._page = Page([Section(TOP, 0, "", 1)])

    def read(self) -> Page:
        self._front_matter()
        while self._number < len(self._lines):
            line = self._next()
            if fence := _FENCE.match(line):
                self._fence(fence)
            elif heading := _HEADING.match(line):
                self._heading(heading)
            elif note := _FOOTNOTE.match(line):
                self._footnote(note)
            else:
                self._line(line)
        return self._page

    @property
    def _section(self) -> Section:
        return self._page.sections[-1]

    def _next(self) -> str:
        self._number += 1
        return self._lines[self._number - 1]

    def _add(self, kind: str, value: str, line: int | None = None) -> None:
        self._section.elements.append(Element(kind, value, line or self._number))

    def _front_matter(self) -> None:
        if self._lines[0].rstrip() != "---":
            return
        self._next()
        while self._number < len(self._lines) and (line := self._next()).rstrip() != "---":
            self._section.prose.append(line)
            if key := re.match(r"([\w-]+):", line):
                self._add("front matter key", key[1])

    def _heading(self, heading: re.Match[str]) -> None:
        found = _ID.search(heading["attributes"] or "")
        section = Section(found and found[1], len(heading[1]), heading["title"], self._number)
        self._page.sections.append(section)
        self._inline(heading["title"])

    def _fence(self, opening: re.Match[str]) -> None:
        start, indent, marks = self._number, opening["indent"], opening["marks"]
        closing = re.compile(rf"[ >\t]*{re.escape(marks[0])}{{{len(marks)},}}\s*$")
        body: list[str] = []
        while self._number < len(self._lines):
            line = self._next()
            if closing.match(line):
                break
            body.append(line.removeprefix(indent) if line.startswith(indent) else line.lstrip())
        else:
            self._page.defects.append((start, "this code block has no end", f"close it with {marks}"))
        info = re.sub(r'\btitle="[^"]*"', "", opening["info"]).split()
        language = info[0].lstrip(".{").rstrip("}") if info else ""
        code = without_comments("\n".join(body), language)
        if self._own_language:
            code = self._own_language.sub(r"\1(this page's)", code)
        kind = "lab" if language == "lab" else "code block"
        self._add(kind, f"{' '.join(info)}\n{code}".rstrip() if kind != "lab" else code.strip(), start)
        self._section.prose.extend(body)

    def _footnote(self, note: re.Match[str]) -> None:
        start, parts = self._number, [note["text"]]
        while self._number < len(self._lines) and self._continues(self._lines[self._number]):
            parts.append(self._next().strip())
        if note["id"] in self._page.footnotes:
            self._page.defects.append(
                (start, f"footnote [^{note['id']}] is defined twice", "keep one of the two")
            )
        self._page.footnotes[note["id"]] = Element("footnote text", "\n".join(parts), start)
        self._inline("\n".join(parts))

    def _continues(self, line: str) -> bool:
        if line.startswith(("    ", "\t")):
            return True
        return bool(line.strip()) and not _FOOTNOTE.match(line) and not _HEADING.match(line)

    def _line(self, line: str) -> None:
        above = self._lines[self._number - 2].strip() if self._number > 1 else ""
        if _UNDERLINE.match(line) and above and above != "---" and "|" not in above:
            remedy = 'write it as "## Title {#id}"'
            self._page.defects.append((self._number - 1, "a heading is underlined and has no id", remedy))
        elif _TABLE_RULE.match(line) and "|" in line and "|" in above:
            self._table(above)
        elif admonition := _ADMONITION.match(line):
            self._add("admonition", f"{admonition['marks']} {admonition['kind']}")
        elif _TAB.match(line):
            self._add("tab", "===")
        self._section.prose.append(line)
        self._inline(line)

    def _table(self, header: str) -> None:
        rows = 0
        for line in self._lines[self._number :]:
            if "|" not in line:
                break
            rows += 1
        columns = len(re.sub(r"\\\|", "", without_code(header)).strip().strip("|").split("|"))
        self._add("table", f"{rows} rows, {columns} columns")

    def _inline(self, line: str) -> None:
        for number in _NUMBER.finditer(line):
            self._add("number", f"{{{{{number[1]}}}}}")
        text = without_code(line)
        for image in (*_IMAGE.finditer(text), *_SRC.finditer(text)):
            self._add("image", image[1])
        text = _IMAGE.sub("x", text)
        for target in _targets(text):
            self._add("link", _LANGUAGE_SEGMENT.sub("", target) if "://" in target else target)
        for note in _REFERENCE.finditer(text):
            self._add("footnote", note[1])


def _targets(text: str) -> Iterator[str]:
    for pattern in (_LINK, _AUTOLINK, _HREF):
        for match in pattern.finditer(text):
            yield match[1]
    if definition := _LINK_DEFINITION.match(text):
        yield definition[1]
