"""Notes on what a scenario asks for at its end or later, so that nothing comes of it: faults, MIG configs, workloads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Mapping as AbstractMapping

from labs.config.goyaml import Mapping, Node, Scalar
from labs.config.goyaml import Sequence as YamlList
from labs.config.own import units
from labs.simulation.scenario.notes import Note, Subject
from labs.simulation.scenario.rollout import NoEffect
from labs.simulation.scenario.scenario import Workload


def late_entries(node: Node | None, subject: Subject, named_by: str, ends_us: int) -> Iterator[Note]:
    """Of a list whose entries have `at`: those at the end or after it; the key `named_by` says what they are."""
    for item in node.items if isinstance(node, YamlList) else ():
        at, name = (item.get("at"), item.get(named_by)) if isinstance(item, Mapping) else (None, None)
        at_us = units.duration_us(at.text) if isinstance(at, Scalar) else None
        if at_us is not None and at_us >= ends_us:
            yield _late(item, subject, at_us, ends_us, name.text if isinstance(name, Scalar) else "")


def late_workloads(
    workloads: Iterable[Workload], names: AbstractMapping[str, Node], ends_us: int
) -> Iterator[Note]:
    """The workloads of which no Pod comes before the end; `names` are the nodes of their names."""
    for workload in workloads:
        if workload.arrivals_us[0] >= ends_us:
            node = names[workload.name]
            yield _late(node, Subject.WORKLOAD, workload.arrivals_us[0], ends_us, workload.name)


def _late(node: Node, subject: Subject, at_us: int, ends_us: int, name: str) -> Note:
    place = node.place.start
    return Note(subject, NoEffect.LATE, place.line, place.column, at_us, ends_us, name)
