"""`gpulab explain CODE`: what a rule looks for, why it matters, a wrong file and a right one."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator

from labs.commands.terminal import FINE, InputError, Terminal, printable
from labs.config.gojson import Json
from labs.config.own import nearest
from labs.lint.core import ExampleFile, explanation
from labs.lint.registry import RULES, find_rule
from labs.lint.subject import Rule
from labs.report.findings import rule_prose
from labs.report.writing import visible, wrap

FORMATS = ("text", "json")
COLUMNS = 80


def add_arguments(parser: argparse.ArgumentParser, terminal: Terminal) -> None:
    """Declares the command's arguments."""
    parser.add_argument("rule", metavar="CODE", nargs="?", help=terminal.messages.text("cli.help.rule"))


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Prints one rule, or the list of all of them."""
    if options.rule is None:
        chosen = RULES
    else:
        rule = find_rule(options.rule)
        if rule is None:
            raise _unknown(options.rule, terminal)
        chosen = (rule,)
    if options.format == "json":
        answer: Json = [_json(rule, terminal) for rule in chosen]
        output = (
            json.dumps(answer if options.rule is None else answer[0], indent=2, ensure_ascii=False) + "\n"
        )
    elif options.rule is None:
        output = "".join(f"{line}\n" for line in _index(terminal))
    else:
        output = "\n".join(_lines(chosen[0], terminal)) + "\n"
    sys.stdout.write(printable(output))
    return FINE


def _unknown(name: str, terminal: Terminal) -> InputError:
    near = nearest(name, [known for rule in RULES for known in (rule.code, rule.slug)])
    key = "check.unknown-rule-near" if near else "check.unknown-rule"
    return InputError(terminal.messages.pick(key, {"name": visible(name), "near": near}))


def _index(terminal: Terminal) -> Iterator[str]:
    words = terminal.library.rules[terminal.messages.language]
    for rule in RULES:
        severity = terminal.messages.text(f"severity.{rule.severity}")
        yield f"{rule.code}  {rule.slug}  ({severity})  {words.text(f'{rule.code}.title')}"


def _lines(rule: Rule, terminal: Terminal) -> Iterator[str]:
    text, words = terminal.messages.text, terminal.library.rules[terminal.messages.language]
    page = explanation(rule)
    yield f"{rule.code} {rule.slug}: {words.text(f'{rule.code}.title')}"
    yield text("explain.facts", severity=text(f"severity.{rule.severity}"), since=rule.since)
    if rule.optional:
        yield text("explain.optional", code=rule.code)
    if rule.fixable:
        yield text("explain.fixable")
    for key, prose in rule_prose(rule, words).items():
        yield ""
        yield text(f"explain.{key}")
        yield from (f"  {line}" for line in wrap(prose, COLUMNS))
    yield from _example(text("explain.bad"), page.bad)
    yield from _example(text("explain.good"), page.good)
    yield ""
    yield text("explain.references")
    yield from (f"  - {reference}" for reference in page.references)


def _example(heading: str, files: tuple[ExampleFile, ...]) -> Iterator[str]:
    for file in files:
        yield ""
        yield heading if len(files) == 1 else f"{heading} ({file.path})"
        yield ""
        yield from (f"    {line}" for line in file.text.rstrip("\n").split("\n"))


def _json(rule: Rule, terminal: Terminal) -> dict[str, Json]:
    words = terminal.library.rules[terminal.messages.language]
    page = explanation(rule)
    return {
        "code": rule.code,
        "slug": rule.slug,
        "severity": str(rule.severity),
        "since": rule.since,
        "optional": rule.optional,
        "fixable": rule.fixable,
        "title": words.text(f"{rule.code}.title"),
        **rule_prose(rule, words),
        "example": [{"path": file.path, "text": file.text} for file in page.bad],
        "useInstead": [{"path": file.path, "text": file.text} for file in page.good],
        "references": list(page.references),
    }
