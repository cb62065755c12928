"""The units of the house, in plain numbers."""

from __future__ import annotations

from labs.hardware.units import GIB, MIB, PPM, SECOND_US


def test_a_mebibyte_and_a_gibibyte_are_powers_of_1024() -> None:
    assert (MIB, GIB) == (1_048_576, 1_073_741_824)


def test_a_second_has_a_million_microseconds_and_a_whole_a_million_parts() -> None:
    assert (SECOND_US, PPM) == (1_000_000, 1_000_000)
