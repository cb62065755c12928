"""The values that the device plugin checks by hand, each at the edge of its form.

Source: NVIDIA/k8s-device-plugin v0.20.0, `api/config/v1` (`resources.go`, `replicas.go`, `duration.go`), `time` of Go and
google/uuid.
"""

from __future__ import annotations

import pytest

from labs.config.gojson import GoError
from labs.config.plugin.values import (
    check_devices,
    check_duration,
    is_device_reference,
    parse_duration,
    resource_name,
)

HEX = "4f2b7c9e-1d3a-4b5c-8d6e-7f8091a2b3c4"
NS, US, MS, S, M, H = 1, 10**3, 10**6, 10**9, 60 * 10**9, 3600 * 10**9
LONGEST = (1 << 63) - 1


@pytest.mark.parametrize(
    ("text", "nanoseconds"),
    [
        ("0", 0), ("+0", 0), ("-0", 0), ("0s", 0), ("-0s", 0),
        ("1ns", NS), ("1us", US), ("1µs", US), ("1μs", US), ("1ms", MS), ("1s", S), ("1m", M), ("1h", H),
        ("+5s", 5 * S), ("-5s", -5 * S), ("1.5h", 90 * M), (".5s", S // 2), ("1.s", S), ("-.5s", -S // 2),
        ("1h30m5s", H + 30 * M + 5 * S), ("1s1s", 2 * S), ("007s", 7 * S), ("00000000000000000000001s", S),
        ("1.9ns", 1), ("0.0000000001s", 0), ("0.0000000019s", 1), ("0.99999999999999999999s", S - 1),
        ("9223372036854775807ns", LONGEST), ("-9223372036854775808ns", -LONGEST - 1), ("2562047h", 2562047 * H),
        ("9223372036.854775807s", LONGEST), ("-9223372036.854775808s", -LONGEST - 1),
    ],
)  # fmt: skip
def test_a_duration_is_a_sum_of_numbers_with_units(text: str, nanoseconds: int) -> None:
    assert parse_duration(text) == nanoseconds


INVALID = "time: invalid duration "


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", INVALID + '""'),
        ("-", INVALID + '"-"'),
        ("+", INVALID + '"+"'),
        ("s", INVALID + '"s"'),
        (".s", INVALID + '".s"'),
        ("--1s", INVALID + '"--1s"'),
        ("1s-1s", 'time: unknown unit "s-" in duration "1s-1s"'),
        ("1", 'time: missing unit in duration "1"'),
        ("1s2", 'time: missing unit in duration "1s2"'),
        ("1..5s", 'time: missing unit in duration "1..5s"'),
        ("1d", 'time: unknown unit "d" in duration "1d"'),
        ("1S", 'time: unknown unit "S" in duration "1S"'),
        ("1 s", 'time: unknown unit " s" in duration "1 s"'),
        ('1"\\', 'time: unknown unit "\\"\\\\" in duration "1\\"\\\\"'),
        ("1\x1f\x7f\x80", 'time: unknown unit "\\x1f\x7f\\xc2\\x80" in duration "1\\x1f\x7f\\xc2\\x80"'),
        ("9223372036854775808ns", INVALID + '"9223372036854775808ns"'),
        ("-9223372036854775809ns", INVALID + '"-9223372036854775809ns"'),
        ("9223372036.854775808s", INVALID + '"9223372036.854775808s"'),
        ("9223372036854775809", INVALID + '"9223372036854775809"'),
        ("9223372036854775808", 'time: missing unit in duration "9223372036854775808"'),
        ("10000000000000000000", INVALID + '"10000000000000000000"'),
        ("2562048h", INVALID + '"2562048h"'),
        ("2562047h2562047h1", INVALID + '"2562047h2562047h1"'),
    ],
)
def test_a_duration_of_another_form_is_refused_in_gos_words(text: str, error: str) -> None:
    with pytest.raises(GoError) as caught:
        parse_duration(text)
    assert str(caught.value) == error
    assert caught.value.code == ("duration-unit" if "missing unit" in error else "duration")


@pytest.mark.parametrize("value", ["infinite", "5s", 5, 1.5, -1])
def test_an_interval_is_infinite_a_number_or_a_duration(value: object) -> None:
    check_duration(value)


@pytest.mark.parametrize("value", [None, True, [], {}, "Infinite", ""])
def test_an_interval_is_nothing_else(value: object) -> None:
    with pytest.raises(GoError) as caught:
        check_duration(value)
    assert caught.value.code == "duration"


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("0", True),
        ("007", True),
        ("18446744073709551615", True),
        ("0000018446744073709551615", True),
        ("18446744073709551616", False),
        ("99999999999999999999", False),
        ("100000000000000000000", False),
        ("-1", False),
        ("+1", False),
        ("", False),
        ("１", False),
        ("0:1", True),
        ("0:", False),
        (":0", False),
        ("0:1:2", False),
        (f"GPU-{HEX}", True),
        (f"GPU-{HEX.upper()}", True),
        (f"GPU-{HEX.replace('-', '')}", True),
        (f"GPU-{{{HEX}}}", True),
        (f"GPU-x{HEX}x", True),
        (f"GPU-urn:uuid:{HEX}", True),
        (f"GPU-URN:UUID:{HEX}", True),
        (f"GPU-urn:uuix:{HEX}", False),
        (f"GPU-{HEX}0", False),
        (f"GPU-{HEX[:-1]}", False),
        (f"GPU-{HEX[:-1]}g", False),
        (f"GPU-{HEX.replace('-', '')[:-1]}g", False),
        (f"GPU-{HEX.replace('-', '')}0", False),
        (f"GPU-é{HEX}x", False),
        (f"GPU-{HEX.replace('-', '_')}", False),
        (HEX, False),
        (f"gpu-{HEX}", False),
        (f"MIG-{HEX}", True),
        (f"MIG-GPU-{HEX}", False),
        (f"MIG-GPU-{HEX}/1/0", True),
        (f"MIG-GPU-{HEX}/1", False),
        (f"MIG-GPU-{HEX}/1/0/0", False),
        (f"MIG-GPU-{HEX}/x/0", False),
        (f"MIG-GPU-{HEX}/1/x", False),
        (f"MIG-{HEX}/1/0", False),
        (f"mig-{HEX}", False),
    ],
)
def test_a_device_is_an_index_a_pair_of_them_or_a_uuid(text: str, is_one: bool) -> None:
    assert is_device_reference(text) is is_one


@pytest.mark.parametrize(
    ("value", "all_devices"),
    [("all", True), (1, False), (7, False), (1.0, False), ([], False), ([0, "1", None, f"GPU-{HEX}"], False)],
)
def test_devices_are_all_so_many_or_a_list(value: object, all_devices: bool) -> None:
    assert check_devices(value) is all_devices


UNRECOGNIZED = "unrecognized type for devices spec: "


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (None, "devices set as '' but the only valid string input is 'all'"),
        ("", "devices set as '' but the only valid string input is 'all'"),
        ("All", "devices set as 'All' but the only valid string input is 'all'"),
        (0, "devices set as '0' but a count of devices must be > 0"),
        (-1, "devices set as '-1' but a count of devices must be > 0"),
        (1.5, UNRECOGNIZED + "1.5"),
        (True, UNRECOGNIZED + "true"),
        ({}, UNRECOGNIZED + "{}"),
        (["a"], "unsupported type for device in devices list: a, string"),
        ([-1], "unsupported type for device in devices list: , string"),
        ([1.5], "unsupported type for device in devices list: , string"),
        ([True], "unsupported type for device in devices list: , string"),
        ([[]], "unsupported type for device in devices list: , string"),
    ],
)
def test_other_devices_are_refused_in_the_plugins_words(value: object, error: str) -> None:
    with pytest.raises(GoError) as caught:
        check_devices(value)
    assert (str(caught.value), caught.value.code) == (error, "devices")


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("gpu", "nvidia.com/gpu"),
        ("nvidia.com/gpu", "nvidia.com/gpu"),
        ("nvidia.com/mig-1g.5gb", "nvidia.com/mig-1g.5gb"),
        ("a" * 52, "nvidia.com/" + "a" * 52),
        ("0", "nvidia.com/0"),
        ("a-.b", None),
    ],
)
def test_a_resource_is_one_of_nvidias(raw: str, name: str | None) -> None:
    if name is None:
        with pytest.raises(GoError, match="incorrect format for resource name"):
            resource_name(raw)
    else:
        assert resource_name(raw) == name


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ("a" * 53, "name-long"),
        ("nvidia.com/" + "a" * 53, "name-long"),
        ("é" * 27, "name-long"),
        ("é" * 26, "name"),
        ("", "name"),
        ("nvidia.com/", "name"),
        ("amd.com/gpu", "name"),
        ("GPU", "name"),
        ("-a", "name"),
        ("a-", "name"),
        ("a..b", "name"),
        ("a_b", "name"),
    ],
)
def test_a_resource_has_at_most_63_characters_and_a_subdomains_form(raw: str, code: str) -> None:
    with pytest.raises(GoError) as caught:
        resource_name(raw)
    assert caught.value.code == code
