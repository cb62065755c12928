"""What a check comes to as HTML: all of it said, nothing of it markup, and never without bounds."""

from __future__ import annotations

import html
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labs.library import LANGUAGES, builtin_library
from labs.report.findings.html import (
    MOST_DOCUMENTS,
    MOST_FINDINGS,
    CheckedText,
    CheckWords,
    Utf16,
    check_regions,
    finding_key,
    marks,
)
from labs.report.writing import Html
from labs.teaching.check_lab.checking import Checking, Situation

LIBRARY = builtin_library()
CHECKING = Checking(LIBRARY.catalog)
TWICE = """\
version: v1
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources: [{name: nvidia.com/gpu, replicas: 4}]
  mps:
    resources: [{name: nvidia.com/gpu, replicas: 2}]
"""
POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: a}]}\n"


def checked(text: str, node: str = "a100-40gb-x4") -> CheckedText:
    found = CHECKING.of(Situation(text, node))
    return CheckedText(found.source, found.findings, found.offers, node)


def words(language: str = "en") -> CheckWords:
    return CheckWords(LIBRARY.messages[language], LIBRARY.rules[language], "lab-text", "../rules/{code}/")


def regions(text: str, language: str = "en") -> dict[str, Html]:
    return check_regions(checked(text), words(language))


def plain(markup: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


def test_a_finding_is_said_with_its_place_its_rule_and_its_fix() -> None:
    shown = regions(TWICE.replace("version: v1\n", "version: v1\nflags: {mpsRoot: /run/nvidia/mps}\n"))
    assert plain(shown["summary"]) == "It loads. Found: 1 warning."
    found = shown["findings"]
    start = TWICE.index("timeSlicing") + len("flags: {mpsRoot: /run/nvidia/mps}\n")
    assert f'href="#lab-text" class="gl-place" data-from="{start}" data-to="{start + 11}"' in found
    assert "line 4, column 3" in plain(found)
    assert 'href="../rules/gl201/"' in found
    assert f'data-fix="GL201@{start}-{start + 11}"' in found
    assert "Safe: what the file is meant to say stays the same." in plain(found)
    assert "This block counts" in plain(found)
    assert 'data-fix="safe"' not in found  # one fix needs no button for all


def test_a_refusal_is_told_in_the_loaders_own_words() -> None:
    shown = regions("version: v2\n")
    assert plain(shown["summary"]).startswith("Its loader refuses it.")
    assert '<pre class="gl-said" lang="en">' in shown["verdict"]
    assert "unknown version: v2" in plain(shown["verdict"])
    assert "The node advertises nothing." in plain(shown["offer"])
    assert "<table" not in shown["offer"]


def test_the_offer_is_a_table_and_the_labels_are_folded_away() -> None:
    shown = regions("version: v1\n")["offer"]
    assert re.search(r'<th scope="row"[^>]*>nvidia.com/gpu</th><td class="gl-figures">4</td>', shown)
    assert "nvidia.com/gpu.replicas" in plain(shown.partition("<details")[2])


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("", "There is nothing in it yet. The rules find nothing wrong."),
        (POD, "No loader reads this; only the rules looked at it. The rules find nothing wrong."),
        ("version: v1\n", "It loads. The rules find nothing wrong."),
    ],
)
def test_the_summary_says_whether_it_loads(text: str, summary: str) -> None:
    assert plain(regions(text)["summary"]) == summary


def test_a_text_without_a_config_says_nothing_about_the_node() -> None:
    assert "changes nothing about what the node offers" in plain(regions(POD)["offer"])


def test_several_configs_are_offered_by_their_keys() -> None:
    text = "kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\ndata:\n  one: 'version: v1'\n  two: 'version: v1'\n"
    shown = plain(regions(text)["offer"])
    assert "a100-40gb-x4, with one" in shown
    assert "a100-40gb-x4, with two" in shown


HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'&"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "text",
    [
        f"version: {HOSTILE!r}\n",
        f"? {HOSTILE!r}\n: 1\n",
        f"version: v1\nsharing:\n  {HOSTILE!r}: 1\n",
        f"version: v1\nsharing: {{timeSlicing: {{resources: [{{name: {HOSTILE!r}, replicas: 2}}]}}}}\n",
        f"kind: ConfigMap\napiVersion: v1\ndata:\n  {HOSTILE!r}: 'version: v2'\n",
        POD.replace("image: a", f"image: {HOSTILE!r}, resources: {{limits: {{{HOSTILE!r}: 1}}}}"),
        HOSTILE,
        "\x00\x1b[31m\ud800",
    ],
)
def test_what_stands_in_the_text_is_never_markup(text: str, language: str) -> None:
    for region in regions(text, language).values():
        assert "<script" not in region
        assert "<img" not in region
        ElementTree.fromstring(f"<x>{region}</x>")


@given(st.text(max_size=120))
@settings(max_examples=60, deadline=None)
def test_whatever_is_written_makes_whole_html(text: str) -> None:
    for region in regions(text).values():
        ElementTree.fromstring(f"<x>{region}</x>")


def test_however_much_is_found_little_is_shown() -> None:
    text = "---\n".join([TWICE.replace("version", f"version{n}") for n in range(80)])
    shown = regions(text)
    assert shown["findings"].count("<li class=") <= MOST_FINDINGS
    assert shown["verdict"].count("<li>") == MOST_DOCUMENTS
    assert "and 60 more" in plain(shown["verdict"])
    assert len(marks(checked(text), words())) <= MOST_FINDINGS
    long = regions(f"version: {'a' * 30_000}\n")
    assert sum(map(len, long.values())) < 20_000


def test_a_script_is_given_offsets_as_browsers_count() -> None:
    text = "# 😀\n" + TWICE.replace("version: v1\n", "version: v1\nflags: {mpsRoot: /run/nvidia/mps}\n")
    (mark,) = marks(checked(text), words())
    start = text.index("timeSlicing")
    assert (mark["from"], mark["to"]) == (start + 1, start + 12)
    assert finding_key(checked(text).findings[0]) == f"GL201@{start}-{start + 11}"
    assert Utf16("a\ud800b").offset(2) == 2
    assert Utf16("共有😀공유").offset(3) == 4
