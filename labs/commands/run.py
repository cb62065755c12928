"""`gpulab run SCENARIO`: simulates, and shows the result as text, JSON, HTML or SVG."""

from __future__ import annotations

import argparse
import gc
import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files

from labs.commands.spec_refusal import show_refusal
from labs.commands.terminal import BAD_NEWS, FINE, Terminal, printable
from labs.config.own import ProblemsError
from labs.report.cards import Width, central_scene
from labs.report.drawing import Scene, svg_file
from labs.report.notes import notes_json
from labs.report.result import Picture, html_document, result_text
from labs.report.time import time_scene, time_view, under_each_other
from labs.report.writing import Messages, columns
from labs.simulation.outcome import Outcome, SpecRefusedError, evaluate
from labs.simulation.outcome.moment import Snapshot, moments, snapshot
from labs.simulation.outcome.rollout import rollout_error
from labs.teaching.lab import CommandRun

FORMATS = ("text", "json", "html", "svg")
NOTHING_RAN: dict[str, object] = {"traceHash": None, "pods": [], "gpus": [], "nodes": [], "metrics": {}}
PATIENCE_S = 0.7  # a run longer than this shows its progress
BAR_COLUMNS = 30


def add_arguments(parser: argparse.ArgumentParser, terminal: Terminal) -> None:
    """Declares the command's arguments."""
    parser.add_argument("scenario", metavar="SCENARIO", help=terminal.messages.text("cli.help.scenario"))
    add_picture(parser, terminal)


def add_picture(parser: argparse.ArgumentParser, terminal: Terminal) -> None:
    """Declares the choice of pictures."""
    words = terminal.messages.text("cli.help.picture")
    parser.add_argument("--picture", choices=tuple(map(str, Picture)), help=words)


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Runs the scenario file."""
    text = terminal.read_text(options.scenario)
    return show(text, options.scenario, options.format, terminal, Picture(options.picture or Picture.CARDS))


def run_lab(lab: CommandRun, options: argparse.Namespace, terminal: Terminal) -> int:
    """Runs a lab's scenario, with the lab's picture where no other is asked for."""
    picture = Picture(options.picture or lab.picture or Picture.CARDS)
    return show(lab.text, lab.lab, options.format, terminal, picture)


def show(text: str, path: str, form: str, terminal: Terminal, picture: Picture) -> int:
    """Simulates a scenario's text and prints the result in the form asked for."""
    bar = _ProgressBar(terminal.messages.text("cli.simulating"))
    with collecting_seldom():
        try:
            library = terminal.library
            outcome = evaluate(text, library.catalog, workloads=library.workloads, on_progress=bar.show)
        except SpecRefusedError as error:
            return show_refusal(error.words, NOTHING_RAN, form, terminal)
        except ProblemsError as error:
            raise terminal.problems(error, text, path) from None
        finally:
            bar.close()
        sys.stdout.write(render(outcome, form, terminal, picture))
    return BAD_NEWS if is_bad_news(outcome) else FINE


@contextmanager
def collecting_seldom() -> Iterator[None]:
    """Has Python look for garbage less often while a simulation runs.

    A run piles up records that all stay, and going through them again and again takes half the time of a large one.
    """
    before = gc.get_threshold()
    gc.set_threshold(50_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def is_bad_news(outcome: Outcome) -> bool:
    """A node whose config is refused, a change of the DaemonSet that is, or an expectation that is not met."""
    is_refused = rollout_error(outcome.trace) is not None
    return is_refused or bool(outcome.differences) or any(node.error is not None for node in outcome.nodes)


def render(outcome: Outcome, form: str, terminal: Terminal, picture: Picture) -> str:
    """The outcome as text, json, html or svg, with the pictures asked for."""
    if form == "json":
        answer = {**outcome.to_json(), **notes_json(outcome.notes, terminal.messages)}
        return json.dumps(answer, indent=2, ensure_ascii=False) + "\n"
    last = snapshot(outcome.scenario, outcome.trace, moments(outcome.trace)[-1])
    if form == "text":
        return printable(result_text(outcome, last, terminal.messages, picture))
    style_sheet = (files("labs") / "web" / "css" / "labs.css").read_text("utf-8")
    if form == "svg":
        return svg_file(_scene(outcome, last, terminal.messages, picture), style_sheet)
    return html_document(outcome, last, terminal.messages, style_sheet, picture)


def _scene(outcome: Outcome, last: Snapshot, messages: Messages, picture: Picture) -> Scene:
    """The pictures asked for as one, both under each other."""
    if not picture.has_time:
        return central_scene(last, messages, Width.WIDE)
    view = time_view(outcome.scenario, outcome.trace, last.at_us)
    if not picture.has_cards:
        return time_scene(view, messages, Width.WIDE)
    return under_each_other(central_scene(last, messages, Width.WIDE), view, messages)


class _ProgressBar:
    """A bar on standard error, for runs that take a while and only where a person sees it."""

    def __init__(self, words: str) -> None:
        self._words = words
        self._begun = time.monotonic()
        self._line = ""

    def show(self, fraction: float) -> None:
        """The run has come this far (0 to 1)."""
        if not sys.stderr.isatty() or time.monotonic() - self._begun <= PATIENCE_S:
            return
        line = f"{self._words} {'#' * int(fraction * BAR_COLUMNS):.<{BAR_COLUMNS}} {fraction:4.0%}"
        if line != self._line:
            sys.stderr.write(f"\r{line}")
            sys.stderr.flush()
            self._line = line

    def close(self) -> None:
        """Takes the bar away."""
        if self._line:
            sys.stderr.write(f"\r{' ' * columns(self._line)}\r")
            sys.stderr.flush()
