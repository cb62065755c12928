"""What a check of a text comes to, as the regions of a page: the summary, the findings, the loaders' answers, the offer.

Whatever stands in the text is escaped, and how much of it is shown is bounded. Offsets that a script is given count UTF-16
units, as browsers do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from labs.cluster.advertise import Advertisement
from labs.config.documents import Checked, Kind
from labs.config.gojson import Json
from labs.config.goyaml import Span
from labs.lint.core import SourceFile
from labs.lint.findings import Finding
from labs.report.findings.words import (
    LAB_PAGE,
    SEVERITIES,
    Fragments,
    finding_words,
    no_fragment,
    related_in_order,
)
from labs.report.writing import (
    EMPTY,
    Column,
    Html,
    Messages,
    Table,
    attributes,
    coded,
    escape,
    html,
    join,
    source_line,
    table_html,
)

MOST_FINDINGS, MOST_DOCUMENTS, MOST_OFFERS, MOST_ROWS = 40, 20, 6, 60
LONGEST = 700  # characters of a sentence, which may quote what somebody wrote

_RULE_PAGE = "rules/{code}"


@dataclass(frozen=True, slots=True)
class CheckedText:
    """A text that was checked: its documents, what was found, and what the node offers under each config of the plugin.

    `node` says in words which node that is.
    """

    source: SourceFile
    findings: tuple[Finding, ...]
    offers: tuple[tuple[Checked, Advertisement], ...]
    node: str

    @property
    def documents(self) -> tuple[Checked, ...]:
        """The documents without those that only hold others, as in the JSON of `gpulab check`."""
        documents = self.source.documents
        holding = {
            id(checked.document.container) for checked in documents if checked.document.container is not None
        }
        return tuple(checked for checked in documents if id(checked.document) not in holding)


@dataclass(frozen=True, slots=True)
class CheckWords:
    """In which words and with which addresses a check is shown.

    `messages` and `rules` are the sentences of a language; `text_id` is the id of the field that holds the text;
    `rule_page` the address of a rule's page, with `{code}` in it; `fragments` open what is found in a lab.
    """

    messages: Messages
    rules: Messages
    text_id: str
    rule_page: str
    fragments: Fragments = no_fragment

    def lab(self, finding: Finding) -> str:
        """The address at which the finding can be tried, of the same site; empty where it can't."""
        fragment, known = self.fragments(finding), _RULE_PAGE in self.rule_page
        return f"{self.rule_page.replace(_RULE_PAGE, LAB_PAGE)}#{fragment}" if fragment and known else ""


class Utf16:
    """Offsets of a text as a browser counts them."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._same = text.isascii() or all(character <= "\uffff" for character in text)

    def offset(self, offset: int) -> int:
        """The offset in UTF-16 units of one in code points."""
        if self._same:
            return offset
        return len(self._text[:offset].encode("utf-16-le", "surrogatepass")) // 2


def check_regions(checked: CheckedText, words: CheckWords) -> dict[str, Html]:
    """HTML by region."""
    return {
        "summary": summary_html(checked, words.messages),
        "findings": findings_html(checked, words),
        "verdict": verdict_html(checked, words.messages),
        "offer": offer_html(checked, words.messages),
    }


def finding_key(finding: Finding) -> str:
    """What a button names a finding by, as long as the text is what it was."""
    return f"{finding.code}@{finding.span.start_offset}-{finding.span.end_offset}"


def marks(checked: CheckedText, words: CheckWords) -> list[Json]:
    """The findings for the margin of an editor."""
    count = Utf16(checked.source.text)
    return [
        {
            "from": count.offset(finding.span.start_offset),
            "to": count.offset(finding.span.end_offset),
            "severity": str(finding.severity),
            "word": words.messages.text(f"severity.{finding.severity}"),
            "message": _cut(finding_words(finding, words.rules).message),
        }
        for finding in checked.findings[:MOST_FINDINGS]
    ]


# --- the summary


def summary_html(checked: CheckedText, messages: Messages) -> Html:
    """In a sentence or two: does it load, and how much was found."""
    counts = Counter(finding.severity for finding in checked.findings)
    parts = [messages.count(f"check.count-{kind}", counts[kind]) for kind in SEVERITIES if counts[kind]]
    counted = messages.text("check-lab.found", counts=messages.join(parts)) if parts else ""
    clean = "" if parts else messages.text("check-lab.clean")
    rest = escape(counted or clean)
    return html(
        "<strong>{}</strong>{}{}",
        escape(_loading(checked, messages)),
        escape(messages.text("list.sentences")),
        rest,
    )


def _loading(checked: CheckedText, messages: Messages) -> str:
    documents = checked.documents
    refused = sum(entry.loads is False for entry in documents)
    if refused:
        return messages.count("check-lab.refused", refused)
    if any(entry.loads for entry in documents):
        return messages.text("check-lab.loads")
    if all(entry.document.kind is Kind.EMPTY for entry in documents):
        return messages.text("check-lab.empty")
    return messages.text("check-lab.unread")


# --- findings


def findings_html(checked: CheckedText, words: CheckWords) -> Html:
    """The findings as a list; each has links to its places, which a script turns into moves of the cursor."""
    if not checked.findings:
        return EMPTY
    count = Utf16(checked.source.text)
    listed = checked.findings[:MOST_FINDINGS]
    items = join(
        (
            _finding(finding, f"{words.text_id}-{number}", checked.source.text, count, words)
            for number, finding in enumerate(listed, start=1)
        ),
        "\n",
    )
    heading = escape(words.messages.text("check-lab.findings"))
    more = len(checked.findings) - len(listed)
    rest = (
        html('<p class="gl-note">{}</p>', escape(words.messages.count("check-lab.more", more)))
        if more
        else EMPTY
    )
    safe = sum(finding.fix is not None and finding.fix.safe for finding in checked.findings)
    whole = EMPTY
    if safe > 1:
        button = words.messages.count("check-lab.fix-safe", safe)
        whole = html(
            '<p class="gl-mend"><button type="button" data-fix="safe">{}</button></p>', escape(button)
        )
    return html(
        '<p class="gl-head">{}</p>\n<ol class="gl-findings">\n{}\n</ol>{}{}', heading, items, rest, whole
    )


def _finding(finding: Finding, message_id: str, text: str, count: Utf16, words: CheckWords) -> Html:
    said = finding_words(finding, words.rules)
    start = finding.span.start
    line, caret = source_line(text, start.line, start.column)
    quoted = (
        html('<pre class="gl-source" aria-hidden="true">{}\n{}</pre>', escape(line), escape(caret))
        if line
        else EMPTY
    )
    page = words.rule_page.replace("{code}", finding.code.lower())
    code = html("<a{}>{}</a>", attributes(href=page, class_="gl-code", lang="en"), escape(finding.code))
    severity = escape(words.messages.text(f"severity.{finding.severity}"))
    related = join(
        html("<li>{} {}</li>", _place(place.span, count, words), _coded(note))
        for place, note in related_in_order(finding, said)
    )
    return join(
        [
            html(
                '<li class="gl-finding gl-finding-{}"><p class="gl-finding-head">'
                '<span class="gl-severity">{}</span> {} {}</p>',
                escape(finding.severity),
                severity,
                _place(finding.span, count, words),
                code,
            ),
            html('<p class="gl-message" id="{}">{}</p>{}', escape(message_id), _coded(said.message), quoted),
            html('<p class="gl-remedy">{}</p>', _coded(said.help)),
            *_tried(words.lab(finding), words.messages),
            *([html('<ul class="gl-related">{}</ul>', related)] if related else []),
            html("{}</li>", _mending(finding, message_id, words.messages)),
        ],
        "\n",
    )


def _tried(address: str, messages: Messages) -> Iterator[Html]:
    """The link to the lab that opens with what is found."""
    if address:
        yield html(
            '<p class="gl-note"><a{}>{}</a></p>',
            attributes(href=address),
            escape(messages.text("check-lab.try-it")),
        )


def _place(span: Span, count: Utf16, words: CheckWords) -> Html:
    """A link to the text, with the stretch of it that is meant."""
    place = words.messages.text("problems.place", line=str(span.start.line), column=str(span.start.column))
    link = attributes(
        href=f"#{words.text_id}",
        class_="gl-place",
        data_from=str(count.offset(span.start_offset)),
        data_to=str(count.offset(span.end_offset)),
    )
    return html("<a{}>{}</a>", link, escape(place))


def _mending(finding: Finding, message_id: str, messages: Messages) -> Html:
    """The button that applies the fix, told apart by what it mends, and whether that is safe."""
    if finding.fix is None:
        return EMPTY
    kind = "safe" if finding.fix.safe else "unsafe"
    button = attributes(type="button", data_fix=finding_key(finding), aria_describedby=message_id)
    return html(
        '<p class="gl-mend gl-mend-{}"><button{}>{}</button> <span>{}</span></p>',
        escape(kind),
        button,
        escape(messages.text("check-lab.fix")),
        escape(messages.text(f"check-lab.fix-note.{kind}")),
    )


def _coded(text: str) -> Html:
    """A sentence of a rule, with what stands between grave accents as code."""
    return coded(_cut(text))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


# --- the loaders' answers


def verdict_html(checked: CheckedText, messages: Messages) -> Html:
    """What each document is and what its loader says, as `gpulab check` prints it."""
    documents = checked.documents
    items = join(
        (html("<li>{}</li>", _verdict(entry, messages)) for entry in documents[:MOST_DOCUMENTS]), "\n"
    )
    more = len(documents) - MOST_DOCUMENTS
    rest = (
        html('<p class="gl-note">{}</p>', escape(messages.count("check-lab.more", more)))
        if more > 0
        else EMPTY
    )
    heading = escape(messages.text("check-lab.verdict"))
    return html('<p class="gl-head">{}</p>\n<ul class="gl-documents">\n{}\n</ul>{}', heading, items, rest)


def _verdict(checked: Checked, messages: Messages) -> Html:
    document = checked.document
    key = "" if document.key is None else f" {document.key}"
    values = {
        "place": messages.text("check-lab.line", line=str(document.line)),
        "kind": _cut(f"{document.called}{key}"),
        "strategy": "" if checked.plugin is None else str(checked.plugin.strategy),
    }
    said = (
        html('<pre class="gl-said" lang="en">{}</pre>', escape(_cut(checked.error)))
        if checked.error
        else EMPTY
    )
    warnings = EMPTY if checked.plugin is None else join(_warnings(checked.plugin.warnings, messages))
    return html("{}{}{}", escape(messages.pick(_verdict_key(checked), values)), said, warnings)


def _verdict_key(checked: Checked) -> str:
    if checked.loads is None:
        skipped = checked.document.kind in (Kind.UNKNOWN, Kind.EMPTY)
        return "cli.check.skipped" if skipped else "cli.check.read"
    if not checked.loads:
        return "cli.check.refused"
    return "cli.check.loads" if checked.plugin is None else "cli.check.loads-plugin"


def _warnings(warnings: Sequence[str], messages: Messages) -> Iterator[Html]:
    for warning in warnings:
        words = messages.text("cli.advertise.warning", warning=_cut(warning))
        yield html('<p class="gl-note">{}</p>', escape(words))


# --- what the node offers


def offer_html(checked: CheckedText, messages: Messages) -> Html:
    """What the node offers under each config of the device plugin."""
    heading = html('<p class="gl-head">{}</p>', escape(messages.text("check-lab.offer")))
    if not checked.offers:
        return html(
            '{}\n<p class="gl-note">{}</p>', heading, escape(messages.text("check-lab.offer-nothing"))
        )
    offers = checked.offers[:MOST_OFFERS]
    parts = [_offer(config, advertisement, checked, messages) for config, advertisement in offers]
    more = len(checked.offers) - len(offers)
    if more:
        parts.append(html('<p class="gl-note">{}</p>', escape(messages.count("check-lab.more", more))))
    return join([heading, *parts], "\n")


def _offer(config: Checked, advertisement: Advertisement, checked: CheckedText, messages: Messages) -> Html:
    key = config.document.key
    caption = checked.node
    if key is not None:
        caption = messages.text("check-lab.offer-of", node=checked.node, key=_cut(key))
    rows = tuple((name, messages.number(count)) for name, count in advertisement.resources.items())
    parts = [
        html('<p class="gl-note">{}</p>', escape(_cut(note)))
        for note in _notes(config, advertisement, messages)
    ]
    if rows:
        columns = (
            Column(messages.text("check-lab.column.resource"), english=True),
            Column(messages.text("check-lab.column.count"), figures=True),
        )
        parts.insert(0, table_html(Table(caption, columns, rows[:MOST_ROWS])))
    else:
        parts.insert(0, html('<p class="gl-offer-none"><strong>{}</strong></p>', escape(caption)))
    if advertisement.labels:
        parts.append(_labels(advertisement, messages))
    return join(parts, "\n")


def _notes(config: Checked, advertisement: Advertisement, messages: Messages) -> Iterator[str]:
    text = messages.text
    if advertisement.error is not None and config.loads:  # else the verdict tells it
        yield text("cli.advertise.error", error=advertisement.error)
    elif not advertisement.resources:
        yield text("cli.advertise.nothing")
    if not advertisement.registers and advertisement.mps_without_daemon:
        yield text("cli.advertise.waits", resources=", ".join(advertisement.mps_without_daemon))
    for limit in advertisement.mps:
        yield text(
            "cli.advertise.mps",
            resource=limit.resource,
            memory=_memory(limit.pinned_mem_limit),
            threads=limit.active_thread_percentage,
        )
    if advertisement.mps_error is not None:
        yield text("cli.advertise.mps-error", error=advertisement.mps_error)
    if advertisement.label_error is not None:
        yield text("cli.advertise.label-error", error=advertisement.label_error)


def _memory(limits: Mapping[str, str]) -> str:
    """The limit of each card, or the one that all have."""
    if len(set(limits.values())) == 1:
        return next(iter(limits.values()))
    return ", ".join(f"{size} (GPU {index})" for index, size in limits.items())


def _labels(advertisement: Advertisement, messages: Messages) -> Html:
    """The labels of the node, folded away."""
    columns = (
        Column(messages.text("check-lab.column.label"), english=True),
        Column(messages.text("check-lab.column.value"), english=True),
    )
    rows = tuple((advertisement.labels or {}).items())[:MOST_ROWS]
    title = messages.text("check-lab.labels")
    return html(
        '<details class="gl-further"><summary>{}</summary>{}</details>',
        escape(title),
        table_html(Table(title, columns, rows)),
    )
