"""What a check lab is told, for a page that asks: the text after what the reader did, its regions and marks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from labs.cluster.sample_nodes import SAMPLE_NODES
from labs.config.own import ProblemsError
from labs.config.plugin import Deployer
from labs.report.cards import node_words
from labs.report.findings import html
from labs.report.writing import Messages, escape, problem_words
from labs.teaching.check_lab.checking import Checking, Situation
from labs.teaching.check_lab.finding_link import lab_fragment
from labs.teaching.check_lab.link import PREFIX, check_link, situation_of_link
from labs.teaching.check_lab.sample import CheckSample, UnknownSampleError
from labs.teaching.check_lab.view import check_command, story
from labs.teaching.scenario_lab import LinkError


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """What the script asks: the lab as it stands, perhaps a change to it; ``element`` and ``rules`` are the page's."""

    lab: str
    lang: str
    text: str
    node: str
    deployer: str
    element: str
    rules: str
    change: Mapping[str, Any]
    only: tuple[str, ...]

    @classmethod
    def from_raw(cls, raw: Mapping[str, Any]) -> CheckRequest:
        """Reads a request. Raises what reading a mapping that is none raises."""
        return cls(
            lab=str(raw["lab"]),
            lang=str(raw["lang"]),
            text=str(raw["text"]),
            node=str(raw.get("node") or ""),
            deployer=str(raw.get("deployer") or ""),
            element=str(raw.get("element") or raw["lab"]),
            rules=str(raw.get("rules") or "{code}"),
            change=dict(raw.get("change") or {}),
            only=tuple(raw.get("only") or ()),
        )


class CheckAnswers:
    """Answers requests about samples, which are given by id."""

    def __init__(self, samples: Mapping[str, CheckSample], checking: Checking) -> None:
        self._samples = samples
        self._checking = checking

    def answer(self, raw: Mapping[str, Any], messages: Messages, rules: Messages) -> dict[str, Any]:
        """The answer to a request, as JSON. Raises UnknownSampleError, and what a request may be wrong in."""
        asked = CheckRequest.from_raw(raw)
        if asked.only == ("link",):
            return self._link(asked, messages)
        situation, opened = self._told(asked, messages)
        words = html.CheckWords(messages, rules, f"{asked.element}-text", asked.rules, lab_fragment)
        sample = next((one for one in self._samples.values() if one.text == situation.text), None)
        deployer = "" if situation.deployer is None else str(situation.deployer)
        answer: dict[str, Any] = {
            "ok": True,
            "text": None if situation.text == asked.text else situation.text,
            "fields": {"node": situation.node, "deployer": deployer},
            "own": sample is None,
            "marks": [],
            **opened,
        }
        regions = {"command": check_command(situation)}
        if sample is not None:
            answer["fields"]["sample"] = sample.id
            regions["story"] = story(sample, messages)
        try:
            found = self._checking.of(situation)
        except ProblemsError as error:
            what, remedy = problem_words(error.problems[0], messages)
            summary = f"<strong>{escape(what)}</strong>{messages.text('list.sentences')}{escape(remedy)}"
            empty = {"findings": "", "verdict": "", "offer": ""}
            return {**answer, "ok": False, "regions": {**regions, **empty, "summary": summary}}
        node = node_words(SAMPLE_NODES[situation.node], messages)
        checked = html.CheckedText(found.source, found.findings, found.offers, node)
        return {
            **answer,
            "marks": html.marks(checked, words),
            "regions": {**regions, **html.check_regions(checked, words)},
        }

    def _link(self, asked: CheckRequest, messages: Messages) -> dict[str, Any]:
        try:
            return {"ok": True, "link": check_link(asked.lab, _situation(asked), self._samples)}
        except LinkError as error:
            return {"ok": False, "link": None, "notice": messages.text(f"check-share.{error.problem}")}

    def _told(self, asked: CheckRequest, messages: Messages) -> tuple[Situation, dict[str, Any]]:
        """The situation after what the request asks for; of a link also whether it was opened, in words."""
        given, change = _situation(asked), asked.change
        if "link" in change:
            try:
                shown = situation_of_link(asked.lab, str(change["link"]), self._samples)
            except LinkError as error:
                notice = messages.text(f"check-share.{error.problem}")
                return given, {"opened": False, "notice": notice}
            return shown, {"opened": True, "notice": messages.text("check-share.opened")}
        if change.get("reset") or "sample" in change:
            sample = self._sample(asked)
            return Situation(sample.text, sample.node, sample.deployer), {}
        if "fix" in change:
            try:
                text = self._checking.mended(given, str(change["fix"]))
            except ProblemsError:
                return given, {}
            return Situation(text, given.node, given.deployer), {}
        return given, {}

    def _sample(self, asked: CheckRequest) -> CheckSample:
        """The sample that a change asks for, or the lab's own."""
        named = asked.change.get("sample")
        return self._sample_of(asked.lab if named is None else f"{PREFIX}{named}")

    def _sample_of(self, lab: str) -> CheckSample:
        found = self._samples.get(lab.removeprefix(PREFIX))
        if found is None:
            raise UnknownSampleError(lab)
        return found


def _situation(asked: CheckRequest) -> Situation:
    node = asked.node if asked.node in SAMPLE_NODES else next(iter(SAMPLE_NODES))
    deployer = Deployer(asked.deployer) if asked.deployer in set(Deployer) else None
    return Situation(asked.text, node, deployer)
