"""`gpulab explain`: every rule in every language, as text and as JSON, and what is said of a code that there is not."""

from __future__ import annotations

import pytest

from labs.library import LANGUAGES, builtin_library
from labs.lint.core.explanation import explanation
from labs.lint.registry import RULES
from labs.report.findings.words import rule_prose
from labs.report.writing.measure import columns
from tests.unit.edges.conftest import Command


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_is_told_as_text(command: Command, language: str) -> None:
    words = builtin_library().rules[language]
    for rule in RULES:
        ran = command("explain", rule.code, "--lang", language)
        assert (ran.code, ran.err) == (0, "")
        title = words.text(f"{rule.code}.title")
        assert ran.out.startswith(f"{rule.code} {rule.slug}: {title}\n")
        said = "".join(ran.out.split())
        assert all("".join(prose.split()) in said for prose in rule_prose(rule, words).values())
        for file in (*explanation(rule).bad, *explanation(rule).good):
            assert "".join(f"    {line}\n" for line in file.text.rstrip("\n").split("\n")) in ran.out
        assert "\ufffd" not in ran.out


@pytest.mark.parametrize("language", LANGUAGES)
def test_prose_is_broken_for_a_terminal(command: Command, language: str) -> None:
    for rule in RULES:
        lines = command("explain", rule.code, "--lang", language).out.splitlines()
        prose = [line for line in lines if line.startswith("  ") and not line.startswith(("    ", "  - "))]
        assert prose
        assert all(columns(line) <= 84 for line in prose)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_is_told_as_json(command: Command, language: str) -> None:
    words = builtin_library().rules[language]
    listed = command("explain", "--format", "json", "--lang", language).json
    assert [one["code"] for one in listed] == [rule.code for rule in RULES]
    for rule, one in zip(RULES, listed, strict=True):
        assert one == command("explain", rule.slug, "--format", "json", "--lang", language).json
        assert one["title"] == words.text(f"{rule.code}.title")
        assert {key: one[key] for key in ("what", "why")} == rule_prose(rule, words)
        assert (one["slug"], one["severity"], one["since"]) == (rule.slug, str(rule.severity), rule.since)
        assert (one["optional"], one["fixable"]) == (rule.optional, rule.fixable)
        assert all(one[key] for key in ("example", "useInstead", "references"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_a_code_all_are_listed_a_line_each(command: Command, language: str) -> None:
    lines = command("explain", "--lang", language).out.splitlines()
    assert [line.split()[:2] for line in lines] == [[rule.code, rule.slug] for rule in RULES]


@pytest.mark.parametrize("name", ["gl201", "GL201", "Gl201", "both-strategies"])
def test_a_rule_is_named_by_its_code_in_any_case_or_its_slug(command: Command, name: str) -> None:
    assert command("explain", name).out.startswith("GL201 both-strategies: ")


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("GL2011", "GL201"),
        ("both-strategy", "both-strategies"),
        ("GL", ""),
        ("", ""),
        ("日本", ""),
        ("\x1b[31m", ""),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_code_that_there_is_not_is_wrong_usage(
    command: Command, name: str, near: str, language: str
) -> None:
    ran = command("explain", name, "--lang", language)
    assert (ran.code, ran.out) == (2, "")
    assert near in ran.err
    assert "\x1b" not in ran.err
