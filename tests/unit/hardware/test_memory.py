"""Memory that the processes on a card can have."""

from __future__ import annotations

from fractions import Fraction

import pytest

from labs.hardware.catalog import builtin_catalog
from labs.hardware.catalog.errors import UnknownFigureError
from labs.hardware.catalog.memory import (
    CONTEXT_MEMORY_BYTES,
    DRIVER_RESERVE_FRACTION,
    total_memory_bytes,
    usable_memory_bytes,
)

MIB = 2**20


def test_usable_memory_is_the_total_less_the_drivers_two_percent_rounded_down() -> None:
    assert usable_memory_bytes(builtin_catalog().get("a100-40gb")) == 40960 * MIB * 98 // 100


def test_usable_memory_of_a_number_of_mib() -> None:
    assert usable_memory_bytes(15360) == 15360 * MIB * 98 // 100


@pytest.mark.parametrize(
    ("reserve", "expected"), [(0, 100 * MIB), (0.1, 90 * MIB), (Fraction(1, 4), 75 * MIB)]
)
def test_the_reserve_is_taken_at_its_decimal_value(reserve: float | Fraction, expected: int) -> None:
    assert usable_memory_bytes(100, reserve) == expected


@pytest.mark.parametrize("reserve", [-0.01, 1, 1.5])
def test_a_reserve_out_of_range_is_refused(reserve: float) -> None:
    with pytest.raises(ValueError, match="driver reserve"):
        usable_memory_bytes(100, reserve)


def test_a_total_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="total memory 0 MiB"):
        usable_memory_bytes(0)


@pytest.mark.parametrize("gpu_id", ["a100-64gb", "h200-141gb"])
def test_an_unknown_total_names_the_missing_figure(gpu_id: str) -> None:
    with pytest.raises(UnknownFigureError, match='no value for "memory_mib"') as caught:
        total_memory_bytes(builtin_catalog().get(gpu_id))
    assert (caught.value.gpu_id, caught.value.figure) == (gpu_id, "memory_mib")


def test_a_context_takes_300_mib() -> None:
    assert CONTEXT_MEMORY_BYTES == 300 * MIB


def test_the_driver_keeps_a_fiftieth() -> None:
    assert Fraction(str(DRIVER_RESERVE_FRACTION)) == Fraction(1, 50)
    assert total_memory_bytes(builtin_catalog().get("t4-16gb")) == 16_106_127_360


def test_on_a_t4_50_contexts_have_room() -> None:
    assert usable_memory_bytes(15360) // CONTEXT_MEMORY_BYTES == 50
    assert CONTEXT_MEMORY_BYTES == 314_572_800


@pytest.mark.parametrize("reserve", [0, Fraction(99, 100), 0.999])
def test_a_reserve_of_nothing_and_of_nearly_all_is_allowed(reserve: float | Fraction) -> None:
    assert usable_memory_bytes(1, reserve) == int(MIB * (1 - Fraction(str(reserve))))


def test_a_negative_total_is_refused() -> None:
    with pytest.raises(ValueError, match="total memory -1 MiB is out of range"):
        usable_memory_bytes(-1)
