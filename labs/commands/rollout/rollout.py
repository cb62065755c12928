"""`gpulab rollout SCENARIO`: a DaemonSet rollout, as JSON or as what `kubectl` would have printed."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace

from labs.cluster.daemonset import refusal_text, refusals
from labs.commands.rollout.text import rollout_text
from labs.commands.rollout.watch import watched_json, watched_text
from labs.commands.run import collecting_seldom
from labs.commands.spec_refusal import show_refusal
from labs.commands.terminal import BAD_NEWS, FINE, InputError, Terminal, printable
from labs.config.own import ProblemsError
from labs.hardware.units import SECOND_US
from labs.report.notes import note_rows, note_text, notes_json
from labs.simulation.outcome import trace_of
from labs.simulation.outcome.rollout import fleet_snapshot, rollout_error, rollout_json, rollout_notes
from labs.simulation.scenario import Scenario, read_scenario
from labs.simulation.scenario.rollout import MAX_SECONDS, Rollout, is_beside_nodes, read_rollout, seconds_us
from labs.simulation.trace import Trace
from labs.simulation.world.rollout import RolloutTooLargeError, run_rollout, too_large
from labs.teaching.lab import CommandRun

FORMATS = ("text", "json")
NOTHING_RAN: dict[str, object] = {"traceHash": None, "status": None, "rolloutStatus": None, "nodes": {}}


@dataclass(frozen=True, slots=True)
class _Subject:
    """A rollout, alone or that of a `scenario`."""

    rollout: Rollout
    scenario: Scenario | None

    def until(self, at_us: int) -> _Subject:
        """The same up to a time; what happens at that time is the last."""
        last_us = max(self.rollout.last_event_us, at_us)
        rollout = replace(self.rollout, until_us=at_us, last_event_us=last_us)
        if self.scenario is None:
            return _Subject(rollout, None)
        return _Subject(rollout, replace(self.scenario, horizon_us=at_us + 1, rollout=rollout))

    def run(self) -> Trace:
        """Raises ProblemsError where it is too large."""
        if self.scenario is not None:
            return trace_of(self.scenario)
        try:
            return run_rollout(self.rollout).trace
        except RolloutTooLargeError as error:
            raise ProblemsError((too_large(error),)) from None


@dataclass(frozen=True, slots=True)
class Display:
    """How a rollout is to be shown: under which name, up to when, in which form, and whether it is watched."""

    path: str
    until_us: int | None = None
    form: str = "text"
    watches: bool = False


def add_arguments(parser: argparse.ArgumentParser, terminal: Terminal) -> None:
    """Declares the command's arguments."""
    text = terminal.messages.text
    parser.add_argument("scenario", metavar="SCENARIO", help=text("cli.help.scenario"))
    parser.add_argument("--until", metavar="T", help=text("cli.rollout.help-until"))
    parser.add_argument("--watch", action="store_true", help=text("cli.rollout.help-watch"))


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Runs the rollout; bad news only where the API server refuses a spec."""
    until_us = _until(options.until, terminal)
    source = terminal.read_text(options.scenario)
    display = Display(options.scenario, until_us, options.format, options.watch)
    return show(source, display, terminal)


def run_lab(lab: CommandRun, options: argparse.Namespace, terminal: Terminal) -> int:
    """Runs a lab's scenario."""
    return show(lab.text, Display(lab.lab, form=options.format), terminal)


def show(source: str, display: Display, terminal: Terminal) -> int:
    """Runs a scenario's text and prints the result. Raises InputError."""
    until_us = display.until_us
    try:
        subject = _read(source, terminal)
        if until_us is not None:
            subject = subject.until(until_us)
        refused = refusals(subject.rollout.strategy, subject.rollout.min_ready_seconds)
        if refused:
            return show_refusal(
                refusal_text(subject.rollout.name, refused), NOTHING_RAN, display.form, terminal
            )
        with collecting_seldom():
            trace = subject.run()
    except ProblemsError as error:
        raise terminal.problems(error, source, display.path) from None
    if display.watches:
        lines = (watched_json if display.form == "json" else watched_text)(subject.rollout, trace)
        for line in (*lines, *_noted(subject, trace, display.form, terminal)):
            sys.stdout.write(printable(line) + "\n")
    else:
        _show(subject, trace, display.form, terminal)
    return FINE if rollout_error(trace) is None else BAD_NEWS


def _read(source: str, terminal: Terminal) -> _Subject:
    if not is_beside_nodes(source):
        return _Subject(read_rollout(source), None)
    library = terminal.library
    scenario = read_scenario(source, library.catalog, library.workloads)
    assert scenario.rollout is not None
    return _Subject(scenario.rollout, scenario)


def _show(subject: _Subject, trace: Trace, form: str, terminal: Terminal) -> None:
    fleet = fleet_snapshot(subject.rollout, trace, subject.rollout.until_us, subject.scenario)
    if form == "json":
        answer = rollout_json(fleet, trace, beside=subject.scenario is not None)
        notes = notes_json(rollout_notes(subject.rollout, trace.rollout), terminal.messages)
        _write_json({"traceHash": trace.hash(), **answer, **notes})
    else:
        words = rollout_text(subject.rollout, trace, fleet, terminal.messages)
        sys.stdout.write(printable(words) + "\n")


def _noted(subject: _Subject, trace: Trace, form: str, terminal: Terminal) -> Iterator[str]:
    """What nothing came of, after all that is watched."""
    notes = rollout_notes(subject.rollout, trace.rollout)
    if form == "json":
        for row in note_rows(notes, terminal.messages):
            yield json.dumps({**row, "what": "note", "deed": row["what"]}, ensure_ascii=False)
    else:
        yield from (note_text(note, terminal.messages) for note in notes)


def _until(text: str | None, terminal: Terminal) -> int | None:
    if text is None:
        return None
    until_us = seconds_us(text)
    if until_us is None or until_us > MAX_SECONDS * SECOND_US:
        words = terminal.messages.text("cli.rollout.until-form", value=text, maximum=MAX_SECONDS)
        raise InputError(words)
    return until_us


def _write_json(answer: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(answer, indent=2, ensure_ascii=False) + "\n")
