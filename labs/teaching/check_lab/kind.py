"""The kind of labs in which readers check a config of their own.

A fence places one by the id of its sample; `samples: all` lets a reader choose others:

    ```check
    check: misspelt-key
    samples: all
    ```
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from labs.teaching.check_lab.answer import CheckAnswers
from labs.teaching.check_lab.checking import Checking, Situation
from labs.teaching.check_lab.link import PREFIX
from labs.teaching.check_lab.sample import CheckSample, in_order, read_check_sample
from labs.teaching.check_lab.view import check_html
from labs.teaching.lab import Data, FenceError, LabKind, Limits, Page, Placed, Request

_FENCE = re.compile(r"check: *(?P<id>[a-z0-9-]+) *(?:\n *samples: *(?P<samples>all) *)?")


class CheckLabs(LabKind):
    """The check labs of a library, one for each sample. Prose refers to none, and a terminal has `gpulab check`."""

    def __init__(self, data: Data, limits: Limits) -> None:
        del limits  # a text is bounded by its length
        self._data = data
        self._samples: Mapping[str, CheckSample] = data.of("check")
        self._checking = Checking(data.catalog)
        self._answers = CheckAnswers(self._samples, self._checking)

    @staticmethod
    def read(text: str) -> CheckSample:
        """The sample in the text of a file. Raises ProblemsError."""
        return read_check_sample(text)

    def place(self, lines: Sequence[str], page: Page) -> Placed:
        """The lab of that sample. Raises FenceError."""
        match = _FENCE.fullmatch("\n".join(lines).strip())
        if match is None or match["id"] not in self._samples:
            form = "a check fence has the line check: ID and perhaps the line samples: all"
            raise FenceError.at(1, f"{form}; known: {', '.join(self._samples)}")
        sample = self._samples[match["id"]]
        checkup = self._checking.of(Situation(sample.text, sample.node, sample.deployer))
        html = check_html(
            sample,
            checkup,
            page.messages,
            self._data.rules[page.messages.language],
            rule_page=page.rules,
            choices=in_order(self._samples.values()) if match["samples"] else (),
        )
        return Placed(f"check {sample.id}", html)

    def answer(self, request: Request) -> dict[str, Any]:
        """The answer to a request. Raises UnknownSampleError, and what a request may be wrong in."""
        return self._answers.answer(request, self._data.rules[request.messages.language])

    def trials(self) -> Iterator[Mapping[str, Any]]:
        """Every sample."""
        return (
            {"lab": f"{PREFIX}{sample}", "text": "", "changes": [{"reset": True}]} for sample in self._samples
        )
