"""Letters of another language's script, and those that nobody sees."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks import scripts
from tests.checks.trees import write


@pytest.mark.parametrize(
    ("language", "line", "found"),
    [
        ("ja", "枠は자리です。", "'\\uc790\\ub9ac'"),
        ("ja", "枠は\u200b枠です。", "ZERO WIDTH SPACE"),
        ("ko", "자리는 枠이다.", "'\\u67a0'"),
        ("ko", "자리는 スロット이다.", "KATAKANA LETTER SU"),
        ("en", "A slot is a 枠.", "'\\u67a0'"),
        ("en", "A\u00a0slot is a slot.", "NO-BREAK SPACE"),
        ("en", "A slоt with a Cyrillic letter.", "CYRILLIC SMALL LETTER O"),
    ],
)
def test_a_letter_of_another_script_is_found(tmp_path: Path, language: str, line: str, found: str) -> None:
    path = f"docs/{language}/page.md"
    problems = scripts.check(write(tmp_path, {path: f"\n{line}\n"}))
    assert [(problem.path, problem.line) for problem in problems] == [(path, 2)]
    assert found in problems[0].message


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("ja", "1枚のGPUは「4つの枠」です。長さは3μs、`자리`はコードです。"),
        ("ko", "자리는 3μs마다 돌아온다. “한 장”이라고 쓴다. 日本語 페이지도 있다."),
        ("en", "A slot – “one” – takes 3 μs; see the 한국어 page."),
    ],
)
def test_its_own_script_is_not(tmp_path: Path, language: str, line: str) -> None:
    assert scripts.check(write(tmp_path, {f"docs/{language}/page.md": line})) == []


def test_messages_are_looked_at_too(tmp_path: Path) -> None:
    problems = scripts.check(write(tmp_path, {"labs/messages/ko/lab.toml": 'slots = "枠 {n}개"\n'}))
    assert [(problem.path, problem.line) for problem in problems] == [("labs/messages/ko/lab.toml", 1)]
