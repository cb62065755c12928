"""What instances of a card have to share beside memory slices: each limit at its edge, on cards made for that."""

from __future__ import annotations

from dataclasses import replace

import pytest

from labs.hardware.catalog import GpuModel, builtin_catalog
from labs.hardware.catalog.figures import Figure
from labs.hardware.catalog.profile import Engines, MigProfile
from labs.hardware.mig.device import COMPUTE_INSTANCE_SLICES, find_device
from labs.hardware.mig.layout import Layout
from labs.hardware.mig.limits import Limit, broken_limit

CATALOG = builtin_catalog()
A100, A30, RTX = (CATALOG.get(name) for name in ("a100-40gb", "a30-24gb", "rtx-pro-6000-96gb"))


def profiles(model: GpuModel, *names: str) -> list[MigProfile]:
    found = [model.mig_profile(name) for name in names]
    assert None not in found
    return [each for each in found if each is not None]


@pytest.mark.parametrize(
    ("names", "limit"),
    [
        ([], None),
        (["1g.5gb"] * 7, None),
        (["1g.5gb"] * 8, Limit.COMPUTE_SLICES),
        (["4g.20gb", "3g.20gb"], None),
        (["4g.20gb", "4g.20gb"], Limit.COMPUTE_SLICES),
        (["3g.20gb", "3g.20gb"], None),
        (["3g.20gb", "3g.20gb", "1g.5gb"], Limit.MEMORY_SLICES),
        (["1g.10gb"] * 4, None),
        (["1g.10gb"] * 5, Limit.MEMORY_SLICES),
        (["1g.5gb+me"], None),
        (["1g.5gb+me", "1g.5gb+me"], Limit.MEDIA_ENGINES),
        (["7g.40gb"], None),
    ],
)
def test_an_a100_has_seven_compute_slices_eight_memory_slices_and_one_media_extension(
    names: list[str], limit: Limit | None
) -> None:
    assert broken_limit(A100, profiles(A100, *names)) is limit


def bare(model: GpuModel, **of_all: int | None) -> GpuModel:
    """The card with other numbers of slices."""
    return replace(model, **of_all)  # type: ignore[arg-type]


def test_slices_whose_number_is_not_known_are_no_limit() -> None:
    many = profiles(A100, *["1g.5gb"] * 9)
    unknown = bare(A100, compute_slices=None)
    assert broken_limit(unknown, many) is Limit.MEMORY_SLICES
    assert broken_limit(bare(unknown, memory_slices=None), profiles(A100, "1g.5gb")) is None


def test_a_profile_whose_memory_slices_are_not_known_counts_none() -> None:
    (one,) = profiles(A100, "1g.5gb")
    unknown = replace(one, memory_slices=None)
    small = bare(A100, memory_slices=0)
    assert broken_limit(small, [unknown] * 2) is None
    assert broken_limit(small, [one]) is Limit.MEMORY_SLICES


@pytest.mark.parametrize(("most", "limit"), [(2, Limit.INSTANCES), (3, None), (4, None), (None, None)])
def test_of_a_profile_there_are_no_more_than_its_most_instances(
    most: int | None, limit: Limit | None
) -> None:
    (one,) = profiles(A100, "1g.5gb")
    few = replace(one, max_instances=replace(one.max_instances, value=most))
    assert broken_limit(A100, [few] * 3) is limit


KINDS = ("decoders", "encoders", "jpeg", "ofa")


def engines(**counts: int | None) -> Figure[Engines]:
    values: dict[str, int | None] = {"copy_engines": 1, **dict.fromkeys(KINDS, 0), **counts}
    return Figure(Engines(**values))


def with_engines(whole: Figure[Engines], part: Figure[Engines]) -> tuple[GpuModel, MigProfile]:
    """A card whose whole owns such engines, and a small profile of it."""
    (small, large) = profiles(A100, "1g.5gb", "7g.40gb")
    card, one = replace(large, engines=whole), replace(small, engines=part)
    return replace(A100, mig_profiles=(one, card)), one


@pytest.mark.parametrize("kind", KINDS)
def test_engines_of_each_kind_together_are_at_most_those_of_the_whole_card(kind: str) -> None:
    model, one = with_engines(engines(**{kind: 2}), engines(**{kind: 1}))
    assert broken_limit(model, [one] * 2) is None
    assert broken_limit(model, [one] * 3) is Limit.MEDIA_ENGINES


@pytest.mark.parametrize("kind", KINDS)
def test_engines_whose_number_is_not_known_are_no_limit_and_count_none(kind: str) -> None:
    model, one = with_engines(engines(**{kind: None}), engines(**{kind: 5}))
    assert broken_limit(model, [one] * 2) is None
    model, one = with_engines(engines(**{kind: 0}), engines(**{kind: None}))
    assert broken_limit(model, [one] * 2) is None


def test_without_a_word_about_engines_there_is_no_limit_of_them() -> None:
    nothing: Figure[Engines] = Figure(None)
    model, one = with_engines(nothing, engines(decoders=9))
    assert broken_limit(model, [one] * 2) is None
    model, one = with_engines(engines(), nothing)
    assert broken_limit(model, [one] * 2) is None
    assert broken_limit(replace(A100, mig_profiles=()), [one] * 2) is None


def test_one_instance_has_the_media_extensions_also_where_engines_are_not_known() -> None:
    """NVIDIA MIG User Guide: a single 1g profile can include media extensions."""
    model, _ = with_engines(Figure(None), Figure(None))
    (extended,) = profiles(A100, "1g.5gb+me")
    assert broken_limit(model, [extended]) is None
    assert broken_limit(model, [extended] * 2) is Limit.MEDIA_ENGINES


def test_the_first_limit_that_is_broken_is_named() -> None:
    assert broken_limit(A100, profiles(A100, "7g.40gb", "7g.40gb")) is Limit.COMPUTE_SLICES
    assert broken_limit(A100, profiles(A100, *["1g.10gb"] * 5, "1g.5gb+me")) is Limit.MEMORY_SLICES


# Compute instances


def test_compute_instances_have_1_2_3_4_or_7_slices() -> None:
    """`nvidia-smi mig -lcip`."""
    assert COMPUTE_INSTANCE_SLICES == (1, 2, 3, 4, 7)


@pytest.mark.parametrize(
    ("profile", "sizes"),
    [
        ("1g.5gb", [1]),
        ("2g.10gb", [1, 2]),
        ("3g.20gb", [1, 2, 3]),
        ("4g.20gb", [1, 2, 4]),
        ("7g.40gb", [1, 2, 3, 4, 7]),
    ],
)
def test_which_compute_instances_a_gpu_instance_may_have(profile: str, sizes: list[int]) -> None:
    """None is 3 of a GPU instance of 4."""
    found = {size: find_device(f"{size}c.{profile}", A100) for size in range(1, 10)}
    assert [size for size, device in found.items() if device is not None] == sizes
    for size in sizes:
        device = found[size]
        assert device is not None
        assert (device.compute_slices, device.profile.name, device.name) == (
            size,
            profile,
            f"{size}c.{profile}",
        )


def test_a_device_without_a_size_is_all_of_its_gpu_instance() -> None:
    device = find_device("4g.20gb", A100)
    assert device is not None
    assert (device.compute_slices, device.profile.name) == (4, "4g.20gb")


# Free


@pytest.mark.parametrize(
    ("there", "free"),
    [
        (
            [],
            {
                "1g.5gb": 7,
                "1g.5gb+me": 1,
                "1g.10gb": 4,
                "2g.10gb": 3,
                "3g.20gb": 2,
                "4g.20gb": 1,
                "7g.40gb": 1,
            },
        ),
        (
            [("3g.20gb", 4)],
            {
                "1g.5gb": 4,
                "1g.5gb+me": 1,
                "1g.10gb": 2,
                "2g.10gb": 2,
                "3g.20gb": 1,
                "4g.20gb": 1,
                "7g.40gb": 0,
            },
        ),
        ([("7g.40gb", 0)], dict.fromkeys([profile.name for profile in A100.mig_profiles], 0)),
    ],
)
def test_free_counts_of_an_a100(there: list[tuple[str, int]], free: dict[str, int]) -> None:
    """As `nvidia-smi mig -lgip` prints them."""
    assert Layout.of(A100, there).free() == free


def test_nothing_is_taken_of_an_empty_card() -> None:
    assert Layout.empty(A100).taken == 0
    assert Layout.of(A100, [("3g.20gb", 4)]).taken == 0b11110000
