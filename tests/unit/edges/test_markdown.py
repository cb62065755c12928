"""Labs in Markdown: fences and references, and errors with file, line and column."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from markdown import Markdown

from labs.library import LANGUAGES, builtin_library
from labs.markdown import LabExtension, LabMarkdownError
from labs.teaching.scenario_lab.kind import id_of
from tests.unit.scenarios import STORY, node, outcome, pods, scenario

FENCE = "```lab\nlab: slots-and-memory\n```\n"
OWN = """\
format: 1
horizon: 1m
nodes: [{name: g, gpus: {model: t4-16gb, count: 1}}]
workloads: [{name: w, request: {nvidia.com/gpu: 1}}]
"""
EXTENSION = LabExtension()
KNOWN = ", ".join(EXTENSION.library.labs)


def render(
    text: str, language: str = "en", first_line: int = 1, others: tuple[str, ...] = ("fenced_code", "tables")
) -> str:
    """The HTML of a page."""
    EXTENSION.setConfig("language", language)
    EXTENSION.setConfig("source", "docs/page.md")
    EXTENSION.setConfig("first_line", first_line)
    return Markdown(extensions=[EXTENSION, *others]).convert(text)


def error(text: str, first_line: int = 1) -> str:
    """What is said about a page that can't be built."""
    with pytest.raises(LabMarkdownError) as caught:
        render(text, first_line=first_line)
    return str(caught.value)


# Fences


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_lab_is_placed_by_its_id(language: str) -> None:
    html = render(f"Before.\n\n{FENCE}\nAfter.", language)
    assert re.search(rf'<gpu-lab id="lab-slots-and-memory" lab="slots-and-memory" lang="{language}"', html)
    assert outcome(STORY).trace_hash in html
    assert html.startswith("<p>Before.</p>")
    assert html.endswith("<p>After.</p>")


def test_a_fence_may_hold_a_whole_scenario() -> None:
    html = render(f"```lab\n{OWN}```\n")
    assert re.search(r'<gpu-lab id="lab-(scenario-[0-9a-f]{8})" lab="\1"', html)
    assert outcome(OWN).trace_hash in html


def test_drafts_of_two_scenarios_in_fences_are_not_mixed_up() -> None:
    """A browser keeps a draft by the lab's id, on all pages of the site."""
    one, again, other = (
        re.findall(r'lab="([^"]+)"', render(f"```lab\n{text}```\n"))
        for text in (OWN, OWN, OWN.replace("1m", "2m"))
    )
    assert one == again != other


def test_every_lab_of_a_page_has_its_own_ids() -> None:
    html = render(
        FENCE + "\n" + FENCE.replace("slots-and-memory", "before-sharing") + f"\n~~~~lab\n{OWN}~~~~\n"
    )
    elements = re.findall(r'<gpu-lab id="([^"]+)"', html)
    assert elements == ["lab-slots-and-memory", "lab-before-sharing", f"lab-{id_of(OWN)}"]
    ids = re.findall(r'\sid="([^"]+)"', html)
    assert len(ids) == len(set(ids))


def test_the_ids_begin_anew_on_every_page() -> None:
    assert render(FENCE) == render(FENCE)


@pytest.mark.parametrize("marks", ["```", "````", "~~~", "~~~~~"])
def test_any_fence_will_do(marks: str) -> None:
    assert "<gpu-lab" in render(f"{marks} lab\nlab: slots-and-memory\n{marks}\n")


def test_a_longer_closing_fence_closes_too() -> None:
    assert "<gpu-lab" in render("```lab\nlab: slots-and-memory\n`````\n\ntext\n")


@pytest.mark.parametrize(
    "text",
    [
        "````markdown\n```lab\nlab: slots-and-memory\n```\n````\n",
        "~~~\n```lab\nlab: nobody\n```\n~~~\n",
        "```yaml\nlab: nobody\n```\n",
        "```labyrinth\nlab: nobody\n```\n",
        "```\n{{nobody.slots}}\n```\n",
        "````\n    ```lab\n    lab: nobody\n    ```\n````\n",
    ],
)
def test_what_stands_in_other_fences_stays(text: str) -> None:
    html = render(text)
    assert "<gpu-lab" not in html
    assert "<code" in html


def test_the_page_is_the_same_without_a_lab() -> None:
    text = "# A\n\nSome `code` and {braces} and }} {{ {}.\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```yaml\na: 1\n```\n"
    assert render(text) == Markdown(extensions=["fenced_code", "tables"]).convert(text)


# References


def test_a_reference_is_the_number_that_the_simulator_finds() -> None:
    assert render("There are {{slots-and-memory.slots}} slots.") == (
        '<p>There are <data class="gl-computed" value="20">20</data> slots.</p>'
    )


def test_a_reference_to_a_preset() -> None:
    html = render("{{slots-and-memory.oomPods}}, {{slots-and-memory@small.oomPods}}")
    assert re.findall(r">(\d+)</data>", html) == ["4", "0"]


@pytest.mark.parametrize(
    "text",
    [
        "# {{slots-and-memory.slots}} slots",
        "**{{slots-and-memory.slots}}**",
        "| a |\n| - |\n| {{slots-and-memory.slots}} |",
        "- {{slots-and-memory.slots}}",
        "> {{slots-and-memory.slots}}",
        "{{slots-and-memory.slots}}個",
        "全部で{{slots-and-memory.slots}}。",
    ],
)
def test_references_work_wherever_prose_does(text: str) -> None:
    assert '<data class="gl-computed" value="20">20</data>' in render(text)


def test_numbers_are_written_as_people_do() -> None:
    html = render("{{slots-and-memory.peakMemoryMiB}}")
    assert 'value="40112">40,112</data>' in html


@pytest.mark.parametrize("code", ["`{{slots-and-memory.slots}}`", "`` {{nobody.slots}} ``"])
def test_references_in_code_stay(code: str) -> None:
    assert "<data" not in render(code)
    assert "{{" in render(code)


# Errors


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```lab\nlab: nobody\n```", f"docs/page.md:2:6: there is no lab 'nobody'; known: {KNOWN}"),
        (
            "\n\n  ```lab\n  lab: x\n  ```",
            "docs/page.md:3:1: a lab fence stands at the beginning of its line",
        ),
        ("a\n\n```lab\nlab: slots-and-memory", "docs/page.md:3:1: this lab fence is not closed by ```"),
        ("```lab\nlab: slots-and-memory\n~~~", "docs/page.md:1:1: this lab fence is not closed by ```"),
        ("````lab\nlab: slots-and-memory\n```", "docs/page.md:1:1: this lab fence is not closed by ````"),
        ("```lab\nformat: 1\n```yaml", "docs/page.md:1:1: this lab fence is not closed by ```"),
        ("```lab", "docs/page.md:1:1: this lab fence is not closed by ```"),
        ("a\n\nb {{nobody.slots}}", "docs/page.md:3:3: {{nobody.slots}}: there is no lab 'nobody'; known: "),
        (
            "{{slots-and-memory.ooms}}",
            "docs/page.md:1:1: {{slots-and-memory.ooms}}: slots-and-memory has no 'ooms'; known: nodes, cards,",
        ),
        (
            "x\n{{slots-and-memory@tiny.slots}}",
            "docs/page.md:2:1: {{slots-and-memory@tiny.slots}}: slots-and-memory has no 'tiny'; known: story,",
        ),
    ],
)
def test_an_error_has_its_place_and_what_is_known(text: str, expected: str) -> None:
    assert error(text).startswith(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("> ```lab\n> lab: slots-and-memory\n> ```", "1:1: a lab fence stands at the beginning of its line"),
        ("- a\n\n  > > ~~~ lab\n  > > lab: x", "3:1: a lab fence stands at the beginning of its line"),
        ("```Lab\nlab: slots-and-memory\n```", "1:1: a lab is placed by ```lab, in small letters"),
        ("a\n\n``` {.lab}\nlab: slots-and-memory\n```", "3:1: a lab is placed by ```lab, in small letters"),
        ("~~~LAB\nformat: 1\n~~~", "1:1: a lab is placed by ~~~lab, in small letters"),
        (f"```yaml\na: 1\n\n{FENCE}", "1:1: this fence is not closed by ``` and hides a lab"),
        (f"```yaml\na: 1\n\n`{FENCE}`", "1:1: this fence is not closed by ``` and hides a lab"),
        (f"~~~yaml\na: 1\n\n{FENCE}", "1:1: this fence is not closed by ~~~ and hides a lab"),
        (f"`````\na: 1\n\n{FENCE}", "1:1: this fence is not closed by ````` and hides a lab"),
    ],
)
def test_a_lab_is_never_shown_as_code_by_mistake(text: str, expected: str) -> None:
    assert error(text) == f"docs/page.md:{expected}"


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("lab: slots_and_memory", 2),
        ("lab: Slots", 2),
        ('lab: "slots-and-memory"', 2),
        ("lab:", 2),
        ("lab : slots-and-memory", 2),
        ("lab: slots-and-memory\npreset: small", 2),
        ("# the story\nlab: slots-and-memory", 3),
        ("lab: slots-and-memory # the story", 2),
        ("format: 1\nlab: slots-and-memory", 3),
    ],
)
def test_a_lab_that_is_meant_by_its_id_is_not_read_as_a_scenario(body: str, line: int) -> None:
    said = error(f"```lab\n{body}\n```")
    assert said == f"docs/page.md:{line}:1: a fence with lab: ID has no other line; known: {KNOWN}"


def test_a_place_in_code_is_not_where_a_reference_went_wrong() -> None:
    assert error("`{{nobody.slots}}` and ``a ` {{nobody.slots}}``\n\nb {{nobody.slots}}").startswith(
        "docs/page.md:3:3: {{nobody.slots}}: "
    )


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a {{slots-and-\nmemory.slots}}", "1:3: {{slots-and- memory.slots}}"),
        ("a\n\n- b {{slots-and-memory\n  .slots}}", "3:5: {{slots-and-memory .slots}}"),
    ],
)
def test_a_reference_that_a_line_break_tears_apart_is_told(text: str, place: str) -> None:
    assert error(text).startswith(f"docs/page.md:{place}: no reference: write ")


@pytest.mark.parametrize(
    "slip",
    [
        "{{slots-and-memory}}",
        "{{ slots-and-memory.slots }}",
        "{{slots_and_memory.slots}}",
        "{{slots-and-memory.oom_pods}}",
        "{{slots-and-memory@small}}",
        "{{}}",
    ],
)
def test_what_looks_like_a_reference_and_is_none_fails_too(slip: str) -> None:
    assert error(f"a\n\nb {slip}").startswith(f"docs/page.md:3:3: {slip}: no reference: write ")


def test_every_problem_of_a_scenario_is_told_at_its_line_of_the_page() -> None:
    said = error("text\n\n```lab\nformat: 2\nhorizon: soon\n```\n")
    places = re.findall(r"^docs/page\.md:(\d+:\d+): ", said, re.MULTILINE)
    assert places == ["4:1", "4:1", "4:9", "5:10"]


def test_the_lines_count_from_where_the_text_begins_in_its_file() -> None:
    """Front matter is taken off before Markdown sees the page."""
    assert error("```lab\nlab: nobody\n```", first_line=8).startswith("docs/page.md:9:6: ")
    assert error("a\n{{nobody.x}}", first_line=8).startswith("docs/page.md:9:1: ")
    assert error("```lab\n[\n```", first_line=8).startswith("docs/page.md:10:1: ")


def test_a_wrong_reference_is_looked_for_in_prose_not_in_fences() -> None:
    text = "```\n{{nobody.slots}}\n```\n\nprose {{nobody.slots}}\n"
    assert error(text).startswith("docs/page.md:5:7: ")


def test_a_page_has_a_lab_once() -> None:
    """Both would keep their reader's changes under one name, and open the same links."""
    why = "a page has a lab once, for a reader's changes are kept by its id"
    text = f"a\n\n{FENCE}\n{FENCE}"
    assert (
        error(text, 4) == f"docs/page.md:10:1: slots-and-memory stands on this page already, on line 6: {why}"
    )
    own = f"```lab\n{OWN}```\n"
    assert error(own + own).startswith(
        f"docs/page.md:7:1: {id_of(OWN)} stands on this page already, on line 1: "
    )


def test_a_scenario_that_expects_what_its_run_does_not_bring_fails_the_page() -> None:
    said = error(f"a\n\n```lab\n{OWN}expect: {{oom: 1, pods: {{w: Pending}}}}\n```")
    assert said == (
        f"docs/page.md:8:1: {id_of(OWN + 'expect: {oom: 1, pods: {w: Pending}}' + chr(10))}: "
        "The scenario expects oom: 1; this run has 0. The scenario expects pods.w: Pending; this run has 1 Running."
    )


def own_library(tmp_path: Path) -> LabExtension:
    """With one lab whose claim is wrong, and that of one of its situations."""
    (tmp_path / "labs").mkdir()
    lab = {
        "format": 1,
        "id": "own",
        "scenario": f"{OWN}expect: {{oom: 0}}\n",
        "presets": [{"id": "wrong", "values": {}, "expect": "{oom: 2}"}],
    }
    (tmp_path / "labs" / "own.yaml").write_text(json.dumps(lab), "utf-8")
    lab |= {"id": "worse", "scenario": f"{OWN}expect: {{oom: 3}}\n"}
    (tmp_path / "labs" / "worse.yaml").write_text(json.dumps(lab), "utf-8")
    return LabExtension(builtin_library().overlaid(tmp_path), language="en", source="docs/page.md")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\n\n```lab\nlab: worse\n```", "4:1: worse: The scenario expects oom: 3; this run has 0."),
        (
            "a\n\nb {{own@wrong.oomPods}}",
            "3:3: {{own@wrong.oomPods}}: The scenario expects oom: 2; this run has 0.",
        ),
    ],
)
def test_so_does_a_lab_of_the_library(text: str, expected: str, tmp_path: Path) -> None:
    with pytest.raises(LabMarkdownError) as caught:
        Markdown(extensions=[own_library(tmp_path)]).convert(text)
    assert str(caught.value) == f"docs/page.md:{expected}"


def test_a_scenario_whose_run_is_refused_fails_the_page() -> None:
    deep = f"flags: {'[' * 200}{']' * 200}\n"
    text = scenario([node(text=deep)], [pods("a")])
    assert "larger than this version reads" in error(f"```lab\n{text}\n```")
