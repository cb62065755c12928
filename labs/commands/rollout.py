"""`gpulab rollout SCENARIO`: a DaemonSet rollout, as JSON or as what `kubectl` would have printed."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace

from labs.cluster.daemonset import DaemonNode
from labs.cluster.daemonset_spec import refusal_text, refusals
from labs.commands.rollout_text import rollout_text
from labs.commands.terminal import BAD_NEWS, FINE, InputError, Terminal, printable
from labs.config.problem import Problem, ProblemsError
from labs.simulation.rollout import SECOND_US, Rollout
from labs.simulation.rollout_reader import read_rollout
from labs.simulation.rollout_values import MAX_SECONDS, seconds_us
from labs.simulation.rollout_world import RolloutEnd, RolloutTooLargeError, run_rollout

FORMATS = ("text", "json")


def add_arguments(parser: argparse.ArgumentParser, terminal: Terminal) -> None:
    """Declares the command's arguments."""
    text = terminal.messages.text
    parser.add_argument("scenario", metavar="SCENARIO", help=text("cli.help.scenario"))
    parser.add_argument("--until", metavar="T", help=text("cli.rollout.help-until"))


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Runs the rollout; bad news only where the API server refuses a spec."""
    until_us = _until(options.until, terminal)
    source = terminal.read_text(options.scenario)
    try:
        rollout = read_rollout(source)
        if until_us is not None:
            rollout = replace(rollout, until_us=until_us)
        refused = refusals(rollout.strategy, rollout.min_ready_seconds)
        if refused:
            return _show_refused(refusal_text(rollout.name, refused), options.format, terminal)
        end = _end(rollout)
    except ProblemsError as error:
        raise terminal.problems(error, source, options.scenario) from None
    if options.format == "json":
        _write_json(_answer(end))
    else:
        sys.stdout.write(printable(rollout_text(rollout, end, terminal.messages)) + "\n")
    return FINE if end.error is None else BAD_NEWS


def _until(given: str | None, terminal: Terminal) -> int | None:
    if given is None:
        return None
    found = seconds_us(given)
    if found is None or found > MAX_SECONDS * SECOND_US:
        words = terminal.messages.text("cli.rollout.until-form", value=given, maximum=MAX_SECONDS)
        raise InputError(words)
    return found


def _end(rollout: Rollout) -> RolloutEnd:
    """The end of the run; a rollout that is too large is a problem of its scenario."""
    try:
        return run_rollout(rollout)
    except RolloutTooLargeError as error:
        values = {"limit": error.limit, "seconds": error.at_us // SECOND_US}
        raise ProblemsError((Problem("rollout-too-large", 1, 1, values),)) from None


def _show_refused(words: str, form: str, terminal: Terminal) -> int:
    if form == "json":
        _write_json({"traceHash": None, "status": None, "rolloutStatus": None, "nodes": {}, "error": words})
    else:
        sys.stdout.write(printable(f"{words}\n\n{terminal.messages.text('cli.rollout.refused')}") + "\n")
    return BAD_NEWS


def _write_json(answer: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(answer, indent=2, ensure_ascii=False) + "\n")


def _answer(end: RolloutEnd) -> dict[str, object]:
    """The JSON of design.md."""
    return {
        "traceHash": end.trace.hash(),
        "status": end.status.to_json(),
        "rolloutStatus": end.line,
        "nodes": {node.name: _node(node, end) for node in end.nodes},
        "error": end.error,
    }


def _node(node: DaemonNode, end: RolloutEnd) -> dict[str, object]:
    """A node: whether the DaemonSet wants a Pod there, and the Pods there are, the one that counts first."""
    pods = [
        {
            "name": pod.name,
            "revision": pod.revision,
            "phase": pod.phase,
            "ready": pod.ready,
            "available": pod.available(end.spec.min_ready_us, end.at_us),
            "terminating": pod.terminating,
        }
        for pod in node.pods
    ]
    return {"shouldRun": node.should_run, "pods": pods}
