"""Notes on a rollout: its events of which nothing came, those after its end among them, and what else in it has no effect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from labs.simulation.scenario import Note, Subject
from labs.simulation.scenario.rollout import (
    FIRST_REVISION,
    Behaviour,
    ConfigMap,
    Deed,
    InVain,
    PluginConfigs,
    Rollout,
    RolloutEvent,
)
from labs.simulation.trace import RolloutHappening, RolloutRecord


def rollout_notes(rollout: Rollout, records: Sequence[RolloutRecord]) -> tuple[Note, ...]:
    """Of all that a rollout asks for; what holds for its whole comes first, events in the order of time."""
    found = (*_event_notes(rollout, records), *_behaviour_notes(rollout, records), *_config_notes(rollout))
    return tuple(sorted(found, key=lambda note: (note.at_us, note.line, note.column)))


def is_in_vain(event: RolloutEvent, notes: Sequence[Note]) -> bool:
    """Whether nothing at all came of an event, on none of its nodes."""
    told = [note for note in notes if note.event is event and note.why is not InVain.CONFIG_REFUSED]
    nodes = {note.node for note in told}
    return bool(told) and (None in nodes or nodes.issuperset(event.nodes))


def _event_notes(rollout: Rollout, records: Iterable[RolloutRecord]) -> Iterator[Note]:
    told = set()
    for record in records:
        if record.what is RolloutHappening.IN_VAIN and record.counts is not None:
            event = rollout.events[record.counts[0]]
            told.add(event.number)
            yield _note(rollout, event, InVain(record.reason or ""), record.node)
    for event in rollout.events:
        if event.at_us > rollout.last_event_us:
            yield _note(rollout, event, InVain.LATE)
        elif event.deed is Deed.LABEL and not rollout.has_configs and event.number not in told:
            yield _note(rollout, event, InVain.NO_MANAGER)


def _behaviour_notes(rollout: Rollout, records: Iterable[RolloutRecord]) -> Iterator[Note]:
    """Of revisions that never come, and of the first where it makes no new Pod."""
    known = _known(rollout)
    created = {
        record.node
        for record in records
        if record.what is RolloutHappening.POD_CREATED and record.reason == FIRST_REVISION
    }
    for behaviour in rollout.behaviours:
        name = ", ".join(sorted(behaviour.revisions))
        at = (name, behaviour.line, behaviour.column)
        if known.isdisjoint(behaviour.revisions):
            yield _given(rollout, Subject.BEHAVIOUR, InVain.NO_REVISION, *at)
        elif behaviour.revisions & known == {FIRST_REVISION} and not _meets(behaviour, created):
            yield _given(rollout, Subject.BEHAVIOUR, InVain.RAN_BEFORE, *at)


def _config_notes(rollout: Rollout) -> Iterator[Note]:
    """Of configs of revisions that never come or that the plugin refuses, and of labels where nothing reads them."""
    known = _known(rollout)
    configs = PluginConfigs(rollout.config_maps, rollout.refresh_us)
    for revision, content in rollout.config_maps:
        at = (revision, content.line, content.column)
        if revision not in known:
            yield _given(rollout, Subject.REVISION, InVain.NO_REVISION, *at)
            continue
        error = _error_of(content, configs)
        if error is not None:
            yield replace(_given(rollout, Subject.REVISION, InVain.CONFIG_REFUSED, *at), error=error)
    for event in rollout.events:
        error = None if event.config_map is None else _error_of(event.config_map, configs)
        if error is not None and event.at_us <= rollout.last_event_us:
            yield replace(_note(rollout, event, InVain.CONFIG_REFUSED), error=error)
    for label in () if rollout.has_configs else rollout.labels:
        yield _given(rollout, Subject.LABEL, InVain.NO_MANAGER, label.value, label.line, label.column)


def _error_of(content: ConfigMap, configs: PluginConfigs) -> str | None:
    """The first error of the plugin's loader with one of the configs; None: it takes them all."""
    loaded = (configs.loaded(text) for _, text in content.entries)
    return next((each.error for each in loaded if each.error is not None), None)


def _meets(behaviour: Behaviour, nodes: set[str | None]) -> bool:
    return bool(nodes) if behaviour.nodes is None else not behaviour.nodes.isdisjoint(nodes)


def _known(rollout: Rollout) -> set[str]:
    """The templates that somebody applies, and the first."""
    return {FIRST_REVISION, *(event.template for event in rollout.events if event.deed is Deed.TEMPLATE)}


def _note(rollout: Rollout, event: RolloutEvent, why: InVain, node: str | None = None) -> Note:
    place = (event.line, event.column)
    return Note(Subject.EVENT, why, *place, event.at_us, rollout.until_us, node=node, event=event)


def _given(rollout: Rollout, subject: Subject, why: InVain, name: str, line: int, column: int) -> Note:
    return Note(subject, why, line, column, 0, rollout.until_us, name)
