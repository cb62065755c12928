"""`dev.py hashes`: the hash of the Trace of every scenario in this repository, and whether machines agree on them."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path

from tools import paths
from tools.command import Command
from tools.process import Failure, say

Hashes = Mapping[str, str | None]


def trace_hashes() -> dict[str, str | None]:
    """The hashes by name: labs in each of their situations, rollout labs, golden scenarios; None where nothing runs."""
    from labs.library import builtin_library  # not above: the command line is read before SimPy is installed
    from labs.teaching.rollout_lab import RolloutResults, RolloutSettings
    from labs.teaching.scenario_lab import Results

    library = builtin_library()
    results, rollouts = Results(library.catalog), RolloutResults(RolloutSettings(library.catalog))
    hashes: dict[str, str | None] = {}
    for lab in library.labs.values():
        for preset in (None, *(preset.id for preset in lab.presets)):
            name = f"lab {lab.id}" + (f", {preset}" if preset else "")
            hashes[name] = results.of(results.text(lab, preset)).trace_hash
    for rollout in library.rollouts.values():
        hashes[f"rollout lab {rollout.id}"] = rollouts.of(rollout.scenario).trace_hash
    for path in sorted((paths.ROOT / "tests" / "golden" / "scenarios").glob("*.yaml")):
        hashes[f"golden {path.stem}"] = results.of(path.read_text("utf-8")).trace_hash
    return hashes


def differences(machines: Mapping[str, Hashes]) -> list[str]:
    """The scenarios on whose hash the machines don't agree, a line for each, with who says what."""
    names = dict.fromkeys(name for hashes in machines.values() for name in hashes)
    lines = []
    for name in names:
        said: dict[str, list[str]] = {}
        for machine, hashes in machines.items():
            said.setdefault(str(hashes.get(name, "nothing")), []).append(machine)
        if len(said) > 1:
            lines.append(f"{name}: " + "; ".join(f"{', '.join(who)}: {what}" for what, who in said.items()))
    return lines


def compare(folder: Path) -> str:
    """Compares the files `*.json` below a folder, one of each machine. Raises Failure where they differ, or are no two."""
    files = sorted(folder.rglob("*.json"))
    machines = {path.stem: json.loads(path.read_text("utf-8")) for path in files}
    if len(machines) < 2:
        raise Failure(f"{folder} holds {len(machines)} file(s) of hashes: two at least can be compared.")
    different = differences(machines)
    if different:
        raise Failure("The same scenario has another Trace elsewhere:\n    " + "\n    ".join(different))
    return f"{len(machines)} machines agree on {len(next(iter(machines.values())))} scenarios."


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, metavar="FILE", help="write them there, not to standard output")
    parser.add_argument("--compare", type=Path, metavar="FOLDER", help="compare files of several machines")


def _perform(arguments: argparse.Namespace) -> int:
    if arguments.compare:
        say(compare(arguments.compare))
        return 0
    text = json.dumps(trace_hashes(), indent=2) + "\n"
    if arguments.out:
        arguments.out.parent.mkdir(parents=True, exist_ok=True)
        arguments.out.write_text(text, encoding="utf-8", newline="\n")
    else:
        sys.stdout.write(text)
    return 0


COMMAND = Command(
    "hashes",
    "the hash of every scenario's Trace as JSON, or whether machines agree",
    _add_arguments,
    _perform,
)
