"""Whole runs against files: `GPULAB_UPDATE_GOLDEN=1 python3 dev.py test` rewrites them; read what changed."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from labs.simulation.outcome.outcome import Outcome
from labs.simulation.trace import Record, RolloutRecord
from tests.unit.scenarios import outcome

FOLDER = Path(__file__).parent
SCENARIOS = sorted(path.stem for path in FOLDER.glob("*.yaml"))


def played(name: str) -> Outcome:
    return outcome((FOLDER / f"{name}.yaml").read_text("utf-8"))


def golden(name: str, found: str) -> str:
    """The text of a golden file, written anew on demand; a missing one fails."""
    path = FOLDER / name
    if os.environ.get("GPULAB_UPDATE_GOLDEN"):
        path.write_text(found, "utf-8", newline="\n")
    assert path.exists(), f"{name} is missing: write it with GPULAB_UPDATE_GOLDEN=1 and read it"
    return path.read_text("utf-8")


def as_lines(result: Outcome) -> str:
    """The Trace as a person reads it: seconds, what, and the fields that say something.

    What is of a rollout stands behind a bar, and at one instant before what follows from it.
    """
    lines = []
    records: list[Record | RolloutRecord] = [*result.trace.rollout, *result.trace.records]
    for record in sorted(records, key=lambda record: record.at_us):
        cells = record.cells()
        words = [f"{name} {cells[name]}" for name in ("pod", "node", "gpu", "slot") if name in cells]
        counts = cells.get("counts", ())
        words += [str(cells["value"])] if "value" in cells else []
        words += [str(count) for count in (counts if isinstance(counts, tuple) else ())]
        words += [f"({cells['reason']})"] if "reason" in cells else []
        kind = f"{'' if isinstance(record, Record) else '| '}{record.kind}"
        lines.append(f"{record.at_us / 1_000_000:>12.6f}  {kind:<18} {', '.join(words)}".rstrip())
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_trace(name: str) -> None:
    found = as_lines(played(name))
    assert found == golden(f"{name}.trace.txt", found)


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_json(name: str) -> None:
    found = json.dumps(played(name).to_json(), indent=1) + "\n"
    assert found == golden(f"{name}.json", found)


@pytest.mark.parametrize("name", SCENARIOS)
def test_what_the_scenario_expects(name: str) -> None:
    assert played(name).differences in (None, ())


def test_every_golden_file_belongs_to_a_scenario() -> None:
    expected = {f"{name}{end}" for name in SCENARIOS for end in (".yaml", ".json", ".trace.txt")}
    found = {path.name for path in FOLDER.iterdir() if path.suffix in (".yaml", ".json", ".txt")}
    assert found == expected
