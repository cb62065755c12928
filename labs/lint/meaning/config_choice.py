"""Which configs of the device plugin nodes can choose from, as far as the files tell."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from labs.config.documents import Kind
from labs.config.goyaml import Node, Scalar, ScalarKind, Sequence
from labs.config.goyaml import nodes as yaml_nodes
from labs.config.manifests import Field, items, text_of
from labs.lint.subject import LintDocument, Subject

if TYPE_CHECKING:  # loaded with the first such document
    from labs.config.manifests.objects import ChartSettings, ConfigReference

FALLBACKS = ("named", "single")
"""The fallbacks of the plugin's chart where its values say nothing; the operator's is `empty`."""

MOST_OF_A_NAME = 50


@dataclass(frozen=True, slots=True)
class Choice:
    """The keys that can be chosen, with the place that names the whole: a ConfigMap's name, or a map in values."""

    document: LintDocument
    place: Node
    name: str
    keys: tuple[Field, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The keys' names."""
        return tuple(key.name for key in self.keys)


def truthy(field: Field | None) -> bool:
    """Whether Helm's `if` takes a value for true: all but what is empty, zero or false."""
    if field is None:
        return False
    value = field.value
    if isinstance(value, Scalar):
        return value.kind is not ScalarKind.NULL and value.value not in (False, 0, "")
    if isinstance(value, yaml_nodes.Mapping):
        return bool(value.entries)
    return isinstance(value, Sequence) and bool(value.items)


@functools.lru_cache(maxsize=2)
def _by_name(subject: Subject) -> Mapping[str, tuple[Choice, ...]]:
    by_name: dict[str, list[Choice]] = {}
    for document, config_map in subject.config_maps:
        if config_map.name is not None and config_map.name.text is not None:
            choice = Choice(document, config_map.name.value, config_map.name.text, config_map.data)
            by_name.setdefault(choice.name, []).append(choice)
    return {name: tuple(maps) for name, maps in by_name.items()}


def maps_named(subject: Subject, name: str) -> tuple[Choice, ...]:
    """The ConfigMaps of this name that are given; none where they are too many to belong together."""
    maps = _by_name(subject).get(name, ())
    return maps if len(maps) <= MOST_OF_A_NAME else ()


@functools.lru_cache(maxsize=4)
def maps_with(subject: Subject, kind: Kind) -> tuple[Choice, ...]:
    """The ConfigMaps that hold a config of this kind."""
    containers = {
        id(document.document.container)
        for document in subject.documents
        if document.kind is kind and document.document.host
    }
    maps = (choice for named in _by_name(subject).values() for choice in named)
    holders = [choice for choice in maps if id(choice.document.document) in containers]
    return tuple(sorted(holders, key=lambda choice: choice.document.index))


def of_reference(subject: Subject, document: LintDocument, config: ConfigReference) -> tuple[Choice, ...]:
    """What the operator's `config` leads to: the map that its chart creates, or ConfigMaps that are given."""
    name = None if config.name is None else config.name.text
    if truthy(config.create) and config.data_field is not None:
        return (Choice(document, config.data_field.key, name or "", config.data),) if config.data else ()
    return maps_named(subject, name) if name else ()


def of_chart(subject: Subject, document: LintDocument, chart: ChartSettings) -> tuple[Choice, ...]:
    """What the values of the plugin's chart lead to."""
    if chart.configs and chart.config_map is not None:
        return (Choice(document, chart.config_map.key, chart.config_map.name, chart.configs),)
    name = None if chart.config_name is None else chart.config_name.text
    return maps_named(subject, name) if name else ()


def choices(subject: Subject) -> tuple[Choice, ...]:
    """All that nodes can choose from: what the settings lead to, or without any settings all ConfigMaps with configs.

    Empty where settings refer to a ConfigMap that is not given.
    """
    groups = [
        of_reference(subject, document, operator.plugin_config) for document, operator in subject.operators
    ]
    groups += [of_chart(subject, document, chart) for document, chart in subject.charts]
    if not groups:
        return maps_with(subject, Kind.DEVICE_PLUGIN)
    distinct = {
        (choice.document.index, choice.place.span.start_offset): choice for each in groups for choice in each
    }
    return tuple(distinct.values()) if all(groups) else ()


def fallbacks(chart: ChartSettings) -> tuple[str, ...]:
    """The fallbacks under the values of the plugin's chart."""
    if chart.fallback_strategies is None:
        return FALLBACKS
    named: Iterable[Node] = items(chart.node, "config", "fallbackStrategies")
    return tuple(text for node in named if (text := text_of(node)) is not None)


def some_run_without(subject: Subject) -> bool:
    """Whether a node without the label runs without any config: under the operator, where no default is named."""
    return any(not truthy(operator.plugin_config.default) for _, operator in subject.operators)
