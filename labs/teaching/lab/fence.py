"""A fence that places a lab on a page, the page around it, and what may be wrong with it."""

from __future__ import annotations

from dataclasses import dataclass

from labs.config.own import ProblemsError
from labs.report.writing import Html, Messages, problem_words


@dataclass(frozen=True, slots=True)
class Page:
    """What a lab takes from the page that it stands on.

    `rules` and `pages` are the addresses of a lint rule's page (with `{code}` in it) and of a page of the same language
    (`{page}`), as seen from the page. `has_stops`: the site publishes the answers to what a reader may do first.
    """

    messages: Messages
    rules: str = "rules/{code}.html"
    pages: str = "../../{page}/"
    has_stops: bool = False


@dataclass(frozen=True, slots=True)
class Placed:
    """A lab on a page: its complete HTML, and the key by which a page has it once."""

    key: str
    html: Html


@dataclass(frozen=True, slots=True)
class FenceProblem:
    """Something wrong with a fence: `line` 0 is the line that begins it, `column` is 1-based."""

    line: int
    column: int
    text: str


class FenceError(Exception):
    """A fence that places no lab; `problems` are all reasons, in English."""

    def __init__(self, *problems: FenceProblem) -> None:
        super().__init__("; ".join(problem.text for problem in problems))
        self.problems = problems

    @classmethod
    def at(cls, line: int, text: str, column: int = 1) -> FenceError:
        """With one problem."""
        return cls(FenceProblem(line, column, text))

    @classmethod
    def of(cls, error: ProblemsError, line: int, english: Messages) -> FenceError:
        """With the problems of a text that begins on that line of the fence."""
        return cls(
            *(
                FenceProblem(
                    line + problem.line - 1, problem.column, ": ".join(problem_words(problem, english))
                )
                for problem in error.problems
            )
        )
