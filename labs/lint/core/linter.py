"""Runs the rules over files that are given together."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from labs.config.documents import PROGRAM_ENDINGS, Checked, Document, Kind, Unread, checked
from labs.config.goyaml import DEFAULT_LIMITS, Limits, from_bytes, from_text
from labs.lint.core.families import rule_names, rules_about
from labs.lint.core.selection import Selection
from labs.lint.findings import Finding, ignores, unsilenced
from labs.lint.subject import LintDocument, Rule, Settings, Subject

REFUSED = "GL100"
"""The rule that gives the loader's own text."""
MOST_FINDINGS = 1_000
"""Of one file; nobody mends more at a time."""
_DEPLOYING = frozenset(
    {Kind.CLUSTER_POLICY, Kind.GPU_OPERATOR_VALUES, Kind.DEVICE_PLUGIN_VALUES, Kind.DAEMON_SET}
)
"""Kinds of documents that may say how the plugin is deployed."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that was read: its path as given, its text as its places count it, its documents with the loaders' answers.

    `unread` is what it names, or is, that nobody reads here; whole only in what `together` gives.
    """

    path: str
    text: str
    documents: tuple[Checked, ...]
    unread: tuple[Unread, ...] = ()


def read(
    path: str,
    content: str | bytes,
    settings: Settings,
    *,
    kind: Kind | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> SourceFile:
    """A file's documents with their loaders' answers under the settings. Raises `LimitError`."""
    text = from_text(content).text if isinstance(content, str) else from_bytes(content).text
    program = _program(path, text) if kind is None and path.endswith(PROGRAM_ENDINGS) else None
    if program is not None:
        return SourceFile(path, text, (Checked(program),), program.unread)
    documents = checked.check(
        content,
        kind=kind,
        env=settings.env,
        args=settings.args,
        deployer=settings.deployer,
        limits=limits,
    )
    unread = tuple(note for each in documents for note in each.document.unread)
    return SourceFile(path, text, documents, unread)


def _program(path: str, text: str) -> Document | None:
    """A file that nobody reads; None for TOML with settings of a node, which is read."""
    from labs.config.documents import wrapped

    return None if wrapped.node_settings(text, text) else wrapped.program_document(path, text)


def together(files: Sequence[SourceFile], settings: Settings) -> tuple[SourceFile, ...]:
    """The files with the answers that the plugin gives as it is deployed by what is among them.

    A ClusterPolicy, values of a chart or a DaemonSet say with which environment a config meets the plugin; so a config that
    is given with one of these does not stand alone. A deployer in the settings goes before them.
    """
    files = joined(files, settings)
    kinds = {checked_document.document.kind for file in files for checked_document in file.documents}
    if settings.deployer is not None or Kind.DEVICE_PLUGIN not in kinds or kinds.isdisjoint(_DEPLOYING):
        return tuple(files)
    from labs.lint.meaning import as_deployed

    answers = as_deployed(subject(files, settings))
    return tuple(
        dataclasses.replace(file, documents=tuple(itertools.islice(answers, len(file.documents))))
        for file in files
    )


def joined(files: Sequence[SourceFile], settings: Settings) -> Sequence[SourceFile]:
    """The files with the values and configs that several of them make together."""
    if not checked.joinable([file.documents for file in files]):
        return files
    answers = checked.joined(
        [(file.path, file.documents) for file in files],
        env=settings.env,
        args=settings.args,
        deployer=settings.deployer,
    )
    return [
        dataclasses.replace(file, documents=documents, unread=unread)
        for file, (documents, unread) in zip(files, answers, strict=True)
    ]


def subject(files: Sequence[SourceFile], settings: Settings) -> Subject:
    """What the rules look at."""
    placed: list[LintDocument] = []
    for file in files:
        for checked_document in file.documents:
            placed.append(LintDocument(file.path, checked_document, file.text, len(placed)))
    return Subject(tuple(placed), settings, rule_names)


def lint(
    files: Sequence[SourceFile],
    settings: Settings,
    selection: Selection | None = None,
    rules: Sequence[Rule] | None = None,
) -> Mapping[str, tuple[Finding, ...]]:
    """The findings of each file by its path, in order of place and code; at most MOST_FINDINGS a file.

    `rules` None: those that look at documents of these kinds.
    """
    selection = selection or Selection()
    lint_subject = subject(files, settings)
    about = rules_about({document.kind for document in lint_subject.documents}) if rules is None else rules
    chosen = selection.chosen(about)
    findings = [
        selection.rated(finding)
        for rule in chosen
        for finding in rule.check(lint_subject)
        if not _is_elsewhere(finding, lint_subject)
    ]
    findings = _without_bare_refusals(findings, chosen)
    by_path: dict[str, list[Finding]] = {file.path: [] for file in files}
    for finding in dict.fromkeys(findings):
        by_path[finding.path].append(finding)
    return MappingProxyType({file.path: _of_file(file, by_path[file.path]) for file in files})


def _is_elsewhere(finding: Finding, lint_subject: Subject) -> bool:
    """Whether it is about what stands in another file, where another document of the same release has it."""
    if finding.document < 0:
        return False
    document = lint_subject.documents[finding.document].document
    return document.elsewhere is not None and finding.span == document.elsewhere


def _of_file(file: SourceFile, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    kept = unsilenced(sorted(findings, key=lambda finding: finding.sort_key), ignores(file.text))
    return kept[:MOST_FINDINGS]


def _without_bare_refusals(findings: Sequence[Finding], rules: Sequence[Rule]) -> list[Finding]:
    """Without the loader's bare text where a rule says better why the document is refused there."""
    better = {rule.code for rule in rules if rule.explains_refusal}
    explained = {
        (finding.document, line) for finding in findings if finding.code in better for line in _lines(finding)
    }
    return [
        finding
        for finding in findings
        if finding.code != REFUSED
        or not any((finding.document, line) in explained for line in _lines(finding))
    ]


def _lines(finding: Finding) -> Iterator[int]:
    """The lines of its file that a finding is about."""
    here = (other.span for other in finding.related if other.path == finding.path)
    for span in (finding.span, *here):
        yield from range(span.start.line, span.end.line + 1)
