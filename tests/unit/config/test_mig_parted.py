"""Every measured answer of mig-parted's loader, and rules of it that no measured case shows on its own.

The answers of the second part come from the same libraries: sigs.k8s.io/yaml and encoding/json of Go 1.26 into mig-parted's
structs.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.config.goyaml.tree import Limits
from labs.config.mig_parted.fields import MigEntry, MigSpec
from labs.config.mig_parted.filter import DeviceId
from labs.config.mig_parted.fit import fits
from labs.config.mig_parted.loader import MigParted, load, not_covered, selection_error
from labs.config.plugin.loader import Stage
from labs.hardware.catalog import builtin_catalog
from tests.unit.config.cases import rows

ROWS = [row for row in rows("config.jsonl") if row["kind"] == "mig-parted"]
IDS = [row["id"] for row in ROWS]
LOADED = [row for row in ROWS if row["loads"]]
LOADED_IDS = [row["id"] for row in LOADED]
PARSE = "error parsing config file: unmarshal error: "
TO_JSON = PARSE + "error converting YAML to JSON: "
DECODE = PARSE + "error unmarshaling JSON: while decoding JSON: "

A100_40GB = DeviceId(0x20B0, subsystem=(0x134F, 0x10DE))
FOUR_A100 = (A100_40GB,) * 4
BOARDS = {
    "A100-PCIE-80GB": DeviceId(0x20B5),
    "A100-SXM4-40GB": DeviceId(0x20B0),
    "A100-SXM4-80GB": DeviceId(0x20B2),
    "A30": DeviceId(0x20B7),
    "H100-SXM5-80GB": DeviceId(0x2330),
    "H200": DeviceId(0x2335),
}


def spec_of(answer: MigParted) -> MigSpec:
    assert answer.spec is not None, answer.error
    return answer.spec


def entry(fields: str) -> str:
    """A config of one name with one entry of these fields (a flow mapping)."""
    return f"version: v1\nmig-configs:\n  lab:\n    - {fields}\n"


def test_there_are_cases() -> None:
    assert (len(ROWS), len(LOADED)) == (112, 49)


@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_a_file_gets_mig_parteds_answer(row: dict[str, Any]) -> None:
    answer = load(row["yaml"])

    assert (answer.loads, answer.stage) == (row["loads"], None if row["loads"] else Stage.LOAD)
    assert answer.error in (row.get("error"), *answer.possible_errors)
    assert row["loads"] or row["error"] in answer.possible_errors
    assert json.dumps(answer.effective) == json.dumps(row.get("effective"))


@pytest.mark.parametrize("row", LOADED, ids=LOADED_IDS)
def test_entries_match_the_cards_that_they_match_in_life(row: dict[str, Any]) -> None:
    found = {
        name: [
            {
                "matches_a100_40gb_x4": [i for i, card in enumerate(FOUR_A100) if one.matches(i, card)],
                "device_filter_matches": [board for board, card in BOARDS.items() if one.matches_kind(card)],
            }
            for one in entries
        ]
        for name, entries in spec_of(load(row["yaml"])).configs.items()
    }

    assert found == {
        name: [
            {key: one[key] for key in ("matches_a100_40gb_x4", "device_filter_matches")} for one in entries
        ]
        for name, entries in row.get("entries", {}).items()
    }


@pytest.mark.parametrize("row", LOADED, ids=LOADED_IDS)
def test_unparsable_filters_are_told_in_mig_parteds_words(row: dict[str, Any]) -> None:
    found = {
        name: [list(one.filter_problems.values()) for one in entries]
        for name, entries in spec_of(load(row["yaml"])).configs.items()
    }

    assert found == {
        name: [one.get("device_filter_unparsable", []) for one in entries]
        for name, entries in row.get("entries", {}).items()
    }


@pytest.mark.parametrize("row", LOADED, ids=LOADED_IDS)
def test_what_fits_on_an_a100_is_what_a_search_over_all_placements_finds(row: dict[str, Any]) -> None:
    model = builtin_catalog().get("a100-40gb")
    found = {
        name: [fits(one.mig_devices or {}, model) for one in entries]
        for name, entries in spec_of(load(row["yaml"])).configs.items()
    }

    assert found == row.get("fits_on_a100_40gb", {})


@pytest.mark.parametrize("row", LOADED, ids=LOADED_IDS)
def test_cards_that_no_entry_is_for_are_found(row: dict[str, Any]) -> None:
    configs = spec_of(load(row["yaml"])).configs
    missed = {name: list(not_covered(entries, FOUR_A100)) for name, entries in configs.items()}

    assert {name: cards for name, cards in missed.items() if cards} == row.get("a100x4_gpus_not_covered", {})


@pytest.mark.parametrize("row", LOADED, ids=LOADED_IDS)
def test_a_selection_without_a_name_finds_the_only_config(row: dict[str, Any]) -> None:
    assert selection_error(spec_of(load(row["yaml"])), "") == row.get("select_error")


def test_a_selection_by_a_name_that_is_not_there_says_so() -> None:
    spec = spec_of(load(entry("{devices: all, mig-enabled: false}")))

    assert selection_error(spec, "lab") is None
    assert (
        selection_error(spec, "all-1g")
        == "error selecting MIG config: selected mig-config not present: all-1g"
    )


def test_a_selection_without_a_name_is_no_choice_among_several() -> None:
    off = "[{devices: all, mig-enabled: false}]"
    spec = spec_of(load(f"version: v1\nmig-configs: {{a: {off}, b: {off}}}\n"))

    assert selection_error(spec, "") == (
        "error selecting MIG config: missing required flag 'selected-config' when more than one config available"
    )


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        ("version: v1\nb: 1\na: 1\n", {DECODE + "unexpected field: a", DECODE + "unexpected field: b"}),
        (
            "version: v1\nmig-configs: []\na: 1\n",
            {
                DECODE + "unexpected field: a",
                DECODE
                + "json: cannot unmarshal array into Go value of type map[string]v1.MigConfigSpecSlice",
            },
        ),
        # The first entry that is refused wins over a type error and over a name without entries before it.
        (
            "version: v1\nmig-configs: {a: 1, b: [], c: [{}], d: [{devices: all}]}\n",
            {DECODE + "missing required field: devices"},
        ),
        (
            "version: v1\nmig-configs: {b: 1, a: []}\n",
            {DECODE + "json: cannot unmarshal number into Go value of type v1.MigConfigSpecSlice"},
        ),
        (
            "version: v1\nmig-configs: {b: [], a: }\n",
            {DECODE + f"at least one entry in '{name}' is required" for name in "ab"},
        ),
        (
            entry("{devices: 1, mig-enabled: x, comment: y}"),
            {
                DECODE + "(json: cannot unmarshal number into Go value of type string, "
                "json: cannot unmarshal number into Go value of type []int)",
                DECODE + "json: cannot unmarshal string into Go value of type bool",
                DECODE + "unexpected field: comment",
            },
        ),
        (
            entry("{devices: all, mig-enabled: true, mig-devices: {x: 1, 1g.5gb: -2}}"),
            {
                DECODE + "error validating values in 'mig-devices' field: " + what
                for what in (
                    "invalid format for 'x': cannot parse fields of 'x': "
                    "parsed wrong number of fields, expected 2 or 3",
                    "invalid count for '-2': <nil>",
                )
            },
        ),
        # Numbers into integers.
        (
            entry("{devices: [0, 1.5, x], mig-enabled: false}"),
            {
                DECODE + "(json: cannot unmarshal array into Go value of type string, "
                "json: cannot unmarshal number 1.5 into Go value of type int)"
            },
        ),
        ("version: v1\n? [a]\n: b\n", {TO_JSON + 'yaml: invalid map key: []interface {}{"a"}'}),
        (
            "version: v1\na:\n\tb: 1\n",
            {TO_JSON + "yaml: line 3: found character that cannot start any token"},
        ),
        ("version: \nmig-configs: {}\n", {DECODE + "unknown version: "}),
        ("- 1\n", {DECODE + "json: cannot unmarshal array into Go value of type map[string]json.RawMessage"}),
    ],
)
def test_of_several_errors_any_that_life_may_report_is_known(text: str, errors: set[str]) -> None:
    answer = load(text)

    assert set(answer.possible_errors) == errors
    assert answer.error == answer.possible_errors[0]


@pytest.mark.parametrize(
    ("fields", "effective"),
    [
        (
            "{devices: [null, -1, 0.0], mig-enabled: , device-filter: }",
            {"device-filter": "", "devices": [0, -1, 0], "mig-enabled": False, "mig-devices": None},
        ),
        (
            "{devices: all, mig-enabled: true, mig-devices: {}, device-filter: []}",
            {"device-filter": [], "devices": "all", "mig-enabled": True, "mig-devices": {}},
        ),
        (
            "{devices: all, mig-enabled: true, mig-devices: {2g.10gb: 0x1, 1g.5gb: }, device-filter: [~]}",
            {
                "device-filter": [""],
                "devices": "all",
                "mig-enabled": True,
                "mig-devices": {"1g.5gb": 0, "2g.10gb": 1},
            },
        ),
    ],
)
def test_what_is_not_there_counts_as_in_go(fields: str, effective: dict[str, Any]) -> None:
    answer = load(entry(fields))

    assert answer.effective == {"version": "v1", "mig-configs": {"lab": [effective]}}, answer.error


def test_a_filter_that_asks_for_a_board_wants_that_board() -> None:
    one = MigEntry("0x233010DE:0x16C110DE", None, False, None)

    assert [
        one.matches_kind(DeviceId(0x2330, subsystem=subsystem))
        for subsystem in ((0x16C1, 0x10DE), (0x16C0, 0x10DE), None)
    ] == [True, False, False]


@pytest.mark.parametrize(
    ("devices", "answer"),
    [
        ({"1c.3g.20gb": 6}, True),
        ({"1c.3g.20gb": 3, "3g.20gb": 1}, True),
        ({"2c.3g.20gb": 2, "1c.3g.20gb": 2}, True),
        ({"2c.3g.20gb": 3}, False),
        ({"3c.4g.20gb": 1}, False),
        ({"1c.4g.20gb": 4, "3g.20gb": 1}, True),
        ({"3g.20gb": 2, "1g.5gb": 1}, False),
        ({"1g.5gb+me": 2}, False),
        ({"01g.05gb": 7}, True),
        ({"1g.5gb": 10**15}, False),
        ({"9g.9gb": 0}, True),
        ({}, True),
    ],
)
def test_compute_instances_share_a_gpu_instance_where_they_have_room(
    devices: dict[str, int], answer: bool
) -> None:
    assert fits(devices, builtin_catalog().get("a100-40gb")) is answer


def test_nothing_fits_on_a_card_without_mig() -> None:
    assert fits({"1g.5gb": 1}, builtin_catalog().get("t4-16gb")) is False


def test_a_file_beyond_the_limits_gets_no_verdict() -> None:
    answer = load("version: v1\n", limits=Limits(characters=3))

    assert (answer.loads, answer.limit) == (False, "the text is longer than 3 characters")


def test_bytes_are_judged_as_bytes() -> None:
    assert load("version: v1\n".encode("utf-16")).loads
    assert load(b"version: \xff\n").error == TO_JSON + "yaml: invalid leading UTF-8 octet"


YAML_PIECES = st.sampled_from(
    [
        "version: v1\n", "mig-configs:\n", "  lab:\n", "    - devices: all\n", "      mig-enabled: true\n",
        "      mig-devices:\n", "        1g.5gb: 7\n", "[", "]", "{", "}", ": ", "- ", "\n", " ", "&a", "*a", "<<", "!!int ",
        "'", '"', "|", "\t", "é", "\x85",
    ]
)  # fmt: skip


@given(st.lists(YAML_PIECES, max_size=24).map("".join) | st.text(max_size=60))
def test_any_text_gets_an_answer(text: str) -> None:
    answer = load(text)

    assert answer.loads == (answer.spec is not None) == (answer.effective is not None)
    assert (answer.error is None) == answer.loads
    assert answer.loads or answer.limit or answer.error in answer.possible_errors
