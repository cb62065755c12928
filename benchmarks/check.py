"""What `gpulab check` costs, beside yamllint and check-jsonschema on the same files, each as a whole command.

Both are installed into a folder of their own, for this measurement only. yamllint reads and looks at the form of the YAML;
check-jsonschema reads with a parser in C and compares with a schema. Neither knows what a loader does with a file.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from benchmarks.table import Result, Table, median
from tools.paths import CACHE, ROOT
from tools.process import CommandLine, Failure, install
from tools.stamps import digest, is_stamped

OURS, YAMLLINT, SCHEMA = "gpulab check", "yamllint", "check-jsonschema"
OTHERS = ("yamllint==1.38.0", "check-jsonschema==0.39.0")
FOLDER = CACHE / "benchmarks" / "linters"
FILES, LARGE_BYTES = 200, 990_000
REPEATS = 5

CONFIG = """\
version: v1
flags:
  migStrategy: none
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
    - name: nvidia.com/gpu
      replicas: {replicas}  # each GPU is offered so many times
"""
MIG_CONFIG = """\
  config-{number:06}:
  - devices: all
    mig-enabled: true
    mig-devices:
      "1g.5gb": 2
      "2g.10gb": 1
      "3g.20gb": 1
"""
_MIG_ENTRY = {
    "type": "object",
    "required": ["devices", "mig-enabled"],
    "properties": {
        "mig-enabled": {"type": "boolean"},
        "mig-devices": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}},
    },
}
SCHEMA_OF_CONFIG = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "version": {"const": "v1"},
        "mig-configs": {"type": "object", "additionalProperties": {"type": "array", "items": _MIG_ENTRY}},
        "flags": {"type": "object", "properties": {"migStrategy": {"enum": ["none", "single", "mixed"]}}},
        "sharing": {
            "type": "object",
            "properties": {
                "timeSlicing": {
                    "type": "object",
                    "required": ["resources"],
                    "properties": {
                        "failRequestsGreaterThanOne": {"type": "boolean"},
                        "resources": {
                            "type": "array",
                            "items": {
                                "type": "object",
                                "required": ["name", "replicas"],
                                "properties": {
                                    "name": {"type": "string"},
                                    "replicas": {"type": "integer", "minimum": 2},
                                },
                            },
                        },
                    },
                }
            },
        },
    },
}


def measure(repeats: int = REPEATS, files: int = FILES, large_bytes: int = LARGE_BYTES) -> Result:
    """One small file, many small files in one call, and a file at the limit: the three commands in turns."""
    programs = installed()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        given = written(folder, files, large_bytes)
        commands = {
            OURS: [sys.executable, "-m", "labs.cli", "check"],
            YAMLLINT: [str(programs / YAMLLINT), "-d", "relaxed"],
            SCHEMA: [str(programs / SCHEMA), "--schemafile", str(folder / "schema.json")],
        }
        spent: dict[str, dict[str, list[float]]] = {
            what: {program: [] for program in commands} for what in given
        }
        nothing: list[float] = []
        for _ in range(repeats):
            nothing.append(processor_seconds([sys.executable, "-c", "pass"]))
            for what, paths in given.items():
                for program, command in commands.items():
                    spent[what][program].append(processor_seconds([*command, *paths]))
    samples = {f"{program}, {what}": times for what, by in spent.items() for program, times in by.items()}
    return Result((_table(spent, nothing, files, large_bytes),), samples | {"python -c pass": nothing})


def _table(
    spent: Mapping[str, Mapping[str, Sequence[float]]], nothing: Sequence[float], files: int, large_bytes: int
) -> Table:
    one, many, large = ({program: median(times) for program, times in by.items()} for by in spent.values())
    rows = tuple(
        (
            program,
            (one[program] - median(nothing)) * 1000,
            one[program] / one[OURS],
            (files - 1) / max(many[program] - one[program], 1e-9),
            (many[program] - one[program]) / (many[OURS] - one[OURS]),
            large[program],
            large[program] / large[OURS],
        )
        for program in (OURS, YAMLLINT, SCHEMA)
    )
    return Table(
        f"Checking configs of the device plugin, one and {files}, and one of mig-parted of {large_bytes / 1e6:.2f} MB",
        (
            "",
            "one file, ms over python -c pass",
            "as gpulab",
            "further files/s",
            "s as gpulab",
            "the large file, s",
            "as gpulab ",
        ),
        rows,
        (
            "Seconds are the processor's, medians of whole commands that ran in turns. The target is 150 ms for one file.",
            "yamllint looks at the form with a parser in Python, check-jsonschema at a schema with one in C.",
        ),
    )


def installed() -> Path:
    """The folder with the other two programs, made where it is not there yet."""
    stamp, value = FOLDER / "stamp", digest(*OTHERS, sys.version)
    binaries = FOLDER / ("Scripts" if os.name == "nt" else "bin")
    if not is_stamped(stamp, value):
        install("yamllint and check-jsonschema", [sys.executable, "-m", "venv", "--clear", FOLDER])
        pip: CommandLine = [binaries / "python", "-m", "pip", "--disable-pip-version-check", "install"]
        install("yamllint and check-jsonschema", [*pip, *OTHERS])
        stamp.write_text(value, "utf-8")
    return binaries


def written(folder: Path, files: int, large_bytes: int) -> dict[str, list[str]]:
    """The files of each measurement, in a folder, with the schema beside them."""
    (folder / "schema.json").write_text(json.dumps(SCHEMA_OF_CONFIG), "utf-8")
    small = [folder / f"config-{number}.yaml" for number in range(files)]
    for number, path in enumerate(small):
        path.write_text(CONFIG.format(replicas=2 + number % 8), "utf-8")
    large = folder / "large.yaml"
    named = [MIG_CONFIG.format(number=number) for number in range(large_bytes // len(MIG_CONFIG))]
    large.write_text("".join(["version: v1\nmig-configs:\n", *named]), "utf-8")
    paths = [str(path) for path in small]
    return {"one file": paths[:1], "many files": paths, "large file": [str(large)]}


def processor_seconds(command: Sequence[str]) -> float:
    """What a command takes of the processor, its output thrown away; a finding is no failure, a crash is."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": str(FOLDER / "pycache")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = _children_seconds()
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    spent = _children_seconds() - before
    if done.returncode not in (0, 1) or "Traceback" in done.stderr:
        raise Failure(f"{Path(command[0]).name} failed: {done.stderr.strip()[-500:]}")
    return spent


def _children_seconds() -> float:
    """What finished children have taken of the processor; the system's own count where there is one, as it is finer."""
    if find_spec("resource") is None:
        times = os.times()
        return times.children_user + times.children_system
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
