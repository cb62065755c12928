from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations

import pytest

from labs.report.cards.scene import Width, central_scene
from labs.report.drawing.shapes import Anchor, Group, Pattern, Rect, Scene, Shape, Text
from labs.report.writing.measure import pixels
from labs.simulation.outcome.moment.snapshot import CardView, NodeView, PodState, PodView, Slot, Snapshot
from tests.some import some
from tests.unit.report.stories import LANGUAGES, Story, messages, play, shared

GIB = 2**30
REFUSED = "error unmarshaling JSON: while decoding JSON: number of replicas must be >= 2"


@cache
def story(name: str) -> Story:
    """The runs that the picture must hold for."""
    match name:
        case "article":
            return play(shared())
        case "small":
            return play(shared(big="6GiB"))
        case "refused-node":
            return play(shared(), 1, error=REFUSED)
        case "refused-pods":
            return play(shared(request=2), refuse_many=True)
        case "two-slots":
            return play(shared(request=2))
        case "waiting":
            return play(shared(count=60))
        case "whole-cards":
            return play(shared(count=5, others="20GiB"), 1)
        case "eight-cards":
            return play(shared(cards=8, count=79, others="3GiB"), 10)
        case "one-card":
            return play(shared(cards=1, model="t4-16gb", big="12GiB", count=3, others="4GiB"), 4)
        case "large-cards":
            return play(shared(cards=2, model="gb300-278gb", big="100GiB", count=11, on_oom="exit"), 6)
        case "failed":
            return play(shared(on_oom="exit", policy="Never"))
        case "three-nodes":
            return play(shared(nodes=3, cards=2, count=25))
        case "many-pods":
            return play(shared(cards=2, count=120, others="200MiB", big="20GiB"), 64)
        case "countless-slots":
            return play(shared(cards=2, count=120, others="200MiB", big="20GiB"), 16384)
        case "fleet":
            return play(shared(nodes=20, cards=8, count=600, others="9GiB"))
        case "all-short":
            return play(shared(cards=8, count=39, others="30GiB"))
    raise KeyError(name)


NAMES = (
    *(
        "article",
        "small",
        "refused-node",
        "refused-pods",
        "two-slots",
        "waiting",
        "whole-cards",
        "eight-cards",
    ),
    *(
        "one-card",
        "large-cards",
        "failed",
        "three-nodes",
        "many-pods",
        "countless-slots",
        "fleet",
        "all-short",
    ),
)


def flat(shapes: tuple[Shape, ...]) -> Iterator[Shape]:
    for shape in shapes:
        if isinstance(shape, Group):
            yield from flat(shape.shapes)
        else:
            yield shape


def texts(scene: Scene) -> list[Text]:
    return [shape for shape in flat(scene.shapes) if isinstance(shape, Text)]


def rects(scene: Scene, css: str) -> list[Rect]:
    return [shape for shape in flat(scene.shapes) if isinstance(shape, Rect) and shape.css == css]


def box(text: Text) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the letters, by the estimate of the layout less its reserve."""
    width = pixels(text.text, text.size, text.bold) * 0.94
    start = text.x - {Anchor.START: 0.0, Anchor.MIDDLE: width / 2, Anchor.END: width}[text.anchor]
    return start, text.y - 0.75 * text.size, start + width, text.y + 0.2 * text.size


def meet(a: Text, b: Text) -> bool:
    left, top, right, bottom = box(a)
    other_left, other_top, other_right, other_bottom = box(b)
    return left < other_right and other_left < right and top < other_bottom and other_top < bottom


@pytest.mark.parametrize("width", list(Width))
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
class TestLayout:
    def test_no_text_touches_another(self, name: str, language: str, width: Width) -> None:
        scene = central_scene(story(name).snapshot, messages(language), width)
        assert [(a.text, b.text) for a, b in combinations(texts(scene), 2) if meet(a, b)] == []

    def test_everything_is_inside(self, name: str, language: str, width: Width) -> None:
        scene = central_scene(story(name).snapshot, messages(language), width)
        outside = [
            shape
            for shape in texts(scene)
            if box(shape)[0] < 0 or box(shape)[2] > scene.width or box(shape)[3] > scene.height
        ]
        assert outside == []
        assert all(
            rect.x >= 0 and rect.x + rect.width <= scene.width and rect.y + rect.height <= scene.height
            for rect in flat(scene.shapes)
            if isinstance(rect, Rect)
        )


class TestWhatIsDrawn:
    def test_what_pods_hold_is_to_scale(self) -> None:
        scene = central_scene(story("article").snapshot, messages("en"), Width.WIDE)
        heights = sorted(rect.height for rect in rects(scene, "gl-block-ts") if rect.label)
        assert heights[-1] / heights[0] == pytest.approx(38 / 6)

    def test_what_was_refused_sticks_out_over_the_rim(self) -> None:
        scene = central_scene(story("article").snapshot, messages("en"), Width.WIDE)
        rim = min(rect.y for rect in rects(scene, "gl-reserve"))
        hatched = [rect for rect in rects(scene, "gl-refused") if rect.label]
        assert len(hatched) == 4
        assert all(rect.pattern is Pattern.REFUSED for rect in hatched)
        assert min(rect.y for rect in hatched) < rim

    def test_tickets_are_numbered_through_the_node(self) -> None:
        scene = central_scene(story("article").snapshot, messages("en"), Width.WIDE)
        numbers = [text.text for text in texts(scene) if text.size == 13 and text.text.isdecimal()]
        assert numbers == [str(n) for n in range(1, 21)]

    def test_a_pod_with_several_slots_has_a_letter(self) -> None:
        scene = central_scene(story("two-slots").snapshot, messages("en"), Width.WIDE)
        letters = [text.text for text in texts(scene) if text.size == 11 and text.text.isalpha()]
        assert sorted(letter for letter in letters if len(letter) == 1) == sorted("abcdefghi" * 2)

    def test_a_refused_node_has_its_error_and_no_tickets(self) -> None:
        scene = central_scene(story("refused-node").snapshot, messages("en"), Width.WIDE)
        words = " ".join(text.text for text in texts(scene))
        assert REFUSED in words
        assert "slots offered" not in words

    def test_waiting_pods_are_named_or_counted(self) -> None:
        scene = central_scene(story("waiting").snapshot, messages("en"), Width.WIDE)
        words = [text.text for text in texts(scene)]
        assert "41 Pods wait for a slot (Pending)" in words
        assert "notebook × 41" in words

    def test_exclusive_cards_are_plain(self) -> None:
        scene = central_scene(story("whole-cards").snapshot, messages("en"), Width.WIDE)
        assert scene.patterns() == ()

    def test_many_nodes_become_a_grid(self) -> None:
        scene = central_scene(story("fleet").snapshot, messages("en"), Width.WIDE)
        frames = rects(scene, "gl-frame") + rects(scene, "gl-frame gl-frame-bad")
        assert len(frames) == 20

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_the_alternative_tells_the_story(self, language: str) -> None:
        scene = central_scene(story("article").snapshot, messages(language), Width.NARROW)
        assert "GPU 1–3" in scene.description
        assert "20" in scene.description
        assert "10" in scene.title

    def test_both_widths_say_the_same(self) -> None:
        wide, narrow = (central_scene(story("article").snapshot, messages("ja"), width) for width in Width)
        assert (wide.title, wide.description) == (narrow.title, narrow.description)


class TestOddSnapshots:
    @pytest.mark.slow
    def test_a_node_without_cards_and_long_names(self) -> None:
        node = NodeView("n" * 200, "M" * 200, (("nvidia.com/gpu", 10**9), ("x" * 90, 3)), (), None)
        pod = PodView("p" * 300, "w" * 300, None, (), PodState.PENDING, "m " * 4000)
        for width in some(Width):
            scene = central_scene(Snapshot(0, (node,), (pod,)), messages("en"), width)
            assert all(box(text)[2] <= scene.width for text in texts(scene))

    def test_no_nodes_at_all(self) -> None:
        scene = central_scene(Snapshot(0, (), ()), messages("en"), Width.WIDE)
        assert scene.height > 0

    def test_an_empty_card_that_nobody_may_use_fully(self) -> None:
        card = CardView(0, 24 * GIB, 0, "exclusive", 1, 0, (Slot(0, None),), (), ())
        node = NodeView("n", "M", (("nvidia.com/gpu", 1),), (card,), None)
        scene = central_scene(Snapshot(0, (node, replace(node, name="m")), ()), messages("ko"), Width.WIDE)
        assert len(rects(scene, "gl-frame")) == 2

    def test_more_nodes_than_anyone_looks_at(self) -> None:
        nodes = tuple(NodeView(f"node-{n}", "M", (), (), None) for n in range(5000))
        pods = tuple(PodView(f"p-{n}", f"w-{n}", None, (), PodState.PENDING, None) for n in range(5000))
        scene = central_scene(Snapshot(0, nodes, pods), messages("en"), Width.WIDE)
        words = [text.text for text in texts(scene)]
        assert "and 4,880 more nodes" in words
        assert "4,961 more" in words
        assert len(words) < 500
        assert len(scene.description) < 2000
