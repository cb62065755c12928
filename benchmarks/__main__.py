"""The command line: `python -m benchmarks [PART...]`, or `python3 dev.py bench [PART...]`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks import build, check, machine, pages, rollouts, simulation
from benchmarks.table import Result
from tools.process import Failure

RESULTS = Path(__file__).parent / "results"
PARTS: dict[str, tuple[str, Callable[[], Result]]] = {
    "pages": ("bytes of the article, first result, first and next touches of labs", pages.measure),
    "build": ("the site's build beside plain Material's", build.build_times),
    "check": ("gpulab check beside yamllint and check-jsonschema", check.measure),
    "simulation": ("an hour of training beside a naive model, 1 to 1,000 nodes", simulation.against_naive),
    "rollouts": ("a DaemonSet rolls out on up to 5,000 nodes, alone and beside workloads", rollouts.rollouts),
    "days": ("a day and a week of a fleet, up to 1,000 nodes and 100,000 Pods", simulation.days),
}


def main(arguments: list[str] | None = None) -> int:
    """Measure the parts asked for; 0 when they were measured, 1 where one could not be, 2 for wrong usage."""
    parser = argparse.ArgumentParser(
        prog="dev.py bench",
        description="Measure and print tables; nothing is judged.",
        epilog="Parts: " + "; ".join(f"{name}: {what}" for name, (what, _) in PARTS.items()) + ".",
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)} (default: all)")
    parser.add_argument(
        "--results",
        type=Path,
        default=RESULTS,
        metavar="FOLDER",
        help="where raw numbers go (benchmarks/results)",
    )
    options = parser.parse_args(arguments)
    unknown = [part for part in options.parts if part not in PARTS]
    if unknown:
        parser.error(f'unknown part "{unknown[0]}": expected one of {", ".join(PARTS)}')
    options.results.mkdir(parents=True, exist_ok=True)
    try:
        for part in options.parts or PARTS:
            measure(part, options.results)
    except Failure as failure:
        print(failure, file=sys.stderr)
        return 1
    return 0


def measure(part: str, folder: Path) -> None:
    """Measures a part, prints its tables and writes the raw numbers."""
    described = machine.describe()
    result = PARTS[part][1]()
    for table in result.tables:
        print(table.to_text(), flush=True)
    raw = {"command": f"python3 dev.py bench {part}", "machine": described, **result.to_json()}
    text = json.dumps(raw, indent=1, ensure_ascii=False, allow_nan=False)
    (folder / f"{part}.json").write_text(text + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    sys.exit(main())
