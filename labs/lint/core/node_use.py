"""Whether the nodes that a reader gives say anything about the configs among the files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from labs.config.documents import Kind
from labs.lint.core.linter import SourceFile, subject
from labs.lint.subject import Settings, Subject

SEVERAL = (Kind.DEVICE_PLUGIN, Kind.MIG_PARTED)


@dataclass(frozen=True, slots=True)
class UnusedNodes:
    """Configs of which nobody knows whether the given nodes take them; `kind` None: there is no config at all.

    `path` and `line` are where the configs stand, `configs` how many they are.
    """

    kind: Kind | None
    path: str = ""
    line: int = 0
    configs: int = 0


def unused_nodes(files: Sequence[SourceFile], settings: Settings) -> tuple[UnusedNodes, ...]:
    """Where the given nodes say nothing, in the order of the files; nothing where no nodes are given."""
    if not settings.nodes:
        return ()
    looked_at = subject(files, settings)
    if not looked_at.plugins and not looked_at.migs:
        return (UnusedNodes(None),)
    return (*_of_plugin(looked_at), *_of_mig(looked_at))


def _of_plugin(looked_at: Subject) -> Iterator[UnusedNodes]:
    from labs.lint.meaning import deployed

    places: dict[int, UnusedNodes] = {}
    used: set[int] = set()
    for setup in deployed(looked_at):
        container = setup.document.document.container
        if container is None:
            continue
        count = places[id(container)].configs if id(container) in places else 0
        places[id(container)] = UnusedNodes(
            Kind.DEVICE_PLUGIN, setup.document.path, container.line, count + 1
        )
        if setup.nodes:
            used.add(id(container))
    yield from (unused for key, unused in places.items() if key not in used)


def _of_mig(looked_at: Subject) -> Iterator[UnusedNodes]:
    from labs.lint.meaning.mig import Cards

    cards = Cards(looked_at)
    for document, mig in looked_at.migs:
        if mig.configs and not any(cards.nodes_of_config(mig, config) for config in mig.configs):
            yield UnusedNodes(Kind.MIG_PARTED, document.path, document.document.line, len(mig.configs))


def nodes_of(files: Sequence[SourceFile], settings: Settings) -> dict[str, str | None]:
    """The given nodes, each with the key of the config that it is known to take, None where nothing says so."""
    if settings.config is not None:
        return dict.fromkeys(settings.nodes, settings.config)
    from labs.config.manifests import CONFIG_LABEL

    labels = {node.name: node.label(CONFIG_LABEL) for _, node in subject(files, settings).cluster_nodes}
    taken: dict[str, str | None] = {}
    for name in settings.nodes:
        label = labels.get(name)
        taken[name] = None if label is None else label.text
    return taken
