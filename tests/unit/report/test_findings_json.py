"""The JSON of findings is what the design of the command says: these keys, these types, places in code points."""

from __future__ import annotations

import json

import pytest

from labs.lint.findings.finding import Fix
from labs.report.findings.json import finding_json, findings_json
from tests.unit.report.found import WORDS, edit, finding, related

PLACES = {"line": 2, "column": 5, "endLine": 2, "endColumn": 8}
TEXT = "a: 1\n名前: bad # 😀\n"


def test_a_finding_has_these_keys_in_this_order() -> None:
    assert finding_json(finding(TEXT, "bad"), WORDS) == {
        "code": "GL999",
        "slug": "a-rule",
        "severity": "warning",
        "path": "a.yaml",
        **PLACES,
        "message": 'It is "x"',
        "help": "Write x",
        "related": [],
        "fix": None,
    }
    keys = "code slug severity path line column endLine endColumn message help related fix"
    assert " ".join(finding_json(finding(TEXT, "bad"), WORDS)) == keys


@pytest.mark.parametrize("safe", [True, False])
def test_a_fix_has_its_edits_with_their_places(safe: bool) -> None:
    fix = Fix(safe, (edit(TEXT, "1", "2"), edit(TEXT, "bad", "good")))
    edits = [
        {"line": 1, "column": 4, "endLine": 1, "endColumn": 5, "text": "2"},
        {**PLACES, "text": "good"},
    ]
    assert finding_json(finding(TEXT, "a", fix=fix), WORDS)["fix"] == {"safe": safe, "edits": edits}


def test_a_related_place_has_its_own_path_and_words() -> None:
    other = related("x: 1\n", "x", "other.yaml")
    assert finding_json(finding(TEXT, "bad", related=(other,)), WORDS)["related"] == [
        {
            "path": "other.yaml",
            "line": 1,
            "column": 1,
            "endLine": 1,
            "endColumn": 2,
            "message": 'Here too: "x"',
        }
    ]


def test_findings_stay_in_order_and_come_back_from_json() -> None:
    found = [finding(TEXT, "bad"), finding(TEXT, "a", value='“"\\\u2028')]
    answer = findings_json(found, WORDS)
    assert json.loads(json.dumps(answer, ensure_ascii=False)) == answer
    assert [one["line"] for one in answer if isinstance(one, dict)] == [2, 1]
