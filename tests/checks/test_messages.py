"""Messages: keys, placeholders and uses, in step across languages and with the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks import messages
from tests.checks.trees import replace, write

CODE = """\
def say(messages, phase):
    messages.text("lab.title", pods=4)
    messages.count("lab.slots", 3)
    messages.text("lab.first" if phase else "lab.second")
    return messages.text(f"phase.{phase}")
"""
TOML = """\
[lab]
title = "{pods} Pods"
first = "1"
second = "2"

[lab.slots]
one = "one slot"
other = "{n} slots"

[phase]
running = "Running"
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    files = {f"labs/messages/{language}/lab.toml": TOML for language in ("ja", "ko", "en")}
    return write(tmp_path, {**files, "labs/report/words.py": CODE})


def test_messages_in_step_pass(tree: Path) -> None:
    assert messages.check(tree) == []


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ('first = "1"\n', "", 0, 'the key "lab.first" is missing'),
        ('first = "1"', 'first = " "', 3, '"lab.first" is empty'),
        ('first = "1"', "first = 1", 3, '"lab.first" is no string'),
        ("{pods} Pods", "{pod} Pods", 2, "has the placeholders {pod}, in ja {pods}"),
        ("{pods} Pods", "{pods Pods", 2, "has a broken placeholder"),
        ('running = "Running"', 'running = "Running"\n[spare]\nkey = "x"', 13, 'nothing uses "spare.key"'),
        ("[lab]", "[lab", 0, "this is not TOML"),
    ],
)
def test_a_defect_is_reported_at_its_place(tree: Path, old: str, new: str, line: int, words: str) -> None:
    replace(tree, "labs/messages/ko/lab.toml", old, new)
    found = [problem for problem in messages.check(tree) if words in problem.message]
    assert [(problem.path, problem.line) for problem in found][:1] == [("labs/messages/ko/lab.toml", line)]


def test_a_key_that_stands_in_two_files_is_reported(tree: Path) -> None:
    for language in ("ja", "ko", "en"):
        write(tree, {f"labs/messages/{language}/more.toml": '[lab]\nfirst = "1"\n'})
    found = {(problem.path, problem.line, problem.message) for problem in messages.check(tree)}
    assert ("labs/messages/en/more.toml", 2, '"lab.first" stands in labs/messages/en/lab.toml too') in found


def test_a_topic_that_a_language_lacks_is_reported(tree: Path) -> None:
    write(tree, {"labs/messages/ja/more.toml": '[phase]\nwaiting = "x"\n'})
    found = {(problem.path, problem.message) for problem in messages.check(tree)}
    assert ("labs/messages/ko/more.toml", "the file is missing") in found
    assert ("labs/messages/ko/more.toml", 'the key "phase.waiting" is missing') not in found


def test_a_missing_language_is_reported(tree: Path) -> None:
    (tree / "labs/messages/en/lab.toml").unlink()
    assert [problem.message for problem in messages.check(tree)] == ["the file is missing"]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"lab.title", pods=4', '"lab.titel", pods=4', 'there is no message "lab.titel"'),
        ("pods=4", "cards=4", '"lab.title" gets {cards}'),
        ('"lab.slots", 3', '"lab.slots", 3, taken=1', '"lab.slots.one" gets {taken}'),
        ('"lab.first" if phase', '"lab.frist" if phase', 'there is no message "lab.frist"'),
    ],
)
def test_a_call_that_its_sentence_does_not_fit_is_reported(
    tree: Path, old: str, new: str, words: str
) -> None:
    replace(tree, "labs/report/words.py", old, new)
    found = [problem for problem in messages.check(tree) if words in problem.message]
    assert {problem.path for problem in found} == {"labs/report/words.py"}


def test_a_separator_may_be_empty_in_one_language(tree: Path) -> None:
    for language, separator in (("ja", ""), ("ko", " "), ("en", " ")):
        replace(tree, f"labs/messages/{language}/lab.toml", 'first = "1"', f'first = "{separator}"')
    assert messages.check(tree) == []


def test_a_script_uses_keys_too(tree: Path) -> None:
    for language in ("ja", "ko", "en"):
        replace(
            tree, f"labs/messages/{language}/lab.toml", "[phase]", '[ui]\nreset = "x"\nloading = "y"\n[phase]'
        )
    write(tree, {"labs/web/lab.js": 'say("ui.reset"); say(`ui.${state}`);'})
    assert messages.check(tree) == []
