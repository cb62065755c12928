"""The one place where text becomes markup: what a page shows is `Html`, and only here is anything made so.

A text becomes `Html` by `escape`; a template with places, which is written out where it is used, by `html`; parts in a
row by `join`. The type checker therefore finds a text that nobody escaped, and `checks/html.py` a template that is not
written out.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from typing import NewType

Html = NewType("Html", str)
"""Markup that may stand in a page as it is."""
EMPTY = Html("")

_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
_CONTENT_ENTITIES = {sign: entity for sign, entity in _ENTITIES.items() if chr(sign) in "&<>"}
# Characters that XML forbids; an HTML page shows them as nothing good either.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_CODE = re.compile(r"`([^`]+)`")
_PAGE_LINK = re.compile(r'href="page:([a-z0-9/-]+)')
_NOT_PLAIN = re.compile(f"[&<>\"'{_FORBIDDEN.pattern[1:]}")


def escape(text: str) -> Html:
    """`text` for use between tags and in quoted attributes, of HTML and of SVG."""
    if _NOT_PLAIN.search(text) is None:
        return Html(text)
    return Html(_FORBIDDEN.sub("\ufffd", text).translate(_ENTITIES))


def escape_content(text: str) -> Html:
    """`text` for use between tags only: a quote stays itself, so that the text reads well in a page's Markdown."""
    return Html(_FORBIDDEN.sub("\ufffd", text).translate(_CONTENT_ENTITIES))


def html(template: str, *parts: Html | int) -> Html:
    """The template, a literal, with a part for each `{}` in it; braces of its own are doubled."""
    return Html(template.format(*parts))


def join(parts: Iterable[Html], between: str = "") -> Html:
    """Parts one after another; what stands between them is a literal."""
    return Html(between.join(parts))


def coded(text: str) -> Html:
    """`text`, in which what stands between grave accents is code."""
    return Html(_CODE.sub(r"<code>\1</code>", escape(text)))


def unbroken(markup: Html) -> Html:
    """Markup on one line, as Markdown wants an element that stands in its text."""
    return Html(markup.replace("\n", ""))


def linked(markup: Html, pages: str) -> Html:
    """Markup with an address in each `href="page:labs/check#anchor"`; `pages` is that of a page, with `{page}` in it."""
    return Html(_PAGE_LINK.sub(lambda link: f'href="{escape(pages.replace("{page}", link[1]))}', markup))


def style_text(style_sheet: str) -> Html:
    """A style sheet for a `<style>` element, which nothing in it can end."""
    return Html(style_sheet.replace("<", "\\3c "))


def quoting(text: str, quotes: Iterable[str]) -> Html:
    """As `escape`, with the first of the `quotes` that stands in `text` marked as English: programs speak nothing else."""
    for quote in quotes:
        before, quoted, after = text.partition(quote) if quote else (text, "", "")
        if quoted:
            return html('{}<span lang="en">{}</span>{}', escape(before), escape(quoted), escape(after))
    return escape(text)


def attributes(**values: str | float | bool | None) -> Html:
    """` name="value"` for each value: `_` in a name stands for `-`; True is the bare name; None and False are left out."""
    written = []
    for key, value in values.items():
        if value is None or value is False:
            continue
        if value is True:
            written.append(html(" {}", _name(key)))
        else:
            content = escape(value) if isinstance(value, str) else number(value)
            written.append(html(' {}="{}"', _name(key), content))
    return join(written)


@functools.cache
def _name(key: str) -> Html:
    """The attribute that a key of Python's stands for; there are as many as are written in the code."""
    return escape(key.rstrip("_").replace("_", "-"))


def number(value: float) -> Html:
    """A coordinate: at most one decimal, no trailing zero."""
    text = f"{value:.1f}"
    return Html(text.removesuffix(".0") if text != "-0.0" else "0")
