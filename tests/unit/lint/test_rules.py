"""Every rule: its bad example triggers it and only it, its good example triggers nothing, and it speaks three languages."""

from __future__ import annotations

import dataclasses
import inspect
import sys

import pytest

from labs.config.goyaml.positions import replace_span
from labs.hardware.catalog import builtin_catalog
from labs.library import builtin_library
from labs.lint.core.explanation import ExampleFile, explanation
from labs.lint.core.linter import joined, lint, read
from labs.lint.core.selection import Selection
from labs.lint.findings.finding import Finding
from labs.lint.findings.fixing import fixed
from labs.lint.registry import RULES, find_rule
from labs.lint.subject.rule import Rule
from labs.lint.subject.subject import LintDocument
from labs.report.findings.words import rule_prose
from tests.some import some

RULE_IDS = [f"{rule.code}-{rule.slug}" for rule in RULES]
LANGUAGES = ("en", "ja", "ko")


def findings(files: tuple[ExampleFile, ...], rule: Rule) -> list[Finding]:
    settings = dataclasses.replace(rule.example_settings, catalog=builtin_catalog())
    sources = joined([read(file.path, file.text, settings) for file in files], settings)
    selection = Selection(extend=(rule.code,))
    return [one for found in lint(sources, settings, selection).values() for one in found]


@pytest.mark.parametrize("rule", RULES, ids=RULE_IDS)
def test_the_bad_example_triggers_the_rule_and_only_it(rule: Rule) -> None:
    files = explanation(rule).bad
    assert files
    assert {one.code for one in findings(files, rule)} == {rule.code}


@pytest.mark.parametrize("rule", RULES, ids=RULE_IDS)
def test_the_good_example_triggers_nothing(rule: Rule) -> None:
    files = explanation(rule).good
    assert files
    assert findings(files, rule) == []


ALONE = [rule for rule in RULES if rule.code < "GL500" and len(explanation(rule).bad) == 1]


@pytest.mark.parametrize("rule", ALONE, ids=[rule.code for rule in ALONE])
def test_what_is_right_in_a_file_before_or_after_hides_nothing(rule: Rule) -> None:
    shown = explanation(rule)
    [bad] = shown.bad
    right = tuple(ExampleFile(f"right/{file.path}", file.text) for file in shown.good)
    again = ExampleFile(f"again/{bad.path}", bad.text)
    own = {(one.code, one.span, one.variant) for one in findings(shown.bad, rule)}
    for files in ((*right, bad, again), (bad, again, *right)):
        by_path = [(one.path, (one.code, one.span, one.variant)) for one in findings(files, rule)]
        for path in (bad.path, again.path):
            assert own <= {one for place, one in by_path if place == path}


@pytest.mark.parametrize("rule", RULES, ids=RULE_IDS)
def test_a_fix_leads_to_a_file_without_the_finding(rule: Rule) -> None:
    files = explanation(rule).bad
    offered = [one for one in findings(files, rule) if one.fix is not None]
    assert bool(offered) == rule.fixable
    for one in offered:
        assert one.fix is not None
        mended = tuple(
            ExampleFile(file.path, fixed(file.text, [one]).text if file.path == one.path else file.text)
            for file in files
        )
        again = findings(mended, rule)
        assert (one.code, one.arguments) not in [(other.code, other.arguments) for other in again]


@pytest.mark.parametrize("rule", RULES, ids=RULE_IDS)
def test_the_finding_has_words_in_every_language(rule: Rule) -> None:
    told = findings(explanation(rule).bad, rule)
    for language in some(LANGUAGES):
        messages = builtin_library().rules[language]
        assert all(messages.has(f"{rule.code}.{key}") for key in ("title", "message", "help"))
        assert all(rule_prose(rule, messages).values())
        for one in told:
            values = dict(one.arguments)
            suffix = f"-{one.variant}" if one.variant else ""
            assert messages.pick(f"{rule.code}.message{suffix}", values)
            assert messages.pick(f"{rule.code}.help", values)
            for other in one.related:
                assert messages.pick(f"{rule.code}.{other.note}", values)


@pytest.mark.parametrize("undeclared", [{"variant": "never"}, {"related": "never"}])
def test_a_variant_or_a_note_that_a_rule_does_not_declare_is_an_error(undeclared: dict[str, str]) -> None:
    rule = find_rule("GL201")
    assert rule is not None
    text = "version: v1\n"
    document = LintDocument("a.yaml", read("a.yaml", text, rule.example_settings).documents[0], text, 0)
    root = document.document.root
    assert root is not None
    related = [document.related(root, note) for note in [undeclared.get("related")] if note]
    with pytest.raises(ValueError, match=r"^GL201 does not declare \['never'\]$"):
        rule.at(document, root, variant=undeclared.get("variant", ""), related=related)


def test_codes_and_slugs_are_unique_and_in_order() -> None:
    codes = [rule.code for rule in RULES]
    assert codes == sorted(set(codes))
    assert len({rule.slug for rule in RULES}) == len(RULES)


@pytest.mark.parametrize("rule", RULES, ids=RULE_IDS)
def test_a_rule_is_a_module_of_its_slug_of_at_most_80_lines_of_code(rule: Rule) -> None:
    module = rule.check.__module__
    source = inspect.getsource(sys.modules[module])
    code = source.replace(rule.doc or "", "").splitlines()
    assert len([line for line in code if line.strip()]) <= 80
    assert module.rpartition(".")[2] == rule.slug.replace("-", "_")
    assert find_rule(rule.code) is rule
    assert find_rule(rule.slug) is rule


def test_replace_span_is_what_a_fix_is_made_of() -> None:
    """The places of edits are those of the text that was read."""
    text = "version: v1\n"
    source = read("a.yaml", text, dataclasses.replace(RULES[0].example_settings))
    root = source.documents[0].document.root
    assert root is not None
    assert replace_span(source.text, root.span, "") in ("", "\n")
