"""What argparse says of wrong arguments, in the reader's language: it knows English only."""

from __future__ import annotations

import re

from labs.report.writing import Messages

# by message `cli.wrong.<key>`: argparse's sentence, in the wording of every Python from 3.11 on
_SENTENCES = {
    "required": r"the following arguments are required: (?P<names>.+)",
    "choice": r"argument (?P<name>.+?): invalid choice: (?P<value>.+) "
    r"\((?:maybe you meant .+, )?choose from (?P<allowed>.+)\)",
    "unknown": r"unrecognized arguments: (?P<values>.+)",
    "value": r"argument (?P<name>.+?): expected (?:one|at least one) argument",
    "no-value": r"argument (?P<name>.+?): ignored explicit argument (?P<value>.+)",
    "number": r"argument (?P<name>.+?): invalid whole_number value: (?P<value>.+)",
    "ambiguous": r"ambiguous option: (?P<value>.+?) could match (?P<allowed>.+)",
}
_PATTERNS = {key: re.compile(sentence, re.DOTALL) for key, sentence in _SENTENCES.items()}


def whole_number(text: str) -> int:
    """What an option that takes a number reads: ASCII digits, where `int` takes 1_0 and digits of other scripts too."""
    if re.fullmatch(r"-?[0-9]{1,40}", text, re.ASCII) is None:
        raise ValueError(text)
    return int(text)


def usage_words(message: str, messages: Messages) -> str:
    """argparse's `message` in the language of `messages`; as it is where it is of a kind that is not known."""
    for key, pattern in _PATTERNS.items():
        match = pattern.fullmatch(message)
        if match is not None:
            return messages.pick(f"cli.wrong.{key}", match.groupdict())
    return message
