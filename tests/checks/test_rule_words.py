"""Words of the lint rules: complete, used, and in step across languages; each kind of defect is told at its file."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from checks import rule_words
from checks.languages import LANGUAGES
from labs.lint.registry import RULES
from tests.checks.trees import replace

ROOT = Path(__file__).parents[2]
CODES = ("GL201", "GL208")
"""A rule with plain words, and one with variants of its message."""
EN = "labs/messages/rules/en/sharing.toml"


def toml(tables: Mapping[str, Mapping[str, str]]) -> str:
    """Tables of strings; TOML reads JSON's strings."""
    return "\n".join(
        f"[{code}]\n"
        + "".join(f"{key} = {json.dumps(text, ensure_ascii=False)}\n" for key, text in words.items())
        for code, words in tables.items()
    )


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The words of two rules, as they are."""
    monkeypatch.setattr(rule_words, "RULES", tuple(rule for rule in RULES if rule.code in CODES))
    for language in LANGUAGES:
        path = f"labs/messages/rules/{language}/sharing.toml"
        words = tomllib.loads((ROOT / path).read_text("utf-8"))
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_text(toml({code: words[code] for code in CODES}), "utf-8")
    return tmp_path


def told(tree: Path) -> list[tuple[str, str]]:
    return [(problem.path, problem.message) for problem in rule_words.check(tree)]


def test_words_in_step_pass(tree: Path) -> None:
    assert told(tree) == []


def test_the_projects_own_words_pass() -> None:
    assert [str(problem) for problem in rule_words.check(ROOT)] == []


def spoil(tree: Path, key: str, text: str | None, language: str = "en", code: str = "GL201") -> None:
    """Gives a key another text (as TOML), or takes it away."""
    path = tree / f"labs/messages/rules/{language}/sharing.toml"
    lines: list[str] = []
    table = ""
    for line in path.read_text("utf-8").splitlines():
        table = line.strip("[]") if line.startswith("[") else table
        if table == code and line.startswith(f"{key} = "):
            continue
        lines.append(line)
        if line == f"[{code}]" and text is not None:
            lines.append(f"{key} = {text}")
    path.write_text("\n".join(lines) + "\n", "utf-8")


@pytest.mark.parametrize("key", [*rule_words.NEEDED, *rule_words.PROSE, "used"])
def test_a_text_that_a_rule_needs_is_missed(tree: Path, key: str) -> None:
    for language in LANGUAGES:
        spoil(tree, key, None, language)
    missing = [language for language in LANGUAGES if key not in rule_words.PROSE or language != "en"]
    assert told(tree) == [
        (f"labs/messages/rules/{language}/sharing.toml", f"GL201 has no {key}") for language in missing
    ]


@pytest.mark.parametrize("key", rule_words.PROSE)
def test_english_that_the_docstring_says_is_told(tree: Path, key: str) -> None:
    spoil(tree, key, '"It is said again."')
    assert told(tree) == [(EN, f"the docstring says GL201.{key}")]


def test_a_variant_without_words_is_told(tree: Path) -> None:
    for language in LANGUAGES:
        spoil(tree, "message-static", None, language, "GL208")
        spoil(tree, "help-static", None, language, "GL208")
    assert {message for _, message in told(tree)} == {"GL208 has no words for its variant static"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_that_one_language_lacks_is_missed_in_it_and_told_by_the_others(
    tree: Path, language: str
) -> None:
    spoil(tree, "help", None, language)
    messages = [message for _, message in told(tree)]
    assert messages.count("GL201 has no help") == 1
    assert messages.count(f"GL201.help is missing in {language}") == len(LANGUAGES) - 1


@pytest.mark.parametrize("text", ['""', '"  "', "3", "[]", "true"])
def test_what_is_no_text_is_told(tree: Path, text: str) -> None:
    spoil(tree, "title", text)
    assert (EN, "GL201.title is no text") in told(tree)


def test_a_text_that_nothing_says_is_told(tree: Path) -> None:
    for language in LANGUAGES:
        spoil(tree, "message-nowhere-named", '"x"', language)
        spoil(tree, "unused-note", '"x"', language)
    messages = {message for _, message in told(tree)}
    assert messages == {"nothing uses GL201.message-nowhere-named", "nothing uses GL201.unused-note"}


@pytest.mark.parametrize("text", ['"{"', '"a } b"', '"{a b}"', '"{0}"'])
def test_a_broken_placeholder_is_told_once(tree: Path, text: str) -> None:
    spoil(tree, "help", text)
    assert [message.partition(":")[0] for _, message in told(tree)] == ["GL201.help has a broken placeholder"]


def test_a_placeholder_of_another_name_is_told_from_both_sides(tree: Path) -> None:
    spoil(tree, "message", '"It is {other}"', "ja")
    messages = [message for _, message in told(tree)]
    assert messages.count("GL201.message has other placeholders in ja") == len(LANGUAGES) - 1
    assert all(f"GL201.message has other placeholders in {language}" in messages for language in ("ko", "en"))


@pytest.mark.parametrize("key", rule_words.PLAIN)
def test_a_placeholder_in_what_is_said_without_a_finding_is_told(tree: Path, key: str) -> None:
    for language in ("ja", "ko") if key in rule_words.PROSE else LANGUAGES:
        spoil(tree, key, '"It is {value}"', language)
    assert {message for _, message in told(tree)} == {f"GL201.{key} has placeholders"}


def test_words_of_no_rule_are_told(tree: Path) -> None:
    replace(tree, EN, "[GL201]", "[GL999]")
    found = told(tree)
    assert (EN, "there is no rule GL999") in found
    assert ("labs/messages/rules/en", "GL201 has no words") in found


def test_words_in_two_files_are_told(tree: Path) -> None:
    (tree / "labs/messages/rules/en/more.toml").write_text((tree / EN).read_text("utf-8"), "utf-8")
    assert sorted(told(tree))[:2] == [
        (EN, "GL201 has words elsewhere too"),
        (EN, "GL208 has words elsewhere too"),
    ]


def test_a_file_that_is_no_toml_is_told(tree: Path) -> None:
    (tree / "labs/messages/rules/en/broken.toml").write_text("[GL201\n", "utf-8")
    ((path, message),) = told(tree)
    assert path == "labs/messages/rules/en/broken.toml"
    assert message.startswith("this is not TOML: ")
