"""Wasted slices: those that nobody holds and on which nothing more can be created, whatever is tried."""

from __future__ import annotations

import pytest

from labs.hardware.catalog import GpuModel, builtin_catalog
from labs.hardware.mig.creation import place_in_any_order
from labs.hardware.mig.layout import Layout
from labs.hardware.planning.waste import wasted_compute_slices, wasted_memory_slices
from tests.some import some
from tests.unit.hardware.mig_brute_force import CARDS, slices, starts

A100 = builtin_catalog().get("a100-40gb")


@pytest.mark.parametrize(
    ("profiles", "memory", "compute"),
    [
        ([], (), ()),
        (["3g.20gb", "3g.20gb"], (), (3,)),
        (["1g.5gb"] * 7, (7,), ()),
        (["1g.10gb"] * 4, (), (1, 3, 5)),
        (["2g.10gb", "2g.10gb", "2g.10gb", "1g.10gb"], (), ()),
        (["4g.20gb", "3g.20gb"], (), ()),
        (["7g.40gb"], (), ()),
        (["3g.20gb"], (), ()),
    ],
)
def test_of_well_known_layouts(
    profiles: list[str], memory: tuple[int, ...], compute: tuple[int, ...]
) -> None:
    layout = place_in_any_order(Layout.empty(A100), profiles).layout
    assert (wasted_memory_slices(layout), wasted_compute_slices(layout)) == (memory, compute)


@pytest.mark.parametrize("model", CARDS, ids=lambda model: model.id)
def test_on_every_card_no_instance_can_be_created_over_a_wasted_memory_slice(model: GpuModel) -> None:
    for first in some(model.mig_profiles):
        for start in starts(first):
            layout = Layout.of(model, [(first.name, start)])
            wasted = set(wasted_memory_slices(layout))
            over = [
                (more.name, at)
                for more in model.mig_profiles
                for at in layout.free_starts(more)
                if slices(more, at) & wasted
            ]
            assert over == []
            assert not wasted & slices(first, start)


def test_a_card_without_mig_has_no_slices_to_waste() -> None:
    layout = Layout.empty(builtin_catalog().get("t4-16gb"))
    assert (wasted_memory_slices(layout), wasted_compute_slices(layout)) == ((), ())


def test_slices_whose_number_is_not_known_are_not_wasted() -> None:
    layout = Layout.empty(builtin_catalog().get("rtx-pro-5000-48gb"))
    assert wasted_memory_slices(layout) == ()
