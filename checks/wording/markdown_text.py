"""A page of the site as plain Markdown, which readers of prose understand; every line keeps its number.

What MkDocs adds to Markdown is taken away: admonitions and tabs become headings with paragraphs, the front
matter's title and description a heading and a paragraph, a defined term a heading; ids, classes and HTML go,
references to numbers become a number. What a command prints goes too, and the list of a rule's sources, which is
English on every page; fenced code stays, for the reader to pass over.
"""

from __future__ import annotations

import re

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_OUTPUT = re.compile(
    r"<pre\b.*?</pre>|<p class=\"gl-facts\">.*?</p>", re.DOTALL
)  # of a command, or labels: no sentences
_SOURCES = re.compile(r"(?<=\{#references\}\n)\n(?:- .*\n)+")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_FRONT_MATTER = re.compile(r"(title|description):\s*(.*)")
_BOX = re.compile(
    r'(?:!!!|\?\?\?\+?)\s+[\w -]+?(?:\s+"(?P<title>[^"]*)")?\s*$|===[!+]?\s+"(?P<tab>[^"]*)"\s*$'
)
_ATTRIBUTES = re.compile(r"\s*\{:?\s*[#.][^{}]*\}")
_NUMBER = re.compile(r"\{\{[^{}]*\}\}")
_TAG = re.compile(r"</?[A-Za-z][^>]*>")
_DEFINITION = ":   "


def plain_markdown(text: str) -> str:
    """The page without what only MkDocs understands, line by line."""
    for unspoken in (_COMMENT, _OUTPUT, _SOURCES):
        text = unspoken.sub(lambda match: "\n" * match[0].count("\n"), text)
    lines = text.split("\n")
    body = _front_matter(lines)
    fence, depth = "", 0
    for number in range(body, len(lines)):
        line = lines[number]
        while line.strip() and not line.startswith(" " * (4 * depth)):
            depth -= 1
        line = line.removeprefix(" " * (4 * depth))
        marks = _FENCE.match(line)
        if fence:
            if marks and marks[1].startswith(fence):
                fence = ""
        elif marks:
            fence = marks[1]
        elif box := _BOX.fullmatch(line):
            depth += 1
            line = _heading(box["title"] or box["tab"] or "")
        else:
            line = _plain(line, lines[number + 1] if number + 1 < len(lines) else "")
        lines[number] = line
    return "\n".join(lines)


def _front_matter(lines: list[str]) -> int:
    """Rewrites the front matter in place; the answer is the index of the first line after it."""
    if lines[0].rstrip() != "---":
        return 0
    end = next((number for number, line in enumerate(lines[1:], start=1) if line.rstrip() == "---"), 0)
    for number in range(end + 1):
        entry = _FRONT_MATTER.match(lines[number])
        said = entry[2].strip("\"'") if entry else ""
        lines[number] = _heading(said) if entry and entry[1] == "title" else said
    return end + 1


def _plain(line: str, following: str) -> str:
    line = _TAG.sub("", _NUMBER.sub("3", _ATTRIBUTES.sub("", line))).replace("**", "")
    if following.startswith(_DEFINITION):
        return _heading(line)
    return line.removeprefix(_DEFINITION)


def _heading(said: str) -> str:
    return f"###### {said}" if said else ""
