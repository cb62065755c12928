"""Check labs at the edges: the fence in Markdown, and the browser's requests."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown import Markdown

from labs.browser import respond
from labs.cluster.sample_nodes import SAMPLE_NODES
from labs.library import LANGUAGES, builtin_library
from labs.markdown import LabExtension, LabMarkdownError
from labs.teaching.check_lab.checking import TEXT_LIMIT
from labs.teaching.check_lab.sample import CheckSample, in_order

LIBRARY = builtin_library()
FENCE = "```check\ncheck: both-strategies\n```\n"
SAMPLES = in_order(LIBRARY.checks.values())
ALL = "```check\ncheck: both-strategies\nsamples: all\n```\n"
LAB = "check-both-strategies"
SAMPLE = LIBRARY.checks["both-strategies"]
EXTENSION = LabExtension()
each_sample = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.id)
each_language = pytest.mark.parametrize("language", LANGUAGES)


def render(text: str, language: str = "en") -> str:
    EXTENSION.setConfig("language", language)
    EXTENSION.setConfig("source", "docs/page.md")
    EXTENSION.setConfig("rules", "../../rules/{code}/")
    return Markdown(extensions=[EXTENSION, "fenced_code"]).convert(text)


def error(text: str) -> str:
    with pytest.raises(LabMarkdownError) as caught:
        render(text)
    return str(caught.value)


def answer(**asked: Any) -> dict[str, Any]:
    request = {
        "kind": "check",
        "lab": LAB,
        "lang": "en",
        "text": SAMPLE.text,
        "node": SAMPLE.node,
        "deployer": str(SAMPLE.deployer or ""),
        "rules": "../../rules/{code}/",
        "changes": [],
        **asked,
    }
    found: dict[str, Any] = json.loads(respond(json.dumps(request)))
    return found


def region(html: str, name: str) -> str:
    """What stands in a region of a lab that has no other element of its kind in it."""
    found = re.search(rf'<(\w+)[^>]* data-region="{name}"[^>]*>(.*?)</\1>', html, re.DOTALL)
    assert found is not None
    return found[2]


# The fence


@each_language
@each_sample
def test_a_fence_is_a_whole_result(sample: CheckSample, language: str) -> None:
    html = render(f"before\n\n```check\ncheck: {sample.id}\n```\n\nafter", language)
    assert html.startswith("<p>before</p>\n<gpu-check")
    assert html.endswith("</gpu-check>\n<p>after</p>")
    told = answer(lab=f"check-{sample.id}", lang=language, changes=[{"reset": True}])["regions"]
    assert f'data-region="findings">{told["findings"]}</div>' in html
    assert f'data-region="offer">{told["offer"]}</div>' in html
    assert f'data-region="verdict">{told["verdict"]}</div>' in html
    assert region(html, "summary") == told["summary"]
    assert region(html, "story") == told["story"]
    assert region(html, "command") == told["command"]
    assert "style=" not in html


def test_a_fence_offers_other_samples_where_it_says_so() -> None:
    assert 'data-field="sample"' not in render(FENCE)
    html = render(ALL)
    select = re.search(r'<select[^>]*data-field="sample"[^>]*>(.*?)</select>', html)
    assert select is not None
    assert re.findall(r'value="([^"]+)"', select[1]) == [sample.id for sample in SAMPLES]
    assert '<option value="both-strategies" selected>' in select[1]


@pytest.mark.parametrize(
    "text",
    [
        "```check\ncheck: no-such\n```\n",
        "```check\n```\n",
        "```check\ncheck: fine\nsamples: some\n```\n",
        "```check\nversion: v1\n```\n",
    ],
)
def test_a_fence_that_places_nothing_fails_the_page(text: str) -> None:
    assert error(text).startswith("docs/page.md:2:1: a check fence has the line check: ID")


def test_slips_with_a_fence_are_told() -> None:
    assert "a check is placed by ```check, in small letters" in error(FENCE.replace("check\n", "Check\n", 1))
    assert "stands at the beginning of its line" in error(f"- a\n\n    {FENCE}".replace("\n", "\n    "))
    assert "this check fence is not closed by ```" in error("```check\ncheck: fine\n")
    assert "stands on this page already" in error(FENCE + "\n" + FENCE)


# Requests


@each_sample
def test_choosing_a_sample_brings_its_text_and_its_situation(sample: CheckSample) -> None:
    found = answer(text="mine: 1\n", changes=[{"sample": sample.id}])
    assert found["text"] == sample.text
    deployer = str(sample.deployer or "")
    assert found["fields"] == {"node": sample.node, "deployer": deployer, "sample": sample.id}
    assert found["ok"] is True


def test_an_unchanged_text_is_not_sent_back() -> None:
    assert answer()["text"] is None


def test_a_text_that_is_no_samples_is_told_apart() -> None:
    other = answer(text=LIBRARY.checks["replicas-one"].text)
    assert (other["own"], other["fields"]["sample"]) == (False, "replicas-one")
    assert other["regions"]["story"] != answer()["regions"]["story"]
    mine = answer(text=SAMPLE.text + "# mine\n")
    assert (mine["own"], "sample" in mine["fields"], "story" in mine["regions"]) == (True, False, False)


def test_a_fix_is_applied_and_nothing_else_changes() -> None:
    (key,) = set(re.findall(r'data-fix="([^"]+)"', answer()["regions"]["findings"]))
    found = answer(changes=[{"fix": key}])
    head, _, rest = SAMPLE.text.partition("  timeSlicing:")
    assert found["text"] == head + rest[rest.index("  mps:") :]
    assert found["marks"] == []


def test_a_mark_has_the_words_of_its_finding() -> None:
    (mark,) = answer(lang="ja")["marks"]
    start = SAMPLE.text.index("timeSlicing")
    assert (mark["from"], mark["to"], mark["severity"], mark["word"]) == (
        start,
        start + 11,
        "warning",
        "警告",
    )
    assert mark["message"] in answer(lang="ja")["regions"]["findings"]


def test_the_node_and_the_deployer_decide() -> None:
    offered = answer(node="t4-x1")["regions"]["offer"]
    assert "Tesla T4" in offered
    assert "loader refuses" in answer(deployer="static")["regions"]["summary"]
    assert "loader refuses" not in answer(deployer="helm")["regions"]["summary"]
    command = answer(node="t4-x1", deployer="static")["regions"]["command"]
    assert command == "gpulab check config.yaml --node t4-x1 --deployer static"


def test_what_is_not_known_is_taken_for_the_first_choice() -> None:
    found = answer(node="<b>", deployer="<b>", lang="xx")
    assert found["fields"] == {"node": next(iter(SAMPLE_NODES)), "deployer": "", "sample": SAMPLE.id}


@each_language
def test_a_huge_text_is_refused_with_a_sentence(language: str) -> None:
    found = answer(text="# " + "a" * TEXT_LIMIT, lang=language)
    assert found["ok"] is False
    assert "60,0" in found["regions"]["summary"]
    assert found["regions"]["findings"] == found["regions"]["offer"] == ""
    assert found["marks"] == []
    assert answer(text="# " + "a" * TEXT_LIMIT, changes=[{"fix": "safe"}])["ok"] is False


def test_a_link_is_made_and_opened() -> None:
    text = "version: v1  # 共有 공유\n"
    link = answer(text=text, node="t4-x1", deployer="", only=["link"])["link"]
    found = answer(changes=[{"link": link}])
    assert (found["text"], found["opened"]) == (text, True)
    assert found["fields"] == {"node": "t4-x1", "deployer": ""}
    damaged = answer(changes=[{"link": link[:-9]}])
    assert (damaged["text"], damaged["opened"]) == (None, False)
    assert damaged["notice"]


@given(
    st.dictionaries(
        st.sampled_from(["lab", "lang", "text", "node", "deployer", "changes", "only"]), st.none() | st.text()
    )
)
@settings(max_examples=60, deadline=None)
def test_whatever_is_asked_is_answered(asked: dict[str, Any]) -> None:
    assert isinstance(json.loads(respond(json.dumps({"kind": "check", **asked}))), dict)


def test_a_sample_that_there_is_not_is_an_error_and_no_crash() -> None:
    assert "UnknownSampleError" in answer(changes=[{"sample": "none"}])["error"]
