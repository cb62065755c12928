"""Wrong usage is told in the reader's language, whatever kind of wrong it is."""

from __future__ import annotations

import re

import pytest

from labs.cli import COMMANDS, main
from labs.commands.usage import usage_words
from labs.library import LANGUAGES, builtin_library

SCRIPTS = {"en": "^[ -~\n]+$", "ja": "[ぁ-ヿ]", "ko": "[가-힣]"}
WRONG = [
    [],
    ["nothing"],
    ["run"],
    ["run", "a", "b"],
    ["run", "a", "--format", "pdf"],
    ["run", "a", "--format"],
    ["run", "--help=x", "a"],
    ["lab", "dance"],
    ["advertise", "x"],
    ["advertise", "x", "--node"],
    ["advertise", "x", "--node", "y", "--deployer", "hand"],
    ["serve", "--port", "eighty"],
    ["serve", "--port", ""],
    ["--lang"],
    ["--nothing"],
    ["run", "a", "--f", "text", "--nothing=1"],
    *([command, "--format", "\x1b"] for command in COMMANDS if command != "serve"),
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("arguments", WRONG, ids=" ".join)
def test_wrong_usage_is_told_in_the_readers_language(
    arguments: list[str], language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", f"{language}_XX.UTF-8")
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    sentence, _, rest = err.partition("\n")
    assert (out, rest.count("\n")) == ("", 1)
    assert "--help" in rest
    assert re.search(SCRIPTS[language], sentence.replace("\ufffd", "?"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("message", "key", "values"),
    [
        (
            "argument --format: invalid choice: 'pdf' (choose from 'text', 'json')",
            "choice",
            {"name": "--format", "value": "'pdf'", "allowed": "'text', 'json'"},
        ),
        (
            "argument --format: invalid choice: 'txt' (maybe you meant 'text', choose from text, json)",
            "choice",
            {"name": "--format", "value": "'txt'", "allowed": "text, json"},
        ),
        (
            "ambiguous option: --pl could match --plugin-args, --plugin-version",
            "ambiguous",
            {"value": "--pl", "allowed": "--plugin-args, --plugin-version"},
        ),
    ],
)
def test_the_wording_of_other_pythons(message: str, key: str, values: dict[str, str], language: str) -> None:
    messages = builtin_library().messages[language]
    assert usage_words(message, messages) == messages.pick(f"cli.wrong.{key}", values)


def test_what_is_of_no_known_kind_stays() -> None:
    assert usage_words("argument x: odd", builtin_library().messages["ja"]) == "argument x: odd"
