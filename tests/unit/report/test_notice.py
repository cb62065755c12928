"""What somebody wrote reads in a notice as they wrote it: in Markdown, whoever renders it, and in HTML."""

from __future__ import annotations

from collections.abc import Callable
from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown import markdown
from markdown_it import MarkdownIt

from labs.cluster.announcement import Announcement, announce, without_sharing
from labs.cluster.gpu import PhysicalGpu
from labs.config.plugin.loader import load
from labs.report.notice.words import Circumstances, notice
from labs.report.writing.notice import Item, Notice, Paragraph, one_line, plain
from tests.unit.report.stories import LANGUAGES, messages

SLICED = "version: v1\nsharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 5}]}}\n"
HOSTILE = [
    *("**bold** _it_ __so__ `code` ``co`de``", "[link](https://evil.example) ![i](x.png) [^1]: y [ ] z"),
    *(
        "<b onclick=x>hi</b> <script>x</script> <!-- c --> <https://evil.example>",
        "&copy; &#60;b&#62; &lt; R&D",
    ),
    *(
        "# heading",
        "#channel",
        "- item",
        "+ item",
        "* item",
        "> quote",
        "1. one",
        "12) two",
        "---",
        "***",
        "===",
    ),
    *(
        "~~gone~~ ~9:00",
        "$x$ costs $5",
        "| a | b |",
        "```",
        "~~~",
        ": term",
        "{{ x }} {: .c}",
        "\\*\\ \\",
        "C:\\dir\\",
    ),
    *(
        "a\nb\r\nc\u2028d\x85e",
        "tab\there",
        "bidi \u202egnp\u2066x",
        "bell\x07 esc\x1b[31m \x9b",
        "zero\u200bwidth",
    ),
    *(
        "gpu_team@example.com",
        "Kim <kim@example.com>, ext. 42",
        "https://x.example/_a_/b_c?d=1&e=2#f",
        "문의: 「窓口」",
    ),
]
RENDERERS: dict[str, Callable[[str], str]] = {
    "CommonMark": MarkdownIt("commonmark").render,
    "with tables and strikethrough": MarkdownIt("commonmark").enable(["table", "strikethrough"]).render,
    "Python-Markdown": markdown,
}
every_renderer = pytest.mark.parametrize("renderer", RENDERERS)
words = st.text(st.characters(codec="utf-8"), max_size=40) | st.text(
    "*_`[]()<>#&;~$\\!-+1.| \na", max_size=40
)


class Seen(HTMLParser):
    """What a reader of some HTML sees, one line of text for each block, and the elements that there are."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.elements: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        if tag in ("p", "li", "h1", "h2", "pre", "article"):
            self.lines.append("")

    def handle_data(self, data: str) -> None:
        self.lines = [*self.lines[:-1], (self.lines or [""])[-1] + data]


def seen(html: str) -> list[str]:
    """The lines as HTML shows them, where blanks in a row are one."""
    return [" ".join(line.split()) for line in Seen(html).lines if line.strip()]


def elements(html: str) -> list[str]:
    return Seen(html).elements


@every_renderer
@given(words)
@example("\\")
def test_a_value_reads_as_it_was_written_wherever_it_stands(renderer: str, text: str) -> None:
    value = one_line(text)
    if not value:
        return
    told = Notice("title", (Paragraph(plain(text)), Item(plain(text)), Item(f"before {plain(text)}, after")))
    for html in (RENDERERS[renderer](told.markdown), told.html):
        assert seen(html) == ["title", value, value, f"before {value}, after"]
        assert set(elements(html)) <= {"h1", "p", "ul", "li"}


def a_change(model: str = "NVIDIA T4") -> Announcement:
    after = load(SLICED)
    return announce(without_sharing(after), after, (PhysicalGpu(model, 15360, (7, 5)),))


@every_renderer
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", HOSTILE)
def test_whatever_a_person_enters_changes_nothing_in_a_notice_but_its_own_words(
    renderer: str, language: str, text: str
) -> None:
    """From when, whom to ask, the key of a ConfigMap, the name of a card: the notice has the elements that it has anyway."""
    render = RENDERERS[renderer]
    usual = notice(a_change(), Circumstances("Monday", "ops", "key"), messages(language))
    found = notice(a_change(f"NVIDIA {text}"), Circumstances(text, text, text), messages(language))
    for usual_html, html in ((render(usual.markdown), render(found.markdown)), (usual.html, found.html)):
        assert elements(html) == elements(usual_html)
        assert sum(one_line(text) in line for line in seen(html)) >= 3
    assert all(line.isprintable() for line in found.markdown.splitlines())


def test_what_needs_no_escape_has_none() -> None:
    for text in (
        "#gpu-platform",
        "gpu_team@example.com",
        "1 May, ~9:00",
        "R&D: ext. 42 (Kim)",
        "$5",
        "7. 5月",
    ):
        assert plain(text) == text
