"""Problems of a text that was read, with their places: what is wrong, what is allowed, what to do next.

A problem carries a key and typed values; the words are the messages `problem.<key>.what` and `problem.<key>.remedy`,
each of which uses those of the values that it wants.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

from labs.config.goyaml import LineIndex
from labs.config.own import Problem
from labs.report.writing.markup import EMPTY, Html, escape, html, join, quoting
from labs.report.writing.measure import columns
from labs.report.writing.messages import Messages

LINE_COLUMNS = 72  # of a source line, in the terminal


def problem_text(problem: Problem, messages: Messages, source: str, path: str) -> str:
    """`path:line:column: what`, the source line with a caret under the place, and the remedy."""
    what, remedy = problem_words(problem, messages)
    line, caret = source_line(source, problem.line, problem.column)
    margin = f"{problem.line:>5} | "
    lines = [f"{path}:{problem.line}:{problem.column}: {what}"]
    if line:
        lines += [margin + line, " " * (len(margin) - 2) + "| " + caret]
    return "\n".join([*lines, " " * (len(margin) - 2) + "= " + remedy])


def problems_text(
    problems: Sequence[Problem], messages: Messages, source: str, path: str, more: int = 0
) -> str:
    """The problems, an empty line between two, and how many more there are."""
    texts = [problem_text(problem, messages, source, path) for problem in problems]
    return "\n\n".join([*texts, messages.count("problems.more", more)] if more else texts)


def problems_html(problems: Sequence[Problem], messages: Messages, source: str = "", more: int = 0) -> Html:
    """The problems as a list, each with its place, its reason, its source line and its remedy; how many more there are."""
    heading = escape(messages.count("problems.heading", len(problems) + more))
    items = join((_item(problem, messages, source) for problem in problems), "\n")
    rest = html("\n<p>{}</p>", escape(messages.count("problems.more", more))) if more else EMPTY
    return html(
        '<div class="gl-problems"><p class="gl-problems-head">{}</p>\n<ol>\n{}\n</ol>{}</div>',
        heading,
        items,
        rest,
    )


def problem_words(problem: Problem, messages: Messages) -> tuple[str, str]:
    """What is wrong, and what to do."""
    what = messages.pick(f"problem.{problem.key}.what", problem.values)
    return what, messages.pick(f"problem.{problem.key}.remedy", problem.values)


def source_line(source: str, line: int, column: int) -> tuple[str, str]:
    """A line of `source` in at most LINE_COLUMNS, and the line with the caret that stands under `column`."""
    whole = line_text(source, line)
    if not whole:
        return "", ""
    skipped = max(0, column - 1 - LINE_COLUMNS)  # no more than that can be shown before the caret
    text = shown_text(whole[skipped : max(0, column - 1) + LINE_COLUMNS])
    before = text[: max(0, column - 1 - skipped)]
    start = 0
    while columns(before[start:]) > LINE_COLUMNS - 12:
        start += 1
    end = len(text)
    while columns(text[start:end]) > LINE_COLUMNS:
        end -= 1
    return text[start:end], " " * columns(before[start:]) + "^"


def line_text(source: str, line: int) -> str:
    """A line of `source` without its break; empty where there is none. Lines end where YAML's do."""
    extent = _index(source).line(line)
    return "" if extent is None else source[extent[0] : extent[1]].rstrip("\r\n\x85\u2028\u2029")


@functools.lru_cache(maxsize=4)
def _index(source: str) -> LineIndex:
    """Kept, since a text may have many problems."""
    return LineIndex(source)


def shown_text(text: str) -> str:
    """Characters as a terminal shows them in a line, one for each."""
    return "".join(_visible(character) for character in text)


def _visible(character: str) -> str:
    return " " if character == "\t" else character if character.isprintable() else "\ufffd"


def _item(problem: Problem, messages: Messages, source: str) -> Html:
    what, remedy = problem_words(problem, messages)
    place = messages.text("problems.place", line=str(problem.line), column=str(problem.column))
    line, caret = source_line(source, problem.line, problem.column)
    quoted = (
        html('<pre class="gl-source" aria-hidden="true">{}\n{}</pre>', escape(line), escape(caret))
        if line
        else EMPTY
    )
    reason = quoting(what, (str(problem.values.get("detail", "")),))
    return html(
        '<li><span class="gl-place">{}</span> <strong>{}</strong>{}<span class="gl-remedy">{}</span></li>',
        escape(place),
        reason,
        quoted,
        escape(remedy),
    )
