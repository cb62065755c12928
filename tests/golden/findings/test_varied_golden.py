"""What each rule says of its examples with something else in them, against a hash of all of it.

A fault at an edge of a rule shows here. Whoever means to change what a rule says writes the hashes anew:
`GPULAB_UPDATE_GOLDEN=1 python3 dev.py test tests/golden/findings`.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from labs.lint.core.explanation import explanation
from labs.lint.registry import RULES
from labs.lint.subject.rule import Rule
from tests.golden.findings.findings_text import by_path, findings, settings_of, told

FILE = Path(__file__).with_name("varied.json")
LONG = "x" * 100
"""More than a message quotes of a name."""


def variations(text: str) -> Iterator[str]:
    """One line left out; one number one less or more; one name very long wherever it stands; one value of another kind."""
    lines = text.splitlines(keepends=True)
    for number in range(len(lines)):
        yield "".join(lines[:number] + lines[number + 1 :])
    for match in re.finditer(r"\d+", text):
        for other in (int(match[0]) - 1, int(match[0]) + 1):
            yield f"{text[: match.start()]}{other}{text[match.end() :]}"
    for name in dict.fromkeys(re.findall(r"[A-Za-z][\w.-]{2,}", text)):
        yield re.sub(rf"(?<![\w.-]){re.escape(name)}(?![\w.-])", name + LONG, text)
    for match in re.finditer(r"(?<=: )[^\s#,}\]].*", text):
        for other_kind in ("~", "[a]", "{a: b}"):
            yield f"{text[: match.start()]}{other_kind}{text[match.end() :]}"


@pytest.mark.parametrize("rule", RULES, ids=[rule.code for rule in RULES])
def test_what_a_rule_says_of_its_varied_examples(rule: Rule) -> None:
    said = hashlib.sha256()
    for files in (explanation(rule).bad, explanation(rule).good):
        texts = by_path(files)
        for path, text in texts.items():
            for other in variations(text):
                changed = {**texts, path: other}
                found = findings(changed, settings_of(rule), [rule])
                said.update(told(path, changed, found).encode())
    found_hash = said.hexdigest()[:16]
    assert found_hash == kept(rule.code, found_hash)


@pytest.mark.parametrize("rule", RULES, ids=[rule.code for rule in RULES])
def test_what_a_rule_says_behind_files_that_are_fine(rule: Rule) -> None:
    """The good example, and the bad one twice behind it: neither ends the search."""
    fine, bad = by_path(explanation(rule).good), by_path(explanation(rule).bad)
    texts = {
        **{f"a-{path}": text for path, text in fine.items()},
        **{f"b-{path}": text for path, text in bad.items()},
        **{f"c-{path}": text for path, text in bad.items()},
    }
    said = told(rule.code, texts, findings(texts, settings_of(rule), [rule]))
    found_hash = hashlib.sha256(said.encode()).hexdigest()[:16]
    assert found_hash == kept(f"{rule.code} beside", found_hash)


def kept(code: str, found: str) -> str:
    """The hash that is kept of a rule."""
    hashes: dict[str, str] = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    if os.environ.get("GPULAB_UPDATE_GOLDEN"):
        hashes = dict(sorted({**hashes, code: found}.items()))
        FILE.write_text(json.dumps(hashes, indent=1) + "\n", "utf-8", newline="\n")
    return hashes[code]
