"""`gpulab mig profiles|place|plan --gpu ID`: what a card can be cut into, whether that works out, and how to cut."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from labs.commands.card_option import card
from labs.commands.exit_codes import exit_codes
from labs.commands.mig import plan as mig_plan
from labs.commands.mig.text import placement_lines, profile_lines
from labs.commands.terminal import BAD_NEWS, FINE, InputError, Terminal, printable
from labs.commands.usage import whole_number
from labs.hardware.catalog import Catalog, Figure, GpuModel, MigProfile, UnknownFigureError
from labs.hardware.mig import (
    Attempt,
    Defect,
    ImpossibleInstanceError,
    Layout,
    default_starts,
    place_at,
    place_in_any_order,
    place_in_order,
)
from labs.library import LANGUAGES
from labs.report.writing import visible

FORMATS = ("text", "json")
ORDERS = ("given", "any")


def add_arguments(parser: argparse.ArgumentParser, terminal: Terminal) -> None:
    """Declares the command's arguments."""
    text = terminal.messages.text
    actions = parser.add_subparsers(dest="action", metavar="profiles|place|plan", required=True)
    actions.add_parser("profiles", help=text("cli.mig.about-profiles"))
    place = actions.add_parser("place", help=text("cli.mig.about-place"))
    plan = actions.add_parser("plan", help=text("cli.mig.plan.about"))
    for name, action in actions.choices.items():
        action.epilog = exit_codes(f"mig-{name}", terminal.messages)
        action.add_argument("--gpu", required=True, metavar="ID", help=text("cli.mig.help-gpu"))
        action.add_argument(
            "--lang", choices=LANGUAGES, default=argparse.SUPPRESS, help=text("cli.help.lang")
        )
        action.add_argument(
            "--format", choices=FORMATS, default=argparse.SUPPRESS, help=text("cli.help.format")
        )
    place.add_argument("profiles", nargs="+", metavar="PROFILE", help=text("cli.mig.help-profile"))
    place.add_argument("--order", choices=ORDERS, default="given", help=text("cli.mig.help-order"))
    place.add_argument(
        "--occupied",
        action="append",
        default=[],
        metavar="PROFILE@START",
        help=text("cli.mig.help-occupied"),
    )
    place.add_argument(
        "--at", action="append", type=whole_number, default=[], metavar="START", help=text("cli.mig.help-at")
    )
    mig_plan.add_arguments(plan, terminal)


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Prints the profiles of a card, what comes of creating devices on it, or how to cut cards for wishes.

    Bad news: not all devices are created, not all wishes can be served.
    """
    model = card(options.gpu, terminal)
    try:
        if options.action == "profiles":
            return _profiles(model, options.format, terminal)
        if options.action == "plan":
            return mig_plan.run(model, options, terminal)
        return _place(model, options, terminal)
    except UnknownFigureError as error:
        text = terminal.messages.text
        figure = text(f"cli.mig.figure.{error.figure}")
        raise InputError(text("cli.mig.unknown-figure", gpu=error.gpu_id, figure=figure)) from None


def _profiles(model: GpuModel, form: str, terminal: Terminal) -> int:
    if form == "json":
        _print_json(_profiles_json(model, terminal.library.catalog))
    else:
        sys.stdout.write("\n".join(profile_lines(model, terminal.messages)) + "\n")
    return FINE


def _place(model: GpuModel, options: argparse.Namespace, terminal: Terminal) -> int:
    starts: list[int] = options.at
    if starts and len(starts) != len(options.profiles):
        message = terminal.messages.text(
            "cli.mig.at-count", starts=len(starts), profiles=len(options.profiles)
        )
        raise InputError(message)
    if starts and options.order == "any":
        raise InputError(terminal.messages.text("cli.mig.at-any"))
    before = _occupied(model, options.occupied, terminal)
    if starts:
        attempt = place_at(before, options.profiles, starts)
    elif options.order == "any":
        attempt = place_in_any_order(before, options.profiles)
    else:
        attempt = place_in_order(before, options.profiles)
    if options.format == "json":
        _print_json(_attempt_json(attempt))
    else:
        lines = placement_lines(before, attempt, starts or None, terminal.messages)
        sys.stdout.write(printable("\n".join(lines)) + "\n")
    return FINE if attempt.placeable else BAD_NEWS


def _occupied(model: GpuModel, texts: Sequence[str], terminal: Terminal) -> Layout:
    """The card with the instances that `--occupied` names."""
    text = terminal.messages.text
    instances: list[tuple[str, int]] = []
    for place in texts:
        name, sign, start = place.rpartition("@")
        if not sign or not name or not (start.isascii() and start.isdecimal() and len(start) < 10):
            raise InputError(text("cli.mig.occupied-form", value=visible(place)))
        instances.append((name, int(start)))
    try:
        return Layout.of(model, instances)
    except ImpossibleInstanceError as error:
        value = visible(f"{error.profile}@{error.start}")
        if error.defect is Defect.UNKNOWN_PROFILE:
            known = ", ".join(profile.name for profile in model.mig_profiles) or "–"
            message = text("cli.mig.occupied-profile", value=value, gpu=model.id, known=known)
        elif error.defect is Defect.NO_LEGAL_START:
            message = text("cli.mig.occupied-start", value=value, starts=", ".join(map(str, error.starts)))
        else:
            message = text("cli.mig.occupied-room", value=value)
        raise InputError(message) from None


def _print_json(value: object) -> None:
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def _attempt_json(attempt: Attempt) -> dict[str, object]:
    return {
        "gpu": attempt.layout.model.id,
        "placeable": attempt.placeable,
        "placements": [
            None if instance is None else {"profile": name, "start": instance.start, "size": instance.size}
            for name, instance in zip(attempt.names, attempt.placements, strict=True)
        ],
        "free": attempt.layout.free(),
        "error": attempt.refusal,
    }


def _profiles_json(model: GpuModel, catalog: Catalog) -> dict[str, object]:
    order = model.placement_order
    figures = [figure for profile in model.mig_profiles for _, figure in profile.figures]
    cited = {key for figure in figures for key in figure.sources}
    return {
        "gpu": model.id,
        "name": model.name,
        "memorySlices": model.memory_slices,
        "computeSlices": model.compute_slices,
        "profiles": [_profile_json(profile) for profile in model.mig_profiles],
        "placementOrder": order
        and {
            "starts": {
                profile.name: default_starts(model, profile)
                for profile in model.mig_profiles
                if profile.placements.known
            },
            "confidence": order.confidence,
            "source": order.source,
        },
        "sources": {key: text for key, text in catalog.sources.items() if key in cited},
    }


def _profile_json(profile: MigProfile) -> dict[str, object]:
    placements = profile.placements.value
    return {
        "profile": profile.name,
        "id": profile.gi_profile_id,
        "computeSlices": profile.compute_slices,
        "memorySlices": profile.memory_slices,
        "memoryGiB": _figure_json(profile.memory_gib, profile.memory_gib.value),
        "sms": _figure_json(profile.sms, profile.sms.value),
        "max": _figure_json(profile.max_instances, profile.max_instances.value),
        "starts": _figure_json(profile.placements, placements and list(placements.starts)),
        "size": placements and placements.size,
    }


def _figure_json(figure: Figure[object], value: object) -> dict[str, object]:
    return {"value": value, "confidence": figure.confidence, "sources": list(figure.sources)}
