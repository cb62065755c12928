"""`gpulab estimate --solo TIME …`: from measurements to residency and demand, and to what other ways of sharing would do."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator

from labs.commands.card_option import card
from labs.commands.terminal import BAD_NEWS, FINE, InputError, Terminal, printable
from labs.commands.usage import whole_number
from labs.config.own import duration_us, rate_per_s, share
from labs.hardware.catalog import GpuModel
from labs.hardware.units import SECOND_US
from labs.report.evidence import estimate_json, estimate_text
from labs.simulation.evidence import Observation, Sharing, UnknownDeviceError, estimate
from labs.simulation.scenario import JobKind

FORMATS = ("text", "json")
KINDS = (str(JobKind.SERVICE), str(JobKind.TRAINING))
MOST_COPIES = 48  # clients of an MPS daemon
LONGEST_S = 86_400.0
_COPIES = re.compile(r"[1-9][0-9]{0,2}", re.ASCII)
_THREADS = re.compile(r"([1-9][0-9]{0,2})%?(?:x([1-9][0-9]{0,2}))?", re.ASCII)
EXAMPLES = {
    "--mig": "1g.10gb=342ms",
    "--mps": "7=320ms",
    "--threads": "25=190ms, 25x4=205ms",
    "--time-slicing": "3=293ms",
}


def add_arguments(parser: argparse.ArgumentParser, terminal: Terminal) -> None:
    """Declares the command's arguments."""
    text = terminal.messages.text
    parser.add_argument("--solo", required=True, metavar="TIME", help=text("estimate.help.solo"))
    parser.add_argument("--kind", choices=KINDS, default=KINDS[0], help=text("estimate.help.kind"))
    parser.add_argument("--gpu", metavar="ID", help=text("estimate.help.gpu"))
    parser.add_argument("--utilization", metavar="SHARE", help=text("estimate.help.utilization"))
    forms = {
        "--time-slicing": "N=TIME",
        "--mps": "N=TIME",
        "--threads": "PERCENT[xN]=TIME",
        "--mig": "PROFILE=TIME",
    }
    for option, form in forms.items():
        about = text(f"estimate.help.{option.removeprefix('--')}")
        parser.add_argument(option, action="append", default=[], metavar=form, help=about)
    parser.add_argument(
        "--copies", type=whole_number, default=8, metavar="N", help=text("estimate.help.copies")
    )


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Prints the estimate; bad news where the measurements contradict the model."""
    text = terminal.messages.text
    model = None if options.gpu is None else card(options.gpu, terminal)
    if not 2 <= options.copies <= MOST_COPIES:
        raise InputError(text("estimate.copies-range", copies=str(options.copies), most=MOST_COPIES))
    solo_s = _seconds(options.solo)
    if solo_s is None:
        raise InputError(text("estimate.solo-form", value=options.solo))
    seen = [*_shared(options, terminal), *_sliced(options, model, terminal)]
    utilization = None if options.utilization is None else _share(options.utilization, terminal)
    try:
        result = estimate(
            JobKind(options.kind),
            solo_s,
            seen,
            utilization,
            terminal.library.catalog,
            model=model,
            copies=options.copies,
        )
    except UnknownDeviceError as error:
        raise InputError(text("estimate.profile-figure", profile=error.value, gpu=options.gpu)) from None
    if options.format == "json":
        answer = estimate_json(result, terminal.messages)
        sys.stdout.write(json.dumps(answer, indent=2, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(printable(estimate_text(result, terminal.messages)))
    return BAD_NEWS if result.contradictions else FINE


def _shared(options: argparse.Namespace, terminal: Terminal) -> Iterator[Observation]:
    """What was measured of copies on a whole card."""
    for option, pairs in (("--time-slicing", options.time_slicing), ("--mps", options.mps)):
        for pair in pairs:
            copies, seconds = _pair(option, pair, terminal)
            if not _COPIES.fullmatch(copies):
                raise _bad_form(option, pair, terminal)
            yield Observation(
                _copies(option, pair, option.removeprefix("--"), int(copies), None, terminal), seconds
            )
    for pair in options.threads:
        threads, seconds = _pair("--threads", pair, terminal)
        match = _THREADS.fullmatch(threads)
        if match is None:
            raise _bad_form("--threads", pair, terminal)
        count = int(match[2] or 1)
        yield Observation(_copies("--threads", pair, "mps", count, int(match[1]), terminal), seconds)


def _copies(
    option: str, value: str, mechanism: str, count: int, percent: int | None, terminal: Terminal
) -> Sharing:
    least = 1 if percent is not None else 2
    if not least <= count <= MOST_COPIES:
        message = terminal.messages.text(
            "estimate.count-range", option=option, value=value, least=least, most=MOST_COPIES
        )
        raise InputError(message)
    if percent is not None and percent > 100:
        raise InputError(terminal.messages.text("estimate.percent-range", option=option, value=value))
    return Sharing(mechanism, "", None, count, percent)


def _sliced(options: argparse.Namespace, model: GpuModel | None, terminal: Terminal) -> Iterator[Observation]:
    """What was measured on MIG devices."""
    text = terminal.messages.text
    for pair in options.mig:
        profile, seconds = _pair("--mig", pair, terminal)
        if model is None:
            raise InputError(text("estimate.mig-gpu"))
        if model.mig_profile(profile) is None:
            known = ", ".join(profile_model.name for profile_model in model.mig_profiles) or "–"
            raise InputError(text("estimate.profile-unknown", value=pair, gpu=model.id, known=known))
        yield Observation(Sharing("mig", model.id, profile), seconds)


def _pair(option: str, text: str, terminal: Terminal) -> tuple[str, float]:
    name, sign, value = text.rpartition("=")
    seconds = _seconds(value)
    if not sign or not name or seconds is None:
        raise _bad_form(option, text, terminal)
    return name, seconds


def _bad_form(option: str, value: str, terminal: Terminal) -> InputError:
    example = EXAMPLES[option]
    return InputError(terminal.messages.text("estimate.form", option=option, value=value, example=example))


def _seconds(text: str) -> float | None:
    """Seconds of a duration, or per event of a rate; None for anything else, and for what is no time at all."""
    microseconds = duration_us(text)
    if microseconds is not None:
        seconds = microseconds / SECOND_US
    else:
        rate = rate_per_s(text)
        if not rate:
            return None
        seconds = float(1 / rate)
    return seconds if 1e-6 <= seconds <= LONGEST_S else None


def _share(text: str, terminal: Terminal) -> float:
    value = share(text)
    if value is None or not 0 < value <= 1:
        raise InputError(terminal.messages.text("estimate.utilization-form", value=text))
    return float(value)
