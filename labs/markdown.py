"""Labs in Markdown: a Python-Markdown extension, so that any site generator built on it can have them.

A fence at the start of a line places a lab, by its id or as a whole scenario:

    ```lab
    lab: slots-and-memory
    ```

and a check lab by the id of its sample; `samples: all` lets a reader choose others:

    ```check
    check: misspelt-key
    samples: all
    ```

and a planner lab by the list of profiles that it shows first, on some card of the catalog:

    ```planner
    planner: small-first
    card: a100-40gb
    ```

and a form lab by its id, perhaps as one of its presets has it:

    ```form
    form: four-ways
    preset: yolos
    ```

and a rollout lab by its id:

    ```rollout
    rollout: stops-on-one-node
    ```

`{{slots-and-memory.oomPods}}` in prose is that metric of the lab, `{{slots-and-memory@small.oomPods}}` of its
preset `small`, and so for rollout labs. Everything is computed while the page is built; what does not parse, run or
exist is an error with file, line and reason. So is a lab whose scenario `expect`s what its run does not bring.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.preprocessors import Preprocessor
from markdown.util import AtomicString

from labs.config.goyaml import find, read
from labs.config.own import ProblemsError
from labs.library import Library, UnknownLabError, builtin_library
from labs.report.result import metric_text, unmet_words
from labs.report.writing import problem_words
from labs.simulation.outcome.moment import moments, snapshot
from labs.teaching.check_lab import Checking, CheckSample, Situation, check_html
from labs.teaching.form_lab import FormLabs, UnknownPresetError
from labs.teaching.planner_lab import (
    DEFAULT_CARD,
    PRESETS,
    Planning,
    UnreadableCutError,
    planner_html,
    preset,
    read_cut,
)
from labs.teaching.rollout_lab import RolloutLab, RolloutResults, RolloutSettings, rollout_html
from labs.teaching.scenario_lab import KEPT, Lab, Results, UnknownMetricError, form_states, lab_html

_FENCE = re.compile(r"(?P<indent> *)(?P<marks>`{3,}|~{3,}) *(?P<info>[^`]*)$")
_BY_ID = re.compile(r"lab: *(?P<id>[a-z0-9-]+) *")
_MEANT_BY_ID = re.compile(r"lab *:")  # no scenario has such a key
_CHECK = re.compile(r"check: *(?P<id>[a-z0-9-]+) *(?:\n *samples: *(?P<samples>all) *)?")
_PLANNER = re.compile(r"planner: *(?P<preset>[a-z0-9-]+) *(?:\n *card: *(?P<card>[a-z0-9-]+) *)?")
_FORM = re.compile(r"form: *(?P<id>[a-z0-9-]+) *(?:\n *preset: *(?P<preset>[a-z0-9-]+) *)?")
_ROLLOUT = re.compile(r"rollout: *(?P<id>[a-z0-9-]+) *")
_KINDS = ("lab", "check", "planner", "form", "rollout")
_IN_QUOTE = re.compile(rf"[ >]*>[ >]*(?:`{{3,}}|~{{3,}}) *(?:{'|'.join(_KINDS)})\b")
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
            "stops": [
                False,
                "Whether the site publishes labs.teaching.scenario_lab.stops and rollout_stops for the library's labs",
            ],
            "rules": ["rules/{code}.html", "Address of a lint rule's page, as seen from the page"],
            "pages": ["../../{page}/", "Address of a page of the same language, as seen from the page"],
        }
        self.library = library or builtin_library()
        self.results = Results(self.library.catalog, workloads=self.library.workloads)
        self.checking = Checking(self.library.catalog)
        self.planning = Planning(self.library.catalog)
        self.forms = FormLabs(self.library)
        self.rollouts = RolloutResults(RolloutSettings(self.library.catalog, self.library.workloads))
        self.written: dict[tuple[str, ...], str] = {}
        super().__init__(**options)

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 (Python-Markdown's name)
        """Registers with one Markdown instance, that is for one page."""
        page = _Page(self)
        # Or they would come to stand in a paragraph.
        md.block_level_elements += ["gpu-lab", "gpu-check", "gpu-planner", "gpu-form", "gpu-rollout"]
        md.preprocessors.register(_Fences(md, page), "lab-fences", _BEFORE_FENCES)
        md.inlinePatterns.register(_References(md, page), "lab-references", _AFTER_CODE)
        md.inlinePatterns.register(_Slips(md, page), "lab-reference-slips", _AFTER_CODE - 1)


class _Page:
    """What both processors share while a page is rendered."""

    def __init__(self, extension: LabExtension) -> None:
        self.library, self.results, self._checking = extension.library, extension.results, extension.checking
        self._planning, self.forms = extension.planning, extension.forms
        self.rollouts = extension.rollouts
        self._written = extension.written
        self.messages = self.library.messages[extension.getConfig("language")]
        self._rules = self.library.rules[extension.getConfig("language")]
        self._rule_page = extension.getConfig("rules")
        self._pages = extension.getConfig("pages")
        self._source = extension.getConfig("source")
        self._first_line = extension.getConfig("first_line")
        self._has_stops = extension.getConfig("stops")
        self._placed: dict[str, int] = {}
        self.lines: list[str] = []

    def error(self, line: int, column: int, text: str) -> LabMarkdownError:
        """A problem at a 0-based line of the Markdown and a 1-based column."""
        return LabMarkdownError((MarkdownProblem(self._source, self._first_line + line, column, text),))

    def reference_error(self, reference: str, text: str) -> LabMarkdownError:
        """A problem with a reference, at the first place in prose where it stands."""
        prose = "\n".join(_CODE.sub(lambda code: " " * len(code[0]), line) for line in self.lines)
        words = reference.split()  # lines of a list item or a note are indented in the file
        found = re.search(r"\s+".join(map(re.escape, words)), prose)
        before = prose[: found.start()] if found else ""
        line, column = before.count("\n"), len(before) - before.rfind("\n")
        return self.error(line, column, f"{' '.join(words)}: {text}")

    def errors(self, line: int, error: ProblemsError) -> LabMarkdownError:
        """Problems of a text that begins on a 0-based line of the Markdown."""
        english = self.library.messages["en"]
        return LabMarkdownError(
            tuple(
                MarkdownProblem(
                    self._source,
                    self._first_line + line + found.line - 1,
                    found.column,
                    ": ".join(problem_words(found, english)),
                )
                for found in error.problems
            )
        )

    def html(self, lab: Lab, line: int) -> str:
        """The complete HTML of the lab on that 0-based line. Raises ProblemsError."""
        self._place(lab.id, line)
        key = (lab.id, lab.scenario, self.messages.language, str(self._has_stops))
        if key not in self._written:
            self._written[key] = self._rendered(lab)
            if len(self._written) > KEPT:
                del self._written[next(iter(self._written))]
        return self._written[key]

    def check_html(self, sample: CheckSample, has_choice: bool, line: int) -> str:
        """The complete HTML of the check lab on that 0-based line. Raises ProblemsError."""
        self._place(f"check {sample.id}", line)
        checkup = self._checking.of(Situation(sample.text, sample.node, sample.deployer))
        choices = self.library.samples if has_choice else ()
        return check_html(
            sample, checkup, self.messages, self._rules, rule_page=self._rule_page, choices=choices
        )

    def planner_html(self, preset_id: str, card: str, line: int) -> str:
        """The complete HTML of the planner lab on that 0-based line. Raises UnreadableCutError, LookupError."""
        self._place("planner", line)
        cut = preset(read_cut(f"{card}:", self.library.catalog).model, preset_id)
        if cut is None:
            raise LookupError(preset_id)
        return planner_html(cut, *self._planning.of(cut), self.library.catalog, self.messages)

    def form_html(self, lab_id: str, preset_id: str | None, line: int) -> str:
        """The complete HTML of the form lab on that 0-based line. Raises LookupError."""
        self._place(lab_id, line)
        return self.forms.html(lab_id, preset_id, self.messages, self._pages)

    def rollout_html(self, lab: RolloutLab, line: int) -> str:
        """The complete HTML of the rollout lab on that 0-based line. Raises ProblemsError."""
        self._place(lab.id, line)
        has_stops = self._has_stops and lab.id in self.library.rollouts
        return rollout_html(lab, self.rollouts.of(lab.scenario), self.messages, has_stops=has_stops)

    def _place(self, lab_id: str, line: int) -> None:
        """Notes that a lab stands on that 0-based line. An error where it stands on the page already."""
        first = self._placed.setdefault(lab_id, line)
        if first != line:
            place = f"{lab_id} stands on this page already, on line {self._first_line + first}"
            raise self.error(
                line, 1, f"{place}: a page has a lab once, for a reader's changes are kept by its id"
            )

    def unmet(self, text: str) -> str:
        """What a scenario expects and its run does not bring; empty where nothing is. Raises ProblemsError."""
        return " ".join(unmet_words(self.results.of(text), self.library.messages["en"]))

    def _rendered(self, lab: Lab) -> str:
        outcome = self.results.of(lab.scenario)
        times = moments(outcome.trace)
        return lab_html(
            lab,
            outcome,
            snapshot(outcome.scenario, outcome.trace, times[-1]),
            times,
            self.messages,
            form_states(lab, lab.scenario, self.messages, self.library.names),
            f"lab-{lab.id}",
            has_stops=self._has_stops and lab.id in self.library.labs,
        )


class _Fences(Preprocessor):
    """Replaces fences of the kinds of labs by labs; fences of other kinds, and what they hold, stay as they are."""

    def __init__(self, md: Markdown, page: _Page) -> None:
        super().__init__(md)
        self._page = page

    def run(self, lines: list[str]) -> list[str]:
        self._page.lines = list(lines)
        result: list[str] = []
        numbered = iter(enumerate(lines))
        for number, line in numbered:
            fence = _FENCE.match(line)
            if fence is None:
                if _IN_QUOTE.match(line):
                    raise self._page.error(number, 1, _AT_THE_BEGINNING)
                result.append(line)
                continue
            body = list(_until_closed(numbered, fence["marks"]))
            for place in (number, *(place for place, _ in body)):
                self._page.lines[place] = ""  # no reference stands here
            if self._is_lab(number, fence, body):
                kinds = {
                    "lab": self._render,
                    "check": self._render_check,
                    "planner": self._render_planner,
                    "form": self._render_form,
                    "rollout": self._render_rollout,
                }
                html = kinds[fence["info"].split()[0]](number, [text for _, text in body[:-1]])
                result += ["", self.md.htmlStash.store(html), ""]
            else:
                result += [line, *(text for _, text in body)]
        return result

    def _is_lab(self, number: int, fence: re.Match[str], body: list[tuple[int, str]]) -> bool:
        """Whether the fence places a lab. An error where it seems to, or hides one, and the page would show code."""
        kind = next(iter(fence["info"].split()), "")
        closed = bool(body) and _closes(body[-1][1], fence["marks"])
        if kind not in _KINDS:
            meant = kind.strip("{.}").lower()
            if meant in _KINDS:
                marks = fence["marks"]
                raise self._page.error(number, 1, f"a {meant} is placed by {marks}{meant}, in small letters")
            if any(_is_hidden(text, fence["marks"], closed) for _, text in body):
                raise self._page.error(
                    number, 1, f"this fence is not closed by {fence['marks']} and hides a lab"
                )
            return False
        if fence["indent"]:
            raise self._page.error(number, 1, _AT_THE_BEGINNING)
        if not closed:
            raise self._page.error(number, 1, f"this {kind} fence is not closed by {fence['marks']}")
        return True

    def _render(self, number: int, body: list[str]) -> str:
        page, text = self._page, "\n".join(body) + "\n"
        by_id = _BY_ID.fullmatch(text.strip())
        meant = [place for place, line in enumerate(body) if _MEANT_BY_ID.match(line)]
        if by_id is None and meant:
            known = ", ".join(page.library.labs)
            raise page.error(
                number + 1 + meant[0], 1, f"a fence with lab: ID has no other line; known: {known}"
            )
        try:
            lab = Lab(_id_of(text), text, (), ()) if by_id is None else page.library.lab(by_id["id"])
            unmet = page.unmet(lab.scenario)
            if unmet:
                raise page.error(
                    number + (_line_of_claim(text) if by_id is None else 1), 1, f"{lab.id}: {unmet}"
                )
            return page.html(lab, number)
        except UnknownLabError as error:
            known = ", ".join(error.known)
            raise page.error(number + 1, 6, f"there is no lab {error.lab_id!r}; known: {known}") from None
        except ProblemsError as error:
            raise page.errors(number + 1 if by_id is None else number, error) from None

    def _render_check(self, number: int, body: list[str]) -> str:
        page, samples = self._page, self._page.library.checks
        found = _CHECK.fullmatch("\n".join(body).strip())
        if found is None or found["id"] not in samples:
            known = ", ".join(samples)
            form = "a check fence has the line check: ID and perhaps the line samples: all"
            raise page.error(number + 1, 1, f"{form}; known: {known}")
        return page.check_html(samples[found["id"]], found["samples"] is not None, number)

    def _render_planner(self, number: int, body: list[str]) -> str:
        found = _PLANNER.fullmatch("\n".join(body).strip())
        try:
            if found is None:
                raise LookupError
            return self._page.planner_html(found["preset"], found["card"] or DEFAULT_CARD, number)
        except (LookupError, UnreadableCutError):
            form = "a planner fence has the line planner: LIST and perhaps the line card: ID, of a card with such profiles"
            raise self._page.error(number + 1, 1, f"{form}; known lists: {', '.join(PRESETS)}") from None

    def _render_form(self, number: int, body: list[str]) -> str:
        forms = self._page.forms
        found = _FORM.fullmatch("\n".join(body).strip())
        if found is None or found["id"] not in forms.ids:
            form = "a form fence has the line form: ID and perhaps the line preset: ID"
            raise self._page.error(number + 1, 1, f"{form}; known: {', '.join(forms.ids)}")
        try:
            return self._page.form_html(found["id"], found["preset"], number)
        except UnknownPresetError:
            known = ", ".join(forms.lab(found["id"]).presets)
            what = f"{found['id']} has no preset {found['preset']!r}; known: {known}"
            raise self._page.error(number + 2, 1, what) from None

    def _render_rollout(self, number: int, body: list[str]) -> str:
        page, known = self._page, self._page.library.rollouts
        found = _ROLLOUT.fullmatch("\n".join(body).strip())
        if found is None or found["id"] not in known:
            form = f"a rollout fence has the line rollout: ID; known: {', '.join(known)}"
            raise page.error(number + 1, 1, form)
        lab = known[found["id"]]
        try:
            unmet = page.rollouts.unmet(lab, None)
            if unmet:
                raise page.error(number + 1, 1, f"{lab.id}: {unmet}")
            return page.rollout_html(lab, number)
        except ProblemsError as error:
            raise page.errors(number, error) from None


def _is_hidden(line: str, marks: str, closed: bool) -> bool:
    """Whether a line inside a fence begins a lab: who means to show one as code closes the fence, and with other marks."""
    fence = _FENCE.match(line)
    if fence is None or next(iter(fence["info"].split()), "") not in _KINDS:
        return False
    return not closed or fence["marks"].startswith(marks)


def _id_of(text: str) -> str:
    """An id for a lab that is only a text: by it a browser keeps a reader's draft, of this text and no other."""
    return f"scenario-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def _line_of_claim(text: str) -> int:
    """The 1-based line on which a scenario says what it expects."""
    claim = find(read(text), ("expect",))
    return 1 if claim is None else claim.span.start.line


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
    """Replaces references by the numbers that the simulator finds."""

    def __init__(self, md: Markdown, page: _Page) -> None:
        super().__init__(REFERENCE, md)
        self._page = page

    def handleMatch(  # type: ignore[override] # noqa: N802 (Python-Markdown's name)
        self, m: re.Match[str], data: str
    ) -> tuple[Element, int, int]:
        page = self._page
        if m["lab"] in page.forms.ids:
            return self._of_form(m), m.start(0), m.end(0)
        try:
            value, unmet = self._found(m["lab"], m["preset"], m["metric"])
        except UnknownLabError as error:
            known = (*error.known, *page.forms.ids, *page.library.rollouts)
            raise self._error(m[0], f"there is no lab {error.lab_id!r}", known) from None
        except UnknownMetricError as error:
            raise self._error(m[0], f"{m['lab']} has no {error.name!r}", error.known) from None
        if unmet:
            raise page.reference_error(m[0], unmet)
        return _computed(value, metric_text(m["metric"], value, page.messages)), m.start(0), m.end(0)

    def _of_form(self, m: re.Match[str]) -> Element:
        """A figure of a form lab."""
        page = self._page
        try:
            found = page.forms.metrics(m["lab"], m["preset"], page.messages)
        except UnknownPresetError:
            known = tuple(page.forms.lab(m["lab"]).presets)
            raise self._error(m[0], f"{m['lab']} has no {m['preset']!r}", known) from None
        if m["metric"] not in found:
            raise self._error(m[0], f"{m['lab']} has no {m['metric']!r}", tuple(found))
        metric = found[m["metric"]]
        return _computed(metric.value, metric.text)

    def _found(self, lab_id: str, preset: str | None, metric: str) -> tuple[float, str]:
        """The number, and what of the situation's claim is unmet. Raises UnknownLabError, UnknownMetricError."""
        page = self._page
        if lab_id in page.library.rollouts:
            rollout = page.library.rollouts[lab_id]
            return page.rollouts.metric(rollout, preset, metric), page.rollouts.unmet(rollout, preset)
        lab = page.library.lab(lab_id)
        return page.results.metric(lab, preset, metric), page.unmet(page.results.text(lab, preset))

    def _error(self, reference: str, what: str, known: tuple[str, ...]) -> LabMarkdownError:
        return self._page.reference_error(reference, f"{what}; known: {', '.join(known)}")


def _computed(value: float, words: str) -> Element:
    """A number that was computed, as it stands in prose."""
    element = Element("data", {"class": "gl-computed", "value": f"{value:g}"})
    element.text = AtomicString(words)
    return element


class _Slips(InlineProcessor):
    """Refuses what looks like a reference and is none, lest it be read as prose."""

    def __init__(self, md: Markdown, page: _Page) -> None:
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
