"""Durations, quantities, rates and shares as people write them."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.config.own.units import duration_us, quantity_bytes, rate_per_s, share


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0", 0),
        ("0s", 0),
        ("1us", 1),
        ("1µs", 1),
        ("1μs", 1),
        ("88ms", 88_000),
        ("1.5s", 1_500_000),
        (".5s", 500_000),
        ("10m", 600_000_000),
        ("1h30m", 5_400_000_000),
        ("1m1.5s", 61_500_000),
        ("100ns", 0),
        ("500ns", 0),  # half to even
        ("1500ns", 2),
        ("2500ns", 2),
        ("", None),
        ("10", None),
        ("s", None),
        ("-5s", None),
        ("5 s", None),
        ("5s ", None),
        ("1.s", None),
        ("1..5s", None),
        ("1d", None),
        ("1e3s", None),
        ("５s", None),
        ("٣s", None),
        ("1" * 39 + "s", int("1" * 39) * 1_000_000),
        ("1" * 40 + "s", None),
    ],
)
def test_durations(text: str, expected: int | None) -> None:
    assert duration_us(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0", 0),
        ("1048576", 1_048_576),
        ("6Gi", 6 * 2**30),
        ("6GiB", 6 * 2**30),
        ("6 GiB", 6 * 2**30),
        ("1.5Gi", 3 * 2**29),
        ("500MB", 500_000_000),
        ("500M", 500_000_000),
        ("3k", 3000),
        ("7B", 7),
        ("0.1", 1),  # rounded up
        ("1EiB", 2**60),
        ("", None),
        ("GiB", None),
        ("6gib", None),
        ("6  GiB", None),
        ("-6GiB", None),
        ("6GiBs", None),
        ("1e3", None),
        ("６GiB", None),
        ("0" * 38 + "1G", 10**9),
        ("0" * 40 + "1G", None),
        ("1" * 40 + "GiB and more", None),
    ],
)
def test_quantities(text: str, expected: int | None) -> None:
    assert quantity_bytes(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2/s", Fraction(2)),
        ("30/m", Fraction(1, 2)),
        ("1.5/h", Fraction(1, 2400)),
        ("10 / d", Fraction(1, 8640)),
        ("0/s", Fraction(0)),
        ("2", None),
        ("2/", None),
        ("2/ms", None),
        ("/s", None),
        ("-1/s", None),
        ("1" * 39 + "/s and more", None),
    ],
)
def test_rates(text: str, expected: Fraction | None) -> None:
    assert rate_per_s(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2%", Fraction(1, 50)),
        ("0.02", Fraction(1, 50)),
        ("0.5 %", Fraction(1, 200)),
        ("1", Fraction(1)),
        (".25", Fraction(1, 4)),
        ("150%", Fraction(3, 2)),
        ("", None),
        ("%", None),
        ("-1%", None),
        ("half", None),
        ("1e-3", None),
        ("0." + "0" * 38 + "% and more", None),
        ("0." + "0" * 39 + "and more", None),
    ],
)
def test_shares(text: str, expected: Fraction | None) -> None:
    assert share(text) == expected


@given(st.integers(0, 10**12))
def test_a_whole_number_of_microseconds_is_exact(microseconds: int) -> None:
    assert duration_us(f"{microseconds}us") == microseconds


@given(st.text(max_size=60))
def test_any_text_is_of_the_form_or_none(text: str) -> None:
    for parse in (duration_us, quantity_bytes, rate_per_s, share):
        parse(text)
