"""Notes on a rollout: its events of which nothing came, those after its end among them, and what else in it has no effect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from labs.simulation.scenario import Note, Subject
from labs.simulation.scenario.rollout import (
    FIRST_REVISION,
    Action,
    Behaviour,
    ConfigMap,
    NoEffect,
    PluginConfigs,
    Rollout,
    RolloutEvent,
)
from labs.simulation.trace import ActionHadNoEffect, DaemonPodCreated, RolloutRecord


def rollout_notes(rollout: Rollout, records: Sequence[RolloutRecord]) -> tuple[Note, ...]:
    """Of all that a rollout asks for; what holds for its whole comes first, events in the order of time."""
    notes = (*_event_notes(rollout, records), *_behaviour_notes(rollout, records), *_config_notes(rollout))
    return tuple(sorted(notes, key=lambda note: (note.at_us, note.line, note.column)))


def had_no_effect(event: RolloutEvent, notes: Sequence[Note]) -> bool:
    """Whether nothing at all came of an event, on none of its nodes."""
    reasons = [note for note in notes if note.event is event and note.why is not NoEffect.CONFIG_REFUSED]
    nodes = {note.node for note in reasons}
    return bool(reasons) and (None in nodes or nodes.issuperset(event.nodes))


def _event_notes(rollout: Rollout, records: Iterable[RolloutRecord]) -> Iterator[Note]:
    noted = set()
    for record in records:
        if isinstance(record, ActionHadNoEffect):
            event = rollout.events[record.event]
            noted.add(event.number)
            yield _note(rollout, event, record.why, record.node)
    for event in rollout.events:
        if event.at_us > rollout.last_event_us:
            yield _note(rollout, event, NoEffect.LATE)
        elif event.action is Action.LABEL and not rollout.has_configs and event.number not in noted:
            yield _note(rollout, event, NoEffect.NO_MANAGER)


def _behaviour_notes(rollout: Rollout, records: Iterable[RolloutRecord]) -> Iterator[Note]:
    """Of revisions that never come, and of the first where it makes no new Pod."""
    known = _known(rollout)
    created = {
        record.node
        for record in records
        if isinstance(record, DaemonPodCreated) and record.revision == FIRST_REVISION
    }
    for behaviour in rollout.behaviours:
        name = ", ".join(sorted(behaviour.revisions))
        at = (name, behaviour.line, behaviour.column)
        if known.isdisjoint(behaviour.revisions):
            yield _whole_note(rollout, Subject.BEHAVIOUR, NoEffect.NO_REVISION, *at)
        elif behaviour.revisions & known == {FIRST_REVISION} and not _meets(behaviour, created):
            yield _whole_note(rollout, Subject.BEHAVIOUR, NoEffect.RAN_BEFORE, *at)


def _config_notes(rollout: Rollout) -> Iterator[Note]:
    """Of configs of revisions that never come or that the plugin refuses, and of labels where nothing reads them."""
    known = _known(rollout)
    configs = PluginConfigs(rollout.config_maps, rollout.refresh_us)
    for revision, content in rollout.config_maps:
        at = (revision, content.line, content.column)
        if revision not in known:
            yield _whole_note(rollout, Subject.REVISION, NoEffect.NO_REVISION, *at)
            continue
        error = _error_of(content, configs)
        if error is not None:
            yield replace(_whole_note(rollout, Subject.REVISION, NoEffect.CONFIG_REFUSED, *at), error=error)
    for event in rollout.events:
        error = None if event.config_map is None else _error_of(event.config_map, configs)
        if error is not None and event.at_us <= rollout.last_event_us:
            yield replace(_note(rollout, event, NoEffect.CONFIG_REFUSED), error=error)
    for label in () if rollout.has_configs else rollout.labels:
        yield _whole_note(rollout, Subject.LABEL, NoEffect.NO_MANAGER, label.value, label.line, label.column)


def _error_of(content: ConfigMap, configs: PluginConfigs) -> str | None:
    """The first error of the plugin's loader with one of the configs; None: it takes them all."""
    loaded = (configs.loaded(text) for _, text in content.entries)
    return next((answer.error for answer in loaded if answer.error is not None), None)


def _meets(behaviour: Behaviour, nodes: set[str]) -> bool:
    return bool(nodes) if behaviour.nodes is None else not behaviour.nodes.isdisjoint(nodes)


def _known(rollout: Rollout) -> set[str]:
    """The templates that somebody applies, and the first."""
    return {FIRST_REVISION, *(event.template for event in rollout.events if event.action is Action.TEMPLATE)}


def _note(rollout: Rollout, event: RolloutEvent, why: NoEffect, node: str | None = None) -> Note:
    place = (event.line, event.column)
    return Note(Subject.EVENT, why, *place, event.at_us, rollout.until_us, node=node, event=event)


def _whole_note(rollout: Rollout, subject: Subject, why: NoEffect, name: str, line: int, column: int) -> Note:
    return Note(subject, why, line, column, 0, rollout.until_us, name)
