"""The answers that a page has before Python is there: all of what a reader does first, small, and the same to the letter."""

from __future__ import annotations

import base64
import gzip
import json
import subprocess
from typing import Any

import pytest

from hooks.stops import stop_files
from labs.browser import respond
from labs.library import LANGUAGES, builtin_library
from labs.teaching.lab.packing import packed_answers
from labs.teaching.scenario_lab.controls import with_change
from labs.teaching.scenario_lab.lab import ControlKind, Lab
from labs.teaching.scenario_lab.stops import stop_groups
from tools.node_env import find_node
from tools.paths import CACHE, ROOT

LABS = tuple(builtin_library().labs.values())
MOST = 60_000  # bytes of a lab in a language
READ = """
import { Stops } from %s;
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const { packed, text, changes } = JSON.parse(Buffer.concat(chunks).toString());
const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
globalThis.fetch = async () => new Response(bytes);
const stops = await Stops.fetch(new URL("http://localhost/"), text);
console.log(JSON.stringify(stops && changes.map(([change, text]) => stops.answer([change], { text }) ?? null)));
"""

every_lab = pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.id)


def in_a_page(packed: bytes, text: str, changes: list[tuple[dict[str, Any], str]]) -> Any:
    """What the page's script makes of it: the answers to the changes of texts; None where the text is not the page's."""
    module = json.dumps((ROOT / "labs" / "web" / "engine" / "stops.js").as_uri())
    given = {"packed": base64.b64encode(packed).decode(), "text": text, "changes": changes}
    done = subprocess.run(
        [find_node().node, "--input-type=module", "--eval", READ % module],
        input=json.dumps(given),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def asked(lab: Lab, change: dict[str, Any], text: str, language: str = "en") -> Any:
    return json.loads(
        respond(json.dumps({"lab": lab.id, "lang": language, "text": text, "changes": [change]}))
    )


def all_changes(lab: Lab) -> list[dict[str, Any]]:
    return [dict(stop.change) for group in stop_groups(lab) for stop in group]


@pytest.fixture(scope="module")
def packed() -> dict[str, dict[str, bytes]]:
    """As the build of the site keeps them, and works them out anew where the code has changed since."""
    kept = {path.name: path for path in stop_files(CACHE / "stops")}
    return {
        lab.id: {language: kept[f"{lab.id}.{language}.bin"].read_bytes() for language in LANGUAGES}
        for lab in LABS
    }


# What there is


@every_lab
def test_a_lab_has_its_situations_and_every_stop_of_its_controls(lab: Lab) -> None:
    keys = [stop.key for group in stop_groups(lab) for stop in group]
    assert keys[: len(lab.presets) + 1] == ["reset", *(f"preset={preset.id}" for preset in lab.presets)]
    assert len(set(keys)) == len(keys)
    for control in lab.controls:
        own = [key for key in keys if key.startswith(f"{control.id}=")]
        if control.further:
            assert own == []
        elif control.kind is ControlKind.SWITCH:
            assert own == [f"{control.id}=false", f"{control.id}=true"]
        elif control.kind is not ControlKind.CHOICE:
            assert (own[0], own[-1]) == (f"{control.id}={control.minimum}", f"{control.id}={control.maximum}")


@every_lab
@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_small(packed: dict[str, dict[str, bytes]], lab: Lab, language: str) -> None:
    assert len(packed[lab.id][language]) <= MOST


# What the page makes of it


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lab", "language"),
    [*((lab, "en") for lab in LABS), *((LABS[0], language) for language in LANGUAGES if language != "en")],
    ids=lambda part: getattr(part, "id", part),
)
def test_the_page_shows_what_python_answers(
    packed: dict[str, dict[str, bytes]], lab: Lab, language: str
) -> None:
    changes = all_changes(lab)
    found = in_a_page(packed[lab.id][language], lab.scenario, [(change, lab.scenario) for change in changes])
    for change, answer in zip(changes, found, strict=True):
        assert answer == asked(lab, change, lab.scenario, language), change


def test_along_one_control_it_goes_on_and_with_another_it_stops(
    packed: dict[str, dict[str, bytes]],
) -> None:
    lab = builtin_library().lab("slots-and-memory")
    six, five = {"control": "big", "value": "6"}, {"control": "big", "value": "5"}
    other = {"control": "replicas", "value": "4"}
    small = with_change(lab, lab.scenario, "big", "6")
    edited = f"{lab.scenario}# mine\n"
    steps: list[tuple[dict[str, Any], str]] = [
        (six, lab.scenario),
        (five, small),
        (other, small),
        (six, edited),
        ({"show": True}, lab.scenario),
        ({"link": "lab=slots-and-memory&v=1"}, lab.scenario),
        ({"control": "big", "value": "81"}, lab.scenario),
        ({"control": "model", "value": "t4-16gb"}, lab.scenario),
        ({"reset": True}, edited),
        ({"preset": "two"}, edited),
    ]
    known = [True, True, *[False] * 6, True, True]
    found = in_a_page(packed[lab.id]["en"], lab.scenario, steps)
    for (change, text), answer, is_known in zip(steps, found, known, strict=True):
        assert answer == (asked(lab, change, text) if is_known else None), change


def test_a_page_of_another_scenario_does_without(packed: dict[str, dict[str, bytes]]) -> None:
    assert in_a_page(packed[LABS[0].id]["en"], "format: 1\n", []) is None


@pytest.mark.parametrize(
    "content", [b"", b"no gzip", gzip.compress(b"{", mtime=0), gzip.compress(b'{"format": 2}', mtime=0)]
)
def test_what_cannot_be_read_is_done_without(content: bytes) -> None:
    assert in_a_page(content, "", []) is None


# The packing


def test_packing_depends_on_the_answers_only() -> None:
    groups = [[("reset", '{"text": "a 1.5 2.0"}'), ("preset=x", '{"text": "a 7.5 10"}')]]
    assert packed_answers(groups) == packed_answers(groups)


@pytest.mark.parametrize(
    "words",
    [
        "",
        "0",
        "00 01",
        "1.",
        ".5",
        "1.25",
        "1.50",
        "1.0",
        "1e5",
        "-3.5",
        "12345678",
        "1.2.3",
        "ス 30",
        "a" * 40,
        "1" * 64,
    ],
)
def test_any_answer_comes_back_as_it_was(words: str) -> None:
    texts = ("own", words, f"<b>{words}</b><b>{words}7</b>\n{words}8.5")
    answers = [{"text": text, "regions": {}} for text in texts]
    keys = ["reset", "preset=x", "preset=y"]
    packed = packed_answers([[*zip(keys, map(json.dumps, answers), strict=True)]])
    changes: list[tuple[dict[str, Any], str]] = [({"preset": name}, "") for name in "xy"]
    assert in_a_page(packed, "own", changes) == answers[1:]
