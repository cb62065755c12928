"""The page *How far can you trust this?*: it says what the figures say, and changes with them."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from labs.library import LANGUAGES, builtin_library
from labs.report.pages.evidence import builtin_evidence
from labs.report.pages.trust_page import ASSUMPTIONS, FAILURES, TrustPage
from labs.simulation.evidence.accuracy import accuracy
from labs.simulation.evidence.measurement import Role
from labs.simulation.outcome.expected_error import EXPECTED_ERRORS
from tests.some import some

LIBRARY = builtin_library()
EVIDENCE = builtin_evidence(LIBRARY.catalog, LIBRARY.workloads())
PAGES = {language: TrustPage(LIBRARY.messages[language], EVIDENCE).page() for language in LANGUAGES}


@pytest.mark.parametrize("language", LANGUAGES)
class TestEveryLanguage:
    def test_the_figures_stand_in_it(self, language: str) -> None:
        page = PAGES[language]
        messages = LIBRARY.messages[language]
        for error in some(EXPECTED_ERRORS):
            errors = EVIDENCE.accuracy.of(mechanism=error.mechanism)
            assert errors is not None
            assert f"| {errors.points} |" in page
            assert f"±{messages.text('unit.percent', n=messages.number(error.percent))}" in page

    def test_no_number_is_told_of_data_without_a_say(self, language: str) -> None:
        page = PAGES[language]
        section = page[page.index("{#robustness}") : page.index("{#utilization}")]
        words = re.sub(r"\[[^]]*\]\([^)]*\)|\{#[a-z]+\}", "", section)
        assert len(words) > 80
        assert re.findall(r"[0-9]", words) == []

    def test_every_heading_has_its_id(self, language: str) -> None:
        headings = re.findall(r"^#+ .*$", PAGES[language], re.MULTILINE)
        assert len(headings) > 12
        assert all(re.search(r"\{#[a-z0-9-]+\}$", heading) for heading in headings)

    def test_every_link_within_the_page_leads_somewhere(self, language: str) -> None:
        page = PAGES[language]
        assert set(re.findall(r"\]\(#([^)]+)\)", page)) <= set(re.findall(r"\{#([a-z0-9-]+)\}", page))

    def test_assumptions_and_failures_are_all_named(self, language: str) -> None:
        page = PAGES[language]
        assert len(re.findall(r"^- \*\*", page, re.MULTILINE)) == len(ASSUMPTIONS) + len(FAILURES)

    def test_pictures_have_words_and_no_blank_line(self, language: str) -> None:
        page = PAGES[language]
        figures = re.findall(r"^<figure.*</figure>$", page, re.MULTILINE)
        assert len(figures) == 4
        assert all("<title" in each and "<desc" in each and "<figcaption>" in each for each in figures)


def test_the_languages_have_the_same_headings_and_tables() -> None:
    shapes = [re.findall(r"\{#[a-z0-9-]+\}|^\| -", page, re.MULTILINE) for page in PAGES.values()]
    assert shapes[0] == shapes[1] == shapes[2]


def test_a_changed_figure_changes_the_page() -> None:
    points = tuple(
        replace(point, value=point.value * 3) if point.line == 2 and point.role is Role.PREDICT else point
        for point in EVIDENCE.points
    )
    changed = replace(EVIDENCE, points=points, accuracy=accuracy(points, LIBRARY.catalog))
    messages = LIBRARY.messages["en"]
    assert TrustPage(messages, changed).page() != TrustPage(messages, EVIDENCE).page()
