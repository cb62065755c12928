"""What go-yaml takes a plain scalar for: dates and times of the calendar and the clock, and nothing else."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.config.goyaml import Scalar, ScalarKind, find, read


def kind_of(text: str) -> ScalarKind:
    """Of a value as it stands in a file."""
    node = find(read(f"a: {text}\n"), ["a"])
    assert isinstance(node, Scalar)
    return node.kind


def in_calendar(year: int, month: int, day: int) -> bool:
    try:
        datetime.date(year, month, day)
    except ValueError:
        return False
    return True


@given(year=st.integers(1, 9999), month=st.integers(0, 13), day=st.integers(0, 32))
def test_a_date_is_one_of_the_calendar(year: int, month: int, day: int) -> None:
    taken = kind_of(f"{year:04}-{month:02}-{day:02}") is ScalarKind.TIMESTAMP
    assert taken is in_calendar(year, month, day)


@pytest.mark.parametrize("month", range(1, 13))
@pytest.mark.parametrize("year", [1900, 1999, 2000, 2023, 2024])
def test_a_month_ends_with_its_last_day(year: int, month: int) -> None:
    days = [day for day in range(1, 33) if kind_of(f"{year}-{month}-{day}") is ScalarKind.TIMESTAMP]
    assert days == [day for day in range(1, 33) if in_calendar(year, month, day)]


@pytest.mark.parametrize(
    ("text", "is_time"),
    [
        ("2024-1-2", True),
        ("2024-01-02T00:00:00Z", True),
        ("2024-01-02t23:59:59Z", True),
        ("2024-01-02T3:4:5.999999999+09:00", True),
        ("2024-01-02T03:04:05,5-00:30", True),
        ("2024-01-02 03:04:05", True),
        ("2024-01-02   03:04:05.5", True),
        ("2024-01-02T23:59:59+24:59", True),
        ("2024-01-02T24:00:00Z", False),
        ("2024-01-02T00:60:00Z", False),
        ("2024-01-02T00:00:60Z", False),
        ("2024-01-02T00:00:00+25:00", False),
        ("2024-01-02T00:00:00+00:60", False),
        ("2024-01-02T00:00:00", False),
        ("2024-01-02 00:00:00Z", False),
        ("2024-01-02T00:00:00z", False),
        ("2024-01-02T00:00Z", False),
        ("02024-01-02", False),
        ("2024-001-02", False),
        ("2024-01-002", False),
        ("2024/01/02", False),
    ],
)
def test_a_time_has_hour_minute_second_and_behind_a_t_a_zone(text: str, is_time: bool) -> None:
    assert kind_of(text) is (ScalarKind.TIMESTAMP if is_time else ScalarKind.STRING)
