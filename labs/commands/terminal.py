"""What the commands share: the reader's language, reading files, and answers that are bad news.

Results go to standard output and problems to standard error. Exit codes: 0 fine, 1 an answer that is bad
news, 2 wrong usage or input that can't be read.
"""

from __future__ import annotations

import errno
import locale
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from labs.config.own import ProblemsError
from labs.library import LANGUAGES, Library
from labs.report.writing import Messages, problems_text, visible_path

FINE, BAD_NEWS, WRONG_USAGE = 0, 1, 2
INPUT_LIMIT = 1_000_000  # bytes of a scenario or node file
# Characters that a terminal obeys instead of showing: controls but for the line feed, and those that turn the direction
# of writing. A file that somebody else wrote must not move the cursor, colour or hide what we print.
_OBEYED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


class InputError(Exception):
    """Input that can't be used, told in the reader's language. Exit code 2."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """What a command has at hand."""

    library: Library
    messages: Messages

    def read_text(self, path: str, limit: int = INPUT_LIMIT) -> str:
        """The text of a file of at most `limit` bytes, or of standard input for `-`. Raises InputError."""
        try:
            data = self.read_bytes(path, limit)
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            raise InputError(self.messages.text("cli.not-utf8", path=path, line=line)) from None

    def read_bytes(self, path: str, limit: int = INPUT_LIMIT) -> bytes:
        """The bytes of a file, at most `limit`, or of standard input for `-`. Raises InputError."""
        try:
            if path == "-":
                if sys.stdin is None:
                    raise OSError(errno.EBADF, os.strerror(errno.EBADF))
                data = sys.stdin.buffer.read(limit + 1)
            else:
                with Path(path).open("rb") as file:
                    data = file.read(limit + 1)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise InputError(
                self.messages.text("cli.cannot-read", path=visible_path(path), reason=reason)
            ) from None
        if len(data) > limit:
            raise InputError(self.messages.text("cli.too-large", path=path, limit=limit))
        return data

    def problems(self, error: ProblemsError, source: str, path: str) -> InputError:
        """The error that tells all problems of a text."""
        return InputError(problems_text(error.problems, self.messages, source, path, error.more))


def printable(text: str) -> str:
    """`text` as it may go to a terminal: what a terminal would obey is shown as U+FFFD."""
    return _OBEYED.sub("\ufffd", text)


def preferred_language(environment: Sequence[str | None] | None = None) -> str:
    """The language of the reader's locale if it is one of ours, else English.

    `environment` are the values of LC_ALL, LC_MESSAGES and LANG, in that order (None: ask the system).
    """
    values = environment or [os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG")]
    locale_name = next((value for value in values if value), None)
    if locale_name is None and environment is None:
        locale_name = locale.getlocale()[0]
    code = (locale_name or "en").lower()[:2]
    named = {"japanese": "ja", "korean": "ko"}.get((locale_name or "").lower().partition("_")[0])
    return named or (code if code in LANGUAGES else "en")
