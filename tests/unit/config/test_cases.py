"""Every measured answer of the device plugin's loader: verdict, stage, text, strategy, effective configuration."""

from __future__ import annotations

import json
from typing import Any

import pytest

from labs.config.plugin.loader import load
from tests.unit.config.cases import CHART_ENVIRONMENT, device_plugin_rows, rows

FILES = device_plugin_rows()
PRECEDENCE = rows("config-env.jsonl")


def ids(table: list[dict[str, Any]]) -> list[str]:
    return [row["id"] for row in table]


def test_there_are_cases() -> None:
    assert (len(FILES), len(PRECEDENCE)) == (220, 13)


@pytest.mark.parametrize("row", FILES, ids=ids(FILES))
def test_a_file_gets_the_plugins_answer(row: dict[str, Any]) -> None:
    answer = load(row["yaml"], env=CHART_ENVIRONMENT)

    assert {
        "loads": answer.loads,
        "stage": answer.stage,
        "error": answer.error,
        "strategy": answer.strategy,
        "warnings": list(answer.warnings),
    } == {
        "loads": row["loads"],
        "stage": row.get("stage"),
        "error": row.get("error"),
        "strategy": row.get("strategy"),
        "warnings": row.get("warnings", []),
    }


@pytest.mark.parametrize("row", FILES, ids=ids(FILES))
def test_the_effective_configuration_is_printed_as_the_plugin_does(row: dict[str, Any]) -> None:
    answer = load(row["yaml"], env=CHART_ENVIRONMENT)

    assert json.dumps(answer.effective) == json.dumps(row.get("effective"))


@pytest.mark.parametrize("row", PRECEDENCE, ids=ids(PRECEDENCE))
def test_the_command_line_beats_the_environment_beats_the_file(row: dict[str, Any]) -> None:
    answer = load(row["yaml"], env=row["env"], args=row["args"])

    assert (answer.loads, answer.error, answer.flags) == (row["loads"], row.get("error"), row.get("flags"))
