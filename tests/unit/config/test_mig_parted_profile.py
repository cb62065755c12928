"""The grammar of MIG profiles' names, and the packed PCI ids of device filters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.config.gojson.decode import GoError
from labs.config.mig_parted.filter import DeviceId, parse_device_id
from labs.config.mig_parted.profile import ProfileName, parse_profile


def problem(text: str) -> str:
    with pytest.raises(GoError) as caught:
        parse_profile(text)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("1g.5gb", ProfileName(1, 1, 5)),
        ("1c.3g.20gb", ProfileName(1, 3, 20)),
        ("1g.5gb+me", ProfileName(1, 1, 5, ("me",))),
        ("1g.24gb-me", ProfileName(1, 1, 24, ("me",), without=True)),
        ("1g.24gb+me.all", ProfileName(1, 1, 24, ("me.all",))),
        ("1g.5gb+me,gfx", ProfileName(1, 1, 5, ("gfx", "me"))),
        ("01g.05gb", ProfileName(1, 1, 5)),
        ("0g.0gb", ProfileName(0, 0, 0)),
        ("7g.79gb", ProfileName(7, 7, 79)),
    ],
)
def test_a_name_of_the_right_form_is_taken_apart(text: str, name: ProfileName) -> None:
    assert parse_profile(text) == name


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "profile is the empty string"),
        ("1g.5gb+me-gfx", "profile '1g.5gb+me-gfx' contains both '+/-' attributes"),
        ("+1g.5gb", "cannot parse fields of '+1g.5gb': parsed wrong number of fields, expected 2 or 3"),
        ("1g.5gb.me", "cannot parse fields of '1g.5gb.me': missing 'c' from '%dc'"),
        ("1.5gb", "cannot parse fields of '1.5gb': missing 'g' from '%dg'"),
        ("g.5gb", "cannot parse fields of 'g.5gb': malformed number in '%dg'"),
        ("1_0g.5gb", "cannot parse fields of '1_0g.5gb': malformed number in '%dg'"),
        ("\u0661g.5gb", "cannot parse fields of '\u0661g.5gb': malformed number in '%dg'"),
        ("1g.9223372036854775808gb", "cannot parse fields of '1g.9223372036854775808gb': malformed number in '%dgb'"),
        ("1g.5gb ", "cannot parse fields of '1g.5gb ': leading or trailing spaces on '%dgb'"),
        ("\u30001g.5gb", "cannot parse fields of '\u30001g.5gb': leading or trailing spaces on '%dg'"),
        ("\x1c1g.5gb", "cannot parse fields of '\x1c1g.5gb': malformed number in '%dg'"),
        ("1g.5gb-", "cannot parse attributes of '1g.5gb-': empty attribute in list"),
        ("1g.5gb+me,me", "cannot parse attributes of '1g.5gb+me,me': non unique attribute in list"),
        ("1g.5gb+ me", "cannot parse attributes of '1g.5gb+ me': leading or trailing spaces in attribute"),
        ("1g.5gb+4me", "cannot parse attributes of '1g.5gb+4me': attribute begins with a number"),
        ("1g.5gb+me.", "cannot parse attributes of '1g.5gb+me.': attribute begins/ends with a dot"),
        ("1g.5gb+me+gfx", "cannot parse attributes of '1g.5gb+me+gfx': non alpha-numeric character or digit in attribute"),
    ],
)  # fmt: skip
def test_a_name_of_another_form_is_refused_in_the_loaders_words(text: str, why: str) -> None:
    assert problem(text) == why


@given(
    st.builds(
        ProfileName,
        st.integers(0, 9),
        st.integers(0, 9),
        st.integers(0, 999),
        st.lists(st.sampled_from(["me", "gfx", "me.all"]), unique=True).map(
            lambda names: tuple(sorted(names))
        ),
        st.booleans(),
    )
)
def test_a_name_written_out_reads_as_itself(name: ProfileName) -> None:
    written = str(name)

    assert str(parse_profile(written)) == written


@pytest.mark.parametrize(
    ("text", "device"),
    [
        ("0x20B010DE", DeviceId(0x20B0)),
        ("0X20b0_10de", DeviceId(0x20B0)),
        ("548409566", DeviceId(0x20B0)),
        ("0x20B010DE:0x134F10DE", DeviceId(0x20B0, subsystem=(0x134F, 0x10DE))),
        ("017", DeviceId(0, 15)),
        ("0", DeviceId(0, 0)),
    ],
)
def test_a_filter_is_two_ids_in_one_number(text: str, device: DeviceId) -> None:
    assert parse_device_id(text) == device


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", 'strconv.ParseUint: parsing "": invalid syntax'),
        ("20B010DE", 'strconv.ParseUint: parsing "20B010DE": invalid syntax'),
        ("0x", 'strconv.ParseUint: parsing "0x": invalid syntax'),
        ("08", 'strconv.ParseUint: parsing "08": invalid syntax'),
        ("1_", 'strconv.ParseUint: parsing "1_": invalid syntax'),
        ("-1", 'strconv.ParseUint: parsing "-1": invalid syntax'),
        ("0x120B010DEg", 'strconv.ParseUint: parsing "0x120B010DEg": value out of range'),
    ],
)
def test_a_filter_of_another_form_is_refused_in_mig_parteds_words(text: str, why: str) -> None:
    with pytest.raises(GoError) as caught:
        parse_device_id(text)

    assert str(caught.value) == f"unable to create DeviceID from string '{text}': {why}"
