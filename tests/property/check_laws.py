"""What holds of `gpulab check` for every file whatever: places, order, words, and what fixes do."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence

from labs.cluster.advertise import advertise
from labs.cluster.sample_nodes import SAMPLE_NODES
from labs.config.documents.checked import Checked, entries
from labs.config.documents.kinds import Kind
from labs.config.gojson.decode import Json
from labs.config.goyaml.positions import LineIndex, Span
from labs.config.goyaml.tree import LimitError
from labs.config.mig_parted import loader as mig_parted
from labs.config.mig_parted.fields import MigEntry
from labs.config.mig_parted.profile import parse_profile
from labs.config.plugin import loader as device_plugin
from labs.library import LANGUAGES, builtin_library
from labs.lint.core.linter import MOST_FINDINGS, SourceFile, joined, lint, read
from labs.lint.core.selection import ALL, Selection
from labs.lint.findings.finding import Finding
from labs.lint.findings.fixing import fixed
from labs.lint.registry import RULES
from labs.report.findings.github import annotation
from labs.report.findings.json import findings_json
from labs.report.findings.sarif import sarif
from labs.report.findings.text import finding_text, summary
from tests.property.mutated_files import Given

EVERY_RULE = Selection(select=(ALL,))
MOST_ROUNDS = 20
"""As many as `gpulab check --fix` goes."""
MOST_FIXES = 4
"""Of one input; each is applied alone and the files are judged anew."""


class Broken(AssertionError):
    """A law that an input breaks, with the finding."""


def judged(given: Given) -> tuple[tuple[SourceFile, ...], Mapping[str, tuple[Finding, ...]]] | None:
    """The files and what is found in them; None where one is over a limit."""
    try:
        alone = [read(path, text, given.settings, kind=given.kind) for path, text in given.files]
        sources = tuple(joined(alone, given.settings))
    except LimitError:
        return None
    return sources, lint(sources, given.settings, EVERY_RULE)


def hold(given: Given, seed: int = 0) -> int:
    """Checks all laws for these files; how much was found. Raises ``Broken``."""
    answer = judged(given)
    if answer is None:
        return 0
    sources, by_path = answer
    texts = {source.path: source.text for source in sources}
    found = [one for source in sources for one in by_path[source.path]]
    for source in sources:
        places_are_inside(by_path[source.path], texts)
        _need(
            list(by_path[source.path]) == sorted(by_path[source.path], key=lambda one: one.sort_key),
            "findings are out of order",
        )
        a_tree_read_before_is_loaded_alike(source)
    every_form_renders(sources, found, texts)
    offered = [one for one in found if one.fix is not None]
    for one in random.Random(seed).sample(offered, min(MOST_FIXES, len(offered))):
        a_fix_mends(one, given, sources, by_path)
    return len(found)


def places_are_inside(found: Sequence[Finding], texts: Mapping[str, str]) -> None:
    """Every place lies in its file's text, begins before it ends, and is told in the same lines and columns."""
    indexes = {path: LineIndex(text) for path, text in texts.items()}

    def inside(path: str, span: Span, one: Finding) -> None:
        text = texts[path]
        _need(0 <= span.start_offset <= span.end_offset <= len(text), "a place outside the text", one)
        _need(indexes[path].span(span.start_offset, span.end_offset) == span, "a place told wrongly", one)

    for one in found:
        inside(one.path, one.span, one)
        for other in one.related:
            inside(other.path, other.span, one)
        end = -1
        for edit in one.fix.edits if one.fix is not None else ():
            inside(one.path, edit.span, one)
            _need(edit.span.start_offset >= max(end, 0), "edits of a fix touch each other", one)
            end = edit.span.end_offset
            before = texts[one.path][edit.span.start_offset : edit.span.end_offset]
            _need(before != edit.text, "an edit that changes nothing", one)


def a_tree_read_before_is_loaded_alike(source: SourceFile) -> None:
    """A loader that is given the document's tree answers what it answers when it reads the text itself."""
    for one in source.documents:
        content, root = one.document.content, one.document.loaded_root
        if one.plugin is not None:
            alike = device_plugin.load(content) == device_plugin.load(content, root=root)
            _need(alike, "the plugin's answer depends on who read the file")
        if one.mig is not None:
            alike = mig_parted.load(content) == mig_parted.load(content, root=root)
            _need(alike, "mig-parted's answer depends on who read the file")


def every_form_renders(
    sources: Sequence[SourceFile], found: Sequence[Finding], texts: Mapping[str, str]
) -> None:
    """All four formats, and the answer of the loaders, in every language; JSON comes back as it was."""
    library = builtin_library()
    for language in LANGUAGES:
        words, messages = library.rules[language], library.messages[language]
        for one in found:
            shown = finding_text(one, messages, words, texts)
            _need(one.code in shown and "\r" not in shown.replace("\\r", ""), "text with a stray return", one)
            line = annotation(one, words)
            _need(line.startswith("::") and len(line.split("\n")) == 1, "an annotation of several lines", one)
        summary(found, len(sources), messages)
        forms: tuple[Json, ...] = (
            list(findings_json(found, words)),
            sarif(found, RULES, words, messages, "1"),
            [dict(entry) for source in sources for entry in entries(source.documents)],
        )
        for form in forms:
            _need(json.loads(json.dumps(form, ensure_ascii=False)) == form, "JSON that does not come back")


def a_fix_mends(
    one: Finding,
    given: Given,
    sources: Sequence[SourceFile],
    by_path: Mapping[str, tuple[Finding, ...]],
) -> None:
    """A fix, taken as often as it is offered again, leads to files without that finding.

    A safe one leaves what every document did that its loader took.
    """
    before = {source.path: source for source in sources}
    texts = {source.path: source.text for source in sources}
    same: list[Finding] = [one]
    safe = True
    for _ in range(MOST_ROUNDS):
        if not same or same[0].fix is None:
            break
        safe = safe and same[0].fix.safe  # of another that says the same it may not be
        texts[one.path] = fixed(texts[one.path], same[:1]).text
        answer = judged(Given(tuple(texts.items()), given.settings, given.kind))
        _need(answer is not None, "a fix leads over a limit", one)
        assert answer is not None
        after, found = answer
        if any(len(each) >= MOST_FINDINGS for each in found.values()):
            return
        if safe:
            mended = next(source for source in after if source.path == one.path)
            _need(_same_actions(before[one.path], mended), "a safe fix changes what the file does", one)
        same = [other for other in found[one.path] if _identity(other) == _identity(one)]
    _need(len(same) < _count(by_path, one), "the finding is still there when it is fixed", one)


def _identity(one: Finding) -> tuple[object, ...]:
    return one.code, one.variant, one.arguments


def _count(by_path: Mapping[str, tuple[Finding, ...]], one: Finding) -> int:
    return sum(_identity(other) == _identity(one) for other in by_path[one.path])


def _same_actions(before: SourceFile, after: SourceFile) -> bool:
    """Whether every document that loaded does the same. One that was refused may now do anything, and more may be there."""
    was, now = before.documents, after.documents
    if len(was) != len(now):
        left = iter([_actions(one) for one in now])
        return any(one.loads is False for one in was) or all(
            _actions(one) in left or _shares_nothing(one) for one in was if one.loads
        )
    return all(
        old.loads is False
        or new.document.kind is Kind.UNKNOWN  # its last telling key did nothing and is gone
        or (old.document.kind, _actions(old)) == (new.document.kind, _actions(new))
        for old, new in zip(was, now, strict=True)
    )


def _actions(one: Checked) -> Json:
    """What comes of a config: what nodes offer under it, or which MIG devices are made of which GPUs."""
    if one.plugin is not None:
        answers = [advertise(one.plugin, gpus).to_json() for gpus in SAMPLE_NODES.values()]
        return [str(one.plugin.strategy), [{**answer, "warnings": None} for answer in answers]]
    if one.mig is None or one.mig.spec is None:
        return None
    return [[name, [_made(entry) for entry in entries]] for name, entries in one.mig.spec.configs.items()]


def _shares_nothing(one: Checked) -> bool:
    """Whether it is a config inside another document that does nothing: without its last telling key nobody knows it."""
    return one.document.host is not None and one.plugin is not None and str(one.plugin.strategy) == "none"


def _made(entry: MigEntry) -> Json:
    counts: Counter[str] = Counter()
    for name, count in (entry.mig_devices or {}).items():
        counts[str(parse_profile(name))] += count
    devices = None if entry.devices is None else [str(each) for each in entry.devices]
    return [
        list(entry.filters),
        devices,
        entry.mig_enabled,
        {name: n for name, n in sorted(counts.items()) if n},
    ]


def _need(holds: bool, law: str, one: Finding | None = None) -> None:
    if not holds:
        raise Broken(
            law if one is None else f"{law}: {one.code} {one.variant} {one.arguments} at {one.span.start}"
        )
