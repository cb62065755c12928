"""`gpulab check FILE...`: does the real loader take it, with which setting or which error, and does it do what was meant?

Modules that only some options need are loaded where those are asked for: the command starts before every commit.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from labs import __version__
from labs.commands.check.options import AUTO, add_check_options, selection, settings
from labs.commands.check.project import read_project
from labs.commands.terminal import BAD_NEWS, FINE, InputError, Terminal, printable
from labs.config.documents import GLANCED_ENDINGS, Checked, Kind, Reason, entries
from labs.config.gojson import Json
from labs.config.goyaml import LimitError
from labs.lint.core import Selection, SourceFile, lint, read, together
from labs.lint.findings import Finding, Severity
from labs.lint.subject import Settings
from labs.report.findings import Fragments, finding_text, lab_address, no_fragment, summary

FORMATS = ("text", "json", "sarif", "github")
ENDINGS = (".yaml", ".yml")
LONGEST_GLANCED = 1_000_000
"""Bytes of a file in which a chart's name is looked for."""

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
        terminal,
    )
    contents = {path: terminal.read_bytes(path) for path in dict.fromkeys(_paths(options.files, terminal))}
    if options.fix or options.diff:
        sources, findings = _fix(options, contents, judge, terminal)
    else:
        sources, findings = judge.check(contents)
    if not options.diff:
        sys.stdout.write(printable(_report(options, sources, findings, judge.settings, terminal)))
    refused = any(document.loads is False for source in sources for document in source.documents)
    errors = any(
        finding.severity is Severity.ERROR for of_source in findings.values() for finding in of_source
    )
    return BAD_NEWS if refused or errors else FINE


class _Judge:
    """Reads and judges contents under the circumstances of one call."""

    def __init__(self, settings: Settings, chosen: Selection, kind: Kind | None, terminal: Terminal) -> None:
        self.settings = settings
        self._selection = chosen
        self._kind = kind
        self._terminal = terminal

    def check(self, contents: Mapping[str, bytes]) -> tuple[tuple[SourceFile, ...], Findings]:
        """The files with their documents, and the findings of each by its path. Raises InputError."""
        alone = [self._read(path, content) for path, content in contents.items()]
        sources = together(alone, self.settings)
        return sources, lint(sources, self.settings, self._selection)

    def _read(self, path: str, content: bytes) -> SourceFile:
        try:
            return read(path, content, self.settings, kind=self._kind)
        except LimitError as error:
            words = self._terminal.messages.text("cli.config-too-large", path=path, detail=error.message)
            raise InputError(words) from None


def _paths(arguments: Sequence[str], terminal: Terminal) -> Iterator[str]:
    """The files named, and the YAML files below the folders named, in order; a folder without any is warned of."""
    for path in arguments:
        if path == "-" or not os.path.isdir(path):
            yield path
            continue
        below = [
            str(file)
            for file in sorted(Path(path).rglob("*"))
            if file.is_file() and (file.suffix in ENDINGS or _names_chart(file))
        ]
        if not below:
            words = terminal.messages.text("check.no-files", path=path, endings=", ".join(ENDINGS))
            sys.stderr.write(printable(words + "\n"))
        yield from below


def _names_chart(file: Path) -> bool:
    """Whether a file in a folder that is no YAML is to be spoken of: it names one of the charts, or settings of a node."""
    if file.suffix not in GLANCED_ENDINGS:
        return False
    from labs.config.documents import wrapped

    try:
        if file.stat().st_size > LONGEST_GLANCED:
            return False
        return wrapped.names_chart(file.read_text("utf-8", "replace"))
    except OSError:
        return False


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
    terminal: Terminal,
) -> str:
    rules = terminal.library.rules[terminal.messages.language]
    listed = [finding for source in sources for finding in findings[source.path]]
    fragments = _fragments(listed)
    if options.format == "json":
        from labs.report.findings import json as as_json

        files = [{"path": source.path, "documents": entries(source.documents)} for source in sources]
        return _json({"files": files, "findings": as_json.findings_json(listed, rules, fragments)})
    if options.format == "sarif":
        from labs.lint.registry import RULES
        from labs.report.findings import sarif

        return _json(sarif.sarif(listed, RULES, rules, terminal.messages, __version__, fragments))
    if options.format == "github":
        from labs.report.findings import github

        return "".join(
            f"{github.annotation(finding, rules, _tried(finding, fragments, terminal))}\n"
            for finding in listed
        )
    return "".join(f"{line}\n" for line in _lines(sources, findings, lint_settings, fragments, terminal))


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
    terminal: Terminal,
) -> Iterator[str]:
    """The answer in words: of each file its documents and what was found in it, and at the end how much that is."""
    messages = terminal.messages
    rules = terminal.library.rules[messages.language]
    texts = {source.path: source.text for source in sources}
    for source in sources:
        for document in source.documents:
            yield from _document_lines(source.path, document, lint_settings, terminal)
        yield from _unread_lines(source, terminal)
        for finding in findings[source.path]:
            yield ""
            yield finding_text(finding, messages, rules, texts, lab_address(fragments(finding)))
        if findings[source.path]:
            yield ""
    yield summary(
        (finding for of_source in findings.values() for finding in of_source), len(sources), messages
    )


def _unread_lines(source: SourceFile, terminal: Terminal) -> Iterator[str]:
    """What the file names, or is, that is not read, a line each."""
    for note in source.unread:
        place = f"{source.path}:{note.position.line}"
        bare = not note.name and note.reason is not Reason.TEMPLATE
        key = "cli.check.unread.bare" if bare else f"cli.check.unread.{note.reason}"
        yield terminal.messages.pick(key, {"place": place, "name": note.name})


def _document_lines(
    path: str, checked: Checked, lint_settings: Settings, terminal: Terminal
) -> Iterator[str]:
    """What a document is and what its loader says, in a line or two; what the nodes then offer, where some are given."""
    text = terminal.messages.text
    document = checked.document
    place = f"{path}:{document.line}"
    what = str(document.kind) if document.key is None else f"{document.kind} {document.key}"
    if document.unread and document.kind is Kind.UNKNOWN:
        return
    if checked.loads is None:
        yield text(
            "cli.check.skipped" if document.kind in (Kind.UNKNOWN, Kind.EMPTY) else "cli.check.read",
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
            yield text("cli.check.node", node=name)
            yield from (
                f"  {line}" for line in advertisement_lines(advertise(checked.plugin, gpus), terminal)
            )
