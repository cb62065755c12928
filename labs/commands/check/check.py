"""`gpulab check FILE...`: does the real loader take it, with which setting or which error, and does it do what was meant?

Modules that only some options need are loaded where those are asked for: the command starts before every commit.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from labs import __version__
from labs.commands.check.gathering import Gathered, gather
from labs.commands.check.options import AUTO, add_check_options, selection, settings
from labs.commands.check.project import Project, read_project
from labs.commands.terminal import BAD_NEWS, FINE, WRONG_USAGE, InputError, Terminal, printable
from labs.config.documents import Checked, Kind, Reason, Unread, entries
from labs.config.gojson import Json
from labs.config.goyaml import LimitError
from labs.lint.core import Selection, SourceFile, clusters, judged, nodes_of, read, unused_nodes
from labs.lint.findings import Finding, Severity
from labs.lint.subject import Settings
from labs.report.findings import Fragments, finding_text, lab_address, no_fragment, summary
from labs.report.writing import Messages

FORMATS = ("text", "json", "sarif", "github")

PROGRAMS = (Reason.TERRAFORM, Reason.JSONNET, Reason.PROGRAM, Reason.TOML)
"""Why a file is not read that is no YAML."""

Findings = Mapping[str, tuple[Finding, ...]]


def add_arguments(parser: argparse.ArgumentParser, terminal: Terminal) -> None:
    """Declares the command's arguments."""
    parser.add_argument(
        "files", metavar="FILE", nargs="+", help=terminal.messages.text("cli.help.check-files")
    )
    add_check_options(parser, terminal)


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Prints what each document is, what its loader says, and what was found; bad news for a refusal or an error."""
    with _without_collector():
        return _run(options, terminal)


@contextlib.contextmanager
def _without_collector() -> Iterator[None]:
    """Trees of a large file are many objects and no circles: looking for circles takes a third of the time of reading."""
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if on:
            gc.enable()


def _run(options: argparse.Namespace, terminal: Terminal) -> int:
    if [*options.files, (options.node or "").partition("#")[0]].count("-") > 1:
        raise InputError(terminal.messages.text("cli.stdin-twice"))
    project = read_project(terminal)
    judge = _Judge(
        settings(options, project, terminal),
        selection(options, project, terminal),
        None if options.kind == AUTO else Kind(options.kind),
        project,
        terminal,
        one_cluster=options.one_cluster,
    )
    gathered = gather(
        options.files, _left_out(options, project), terminal, ignore_files=not options.no_ignore
    )
    contents = gathered.contents
    judge.take_out_unreadable(gathered)
    if not contents and any(skipped.named for skipped in gathered.skipped):
        raise InputError("\n".join(skipped.words(terminal) for skipped in gathered.skipped))
    if options.fix or options.diff:
        sources, findings = _fix(options, contents, judge, terminal)
    else:
        sources, findings = judge.check(contents)
    if not options.diff:
        report = _report(options, sources, findings, judge.settings, gathered, terminal)
        sys.stdout.write(printable(report))
    for skipped in gathered.skipped:
        if skipped.named:
            sys.stderr.write(printable(f"{skipped.words(terminal)}\n"))
    if any(skipped.named for skipped in gathered.skipped):
        return WRONG_USAGE
    refused = any(document.loads is False for source in sources for document in source.documents)
    errors = any(
        finding.severity is Severity.ERROR for of_source in findings.values() for finding in of_source
    )
    return BAD_NEWS if refused or errors else FINE


def _left_out(options: argparse.Namespace, project: Project) -> list[tuple[Path, Sequence[str]]]:
    """The patterns of what is left out, with the folders that they are relative to."""
    asked = [(Path(path), options.exclude) for path in (".", *options.files) if options.exclude]
    own = [] if project.path is None else [(project.path.parent, project.exclude)]
    return [*own, *asked]


class _Judge:
    """Reads and judges contents under the circumstances of one call."""

    def __init__(
        self,
        settings: Settings,
        chosen: Selection,
        kind: Kind | None,
        project: Project,
        terminal: Terminal,
        *,
        one_cluster: bool,
    ) -> None:
        self.settings = settings
        self._selection = chosen
        self._kind = kind
        self._project = project
        self._together = one_cluster
        self._terminal = terminal
        self._sources: dict[str, tuple[bytes, SourceFile]] = {}

    def take_out_unreadable(self, gathered: Gathered) -> None:
        """Leaves out the files that are beyond the limits of reading."""
        for path, content in list(gathered.contents.items()):
            try:
                self._read(path, content)
            except LimitError as error:
                text = self._terminal.messages.text
                problem = text("cli.config-too-large", path=path, detail=error.message)
                gathered.skip(path, text("check.unread.limit", detail=error.message), problem)

    def check(self, contents: Mapping[str, bytes]) -> tuple[tuple[SourceFile, ...], Findings]:
        """The files with their documents, and the findings of each by its path. Raises InputError."""
        try:
            alone = [self._read(path, content) for path, content in contents.items()]
        except LimitError as error:  # of a text that a fix has made longer
            raise InputError(error.message) from None
        groups = self._grouping(alone)
        sources, findings = judged(groups, self.settings, self._selection)
        order = {path: place for place, path in enumerate(contents)}
        return tuple(sorted(sources, key=lambda source: order[source.path])), findings

    def _grouping(self, files: Sequence[SourceFile]) -> tuple[tuple[SourceFile, ...], ...]:
        """The files of each cluster: as the project says, or as the folders look."""
        if self._together:
            return (tuple(files),)
        if not self._project.clusters:
            return clusters(files, self.settings)
        own = [self._project.clusters_of(file.path) for file in files]
        return tuple(
            tuple(file for file, names in zip(files, own, strict=True) if not names or cluster.name in names)
            for cluster in self._project.clusters
        )

    def _read(self, path: str, content: bytes) -> SourceFile:
        kept = self._sources.get(path)
        if kept is not None and kept[0] == content:
            return kept[1]
        source = read(path, content, self.settings, kind=self._kind)
        self._sources[path] = content, source
        return source


def _fix(
    options: argparse.Namespace, contents: Mapping[str, bytes], judge: _Judge, terminal: Terminal
) -> tuple[tuple[SourceFile, ...], Findings]:
    """Writes the safe fixes, or shows them; what is then left to say."""
    from labs.commands.check.fix import difference, mend, write

    mended = mend(contents, judge.check)
    changed = {path: content for path, content in mended.contents.items() if content != contents[path]}
    if options.diff:
        for path, content in changed.items():
            sys.stdout.write(printable(difference(path, contents[path], content)))
        return judge.check(contents)
    for path, content in changed.items():
        if path == "-":
            sys.stderr.write(printable(terminal.messages.text("check.fix-stdin") + "\n"))
        else:
            write(path, content, terminal)
    for fix in mended.applied:
        if fix.path == "-":
            continue
        place = f"{fix.path}:{fix.span.start.line}"
        words = terminal.messages.text("check.fixed", place=place, code=fix.code, slug=fix.slug)
        sys.stderr.write(printable(f"{words}\n"))
    if "-" in changed:
        return judge.check({**mended.contents, "-": contents["-"]})
    return mended.sources, mended.findings


def _report(
    options: argparse.Namespace,
    sources: Sequence[SourceFile],
    findings: Findings,
    lint_settings: Settings,
    gathered: Gathered,
    terminal: Terminal,
) -> str:
    rules = terminal.library.rules[terminal.messages.language]
    listed = [finding for source in sources for finding in findings[source.path]]
    fragments = _fragments(listed)
    if options.format == "json":
        from labs.report.findings import json as as_json

        files = [{"path": source.path, "documents": entries(source.documents)} for source in sources]
        skipped: list[Json] = [
            *({"path": file.path, "reason": file.reason} for file in gathered.skipped),
            *(
                {"path": source.path, "reason": _unread_words(note, terminal.messages)}
                for source in sources
                if _is_program(source)
                for note in source.unread
            ),
        ]
        notes: list[Json] = [
            *unused_node_lines(sources, lint_settings, terminal.messages),
            *(
                line
                for source in sources
                if not _is_program(source)
                for line in _unread_lines(source, terminal.messages)
            ),
        ]
        return _json(
            {
                "files": files,
                "findings": as_json.findings_json(listed, rules, fragments),
                "summary": {
                    "read": sum(not _is_program(source) for source in sources),
                    "skipped": skipped,
                    "notes": notes,
                },
            }
        )
    if options.format == "sarif":
        from labs.lint.registry import RULES
        from labs.report.findings import sarif

        unread = list(_not_read(sources, gathered, terminal))
        return _json(sarif.sarif(listed, RULES, rules, terminal.messages, __version__, fragments, unread))
    if options.format == "github":
        from labs.report.findings import github

        notices = [github.notice(path, reason) for path, reason in _not_read(sources, gathered, terminal)]
        annotations = [
            github.annotation(finding, rules, _tried(finding, fragments, terminal)) for finding in listed
        ]
        return "".join(f"{line}\n" for line in (*annotations, *notices))
    lines = _lines(sources, findings, lint_settings, fragments, gathered, terminal)
    return "".join(f"{line}\n" for line in lines)


def _tried(finding: Finding, fragments: Fragments, terminal: Terminal) -> str:
    """Where it can be tried, in words."""
    address = lab_address(fragments(finding))
    return terminal.messages.text("check.lab", address=address) if address else ""


def _fragments(findings: Sequence[Finding]) -> Fragments:
    """What opens findings in a lab, where one of them can be."""
    if not any(finding.scenario for finding in findings):
        return no_fragment
    from labs.teaching.check_lab import lab_fragment

    return lab_fragment


def _json(answer: Json) -> str:
    return json.dumps(answer, indent=2, ensure_ascii=False) + "\n"


def _lines(
    sources: Sequence[SourceFile],
    findings: Findings,
    lint_settings: Settings,
    fragments: Fragments,
    gathered: Gathered,
    terminal: Terminal,
) -> Iterator[str]:
    """The answer in words: of each file its documents and what was found in it, and at the end how much that is.

    Of a file that was met in a folder nothing is said where nobody here knows what it holds: it is counted.
    """
    messages = terminal.messages
    rules = terminal.library.rules[messages.language]
    texts = {source.path: source.text for source in sources}
    takes = nodes_of(sources, lint_settings) if lint_settings.nodes else {}
    strangers = 0
    for source in sources:
        met = source.path not in gathered.named
        strange = not source.unread and all(_is_strange(document) for document in source.documents)
        if met and not findings[source.path] and strange:
            strangers += 1
            continue
        for document in source.documents:
            yield from _document_lines(source.path, document, lint_settings, takes, terminal)
        yield from _unread_lines(source, messages)
        for finding in findings[source.path]:
            yield ""
            yield finding_text(finding, messages, rules, texts, lab_address(fragments(finding)))
        if findings[source.path]:
            yield ""
    yield from (file.words(terminal) for file in gathered.skipped if not file.named)
    if strangers:
        yield messages.count("check.strangers", strangers)
    yield from unused_node_lines(sources, lint_settings, messages)
    programs = sum(_is_program(source) for source in sources)
    yield summary(
        (finding for of_source in findings.values() for finding in of_source),
        len(sources) - programs,
        messages,
        len(gathered.skipped) + programs,
    )


def _not_read(
    sources: Sequence[SourceFile], gathered: Gathered, terminal: Terminal
) -> Iterator[tuple[str, str]]:
    """The path of each file that was not read, with a line about it."""
    yield from ((file.path, file.words(terminal)) for file in gathered.skipped)
    for source in sources:
        if _is_program(source):
            yield from ((source.path, line) for line in _unread_lines(source, terminal.messages))


def _is_program(source: SourceFile) -> bool:
    """Whether a file is not read at all: it is written in another language than YAML."""
    return any(note.reason in PROGRAMS for note in source.unread)


def _unread_lines(source: SourceFile, messages: Messages) -> Iterator[str]:
    """What a file names, or is, that is not read, a line each."""
    for note in source.unread:
        place = f"{source.path}:{note.position.line}"
        yield messages.text("cli.check.unread.line", place=place, reason=_unread_words(note, messages))


def _unread_words(note: Unread, messages: Messages) -> str:
    """Why something is not read, and what to do."""
    bare = not note.name and note.reason is not Reason.TEMPLATE
    key = "cli.check.unread.bare" if bare else f"cli.check.unread.{note.reason}"
    return messages.pick(key, {"name": note.name})


def unused_node_lines(
    sources: Sequence[SourceFile], lint_settings: Settings, messages: Messages
) -> Iterator[str]:
    """A line for each place of configs of which nobody knows whether the given nodes take them."""
    for unused in unused_nodes(sources, lint_settings):
        if unused.kind is None:
            yield messages.text("check.node-unused.nothing")
        else:
            place = f"{unused.path}:{unused.line}"
            is_mig = unused.kind is Kind.MIG_PARTED
            name = lint_settings.mig_config if is_mig else lint_settings.config
            if name is None:
                yield messages.text(f"check.node-unused.{unused.kind}", place=place, n=unused.configs)
            else:
                option = "--mig-config" if is_mig else "--config"
                yield messages.text("check.node-unused.named", place=place, option=option, name=name)


def _is_strange(checked: Checked) -> bool:
    """Whether neither a loader nor a rule knows what this is."""
    return checked.document.kind in (Kind.UNKNOWN, Kind.EMPTY)


def _document_lines(
    path: str,
    checked: Checked,
    lint_settings: Settings,
    takes: Mapping[str, str | None],
    terminal: Terminal,
) -> Iterator[str]:
    """What a document is and what its loader says, in a line or two; what the nodes then offer, where some are given."""
    text = terminal.messages.text
    document = checked.document
    place = f"{path}:{document.line}"
    what = document.called if document.key is None else f"{document.called} {document.key}"
    if document.unread and document.kind is Kind.UNKNOWN:
        return  # what is said of it is why it is not read
    if checked.loads is None:
        yield text(
            "cli.check.skipped" if _is_strange(checked) else "cli.check.read",
            place=place,
            kind=what,
        )
    elif checked.loads:
        shares = "" if checked.plugin is None else str(checked.plugin.strategy)
        key = "cli.check.loads-plugin" if checked.plugin is not None else "cli.check.loads"
        yield terminal.messages.pick(key, {"place": place, "kind": what, "strategy": shares})
        warnings = () if checked.plugin is None else checked.plugin.warnings
        yield from (f"  {text('cli.advertise.warning', warning=warning)}" for warning in warnings)
    else:
        yield text("cli.check.refused", place=place, kind=what)
        yield f"  {checked.error}"
    if checked.plugin is not None and lint_settings.nodes:
        from labs.cluster.advertise import advertise
        from labs.commands.advertise import advertisement_lines

        for name, gpus in lint_settings.nodes.items():
            if document.key is not None and takes.get(name) not in (None, document.key):
                continue
            yield text("cli.check.node", node=name)
            yield from (
                f"  {line}" for line in advertisement_lines(advertise(checked.plugin, gpus), terminal)
            )
