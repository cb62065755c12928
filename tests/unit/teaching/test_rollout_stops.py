"""The answers that a page has before Python is there, to whatever a reader does first in a rollout lab.

All of it is answered, small, and the same to the letter.
"""

from __future__ import annotations

import base64
import functools
import gzip
import json
import subprocess
from typing import Any

import pytest

from labs.browser import respond
from labs.library import builtin_library
from labs.teaching.rollout_lab.lab import RolloutLab
from labs.teaching.rollout_lab.results import RolloutResults, RolloutSettings
from labs.teaching.rollout_lab.stops import packed_rollout_stops
from tools.node_env import find_node
from tools.paths import ROOT

LIBRARY = builtin_library()
LABS = LIBRARY.rollouts
MOST = 60_000  # bytes of a lab in a language
READ = """
import { RolloutStops } from %s;
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const { packed, text, asked } = JSON.parse(Buffer.concat(chunks).toString());
const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
globalThis.fetch = async () => new Response(bytes);
const stops = await RolloutStops.fetch(new URL("http://localhost/"), text);
console.log(JSON.stringify(stops && asked.map(([changes, place]) => stops.answer(changes, place) ?? null)));
"""

# A lab of each kind (of a node's trouble, of a template's, and beside workloads), each in another language: those differ in
# words only. How small the others are is asked of the built site.
LAB = LABS["stops-on-one-node"]
each_lab = pytest.mark.parametrize(
    ("lab", "language"),
    [(LAB, "en"), (LABS["broken-everywhere"], "ja"), (LABS["config-drift"], "ko")],
    ids=lambda one: getattr(one, "id", one),
)

Change = dict[str, Any]
Place = dict[str, Any]


@functools.cache
def packed(lab_id: str, language: str) -> bytes:
    lab = LABS[lab_id]
    run = RolloutResults(RolloutSettings(LIBRARY.catalog, LIBRARY.workloads)).of(lab.scenario)
    return packed_rollout_stops(lab, run, LIBRARY.messages["en"], [language], respond)[language]


def at_first(lab: RolloutLab) -> Place:
    return {"text": lab.scenario, "at": None, "node": None}


def in_a_page(lab: RolloutLab, language: str, asked: list[tuple[list[Change], Place]], text: str = "") -> Any:
    """What the page's script makes of it: the answers to changes of places; None where the text is not the page's."""
    module = json.dumps((ROOT / "labs" / "web" / "engine" / "stops.js").as_uri())
    content = base64.b64encode(packed(lab.id, language)).decode()
    done = subprocess.run(
        [find_node().node, "--input-type=module", "--eval", READ % module],
        input=json.dumps({"packed": content, "text": text or lab.scenario, "asked": asked}),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def of_python(lab: RolloutLab, language: str, changes: list[Change], place: Place) -> Any:
    asked = {"kind": "rollout", "lab": lab.id, "lang": language, "changes": changes, **place}
    return json.loads(respond(json.dumps(asked)))


def keys(lab: RolloutLab, language: str) -> list[str]:
    """What is known of a lab, as the script calls it."""
    groups = json.loads(gzip.decompress(packed(lab.id, language)))["groups"]
    return [key for group in groups for key in group["keys"]]


@pytest.mark.slow
@each_lab
def test_the_page_shows_what_python_answers(lab: RolloutLab, language: str) -> None:
    named: dict[str, Change] = {f"preset={each.id}": {"preset": each.id} for each in lab.presets}
    named["reset"] = {"reset": True}
    known = [named.get(key) or json.loads(key) for key in keys(lab, language) if key != "times"]
    changes = [*known, *({"at": second} for second in range(0, 400, 7))]
    asked: list[tuple[list[Change], Place]] = [([change], at_first(lab)) for change in changes]
    most = of_python(lab, language, [{"reset": True}], at_first(lab))["time"]["max"]
    asked = [one for one in asked if one[0][0].get("at", 0) <= most]
    for (told, place), answer in zip(asked, in_a_page(lab, language, asked), strict=True):
        assert answer == of_python(lab, language, told, place), told


def test_all_that_the_page_offers_is_known() -> None:
    known = keys(LAB, "en")
    assert {"reset", *(f"preset={preset.id}" for preset in LAB.presets)} <= {*known}
    for control in LAB.controls:
        assert [key for key in known if f'"control":"{control.id}"' in key] == [
            json.dumps({"control": control.id, "value": value}, separators=(",", ":"))
            for value in control.options
        ]
    acts = [json.loads(key) for key in known if '"act"' in key]
    assert {"act": "repair", "node": "node-05"} in acts
    assert {"act": "undo"} in acts
    assert '{"node":"node-10"}' in known
    seconds: list[tuple[list[Change], Place]] = [([{"at": second}], at_first(LAB)) for second in range(33)]
    assert [answer is not None for answer in in_a_page(LAB, "en", seconds)] == [*[True] * 32, False]


@each_lab
def test_it_is_small(lab: RolloutLab, language: str) -> None:
    assert len(packed(lab.id, language)) <= MOST


@each_lab
def test_it_plays_from_the_beginning_to_the_end_and_steps_back(lab: RolloutLab, language: str) -> None:
    place = {**at_first(lab), "at": 0}
    steps = []
    while place["at"] is not None:
        answer = of_python(lab, language, [{"step": 1}], place)
        steps.append((place, answer))
        place = {**place, "at": answer["at"]}
    forth = in_a_page(lab, language, [([{"step": 1}], place) for place, _ in steps])
    assert forth == [answer for _, answer in steps]
    [back] = in_a_page(lab, language, [([{"step": -1}], at_first(lab))])
    assert back == of_python(lab, language, [{"step": -1}], at_first(lab))


def test_what_depends_on_what_was_done_before_is_asked_of_python() -> None:
    first, edited = at_first(LAB), {"text": f"{LAB.scenario}# mine\n", "at": None, "node": None}
    cordon, setting = {"act": "cordon", "node": "node-05"}, {"control": "maxUnavailable", "value": "2"}
    asked: list[tuple[list[Change], Place, bool]] = [
        ([setting], first, True),
        ([setting], edited, False),
        ([setting, cordon], first, False),
        ([cordon], {**first, "at": 12}, False),
        ([{"at": 12}], {**first, "node": "node-03"}, False),
        ([{"at": 12}], {**first, "at": 3}, True),
        ([{"step": 1}], {**first, "at": 13}, False),  # a second at which nothing happens
        ([{"text": "rollout: {}"}], first, False),
        ([{"link": "x"}], first, False),
        ([{"preset": "surge"}], {**edited, "at": 3, "node": "node-03"}, True),
        ([setting, {"reset": True}, {"at": 5}], first, True),
        ([], first, False),
    ]
    found = in_a_page(LAB, "en", [(changes, place) for changes, place, _ in asked])
    assert [answer is not None for answer in found] == [is_known for _, _, is_known in asked]
    last = found[-2]
    assert last == {**last, **of_python(LAB, "en", [{"at": 5}], first), "regions": last["regions"]}
    assert "form" in last["regions"]  # a reset writes it, a second does not


def test_a_page_of_another_scenario_does_without() -> None:
    assert in_a_page(LAB, "en", [], text="rollout: {nodes: 3}\n") is None
