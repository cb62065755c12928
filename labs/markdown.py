"""Labs in Markdown: a Python-Markdown extension, so that any site generator built on it can have them.

A fence at the start of a line places a lab; its first word is the name of a kind of lab (`labs.teaching.kinds`), and what it
holds is said by the `kind.py` of that kind's room:

    ```lab
    lab: slots-and-memory
    ```

`{{slots-and-memory.oomPods}}` in prose is that metric of the lab, `{{slots-and-memory@small.oomPods}}` of its
preset `small`. Everything is computed while the page is built; what does not parse, run or exist is an error with file,
line and reason. So is a lab that does not come to what it `expect`s.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.preprocessors import Preprocessor
from markdown.util import AtomicString

from labs.library import Library, UnknownLabError, builtin_library
from labs.report.writing import Html
from labs.teaching.lab import FenceError, Figure, Page, UnknownMetricError

_FENCE = re.compile(r"(?P<indent> *)(?P<marks>`{3,}|~{3,}) *(?P<info>[^`]*)$")
REFERENCE = r"\{\{(?P<lab>[a-z0-9-]+)(?:@(?P<preset>[A-Za-z0-9-]+))?\.(?P<metric>[A-Za-z]+)\}\}"
_SLIP = r"\{\{[^{}]*\}\}"  # what looks like a reference and is none
_BEFORE_FENCES = 27  # the priority of Python-Markdown's own fences is 25, of raw HTML blocks 20
_CODE = re.compile(r"(`+)[^`].*?\1")
_AT_THE_BEGINNING = "a lab fence stands at the beginning of its line"
_AFTER_CODE = 175  # inline code is 190, so code keeps its braces; escapes are 180


@dataclass(frozen=True, slots=True)
class MarkdownProblem:
    """Something wrong in a page: `line` and `column` are 1-based in the page's file."""

    source: str
    line: int
    column: int
    text: str

    def __str__(self) -> str:
        return f"{self.source}:{self.line}:{self.column}: {self.text}"


class LabMarkdownError(Exception):
    """A page refers to labs wrongly; `problems` are all of them."""

    def __init__(self, problems: tuple[MarkdownProblem, ...]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems


class LabExtension(Extension):
    """The extension. Set `language`, `source` and `first_line` before each page (`setConfig`)."""

    def __init__(self, library: Library | None = None, **options: Any) -> None:
        self.config = {
            "language": ["en", "Language of the page: en, ja or ko"],
            "source": ["<markdown>", "The page's file, for error messages"],
            "first_line": [1, "Line of the file on which the text given to Markdown begins"],
            "stops": [False, "Whether the site publishes the stops of the library's labs (`LabKind.stops`)"],
            "rules": ["rules/{code}.html", "Address of a lint rule's page, as seen from the page"],
            "pages": ["../../{page}/", "Address of a page of the same language, as seen from the page"],
        }
        self.library = library or builtin_library()
        self.kinds = self.library.opened()
        super().__init__(**options)

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 (Python-Markdown's name)
        """Registers with one Markdown instance, that is for one page."""
        page = _LabPage(self)
        # Or they would come to stand in a paragraph.
        md.block_level_elements += [entry.element for entry in self.library.kinds]
        md.preprocessors.register(_Fences(md, page), "lab-fences", _BEFORE_FENCES)
        md.inlinePatterns.register(_References(md, page), "lab-references", _AFTER_CODE)
        md.inlinePatterns.register(_Slips(md, page), "lab-reference-slips", _AFTER_CODE - 1)


class _LabPage:
    """What both processors share while a page is rendered."""

    def __init__(self, extension: LabExtension) -> None:
        self._kinds = extension.kinds
        self._page = Page(
            extension.library.messages[extension.getConfig("language")],
            extension.getConfig("rules"),
            extension.getConfig("pages"),
            extension.getConfig("stops"),
        )
        self._source = extension.getConfig("source")
        self._first_line = extension.getConfig("first_line")
        self._lines_of_labs: dict[str, int] = {}
        self.names = tuple(extension.kinds)
        self.lines: list[str] = []

    def error(self, line: int, column: int, text: str) -> LabMarkdownError:
        """A problem at a 0-based line of the Markdown and a 1-based column."""
        return LabMarkdownError((self._problem(line, column, text),))

    def _problem(self, line: int, column: int, text: str) -> MarkdownProblem:
        return MarkdownProblem(self._source, self._first_line + line, column, text)

    def reference_error(self, reference: str, text: str) -> LabMarkdownError:
        """A problem with a reference, at the first place in prose where it stands."""
        prose = "\n".join(_CODE.sub(lambda code: " " * len(code[0]), line) for line in self.lines)
        words = reference.split()  # lines of a list item or a note are indented in the file
        match = re.search(r"\s+".join(map(re.escape, words)), prose)
        before = prose[: match.start()] if match else ""
        line, column = before.count("\n"), len(before) - before.rfind("\n")
        return self.error(line, column, f"{' '.join(words)}: {text}")

    def html(self, kind: str, number: int, lines: Sequence[str]) -> Html:
        """The complete HTML of the lab that a fence places on that 0-based line."""
        try:
            placed = self._kinds[kind].place(lines, self._page)
        except FenceError as error:
            problems = (
                self._problem(number + problem.line, problem.column, problem.text)
                for problem in error.problems
            )
            raise LabMarkdownError(tuple(problems)) from None
        first = self._lines_of_labs.setdefault(placed.key, number)
        if first != number:
            place = f"{placed.key} stands on this page already, on line {self._first_line + first}"
            raise self.error(
                number, 1, f"{place}: a page has a lab once, for a reader's changes are kept by its id"
            )
        return placed.html

    def figure(self, lab_id: str, preset: str | None, metric: str) -> Figure:
        """A figure of a lab. Raises UnknownLabError, UnknownMetricError."""
        known = [(kind, lab) for kind in self._kinds.values() for lab in kind.ids]
        kind = next((kind for kind, lab in known if lab == lab_id), None)
        if kind is None:
            raise UnknownLabError(lab_id, tuple(lab for _, lab in known))
        return kind.figure(lab_id, preset, metric, self._page.messages)


class _Fences(Preprocessor):
    """Replaces fences of the kinds of labs by labs; fences of other kinds, and what they hold, stay as they are."""

    def __init__(self, md: Markdown, page: _LabPage) -> None:
        super().__init__(md)
        self._page = page
        names = "|".join(page.names)
        self._in_quote = re.compile(rf"[ >]*>[ >]*(?:`{{3,}}|~{{3,}}) *(?:{names})\b")

    def run(self, lines: list[str]) -> list[str]:
        self._page.lines = list(lines)
        result: list[str] = []
        numbered = iter(enumerate(lines))
        for number, line in numbered:
            fence = _FENCE.match(line)
            if fence is None:
                if self._in_quote.match(line):
                    raise self._page.error(number, 1, _AT_THE_BEGINNING)
                result.append(line)
                continue
            body = list(_until_closed(numbered, fence["marks"]))
            for place in (number, *(place for place, _ in body)):
                self._page.lines[place] = ""  # no reference stands here
            if self._is_lab(number, fence, body):
                lab = self._page.html(fence["info"].split()[0], number, [text for _, text in body[:-1]])
                result += ["", self.md.htmlStash.store(lab), ""]
            else:
                result += [line, *(text for _, text in body)]
        return result

    def _is_lab(self, number: int, fence: re.Match[str], body: list[tuple[int, str]]) -> bool:
        """Whether the fence places a lab. An error where it seems to, or hides one, and the page would show code."""
        kind, marks = next(iter(fence["info"].split()), ""), fence["marks"]
        closed = bool(body) and _closes(body[-1][1], marks)
        if kind not in self._page.names:
            meant = kind.strip("{.}").lower()
            if meant in self._page.names:
                raise self._page.error(number, 1, f"a {meant} is placed by {marks}{meant}, in small letters")
            if any(self._is_hidden(text, marks, closed) for _, text in body):
                raise self._page.error(number, 1, f"this fence is not closed by {marks} and hides a lab")
            return False
        if fence["indent"]:
            raise self._page.error(number, 1, _AT_THE_BEGINNING)
        if not closed:
            raise self._page.error(number, 1, f"this {kind} fence is not closed by {marks}")
        return True

    def _is_hidden(self, line: str, marks: str, closed: bool) -> bool:
        """Whether a line inside a fence begins a lab: to show one as code, a fence is closed and has other marks."""
        fence = _FENCE.match(line)
        if fence is None or next(iter(fence["info"].split()), "") not in self._page.names:
            return False
        return not closed or fence["marks"].startswith(marks)


def _until_closed(numbered: Iterator[tuple[int, str]], marks: str) -> Iterator[tuple[int, str]]:
    """The lines of a fence, its closing line included."""
    for number, line in numbered:
        yield number, line
        if _closes(line, marks):
            return


def _closes(line: str, marks: str) -> bool:
    """Whether a line ends the fence that `marks` began."""
    closing = line.strip()
    return len(closing) >= len(marks) and not closing.strip(marks[0])


class _References(InlineProcessor):
    """Replaces references by the numbers that the simulator comes to."""

    def __init__(self, md: Markdown, page: _LabPage) -> None:
        super().__init__(REFERENCE, md)
        self._page = page

    def handleMatch(  # type: ignore[override] # noqa: N802 (Python-Markdown's name)
        self, m: re.Match[str], data: str
    ) -> tuple[Element, int, int]:
        page = self._page
        try:
            figure = page.figure(m["lab"], m["preset"], m["metric"])
        except UnknownLabError as error:
            what, known = f"there is no lab {error.lab_id!r}", error.known
            raise page.reference_error(m[0], f"{what}; known: {', '.join(known)}") from None
        except UnknownMetricError as error:
            what, known = f"{m['lab']} has no {error.name!r}", error.known
            raise page.reference_error(m[0], f"{what}; known: {', '.join(known)}") from None
        if figure.unmet:
            raise page.reference_error(m[0], figure.unmet)
        element = Element("data", {"class": "gl-computed", "value": f"{figure.value:g}"})
        element.text = AtomicString(figure.words)
        return element, m.start(0), m.end(0)


class _Slips(InlineProcessor):
    """Refuses what looks like a reference and is none, lest it be read as prose."""

    def __init__(self, md: Markdown, page: _LabPage) -> None:
        super().__init__(_SLIP, md)
        self._page = page

    def handleMatch(  # type: ignore[override] # noqa: N802 (Python-Markdown's name)
        self, m: re.Match[str], data: str
    ) -> tuple[Element, int, int]:
        form = "no reference: write {{lab.metric}} or {{lab@preset.metric}}, or put it in code"
        raise self._page.reference_error(m[0], form)


def makeExtension(**options: Any) -> LabExtension:  # noqa: N802 (Python-Markdown's name)
    """What Python-Markdown calls for the name `labs.markdown`."""
    return LabExtension(**options)
