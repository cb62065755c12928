"""Fixes applied until none is offered, whatever a file is deployed by: no finding comes up of which nobody has been told."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import pytest

from labs.config.plugin.flags import Deployer
from labs.hardware.catalog import builtin_catalog
from labs.library import LANGUAGES, builtin_library
from labs.lint.core.explanation import explanation
from labs.lint.core.linter import lint, read
from labs.lint.core.selection import Selection
from labs.lint.findings.finding import Finding
from labs.lint.findings.fixing import fixed
from labs.lint.registry import RULES, find_rule
from labs.lint.subject.rule import Rule

ROUNDS = 20
ENGLISH = builtin_library().rules["en"]
FIXABLE = [rule for rule in RULES if rule.fixable]
DEPLOYERS = (None, *Deployer)


def help_key(finding: Finding) -> str:
    """The message that says what to do about it."""
    own = f"{finding.code}.help-{finding.variant}"
    return own if ENGLISH.has(own) else f"{finding.code}.help"


def judged(texts: Mapping[str, str], rule: Rule, deployer: Deployer | None) -> tuple[list[Finding], bool]:
    """All findings of all rules, as `gpulab check --deployer` has them, and whether a loader refuses some file."""
    given = (
        rule.example_settings
        if deployer is None
        else dataclasses.replace(rule.example_settings, deployer=deployer)
    )
    settings = dataclasses.replace(given, catalog=builtin_catalog())
    sources = [read(path, text, settings) for path, text in texts.items()]
    told = lint(sources, settings, Selection(extend=(rule.code,))).values()
    refused = any(one.loads is False for source in sources for one in source.documents)
    return [one for findings in told for one in findings], refused


@pytest.mark.parametrize("deployer", DEPLOYERS)
@pytest.mark.parametrize("rule", FIXABLE, ids=[rule.code for rule in FIXABLE])
def test_what_comes_up_after_fixes_was_said_before(rule: Rule, deployer: Deployer | None) -> None:
    """Nothing does, or the help of what was fixed names it, or the file was refused.

    Then nothing could be said of what it does, which the answer says beside the loader's error.
    """
    texts = {file.path: file.text for file in explanation(rule).bad}
    before, was_refused = judged(texts, rule, deployer)
    helps = " ".join(ENGLISH.pick(help_key(one), dict(one.arguments)) for one in before)
    for _ in range(ROUNDS):
        offered = [one for one in judged(texts, rule, deployer)[0] if one.fix is not None]
        if not offered:
            break
        for path, text in texts.items():
            texts[path] = fixed(text, [one for one in offered if one.path == path]).text
    after, _ = judged(texts, rule, deployer)
    assert [one.code for one in after if one.fix is not None] == []
    new = {one.code for one in after} - {one.code for one in before}
    assert was_refused or {code for code in new if code not in helps} == set()


def test_under_the_static_daemonset_no_fix_leads_from_one_reason_without_mps_to_the_next() -> None:
    rule = find_rule("GL208")
    assert rule is not None
    texts = {file.path: file.text for file in explanation(rule).bad}
    found, _ = judged(texts, rule, Deployer.STATIC)
    assert [(one.code, one.variant, one.fix) for one in found] == [
        ("GL208", "static", None),
        ("GL226", "", None),
    ]
    for language in LANGUAGES:
        assert "GL226" in builtin_library().rules[language].text("GL208.help-static")


@pytest.mark.parametrize("rule", FIXABLE, ids=[rule.code for rule in FIXABLE])
def test_a_fix_is_the_same_in_a_file_with_line_breaks_of_windows(rule: Rule) -> None:
    texts = {file.path: file.text for file in explanation(rule).bad}
    windows = {path: text.replace("\n", "\r\n") for path, text in texts.items()}
    findings, of_windows = judged(texts, rule, None)[0], judged(windows, rule, None)[0]
    assert [one.code for one in findings if one.fix is not None].count(rule.code) > 0
    for path, text in texts.items():
        mended = fixed(text, [one for one in findings if one.path == path]).text
        assert fixed(windows[path], [one for one in of_windows if one.path == path]).text == mended.replace(
            "\n", "\r\n"
        )
