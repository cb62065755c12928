"""The PCI ids of a `device-filter`, as Go's `strconv.ParseUint(text, 0, 32)` reads each half."""

from __future__ import annotations

import pytest

from labs.config.gojson import GoError
from labs.config.mig_parted.filter import DeviceId, parse_device_id

SYNTAX, RANGE = "invalid syntax", "value out of range"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0x20B010DE", 0x20B010DE),
        ("0X20b010de", 0x20B010DE),
        ("0b11", 3),
        ("0B1_1", 3),
        ("0o17", 15),
        ("017", 15),
        ("0_17", 15),
        ("1_000", 1000),
        ("0x_1", 1),
        ("0", 0),
        ("4294967295", 2**32 - 1),
        ("0xffffffff", 2**32 - 1),
        ("4294967296", RANGE),
        ("0x100000000", RANGE),
        ("99999999999x", RANGE),
        ("", SYNTAX),
        ("0x", SYNTAX),
        ("08", SYNTAX),
        ("0b2", SYNTAX),
        ("0o8", SYNTAX),
        ("0xg", SYNTAX),
        ("1a", SYNTAX),
        ("-1", SYNTAX),
        ("+1", SYNTAX),
        (" 1", SYNTAX),
        ("_1", SYNTAX),
        ("1_", SYNTAX),
        ("1__0", SYNTAX),
        ("0x1_", SYNTAX),
        ("１", SYNTAX),
    ],
)
def test_a_number_is_one_of_go(text: str, value: int | str) -> None:
    if isinstance(value, int):
        assert parse_device_id(text) == DeviceId(value >> 16, value & 0xFFFF)
        assert parse_device_id(f"1:{text}") == DeviceId(0, 1, (value >> 16, value & 0xFFFF))
        return
    with pytest.raises(GoError, match=value):
        parse_device_id(text)


def test_there_are_two_halves_at_most() -> None:
    with pytest.raises(GoError, match="expected '<devicevendor>' or '<devicevendor>:<subdevicevendor>'"):
        parse_device_id("1:2:3")


@pytest.mark.parametrize(
    ("wanted", "card", "accepted"),
    [
        (DeviceId(1), DeviceId(1), True),
        (DeviceId(1), DeviceId(2), False),
        (DeviceId(1, 5), DeviceId(1), False),
        (DeviceId(1), DeviceId(1, subsystem=(7, 8)), True),
        (DeviceId(1, subsystem=(7, 8)), DeviceId(1, subsystem=(7, 8)), True),
        (DeviceId(1, subsystem=(7, 9)), DeviceId(1, subsystem=(7, 8)), False),
        (DeviceId(1, subsystem=(7, 8)), DeviceId(1), False),
        (DeviceId(1, subsystem=(0, 0)), DeviceId(1), True),
    ],
)
def test_a_filter_matches_device_vendor_and_where_it_names_it_the_board(
    wanted: DeviceId, card: DeviceId, accepted: bool
) -> None:
    assert wanted.accepts(card) is accepted
