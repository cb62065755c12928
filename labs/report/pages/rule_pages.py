"""The reference page of a lint rule, and the index of all, as Markdown: from the rule, its docstring and its words."""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import Iterator, Sequence

from labs.config.plugin import Deployer
from labs.hardware.catalog import Catalog
from labs.lint.core import ExampleFile, Selection, explanation, joined, lint, read
from labs.lint.subject import NEWEST_PLUGIN, Rule
from labs.report.findings import finding_text, lab_address, rule_prose
from labs.report.writing import Html, Messages, attributes, escape, escape_content, html, join


class RulePages:
    """Writes the pages of one language: `messages` are its sentences, `rules` the words of the rules."""

    def __init__(self, messages: Messages, rules: Messages, catalog: Catalog) -> None:
        self._messages = messages
        self._rules = rules
        self._catalog = catalog

    def index(self, rules: Sequence[Rule]) -> str:
        """The list of all rules, which a reader can filter."""
        text = self._messages.text
        rows = [
            f"| [{rule.code}]({rule.code.lower()}.md) | [{self._title(rule)}]({rule.code.lower()}.md) "
            f"| `{rule.slug}` | {text(f'severity.{rule.severity}')} | {self._fix(rule)} |"
            for rule in rules
        ]
        columns = [text(f"rule-page.column.{name}") for name in ("code", "title", "name", "severity", "fix")]
        words = {
            "data_label": text("rule-page.filter"),
            "data_none": text("rule-page.filter-none"),
            "data_shown": text("rule-page.filter-shown", shown="{shown}", all="{all}"),
        }
        return "\n".join(
            [
                "---",
                f"title: {text('rule-page.index-title')}",
                f'description: "{text("rule-page.index-description")}"',
                "---",
                "",
                f"# {text('rule-page.index-title')} {{#rules}}",
                "",
                text("rule-page.index-lead"),
                "",
                text("rule-page.index-use"),
                "",
                "```sh",
                "gpulab check .",
                "gpulab explain GL201",
                "```",
                "",
                html("<gl-filter{}></gl-filter>", attributes(**words)),
                "",
                f"| {' | '.join(columns)} |",
                f"|{' --- |' * len(columns)}",
                *rows,
                "",
                text("rule-page.index-severity"),
                "",
            ]
        )

    def _title(self, rule: Rule) -> str:
        return self._rules.text(f"{rule.code}.title")

    def _fix(self, rule: Rule) -> str:
        return self._messages.text("rule-page.has-fix" if rule.fixable else "rule-page.no-fix")

    def page(self, rule: Rule) -> str:
        """A rule's page."""
        words = explanation(rule)
        text, prose = self._messages.text, rule_prose(rule, self._rules)
        facts = [
            html("<code>{}</code>", escape(rule.code)),
            html("<code>{}</code>", escape(rule.slug)),
            escape(text("rule-page.severity", severity=text(f"severity.{rule.severity}"))),
            escape(text("rule-page.since", version=rule.since)),
        ]
        if rule.fixable:
            facts.append(escape(text("rule-page.has-fix")))
        parts = [
            "---",
            f"title: {_quoted(text('rule-page.title', title=self._title(rule), code=rule.code))}",
            f"description: {_quoted(prose['what'])}",
            "---",
            "",
            f"# {self._title(rule)} {{#{rule.code.lower()}}}",
            "",
            html('<p class="gl-facts">{}</p>', join(facts, " · ")),
        ]
        if rule.optional:
            parts += ["", text("rule-page.optional", code=rule.code)]
        if rule.lab:
            parts += ["", f"[{text('rule-page.lab')}](../labs/{rule.lab}.md)"]
        for part, said in prose.items():
            parts += ["", self._heading(part), "", said]
        parts += ["", self._heading("bad"), "", *self._files(words.bad)]
        parts += [
            text("rule-page.finding", command=_command(rule, words.bad)),
            "",
            self._finding(rule, words.bad),
            "",
        ]
        parts += [self._heading("good"), "", *self._files(words.good)]
        parts += [
            self._heading("references"),
            "",
            *(f"- {_plain(reference)}" for reference in words.references),
            "",
        ]
        parts += [f"[{text('rule-page.all')}](index.md)", ""]
        return "\n".join(parts)

    def _heading(self, part: str) -> str:
        return f"## {self._messages.text(f'explain.{part}')} {{#{part}}}"

    def _files(self, files: tuple[ExampleFile, ...]) -> Iterator[str]:
        for file in files:
            if len(files) > 1:
                yield from (f"`{file.path}`:", "")
            yield from ("```yaml", *file.text.rstrip("\n").split("\n"), "```", "")

    def _finding(self, rule: Rule, files: tuple[ExampleFile, ...]) -> Html:
        """What the command prints of the example, as it stands in a terminal; the scenario in an address is left out."""
        settings = dataclasses.replace(rule.example_settings, catalog=self._catalog)
        sources = joined([read(file.path, file.text, settings) for file in files], settings)
        findings = lint(sources, settings, Selection(extend=(rule.code,)))
        texts = {source.path: source.text for source in sources}
        blocks = [
            finding_text(
                finding, self._messages, self._rules, texts, lab_address("…") if finding.scenario else ""
            )
            for source in sources
            for finding in findings[source.path]
            if finding.code == rule.code
        ]
        paragraphs = "\n\n".join(blocks).split("\n\n")  # an empty line would end the element in Markdown
        return html('<pre class="gl-terminal">{}</pre>', join(map(_no_reference, paragraphs), "\n&#8203;\n"))


def _no_reference(text: str) -> Html:
    """A text in which the site's Markdown sees no reference to a lab."""
    return join(map(escape_content, text.split("{{")), "{&#123;")


def _command(rule: Rule, files: tuple[ExampleFile, ...]) -> str:
    """The command under whose options the example is meant; nodes stand for a file that a reader has."""
    settings = rule.example_settings
    words = ["gpulab", "check", *(file.path for file in files)]
    if isinstance(settings.deployer, Deployer):
        words += ["--deployer", str(settings.deployer)]
    for name, value in settings.env.items():
        words += ["--env", f"{name}={value}"]
    if settings.plugin_version != NEWEST_PLUGIN:
        words += ["--plugin-version", ".".join(map(str, settings.plugin_version))]
    if settings.nodes:
        words += ["--node", f"nodes.yaml#{next(iter(settings.nodes))}"]
    if rule.optional:
        words += ["--extend-select", rule.code]
    return shlex.join(words)


def _plain(reference: str) -> str:
    """A reference with nothing in it that Markdown would take for more than text."""
    return reference.replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")


def _quoted(text: str) -> str:
    """A text as a YAML scalar of the front matter."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
