"""Programs that make values: they name a chart and are not run here, so that what they make is not read."""

from __future__ import annotations

from dataclasses import dataclass

from labs.config.goyaml import LineIndex, Position
from labs.config.wrappers.charts import Chart, quoted_name

_PROGRAMS = {
    ".tf": "terraform", ".tofu": "terraform", ".hcl": "terraform", ".tfvars": "terraform",
    ".jsonnet": "jsonnet", ".libsonnet": "jsonnet",
    ".ts": "program", ".js": "program", ".py": "program", ".go": "program", ".cs": "program",
}  # fmt: skip
"""What files with an ending are, that no YAML is in."""
GLANCED = (".tf", ".tofu", ".jsonnet", ".libsonnet")
"""Endings of files in which a folder's reader looks for the charts' names only."""


@dataclass(frozen=True, slots=True)
class Program:
    """A file that is no YAML: what it is written in, and the chart that it names, if any."""

    language: str
    chart: Chart | None
    position: Position


def program(path: str, text: str) -> Program | None:
    """What a file is by its ending, if that is a program's; a chart counts where its name stands in quotes."""
    ending = path[path.rfind(".") :].lower() if "." in path else ""
    language = _PROGRAMS.get(ending)
    if language is None:
        return None
    named = quoted_name(text)
    if named is None:
        return Program(language, None, Position(1, 1))
    return Program(language, named[0], LineIndex(text).position(named[1]))
