from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from labs.report.cards.scene import Width, central_scene
from labs.report.drawing.svg import svg, svg_file
from labs.simulation.outcome.moment.snapshot import (
    Block,
    CardView,
    MemoryRefusal,
    NodeView,
    PodState,
    PodView,
    Slot,
    Snapshot,
)
from tests.unit.report.stories import LANGUAGES, messages, play, shared

GIB = 2**30
HOSTILE = "<script>alert(1)</script>\"'&\x00\ud800]]>"
SVG = "{http://www.w3.org/2000/svg}"


def hostile_snapshot() -> Snapshot:
    """Names that no validator would let through, everywhere."""
    block = Block(HOSTILE, HOSTILE, GIB, 20 * GIB)
    refusal = MemoryRefusal(HOSTILE, HOSTILE, 30 * GIB, PodState.OUT_OF_MEMORY)
    slots = (Slot(0, HOSTILE), Slot(1, HOSTILE))
    card = CardView(0, 40 * GIB, 39 * GIB, "time-slicing", 2, 2, slots, (block,), (refusal,))
    node = NodeView(HOSTILE, HOSTILE, ((HOSTILE, 2),), (card,), None)
    broken = NodeView(HOSTILE, HOSTILE, (), (card,), HOSTILE)
    pods = tuple(PodView(HOSTILE, HOSTILE, None, (), state, HOSTILE) for state in PodState)
    return Snapshot(0, (node, broken), pods)


def article(width: Width, language: str = "en") -> str:
    return svg(central_scene(play(shared()).snapshot, messages(language), width), "lab-a", "gl-wide")


class TestSvg:
    @pytest.mark.parametrize("language", LANGUAGES)
    @pytest.mark.parametrize("width", list(Width))
    def test_it_is_xml_and_small(self, width: Width, language: str) -> None:
        text = article(width, language)
        ElementTree.fromstring(text)
        assert len(text.encode()) < 25_000

    def test_it_has_a_name_and_a_description(self) -> None:
        root = ElementTree.fromstring(article(Width.WIDE))
        assert root.get("role") == "img"
        assert (root.get("aria-labelledby"), root.get("aria-describedby")) == ("lab-a-title", "lab-a-desc")
        named = {element.get("id"): element.text for element in root}
        assert named["lab-a-title"] == "Slots and memory after 10 s"
        assert "GPU 1–3: on each 31.5 GiB of 40 GiB held, by 5 Pods." in (named["lab-a-desc"] or "")

    def test_no_style_no_script_no_colour(self) -> None:
        text = article(Width.WIDE)
        assert re.findall(r"style|script|#[0-9a-f]{3}|rgb", text.replace("url(#lab-a", "")) == []

    def test_ids_of_two_pictures_differ(self) -> None:
        scene = central_scene(play(shared()).snapshot, messages("en"), Width.WIDE)
        first, second = (set(re.findall(r' id="([^"]+)"', svg(scene, prefix))) for prefix in ("a", "b"))
        assert len(first) == 4
        assert first & second == set()

    @pytest.mark.parametrize("width", list(Width))
    def test_hostile_names_stay_text(self, width: Width) -> None:
        text = svg(central_scene(hostile_snapshot(), messages("en"), width), 'x" onload="alert(1)')
        root = ElementTree.fromstring(text)
        assert {element.tag for element in root.iter() if "script" in str(element.tag)} == set()
        assert [element for element in root.iter() if element.get("onload")] == []

    def test_as_a_file_it_carries_its_looks(self) -> None:
        scene = central_scene(play(shared()).snapshot, messages("en"), Width.WIDE)
        root = ElementTree.fromstring(svg_file(scene, ".gl-ink > a { fill: red } </style><script>"))
        assert root.tag == f"{SVG}svg"
        assert root.get("width") == "760"
        assert root.find(f"{SVG}script") is None
