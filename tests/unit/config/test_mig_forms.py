"""mig-parted's config at the edges of its forms: numbers of a profile's name, PCI ids, what a config is for, what fits.

Source: NVIDIA/mig-parted v0.15.0, `api/spec/v1`, `pkg/types`, and NVIDIA/go-nvlib as it vendors it.
"""

from __future__ import annotations

import pytest

from labs.config.gojson import GoError
from labs.config.mig_parted.filter import DeviceId, parse_device_id
from labs.config.mig_parted.loader import load, not_covered, selection_error
from labs.config.mig_parted.profile import GO_SPACE, ProfileName, parse_profile

LARGEST = (1 << 63) - 1


@pytest.mark.parametrize(
    ("digits", "number"),
    [
        ("0", 0), ("9", 9), ("+1", 1), ("-0", 0), ("00000000000000000000001", 1), (str(LARGEST), LARGEST),
        (str(LARGEST + 1), None), ("1" + "0" * 19, None), ("", None), ("+", None), ("++1", None), ("1 ", None),
        ("a", None), ("1.", None), ("\u0661", None),
    ],
)  # fmt: skip
def test_a_number_of_a_profile_is_one_of_64_bits(digits: str, number: int | None) -> None:
    if number is None:
        with pytest.raises(GoError):
            parse_profile(f"1c.2g.{digits}gb")
    elif digits[:1] in "+-":
        with pytest.raises(GoError):
            parse_profile(f"1g.{digits}gb-+")
    else:
        assert parse_profile(f"1g.{digits}gb").memory_gb == number
        assert parse_profile(f"{digits}c.1g.5gb").compute_instance_slices == number
        assert parse_profile(f"{digits}g.5gb").compute_slices == number


@pytest.mark.parametrize("text", ["-1g.5gb", "1g.-5gb"])
def test_a_sign_begins_the_attributes(text: str) -> None:
    with pytest.raises(GoError, match="cannot parse fields"):
        parse_profile(text)


@pytest.mark.parametrize("space", GO_SPACE)
def test_no_white_space_of_gos_stands_around_a_field_or_an_attribute(space: str) -> None:
    for text in (f"{space}1g.5gb", f"1g{space}.5gb", f"1g.{space}5gb", f"1g.5gb{space}", f"1c{space}.1g.5gb"):
        with pytest.raises(GoError, match="leading or trailing spaces on"):
            parse_profile(text)
    for text in (f"1g.5gb+{space}me", f"1g.5gb+me{space}", f"1g.5gb-gfx,me{space}"):
        with pytest.raises(GoError, match="leading or trailing spaces in attribute"):
            parse_profile(text)


@pytest.mark.parametrize(
    ("attributes", "problem"),
    [
        ("me", None),
        ("ME.9", None),
        ("a0", None),
        ("", "empty attribute in list"),
        ("me,", "empty attribute in list"),
        (",me", "empty attribute in list"),
        ("0me", "attribute begins with a number"),
        ("9me", "attribute begins with a number"),
        (".me", "attribute begins/ends with a dot"),
        ("me.", "attribute begins/ends with a dot"),
        ("m_e", "non alpha-numeric character or digit in attribute"),
        ("mé", "non alpha-numeric character or digit in attribute"),
        ("m e", "non alpha-numeric character or digit in attribute"),
        ("me,gfx,me", "non unique attribute in list"),
    ],
)
def test_an_attribute_is_letters_digits_and_dots(attributes: str, problem: str | None) -> None:
    for sign in "+-":
        text = f"1g.5gb{sign}{attributes}"
        if problem is None:
            assert parse_profile(text) == ProfileName(1, 1, 5, (attributes,), sign == "-")
            assert str(parse_profile(text)) == text
        else:
            with pytest.raises(GoError) as caught:
                parse_profile(text)
            assert str(caught.value) == f"cannot parse attributes of '{text}': {problem}"


@pytest.mark.parametrize(
    ("text", "parts"), [("1g", 1), ("", 1), ("1c.1g.5gb.x", 3), ("a.b.c", 3), ("1.2", 2), ("1g.5", 2)]
)
def test_a_name_has_two_or_three_fields(text: str, parts: int) -> None:
    words = {1: "parsed wrong number of fields|empty string", 2: "missing", 3: "missing"}[parts]
    with pytest.raises(GoError, match=words):
        parse_profile(text)


def test_a_compute_instance_lives_in_a_gpu_instance_of_its_size() -> None:
    name = parse_profile("1c.3g.20gb+me")
    assert str(name.gpu_instance) == "3g.20gb+me"
    assert name.gpu_instance == ProfileName(3, 3, 20, ("me",))
    assert parse_profile("1g.24gb-me").gpu_instance == ProfileName(1, 1, 24, ("me",), without=True)


@pytest.mark.parametrize("digit", "0123456789abcdefABCDEF")
def test_every_digit_of_an_id_counts(digit: str) -> None:
    value = int(digit, 16)
    assert parse_device_id(f"0x1{digit}10DE") == DeviceId(16 + value)
    assert parse_device_id(f"0x2{digit}") == DeviceId(0, 32 + value)
    for prefix, base in (("0o", 8), ("0b", 2), ("0", 8), ("1", 10)):
        if value < base:
            lead = 1 if prefix == "1" else 0
            assert parse_device_id(f"{prefix}{digit}") == DeviceId(0, lead * 10 + value)
        elif (prefix, digit) not in {("0", "b"), ("0", "B")}:
            with pytest.raises(GoError, match="invalid syntax"):
                parse_device_id(f"{prefix}{digit}")


@pytest.mark.parametrize(
    ("text", "subsystem"),
    [("0x20B010DE:0", (0, 0)), ("0x20B010DE:0xffff0001", (0xFFFF, 1)), ("0x20B010DE:65536", (1, 0)), ("0x20B010DE", None)],
)  # fmt: skip
def test_the_second_number_is_the_board(text: str, subsystem: tuple[int, int] | None) -> None:
    assert parse_device_id(text) == DeviceId(0x20B0, 0x10DE, subsystem)


A100 = DeviceId(0x20B0)
CONFIGS = """
version: v1
mig-configs:
  some:
    - {devices: [0, 2], mig-enabled: false}
    - {devices: all, device-filter: ["0x233010DE", "bad"], mig-enabled: true, mig-devices: {1g.5gb: 2, 2g.10gb: 0}}
    - {devices: all, device-filter: bad, mig-enabled: true, mig-devices: {}}
  none: [{devices: all, device-filter: "", mig-enabled: true, mig-devices: {7g.40gb: 1}}]
"""


def test_an_entry_is_for_cards_by_index_and_by_kind() -> None:
    spec = load(CONFIGS).spec
    assert spec is not None
    first, second, third = spec.configs["some"]
    cards = [A100, A100, A100, DeviceId(0x2330)]

    assert [[one.matches(index, card) for index, card in enumerate(cards)] for one in spec.configs["some"]] == [
        [True, False, True, False], [False, False, False, True], [False] * 4,
    ]  # fmt: skip
    assert not_covered(spec.configs["some"], cards) == (1,)
    assert not_covered(spec.configs["none"], cards) == ()
    assert not_covered((), cards) == (0, 1, 2, 3)
    assert (first.filters, second.filters, third.filters) == ((), ("0x233010DE", "bad"), ("bad",))
    assert list(second.filter_problems) == ["bad"]
    assert first.filter_problems == {}
    assert spec.configs["none"][0].filters == ()


def test_a_config_is_written_out_as_it_was_taken() -> None:
    effective = load(CONFIGS).effective
    assert effective is not None
    assert effective["mig-configs"]["some"] == [
        {"devices": [0, 2], "mig-enabled": False, "mig-devices": None},
        {
            "device-filter": ["0x233010DE", "bad"], "devices": "all", "mig-enabled": True,
            "mig-devices": {"1g.5gb": 2, "2g.10gb": 0},
        },
        {"device-filter": "bad", "devices": "all", "mig-enabled": True, "mig-devices": {}},
    ]  # fmt: skip
    assert effective["mig-configs"]["none"][0]["device-filter"] == ""
    assert load("").effective == {"version": ""}


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("some", None),
        ("other", "error selecting MIG config: selected mig-config not present: other"),
        ("", "error selecting MIG config: missing required flag 'selected-config' when more than one config available"),
    ],
)  # fmt: skip
def test_a_config_is_selected_by_name(name: str, error: str | None) -> None:
    spec = load(CONFIGS).spec
    assert spec is not None
    assert selection_error(spec, name) == error


def test_the_only_config_needs_no_name() -> None:
    only = load("version: v1\nmig-configs: {a: [{devices: all, mig-enabled: false}]}").spec
    nothing = load("").spec
    assert only is not None
    assert nothing is not None
    assert selection_error(only, "") is None
    assert selection_error(nothing, "") == "error selecting MIG config: selected mig-config not present: "


ENTRY = "version: v1\nmig-configs: {{a: [{{devices: all, mig-enabled: {}, mig-devices: {}}}]}}"


@pytest.mark.parametrize(
    ("enabled", "devices", "code"),
    [
        ("true", "{1g.5gb: 1}", None),
        ("true", "{}", None),
        ("true", "{1g.5gb: 0, 2g.10gb: 1}", None),
        ("true", "~", "mig-needs-devices"),
        ("true", "{1g.5gb: 0}", "no-counts"),
        ("true", "{1g.5gb: -1}", "count"),
        ("true", "{bad: 1}", "profile"),
        ("true", "{1g.5gb: 1.5}", "type"),
        ("true", "[1]", "type"),
        ("false", "~", None),
        ("false", "{}", None),
        ("false", "{1g.5gb: 1}", "mig-off"),
        ("~", "~", None),
    ],
)
def test_devices_are_counted_where_mig_is_on(enabled: str, devices: str, code: str | None) -> None:
    answer = load(ENTRY.format(enabled, devices))
    assert (answer.loads, [one.code for one in answer.mistakes]) == (code is None, [code] if code else [])
