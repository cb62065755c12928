"""A project's own choices for `gpulab check`: `.gpulab.toml`, or `[tool.gpulab]` in `pyproject.toml`.

The nearest of them counts, from the working folder upwards. What the command line says goes over it.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from labs.cluster.sample_nodes import SAMPLE_NODES
from labs.commands.check.ignoring import Patterns, patterns
from labs.commands.terminal import InputError, Terminal
from labs.config.own import nearest
from labs.config.plugin import Deployer
from labs.lint.findings import Severity

OWN_FILE, SHARED_FILE, TABLE = ".gpulab.toml", "pyproject.toml", "gpulab"
KEYS = (
    "select",
    "extend-select",
    "ignore",
    "severity",
    "deployer",
    "plugin-version",
    "node",
    "exclude",
    "cluster",
)
CLUSTER_KEYS = ("name", "paths")


@dataclass(frozen=True, slots=True)
class Cluster:
    """A cluster by its name, and the patterns of its files, relative to the project's folder."""

    name: str
    paths: Patterns


@dataclass(frozen=True, slots=True)
class Project:
    """What the file says; None and empty where it says nothing. `path` is the file, None where there is none.

    `node` is a path, which is written relative to the file's folder, or the name of a sample node.
    """

    path: Path | None = None
    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, Severity] = field(default_factory=lambda: MappingProxyType({}))
    deployer: Deployer | None = None
    plugin_version: str | None = None
    node: str | None = None
    exclude: tuple[str, ...] = ()
    clusters: tuple[Cluster, ...] = ()

    def clusters_of(self, path: str) -> frozenset[str]:
        """The names of the clusters that a file is of; none for one that is with each."""
        if self.path is None:
            return frozenset()
        relative = os.path.relpath(path, self.path.parent).replace(os.sep, "/")
        parts = relative.split("/")
        places = ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
        return frozenset(
            cluster.name
            for cluster in self.clusters
            if any(cluster.paths.leaves_out(place, place != relative) for place in places)
        )


def read_project(terminal: Terminal, folder: Path | None = None) -> Project:
    """The choices that hold in a folder (None: the working folder). Raises InputError for a file that is wrong."""
    for path, table in _candidates(folder or Path.cwd(), terminal):
        if table is not None:
            return _Reader(path, terminal).project(table)
    return Project()


def _candidates(folder: Path, terminal: Terminal) -> Any:
    for place in (folder, *folder.parents):
        if (place / OWN_FILE).is_file():
            yield place / OWN_FILE, _toml(place / OWN_FILE, terminal)
        if (place / SHARED_FILE).is_file():
            tool = _toml(place / SHARED_FILE, terminal).get("tool")
            yield place / SHARED_FILE, tool.get(TABLE) if isinstance(tool, dict) else None


def _toml(path: Path, terminal: Terminal) -> dict[str, Any]:
    text = terminal.read_text(str(path))
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        words = terminal.messages.text("project.no-toml", path=str(path), reason=str(error))
        raise InputError(words) from None


class _Reader:
    """Reads one table; every wrong entry ends it with the key, what is allowed and the file."""

    def __init__(self, path: Path, terminal: Terminal) -> None:
        self._path = path
        self._messages = terminal.messages

    def project(self, table: object) -> Project:
        if not isinstance(table, dict):
            raise self._wrong("table", TABLE, allowed=", ".join(KEYS))
        for key in table:
            if key not in KEYS:
                near = nearest(key, KEYS)
                raise self._wrong(
                    "unknown-near" if near else "unknown", key, near=near, allowed=", ".join(KEYS)
                )
        return Project(
            self._path,
            self._names(table, "select"),
            self._names(table, "extend-select"),
            self._names(table, "ignore"),
            self._severities(table.get("severity", {})),
            self._deployer(table.get("deployer")),
            self._text(table, "plugin-version"),
            self._node(table),
            self._names(table, "exclude", kind="patterns"),
            self._clusters(table.get("cluster", [])),
        )

    def _names(self, table: Mapping[str, Any], key: str, kind: str = "names") -> tuple[str, ...]:
        value = table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self._wrong(kind, key)
        return tuple(value)

    def _clusters(self, value: object) -> tuple[Cluster, ...]:
        tables = value if isinstance(value, list) else [value]
        read: list[Cluster] = []
        for table in tables:
            if not isinstance(table, dict) or not table.keys() <= set(CLUSTER_KEYS):
                raise self._wrong("cluster", "cluster", allowed=", ".join(CLUSTER_KEYS))
            name = self._text(table, "name")
            paths = self._names(table, "paths", kind="patterns")
            if not name or not paths:
                raise self._wrong("cluster", "cluster", allowed=", ".join(CLUSTER_KEYS))
            read.append(Cluster(name, patterns(paths)))
        return tuple(read)

    def _severities(self, value: object) -> Mapping[str, Severity]:
        allowed = ", ".join(Severity)
        if not isinstance(value, dict) or not all(level in tuple(Severity) for level in value.values()):
            raise self._wrong("severity", "severity", allowed=allowed)
        return MappingProxyType({name: Severity(level) for name, level in value.items()})

    def _deployer(self, value: object) -> Deployer | None:
        if value is not None and value not in tuple(Deployer):
            raise self._wrong("choice", "deployer", allowed=", ".join(Deployer))
        return None if value is None else Deployer(str(value))

    def _text(self, table: Mapping[str, Any], key: str) -> str | None:
        value = table.get(key)
        if value is not None and not isinstance(value, str):
            raise self._wrong("text", key)
        return value

    def _node(self, table: Mapping[str, Any]) -> str | None:
        value = self._text(table, "node")
        if value is None:
            return None
        place = self._path.parent / value
        return value if value in SAMPLE_NODES and not place.exists() else str(place)

    def _wrong(self, kind: str, key: str, **values: str) -> InputError:
        place = {"path": str(self._path), "key": key, **values}
        return InputError(self._messages.pick(f"project.{kind}", place))
