"""Which rules speak and how loudly, what a comment silences, and near names."""

from __future__ import annotations

import dataclasses

import pytest

from labs.config.goyaml import LineIndex
from labs.lint.core.selection import Selection
from labs.lint.findings import MOST_NAMES, Finding, NearNames, Severity, ignores, listed, unsilenced
from labs.lint.registry import RULES
from labs.lint.subject import Rule

CODES = [rule.code for rule in RULES]
OPTIONAL = {rule.code for rule in RULES if rule.optional}
ORDINARY = next(rule for rule in RULES if rule.code == "GL201")


def in_group(prefix: str) -> set[str]:
    return {code for code in CODES if code.startswith(prefix)}


def a_finding(rule: Rule, line: int = 1) -> Finding:
    text = "a: 1\n" * line
    place = LineIndex(text).span(len(text) - 5, len(text) - 4)
    return Finding(rule.code, rule.slug, Severity.WARNING, "a.yaml", place)


@pytest.mark.parametrize(
    ("selection", "codes"),
    [
        (Selection(), set(CODES) - OPTIONAL),
        (Selection(select=("ALL",)), set(CODES)),
        (Selection(select=("GL2",)), in_group("GL2")),
        (Selection(select=("GL201",)), {"GL201"}),
        (Selection(select=(ORDINARY.slug,)), {"GL201"}),
        (Selection(select=("GL201", "GL5")), {"GL201"} | in_group("GL5")),
        (Selection(select=("2", "key", "gl201")), set()),
        (Selection(extend=("ALL",)), set(CODES)),
        (Selection(select=("GL201",), extend=("GL3",)), {"GL201"} | in_group("GL3")),
        (Selection(ignore=("GL2",)), set(CODES) - OPTIONAL - in_group("GL2")),
        (Selection(ignore=("ALL",)), set()),
        (Selection(extend=("GL201",), ignore=("GL201",)), set(CODES) - OPTIONAL - {"GL201"}),
    ],
)
def test_a_name_is_a_code_its_beginning_a_slug_or_all_and_ignore_goes_first(
    selection: Selection, codes: set[str]
) -> None:
    assert {rule.code for rule in selection.chosen(RULES)} == codes
    assert OPTIONAL


@pytest.mark.parametrize(
    ("severities", "expected"),
    [
        ({}, Severity.WARNING),
        ({"ALL": Severity.INFO}, Severity.INFO),
        ({"GL": Severity.INFO, "GL2": Severity.ERROR, "ALL": Severity.WARNING}, Severity.ERROR),
        ({"GL201": Severity.INFO, "GL2": Severity.ERROR}, Severity.INFO),
        ({"GL201": Severity.INFO, ORDINARY.slug: Severity.ERROR}, Severity.ERROR),
        ({"GL3": Severity.ERROR, "G": Severity.ERROR}, Severity.WARNING),
    ],
)
def test_the_most_exact_name_says_how_bad_it_is(severities: dict[str, Severity], expected: Severity) -> None:
    rated = Selection(severities=severities).rated(a_finding(ORDINARY))
    assert rated == dataclasses.replace(a_finding(ORDINARY), severity=expected)


def test_names_that_no_rule_has_are_told_once_each_in_their_order() -> None:
    selection = Selection(
        ("GL2", "x"), ("y", "ALL"), ("x", ORDINARY.slug), {"z": Severity.INFO, "GL1": Severity.INFO}
    )
    assert selection.unknown(RULES) == ("x", "y", "z")


@pytest.mark.parametrize(
    ("comment", "silenced"),
    [
        ("# gpulab: ignore[GL201] ours\n", {2}),
        ("a: 1  # gpulab: ignore[GL201] ours\n", {1}),
        ("# a\n  # gpulab: ignore[GL201] ours\n", {3}),
        ("#gpulab:ignore[ GL201 , GL999 ]: ours\n", {2}),
        (f"# gpulab: ignore[{ORDINARY.slug}] - ours\n", {2}),
        ("# gpulab: ignore[GL202] ours\n", set()),
        ("# gpulab: ignore[GL2] ours\n", set()),
        ("# gpulab: ignore[GL201]\n", set()),
        ("# gpulab: ignore[GL201] - :\n", set()),
        ("# gpulab: ignored[GL201] ours\n", set()),
    ],
)
def test_a_comment_with_a_reason_silences_its_line_or_alone_on_one_also_the_next(
    comment: str, silenced: set[int]
) -> None:
    findings = [a_finding(ORDINARY, line) for line in (1, 2, 3, 4)]
    left = {one.span.start.line for one in unsilenced(findings, ignores(comment + "a: 1\n" * 4))}
    assert {1, 2, 3, 4} - left - {comment.count("\n")} == silenced - {comment.count("\n")}
    assert (comment.count("\n") in left) == ("ours" not in comment or not silenced)


def test_a_comment_has_its_codes_its_reason_and_its_place() -> None:
    (comment,) = ignores("a: 1\nb: 2 # gpulab: ignore[GL201, key-case]: each team: decides -\n")
    assert (comment.codes, comment.reason) == (("GL201", "key-case"), "each team: decides")
    assert (comment.span.start.line, comment.span.start.column, comment.lines) == (2, 6, (2,))


def test_near_names_are_looked_for_fifty_times_among_a_hundred() -> None:
    near = NearNames([*(f"{n:03}" * 4 for n in range(MOST_NAMES - 1)), "replicas", "resources"])
    assert (near.of("replica"), near.of("resource"), near.of("zzz")) == ("replicas", "", "")
    for number in range(47):
        assert near.of(f"replicas{number}") == "replicas"
    assert near.of("replicass") == ""
    assert near.of("replica") == "replicas"


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b", "c"], "a, b, c"),
        (["x" * 80], "x" * 80),
        (["x" * 81], "x" * 80 + "…"),
        (["x" * 40, "y" * 38], "x" * 40 + ", " + "y" * 38),
        (["x" * 40, "y" * 39, "z"], "x" * 40 + ", …"),
    ],
)
def test_names_are_listed_up_to_80_characters(names: list[str], text: str) -> None:
    assert listed(names) == text
