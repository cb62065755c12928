"""What a file names and nobody reads here: why, and where it is named."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from labs.config.goyaml import Position


class Reason(StrEnum):
    """Why something is not read."""

    TERRAFORM = "terraform"
    JSONNET = "jsonnet"
    PROGRAM = "program"
    TOML = "toml"
    TEMPLATE = "template"
    SECRET = "secret"
    CONFIG_MAP = "config-map"
    FILE = "file"


PROGRAMS = {
    ".tf": Reason.TERRAFORM, ".tofu": Reason.TERRAFORM, ".hcl": Reason.TERRAFORM, ".tfvars": Reason.TERRAFORM,
    ".jsonnet": Reason.JSONNET, ".libsonnet": Reason.JSONNET,
    ".ts": Reason.PROGRAM, ".js": Reason.PROGRAM, ".py": Reason.PROGRAM, ".go": Reason.PROGRAM,
    ".cs": Reason.PROGRAM, ".toml": Reason.TOML,
}  # fmt: skip
"""What files are by their ending that make values and are not run here."""
PROGRAM_ENDINGS = tuple(PROGRAMS)
GLANCED_ENDINGS = (".tf", ".tofu", ".jsonnet", ".libsonnet", ".toml")
"""Endings of files in a folder that are read only where they name one of the charts, or settings of a node."""


@dataclass(frozen=True, slots=True)
class Unread:
    """Something that holds, or may hold, values or configs and is not read.

    `name` is the chart that a program names, else the object or the file that is not among those given; empty where a
    file of that kind is not read whatever is in it.
    """

    reason: Reason
    name: str
    position: Position
