"""What a check lab answers to a page: the text after what the reader did, its regions and marks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from labs.cluster.sample_nodes import SAMPLE_NODES
from labs.config.own import ProblemsError
from labs.config.plugin import Deployer
from labs.report.cards import node_words
from labs.report.findings import html as findings_page
from labs.report.writing import EMPTY, Messages, escape, html, problem_words
from labs.teaching.check_lab.checking import Checking, Situation
from labs.teaching.check_lab.finding_link import lab_fragment
from labs.teaching.check_lab.link import PREFIX, check_link, situation_of_link
from labs.teaching.check_lab.sample import CheckSample, UnknownSampleError
from labs.teaching.check_lab.view import check_command, story
from labs.teaching.lab import LinkError, Request, link_answer


class CheckAnswers:
    """Answers requests about samples, which are given by id."""

    def __init__(self, samples: Mapping[str, CheckSample], checking: Checking) -> None:
        self._samples = samples
        self._checking = checking

    def answer(self, request: Request, rules: Messages) -> dict[str, Any]:
        """The answer to a request, as JSON; `rules` are the words of the rules.

        Raises UnknownSampleError, and what a request may be wrong in.
        """
        before, messages = _situation(request), request.messages
        if request.asks_for_link:
            return link_answer(
                lambda: check_link(request.lab, before, self._samples), "check-share", messages
            )
        situation, opened = self._situation_after(before, request)
        element, rule_page = request.element or request.lab, request.said("rules", "{code}")
        words = findings_page.CheckWords(messages, rules, f"{element}-text", rule_page, lab_fragment)
        sample = next((sample for sample in self._samples.values() if sample.text == situation.text), None)
        deployer = "" if situation.deployer is None else str(situation.deployer)
        answer: dict[str, Any] = {
            "ok": True,
            "text": None if situation.text == before.text else situation.text,
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
            checkup = self._checking.of(situation)
        except ProblemsError as error:
            what, remedy = problem_words(error.problems[0], messages)
            summary = html(
                "<strong>{}</strong>{}{}",
                escape(what),
                escape(messages.text("list.sentences")),
                escape(remedy),
            )
            empty = {"findings": EMPTY, "verdict": EMPTY, "offer": EMPTY}
            return {**answer, "ok": False, "regions": {**regions, **empty, "summary": summary}}
        node = node_words(SAMPLE_NODES[situation.node], messages)
        checked = findings_page.CheckedText(checkup.source, checkup.findings, checkup.offers, node)
        return {
            **answer,
            "marks": findings_page.marks(checked, words),
            "regions": {**regions, **findings_page.check_regions(checked, words)},
        }

    def _situation_after(self, situation: Situation, request: Request) -> tuple[Situation, dict[str, Any]]:
        """The situation after the changes; of a link also whether it was opened, in words."""
        opened: dict[str, Any] = {}
        for change in request.changes:
            if "link" in change:
                try:
                    situation = situation_of_link(request.lab, str(change["link"]), self._samples)
                    opened = {"opened": True, "notice": request.messages.text("check-share.opened")}
                except LinkError as error:
                    notice = request.messages.text(f"check-share.{error.problem}")
                    opened = {"opened": False, "notice": notice}
            else:
                situation = self._changed(request.lab, situation, change)
        return situation, opened

    def _changed(self, lab: str, situation: Situation, change: Mapping[str, Any]) -> Situation:
        """The situation after one change: to a sample, to the lab's own, or mended. Any other leaves it as it is."""
        if change.get("reset") or "sample" in change:
            named = change.get("sample")
            sample = self._sample_of(lab if named is None else f"{PREFIX}{named}")
            return Situation(sample.text, sample.node, sample.deployer)
        if "fix" in change:
            try:
                text = self._checking.mended(situation, str(change["fix"]))
            except ProblemsError:
                return situation
            return Situation(text, situation.node, situation.deployer)
        return situation

    def _sample_of(self, lab: str) -> CheckSample:
        sample = self._samples.get(lab.removeprefix(PREFIX))
        if sample is None:
            raise UnknownSampleError(lab)
        return sample


def _situation(request: Request) -> Situation:
    """What the lab is set to as it is shown."""
    node, deployer = request.said("node"), request.said("deployer")
    return Situation(
        str(request.state["text"]),
        node if node in SAMPLE_NODES else next(iter(SAMPLE_NODES)),
        Deployer(deployer) if deployer in set(Deployer) else None,
    )
