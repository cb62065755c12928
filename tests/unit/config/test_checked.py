"""The entries of ``gpulab check``'s JSON, document by document."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest

from labs.config.documents.checked import check, entries
from labs.config.documents.kinds import Kind
from labs.config.goyaml.tree import LimitError, Limits
from labs.config.plugin.flags import Deployer
from tests.unit.config.cases import CHART_ENVIRONMENT, rows

SHARED = "version: v1\nsharing:\n  timeSlicing:\n    resources: [{name: nvidia.com/gpu, replicas: 4}]\n"
MPS = SHARED.replace("timeSlicing", "mps")
CASES = rows("config.jsonl")


def only(text: str, **options: Any) -> dict[str, Any]:
    (entry,) = entries(check(text, **options))
    return entry


@pytest.mark.parametrize("row", CASES, ids=[row["id"] for row in CASES])
def test_a_file_of_an_explicit_kind_has_one_entry_with_its_loaders_answer(row: dict[str, Any]) -> None:
    entry = only(row["yaml"], kind=Kind(row["kind"]), env=CHART_ENVIRONMENT)

    assert {key: entry[key] for key in ("kind", "key", "loads", "effective", "warnings")} == {
        "kind": row["kind"],
        "key": None,
        "loads": row["loads"],
        "effective": row.get("effective"),
        "warnings": row.get("warnings", []),
    }
    assert entry["stage"] == (None if row["loads"] else row.get("stage", "load"))
    assert entry["strategy"] == (row.get("strategy") if row["loads"] else None)
    assert list(entry) == [
        "kind",
        "key",
        "line",
        "loads",
        "stage",
        "error",
        "strategy",
        "effective",
        "warnings",
    ]


@pytest.mark.parametrize(
    ("options", "loads", "stage"),
    [
        ({}, False, "validate"),
        ({"deployer": Deployer.HELM}, True, None),
        ({"deployer": Deployer.OPERATOR}, True, None),
        ({"deployer": Deployer.OPERATOR, "env": {"MIG_STRATEGY": "mixed"}}, False, "validate"),
        ({"deployer": Deployer.HELM, "args": ["--mig-strategy=mixed"]}, False, "validate"),
    ],
)
def test_a_config_is_judged_as_it_is_deployed(
    options: dict[str, Any], loads: bool, stage: str | None
) -> None:
    entry = only(MPS, **options)

    assert (entry["loads"], entry["stage"]) == (loads, stage)


@pytest.mark.parametrize(
    ("text", "kind"),
    [("", "empty"), ("# nothing\n---\n", "empty"), ("a: 1\n", "unknown"), ("kind: Pod\n", "Pod")],
)
def test_what_no_loader_reads_has_no_verdict(text: str, kind: str) -> None:
    entry = only(text)

    assert (entry["kind"], entry["loads"], entry["error"], entry["effective"]) == (kind, None, None, None)


def test_an_empty_file_of_an_explicit_kind_loads() -> None:
    assert [only("", kind=kind)["loads"] for kind in (Kind.DEVICE_PLUGIN, Kind.MIG_PARTED)] == [True, True]


def test_the_configs_of_a_config_map_stand_for_it() -> None:
    text = dedent("""\
        apiVersion: v1
        kind: ConfigMap
        data:
          shared: |
            version: v1
            sharing: {timeSlicing: {resources: [{name: gpu, replicas: 4}]}}
          wrong: |
            version: v1
            sharing: {timeSlicing: {resources: [{name: gpu, replicas: 1}]}}
          none: ""
        ---
        apiVersion: v1
        kind: ConfigMap
        data: {motd: Hello}
        """)

    assert [
        (one["kind"], one["key"], one["line"], one["loads"], one["strategy"]) for one in entries(check(text))
    ] == [
        ("device-plugin", "shared", 5, True, "time-slicing"),
        ("device-plugin", "wrong", 8, False, None),
        ("device-plugin", "none", 10, True, "none"),
        ("ConfigMap", None, 12, None, None),
    ]


def test_a_bomb_of_aliases_is_an_answer_of_the_loader() -> None:
    bomb = "version: v1\na: &a [x, x, x, x, x, x, x, x, x, x]\n"
    for previous, name in zip("abcdefg", "bcdefgh", strict=True):
        bomb += f"{name}: &{name} [{', '.join(['*' + previous] * 10)}]\n"
    entry = only(bomb)

    assert (entry["kind"], entry["loads"]) == ("device-plugin", False)
    assert entry["error"].endswith("yaml: document contains excessive aliasing")


def test_a_file_beyond_the_limits_has_no_answer() -> None:
    with pytest.raises(LimitError):
        check(SHARED, limits=Limits(nodes=4))
