"""Checking the text of a check lab: the same reading, rules and offers as `gpulab check` has, for one text and one node."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from types import MappingProxyType

from labs.cluster.advertise import Advertisement, advertise
from labs.cluster.sample_nodes import SAMPLE_NODES
from labs.config.documents import Checked
from labs.config.goyaml import LimitError, Limits
from labs.config.own import Problem, ProblemsError
from labs.config.plugin import Deployer
from labs.hardware.catalog import Catalog
from labs.lint.core import SourceFile, lint, read, together
from labs.lint.findings import Finding, fixed
from labs.lint.subject import Settings
from labs.report.findings import html

PATH = "config.yaml"
TEXT_LIMIT = 60_000  # characters of a text in a page: some two seconds
LIMITS = Limits(characters=TEXT_LIMIT, depth=64, nodes=30_000)
SAFE = "safe"  # instead of a finding: all fixes that keep what the text does
MOST_ROUNDS = 20  # one fix may make room for another
MOST_CHARACTERS = 3 * TEXT_LIMIT  # read for one request, whatever is left to mend
KEPT = 8  # checks of the latest texts


@dataclass(frozen=True, slots=True)
class Situation:
    """What a check lab is set to: a text, a node of `labs.cluster.sample_nodes`, who deploys the plugin (None: not said)."""

    text: str
    node: str
    deployer: Deployer | None = None


@dataclass(frozen=True, slots=True)
class Checkup:
    """The documents of a text with their loaders' answers, what was found in it, what the node offers under each config."""

    source: SourceFile
    findings: tuple[Finding, ...]
    offers: tuple[tuple[Checked, Advertisement], ...]


class Checking:
    """Checks situations against one catalog, and keeps the latest answers."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._known = functools.lru_cache(maxsize=KEPT)(self._check)

    def of(self, situation: Situation) -> Checkup:
        """What is found in it. Raises ProblemsError for a text that is more than a page takes."""
        return self._known(situation)

    def mended(self, situation: Situation, wanted: str) -> str:
        """The text with the fix of the finding of that key in it, or with all that are SAFE; as it is where there is none."""
        if wanted != SAFE:
            mendable = [
                finding for finding in self.of(situation).findings if html.finding_key(finding) == wanted
            ]
            return fixed(situation.text, mendable[:1]).text
        text = situation.text
        for _ in range(min(MOST_ROUNDS, MOST_CHARACTERS // max(1, len(text)))):
            mendable = [
                finding
                for finding in self._of_text(situation, text).findings
                if finding.fix and finding.fix.safe
            ]
            fix = fixed(text, mendable)
            if not fix.applied or fix.text == text:
                break
            text = fix.text
        return text

    def _of_text(self, situation: Situation, text: str) -> Checkup:
        return self.of(Situation(text, situation.node, situation.deployer))

    def _check(self, situation: Situation) -> Checkup:
        length = len(situation.text)
        if length > TEXT_LIMIT:
            values = {"limit": TEXT_LIMIT, "found": length}
            raise ProblemsError((Problem("check-too-long", 1, 1, values),))
        settings = Settings(
            deployer=situation.deployer,
            nodes=MappingProxyType({situation.node: SAMPLE_NODES[situation.node]}),
            catalog=self._catalog,
        )
        try:
            (source,) = together([read(PATH, situation.text, settings, limits=LIMITS)], settings)
        except LimitError as error:
            line, column = error.position or (1, 1)
            problem = Problem("yaml-limit", line, column, {"detail": error.message})
            raise ProblemsError((problem,)) from None
        gpus = SAMPLE_NODES[situation.node]
        offers = [
            (document, advertise(document.plugin, gpus))
            for document in source.documents
            if document.plugin is not None
        ]
        return Checkup(source, lint([source], settings)[PATH], tuple(offers))
