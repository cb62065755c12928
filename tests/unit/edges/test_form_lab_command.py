"""`gpulab lab` of form labs: fields with --set, what is wrong with them, results as text and JSON; and their fence."""

from __future__ import annotations

import html
import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from markdown import Markdown

from labs.library import builtin_library
from labs.markdown import LabExtension, LabMarkdownError
from labs.teaching.form_lab.announce_lab import MPS, SLICED
from labs.teaching.form_lab.kind import FormLabs
from labs.teaching.form_lab.labs import FORM_LABS
from labs.teaching.lab import Request
from tests.unit.edges.test_cli import Ran, gpulab

Run = Callable[..., Ran]
__all__ = ["gpulab"]  # the fixture
EXTENSION = LabExtension()
CONFIG_MAP = """kind: ConfigMap
apiVersion: v1
data:
  whole: |
    version: v1
  broken: |
    version: v1
    sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 1}]}}
"""


def render(text: str, language: str = "en") -> str:
    EXTENSION.setConfig("language", language)
    EXTENSION.setConfig("source", "docs/page.md")
    return Markdown(extensions=[EXTENSION, "fenced_code"]).convert(text)


def test_the_fields_are_shown_as_they_are_set(gpulab: Run) -> None:
    code, out, _ = gpulab("lab", "show", "four-ways", "--preset", "memory", "--set", "copies=3")
    assert code == 0
    shown = dict(line.split(maxsplit=1) for line in out.splitlines())
    assert (shown["workload"], shown["copies"], shown["memory"]) == ("yolos-small-a100-80gb", "3", "12")


def test_a_run_as_json_has_the_metrics_that_prose_refers_to(gpulab: Run) -> None:
    code, out, _ = gpulab("lab", "run", "four-ways", "--set", "copies=7", "--format", "json")
    told = json.loads(out)
    assert (code, told["values"]["copies"]) == (0, "7")
    assert told["metrics"]["timeSlicingSlowdown"] == 7.56
    assert told["metrics"]["mpsHit"] == 7


def test_the_command_of_the_lab_says_what_the_lab_says(gpulab: Run) -> None:
    labs = FormLabs(builtin_library())
    lab, english = labs.lab("four-ways"), builtin_library().messages["en"]
    values, _ = labs.values(lab, None, {"workload": "own", "copies": "5", "demand": "20%", "mps": "plugin"})
    command = lab.answer(values, english).command
    assert command == "gpulab lab run four-ways --set workload=own --set copies=5 --set card=a100-80gb " + (
        "--set demand=20% --set mps=plugin"
    )
    assert gpulab(*command.split()[1:]) == (0, lab.text(values, english), "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--preset", "tiny"), "published, small, large, training, memory"),
        (("--format", "svg"), "four-ways is a form lab, whose result is text or json."),
        (
            ("--set", "workload=own", "--set", "solo=soon"),
            "--set solo=soon: soon is no duration.\n  Write a number with",
        ),
        (
            ("--set", "workload=own", "--set", "demand=95%"),
            "--set demand=95%: The demand of 95% is greater than",
        ),
    ],
)
def test_what_is_wrong_is_code_2_with_the_reason(gpulab: Run, arguments: tuple[str, ...], said: str) -> None:
    code, out, err = gpulab("lab", "run", "four-ways", *arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert "Traceback" not in err


# The same answer as the command that a lab names

LABS = FormLabs(builtin_library())
FILES = {"config.yaml": "config", "before.yaml": "before"}
ASKED = [
    *((lab_id, preset, {}) for lab_id in FORM_LABS for preset in LABS.lab(lab_id).presets),
    ("announce", None, {"config": SLICED.replace("5", "1")}),
    ("announce", None, {"config": SLICED, "before": SLICED.replace("5", "1")}),
    ("announce", None, {"config": SLICED.replace("nvidia.com/gpu", "nvidia.com/gpus")}),
    ("announce", None, {"config": MPS, "deployer": "static"}),
    ("announce", None, {"config": CONFIG_MAP, "start": "Monday, 9:00", "contact": "#ops"}),
    ("announce", None, {"config": "kind: Pod\napiVersion: v1\n"}),
    ("announce", None, {"config": SLICED, "before": CONFIG_MAP}),
    ("announce", None, {"config": "[" * 300 + "]" * 300}),
]


@pytest.mark.parametrize(("lab_id", "preset", "given"), ASKED)
def test_a_lab_and_its_command_answer_alike(
    gpulab: Run,
    lab_id: str,
    preset: str | None,
    given: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The command that a page shows exits with the code of `gpulab lab run`, and says the same."""
    lab = LABS.lab(lab_id)
    values, _ = LABS.values(lab, preset, given)
    monkeypatch.chdir(tmp_path)
    for file, field in FILES.items():
        Path(file).write_text(values.get(field, ""), "utf-8")
    settings = [part for key, value in values.items() for part in ("--set", f"{key}={value}")]
    of_lab = gpulab("lab", "run", lab_id, *settings)
    request = {"lab": lab_id, "values": dict(values)}
    regions = LABS.answer(Request.from_raw(request, builtin_library().messages["en"]))["regions"]
    if "command" not in regions:
        assert (of_lab[0], gpulab("announce", "config.yaml", "--before", "before.yaml")[0]) == (2, 2)
        return
    of_command = gpulab(*shlex.split(html.unescape(regions["command"]))[1:])
    assert of_command[0] == of_lab[0] in (0, 1)
    assert of_command[2] == of_lab[2]
    assert of_command[1] in of_lab[1]
    assert of_command[1] == of_lab[1] or lab_id == "estimate"  # its lab leads with what the figures mean


def test_bad_news_of_a_lab_is_code_1_in_every_format(gpulab: Run) -> None:
    for lab_id, preset in (("estimate", "contradiction"), ("may-they", "too-little")):
        for form in ("text", "json"):
            assert gpulab("lab", "run", lab_id, "--preset", preset, "--format", form)[0] == 1
        assert gpulab("lab", "show", lab_id, "--preset", preset)[0] == 0


def test_of_several_configs_those_that_do_not_load_are_named_among_the_notices(gpulab: Run) -> None:
    code, out, _ = gpulab("lab", "run", "announce", "--set", f"config={CONFIG_MAP}")
    assert code == 1
    assert "label `nvidia.com/device-plugin.config=whole`" in out
    assert "broken: The device plugin does not start: " in out


# The fence


def test_a_fence_places_a_lab_and_prose_refers_to_its_figures() -> None:
    html = render(
        "before\n\n```form\nform: four-ways\npreset: small\n```\n\n{{four-ways@small.copies}} copies"
    )
    assert html.startswith("<p>before</p>\n<gpu-form")
    assert '<p><data class="gl-computed" value="8">8</data> copies</p>' in html
    assert 'href="../../labs/blast-radius/"' in html


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "```form\nform: none\n```",
            r"page\.md:2:1: a form fence has the line form: ID .*; known: four-ways",
        ),
        (
            "```form\nform: estimate\npreset: x\n```",
            r"page\.md:3:1: estimate has no preset 'x'; known: yolos",
        ),
        ("{{four-ways.none}}", r"page\.md:1:1: .*four-ways has no 'none'; known: exclusive"),
        ("{{four-ways@none.copies}}", r"page\.md:1:1: .*four-ways has no 'none'; known: published"),
        ("```form\nform: estimate\n```\n\n```form\nform: estimate\n```", "stands on this page already"),
    ],
)
def test_what_places_or_tells_nothing_fails_the_page(text: str, said: str) -> None:
    with pytest.raises(LabMarkdownError) as caught:
        render(text)
    assert re.search(said, str(caught.value))


def test_no_address_but_one_of_a_page_is_put_into_links() -> None:
    labs, english = FormLabs(builtin_library()), builtin_library().messages["en"]
    raw = {"lab": "four-ways", "values": {}, "pages": "javascript:alert(1)//{page}/"}
    ways = labs.answer(Request.from_raw(raw, english))["regions"]["ways"]
    assert 'href="../../labs/blast-radius"' not in ways
    assert "javascript" not in ways
