"""The figures that pages have of the named workloads are those of the package's measurements."""

from __future__ import annotations

import os
from importlib.resources import files
from pathlib import Path

import pytest

from labs.hardware.catalog import builtin_catalog
from labs.simulation.evidence.calibration import Shares, Sharing
from labs.simulation.evidence.datasets import builtin_datasets, builtin_points
from labs.simulation.evidence.published import Published, builtin_published, published_json
from labs.simulation.scenario.workloads import builtin_workloads

FILE = Path(str(files("labs") / "simulation" / "data" / "published.json"))


def test_the_file_is_what_the_measurements_say() -> None:
    text = published_json(builtin_points(), builtin_datasets(), builtin_workloads())
    if os.environ.get("GPULAB_UPDATE_GOLDEN"):
        FILE.write_text(text, "utf-8")
    assert FILE.read_text("utf-8") == text


def test_every_figure_has_a_source_a_workload_and_its_own_card() -> None:
    published = builtin_published()
    catalog = builtin_catalog()
    for one in published.figures:
        assert one.dataset in published.sources
        card = next(model for model in catalog.models if one.use.endswith(model.id))
        assert one.profile is None or card.mig_profile(one.profile) is not None


def test_a_published_rate_of_all_copies_is_the_time_of_each() -> None:
    [five] = [
        one for one in builtin_published().of("yolos-small-a100-80gb") if (one.way, one.copies) == ("mps", 5)
    ]
    assert five.cycle_s == 0.240864


def test_a_published_rate_of_single_items_is_the_time_of_a_batch() -> None:
    """VGG-16 at batch 8 does about 1,460 images a second on 7g.80gb; a request holds eight."""
    [alone] = [
        one
        for one in builtin_published().of("vgg16-b8-a100-80gb")
        if (one.way, one.copies) == ("mig", 1) and one.profile == "7g.80gb"
    ]
    assert alone.cycle_s == pytest.approx(builtin_workloads()[alone.use].job.solo_time_us / 1e6, rel=0.06)


@pytest.mark.parametrize(
    "one", builtin_published().figures, ids=lambda one: f"{one.use}-{one.way}-{one.profile}-{one.copies}"
)
def test_every_figure_is_near_what_is_predicted_for_the_same(one: Published) -> None:
    """By a third, more than any error that is stated: a unit that is taken for another is off by more."""
    job = builtin_workloads()[one.use].job
    sharing = Sharing(
        one.way,
        next(card.id for card in builtin_catalog().models if one.use.endswith(card.id)),
        one.profile,
        one.copies,
    )
    predicted = job.solo_time_us / 1e6 * Shares(builtin_catalog()).times(sharing, job)
    assert one.cycle_s == pytest.approx(predicted, rel=0.34)
