"""`gpulab accuracy [--points FILE]`: predicts published figures with the simulator, and says how far off it is."""

from __future__ import annotations

import argparse
import json
import sys

from labs.commands.terminal import BAD_NEWS, FINE, Terminal, printable
from labs.config.own import ProblemsError
from labs.report.evidence import accuracy_json, accuracy_text
from labs.simulation.evidence import (
    MAX_BYTES,
    Measurement,
    accuracy,
    builtin_datasets,
    builtin_points,
    read_measurements,
)

FORMATS = ("text", "json")


def add_arguments(parser: argparse.ArgumentParser, terminal: Terminal) -> None:
    """Declares the command's arguments."""
    parser.add_argument("--points", metavar="FILE", help=terminal.messages.text("accuracy.help-points"))


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Prints the errors; bad news where nothing could be predicted."""
    points = builtin_points() if options.points is None else _read(options.points, terminal)
    comparison = accuracy(points, terminal.library.catalog)
    if options.format == "json":
        sys.stdout.write(json.dumps(accuracy_json(comparison), indent=2, ensure_ascii=False) + "\n")
    else:
        datasets = builtin_datasets() if options.points is None else {}
        sys.stdout.write(printable(accuracy_text(comparison, datasets, terminal.messages)))
    return FINE if comparison.predictions else BAD_NEWS


def _read(path: str, terminal: Terminal) -> tuple[Measurement, ...]:
    text = terminal.read_text(path, MAX_BYTES)
    try:
        return read_measurements(text)
    except ProblemsError as error:
        raise terminal.problems(error, text, path) from None
