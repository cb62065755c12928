"""Markup: what a text, a link and an element come to on a page, whoever wrote them."""

from __future__ import annotations

from pathlib import Path

from labs.library import builtin_library
from labs.lint.registry import RULES
from labs.report.pages.evidence import builtin_evidence
from labs.report.pages.rule_pages import RulePages
from labs.report.pages.trust_page import TrustPage
from labs.report.writing import Messages, escape, escape_content, html, linked, unbroken

LIBRARY = builtin_library()
ENGLISH = sorted((Path(__file__).parents[3] / "labs" / "messages" / "en").glob("*.toml"))


def said_otherwise(old: str, new: str) -> Messages:
    """The English sentences, one of them in other words."""
    return Messages.from_toml([file.read_text("utf-8").replace(old, new) for file in ENGLISH], "en")


def test_quotes_stay_themselves_between_tags_and_nowhere_else() -> None:
    text = "<a> & 'b' \"c\""
    assert escape_content(text) == "&lt;a&gt; &amp; 'b' \"c\""
    assert escape(text) == "&lt;a&gt; &amp; &#39;b&#39; &quot;c&quot;"


def test_what_no_page_may_hold_is_replaced_in_both() -> None:
    assert (escape("a\x00b"), escape_content("a\x00b")) == ("a\ufffdb", "a\ufffdb")


def test_a_link_to_a_page_has_its_address_and_keeps_its_anchor() -> None:
    markup = html('<a href="page:labs/check#top">{}</a><a href="https://a.example">b</a>', escape("a"))
    shown = '<a href="../labs/check.html#top">a</a><a href="https://a.example">b</a>'
    assert linked(markup, "../{page}.html") == shown


def test_an_address_of_pages_ends_no_attribute() -> None:
    assert linked(html('<a href="page:labs">{}</a>', escape("a")), '"><b>{page}') == (
        '<a href="&quot;&gt;&lt;b&gt;labs">a</a>'
    )


def test_an_element_in_markdown_is_one_line() -> None:
    assert unbroken(html("<svg>\n<g>\n</g></svg>")) == "<svg><g></g></svg>"


def test_the_caption_of_a_plot_is_no_markup() -> None:
    messages = said_otherwise('caption = "Each mark is a published figure:', 'caption = "A & B < C:')
    page = TrustPage(messages, builtin_evidence(LIBRARY.catalog, LIBRARY.workloads())).page()
    assert page.count("<figcaption>A &amp; B &lt; C:") == 3


def test_the_facts_of_a_rule_are_no_markup() -> None:
    messages = said_otherwise('has-fix = "offers a fix"', 'has-fix = "A & B < C"')
    rule = next(rule for rule in RULES if rule.fixable)
    page = RulePages(messages, LIBRARY.rules["en"], LIBRARY.catalog).page(rule)
    assert " · A &amp; B &lt; C</p>" in page
