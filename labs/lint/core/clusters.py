"""Which files are of one cluster: those of different clusters never meet, and are judged apart.

Nothing in a manifest says which cluster it is for. So folders are told apart only where there is a sign: what deploys
the plugin stands in more than one of them, and they aren't called after components of one cluster.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from labs.config.documents import Kind
from labs.lint.core.linter import MOST_FINDINGS, SourceFile, lint, subject, together
from labs.lint.core.selection import Selection
from labs.lint.findings import Finding
from labs.lint.subject import Settings

_SETTINGS = frozenset({Kind.CLUSTER_POLICY, Kind.GPU_OPERATOR_VALUES, Kind.DEVICE_PLUGIN_VALUES})
_COMPONENTS = re.compile(
    r"nvidia|gpu|plugin|operator|device|dcgm|slic|shar(?:ed|ing)|\bm(?:ig|ps)\b|feature|base|common|components?|infra"
    r"|^(?:apps?|addons?|charts?|config(?:s|maps?)?|core|deploy(?:ment)?s?|helm|kube-system|kustomize|manifests?|platform"
    r"|resources|services|system|templates?|values|workloads)$",
    re.IGNORECASE,
)
_MOST_CLUSTERS = 50

Files = tuple[SourceFile, ...]


def judged(
    groups: Sequence[Files], settings: Settings, selection: Selection
) -> tuple[Files, Mapping[str, tuple[Finding, ...]]]:
    """The files with the answers under their deployment, and the findings of each by its path; each cluster by itself.

    What is in several groups is found once, and has the answers that it gets in the first of them.
    """
    sources: dict[str, SourceFile] = {}
    findings: dict[str, dict[Finding, None]] = {}
    for group in groups:
        deployed = together(group, settings)
        for source in deployed:
            sources.setdefault(source.path, source)
        for path, of_file in lint(deployed, settings, selection).items():
            findings.setdefault(path, {}).update(dict.fromkeys(of_file))
    listed = {
        path: tuple(sorted(of_file, key=lambda finding: finding.sort_key)[:MOST_FINDINGS])
        for path, of_file in findings.items()
    }
    return tuple(sources.values()), MappingProxyType(listed)


def clusters(files: Sequence[SourceFile], settings: Settings) -> tuple[Files, ...]:
    """The files of each cluster, in order; what belongs to none of them is with each."""
    if len({_folders(file.path) for file in files}) < 2:
        return (tuple(files),)
    split = _split(tuple(files), frozenset(_deploying(files, settings)))
    return split if len(split) <= _MOST_CLUSTERS else (tuple(files),)


def _split(files: Files, deploying: frozenset[str]) -> tuple[Files, ...]:
    folders = {_folders(file.path) for file in files if file.path in deploying}
    while True:
        depth = _shared_depth(folders)
        parts = {folder[depth] for folder in folders if len(folder) > depth}
        components = {part for part in parts if _COMPONENTS.search(part)}
        if not components:
            break
        folders = {folder for folder in folders if not components.intersection(folder[depth : depth + 1])}
    if len(parts) < 2 or any(len(folder) == depth for folder in folders):
        return (files,)
    start = next(iter(folders))[:depth]
    groups: list[Files] = []
    for part in sorted(parts):
        others = {(*start, other) for other in parts if other != part}
        group = tuple(file for file in files if _folders(file.path)[: depth + 1] not in others)
        groups += (
            _split(group, deploying & {file.path for file in group}) if len(group) < len(files) else [group]
        )
    return tuple(groups)


def _folders(path: str) -> tuple[str, ...]:
    parts = [part for part in re.split(r"[/\\]", path)[:-1] if part != "."]
    return tuple(parts)


def _shared_depth(folders: set[tuple[str, ...]]) -> int:
    """How many folders all of the paths begin with."""
    depth = 0
    for parts in zip(*folders, strict=False):
        if len(set(parts)) > 1:
            break
        depth += 1
    return depth


def _deploying(files: Sequence[SourceFile], settings: Settings) -> set[str]:
    """The paths of the files that say how the plugin is deployed."""
    paths = {
        file.path for file in files if any(checked.document.kind in _SETTINGS for checked in file.documents)
    }
    daemons = [
        file for file in files if any(checked.document.kind is Kind.DAEMON_SET for checked in file.documents)
    ]
    if daemons:
        from labs.lint.meaning import plugin_daemonsets

        paths |= {plugin.document.path for plugin in plugin_daemonsets(subject(daemons, settings))}
    return paths
