"""The report as a person sees it, whole, against files; `GPULAB_UPDATE_GOLDEN=1 python3 dev.py test` rewrites them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from labs.report.cards.scene import Width, central_scene
from labs.report.drawing.svg import svg
from labs.report.result.text import result_text
from labs.simulation.outcome.moment.moments import moments, snapshot
from tests.unit.report.stories import LANGUAGES, Story, messages, play, shared
from tests.unit.report.test_rooms import story as mig_story
from tests.unit.scenarios import outcome

FOLDER = Path(__file__).parent
ROLLOUTS = FOLDER.parent / "scenarios"
REFUSED = "error unmarshaling JSON: while decoding JSON: number of replicas must be >= 2"


def story(name: str) -> Story:
    match name:
        case "article":
            return play(shared())
        case "refused-node":
            return play(shared(), 1, error=REFUSED)
        case "refused-pods":
            return play(shared(request=2), refuse_many=True)
        case "crash-loop":
            return play(shared(cards=2, count=12, on_oom="exit"))
        case "mig":
            return mig_story("halves")
        case "rollout":
            return rollout_story()
    raise KeyError(name)


def rollout_story() -> Story:
    """A rollout that has stopped at a node, beside nodes and workloads, as its golden run has it."""
    found = outcome((ROLLOUTS / "rollout-stops-on-one-node.yaml").read_text("utf-8"))
    times = moments(found.trace)
    return Story(found, snapshot(found.scenario, found.trace, times[-1]), times)


def golden(name: str, found: str) -> str:
    """The text of a golden file, written anew on demand; a missing one fails."""
    path = FOLDER / name
    if os.environ.get("GPULAB_UPDATE_GOLDEN"):
        path.write_text(found, "utf-8", newline="\n")
    assert path.exists(), f"{name} is missing: write it with GPULAB_UPDATE_GOLDEN=1 and read it"
    return path.read_text("utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["article", "refused-node", "refused-pods", "crash-loop", "mig", "rollout"])
def test_terminal(name: str, language: str) -> None:
    told = story(name)
    found = result_text(told.outcome, told.snapshot, messages(language))
    assert found == golden(f"{name}.{language}.txt", found)


@pytest.mark.parametrize(
    ("name", "width", "language"),
    [
        ("article", Width.WIDE, "en"),
        ("article", Width.NARROW, "ja"),
        ("refused-node", Width.WIDE, "ko"),
        ("crash-loop", Width.NARROW, "en"),
        ("mig", Width.WIDE, "ja"),
        ("mig", Width.NARROW, "ko"),
        ("rollout", Width.WIDE, "en"),
    ],
)
def test_picture(name: str, width: Width, language: str) -> None:
    found = svg(central_scene(story(name).snapshot, messages(language), width), "golden") + "\n"
    assert found == golden(f"{name}.{width}.{language}.svg", found)
