"""The words of a text without what is not prose: code, links' targets, HTML, quotations.

What is taken out leaves a Latin letter where words touch it, so that a space beside code is still a space
beside Latin text. Lines keep their numbers.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from checks.languages import LANGUAGES
from checks.markdown_page import without_code

_FENCE = re.compile(r"[ >\t]*(`{3,}|~{3,})")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_OUTPUT = re.compile(r"<pre\b.*?</pre>", re.DOTALL)  # of a command
_TAG = re.compile(r"</?[A-Za-z][^>]*>")
_NUMBER = re.compile(r"\{\{[^{}]*\}\}")
_ATTRIBUTES = re.compile(r"\s*\{:?\s*[#.][^{}]*\}")
_FOOTNOTE_DEFINITION = re.compile(r"^\[\^[^\]]+\]:\s*")
_FOOTNOTE = re.compile(r"\[\^[^\]]+\]")
_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\]]*\])")
_ADDRESS = re.compile(r"<?https?://[^\s>)、。」]+>?")
_EMPHASIS = re.compile(r"\*{1,3}|~~|(?<![A-Za-z0-9])_{1,2}(?=\S)|(?<=\S)_{1,2}(?![A-Za-z0-9])")
_PLACEHOLDER = re.compile(r"\{[^{}]*\}")
_QUOTATION = re.compile(r"「[^「」]*」|『[^『』]*』|“[^“”]*”|\"[^\"]*\"|‘[^‘’]*’")

Line = tuple[str, int, str]
"""A file's path from the root, a line number and the line's prose."""


def page_prose(text: str) -> Iterator[tuple[int, str]]:
    """The prose of a Markdown text, line by line; lines of fenced code are left out."""
    for unspoken in (_COMMENT, _OUTPUT):
        text = unspoken.sub(lambda match: "\n" * match[0].count("\n"), text)
    fence = ""
    for number, line in enumerate(text.split("\n"), start=1):
        marks = _FENCE.match(line)
        if fence:
            if marks and marks[1].startswith(fence) and not line.strip(" >\t" + fence[0]):
                fence = ""
        elif marks:
            fence = marks[1]
        else:
            yield number, _plain(line)


def _plain(line: str) -> str:
    line = _NUMBER.sub("0", without_code(line))
    line = _FOOTNOTE.sub("", _FOOTNOTE_DEFINITION.sub("", line))
    line = _ADDRESS.sub("x", _LINK.sub(r"\1", _LINK.sub(r"\1", line)))
    return _EMPHASIS.sub("", _TAG.sub("", _ATTRIBUTES.sub("", line)))


def without_quotations(line: str) -> str:
    """The line with quoted words replaced by a letter: they speak in another voice."""
    return _QUOTATION.sub("x", line)


def docs_prose(root: Path, language: str) -> Iterator[Line]:
    """The prose of all pages of a language."""
    for file in sorted((root / "docs" / language).rglob("*.md")):
        for number, line in page_prose(file.read_text(encoding="utf-8")):
            yield file.relative_to(root).as_posix(), number, line


def messages_prose(root: Path, language: str) -> Iterator[Line]:
    """The sentences of the code and of the lint rules in a language, with a letter for each placeholder.

    A file that cannot be read has none: the check of messages reports it.
    """
    messages = root / "labs" / "messages"
    for folder in (messages / language, messages / "rules" / language):
        for file in sorted(folder.glob("*.toml")):
            yield from _sentences(root, file)


def _sentences(root: Path, file: Path) -> Iterator[Line]:
    text = file.read_text(encoding="utf-8")
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    lines = text.split("\n")
    for sentence in strings_of(tables):
        for part in filter(None, sentence.split("\n")):
            number = next((n for n, line in enumerate(lines, start=1) if part in line), 0)
            yield file.relative_to(root).as_posix(), number, _PLACEHOLDER.sub("x", without_code(part))


def strings_of(value: object) -> Iterator[str]:
    """All strings in a TOML value, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings_of(item)


def all_prose(root: Path, language: str) -> Iterator[Line]:
    """The pages and the code's sentences of a language."""
    if language not in LANGUAGES:
        raise ValueError(
            f'"{language}" is not a language of the site: expected one of {", ".join(LANGUAGES)}'
        )
    yield from docs_prose(root, language)
    yield from messages_prose(root, language)
