"""`gpulab mig plan --gpu ID --cards N WISH...`: cards cut for what Pods need, ready for mig-parted and for the Pods."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator

from labs.cluster.node_labels import mig_resource_name
from labs.commands.mig.text import paragraph, picture
from labs.commands.terminal import BAD_NEWS, FINE, InputError, Terminal, printable
from labs.commands.usage import whole_number
from labs.config.mig_parted import config_text
from labs.config.own import quantity_bytes
from labs.hardware.catalog import GpuModel
from labs.hardware.mig import Layout, find_device, place_in_any_order
from labs.hardware.planning import (
    MOST_CARDS,
    Bound,
    CardPlan,
    Plan,
    Shortage,
    Wish,
    nearly_enough,
    plan_cards,
    why_refused,
)
from labs.report.cards import reason_text
from labs.report.writing import Messages, visible

CONFIG_NAME = "planned"

_WISH = re.compile(r"([1-9][0-9]{0,3})x(.{1,60})", re.ASCII)
_PROFILE = re.compile(r"[0-9]+[cg]\.\S+", re.ASCII)


def add_arguments(parser: argparse.ArgumentParser, terminal: Terminal) -> None:
    """Declares what `plan` takes beside the card, the language and the format."""
    text = terminal.messages.text
    parser.add_argument(
        "--cards", required=True, type=whole_number, metavar="N", help=text("cli.mig.plan.help-cards")
    )
    parser.add_argument("wishes", nargs="+", metavar="WISH", help=text("cli.mig.plan.help-wish"))


def run(model: GpuModel, options: argparse.Namespace, terminal: Terminal) -> int:
    """Prints the plan with least waste (bad news: there is none). Raises InputError and `UnknownFigureError`."""
    messages = terminal.messages
    wanted: int = options.cards
    if not 1 <= wanted <= MOST_CARDS:
        raise InputError(messages.text("cli.mig.plan.cards-range", cards=str(wanted), most=MOST_CARDS))
    wishes = [_wish(text, messages) for text in options.wishes]
    plan = plan_cards(model, wanted, wishes)
    if options.format == "json":
        sys.stdout.write(json.dumps(_plan_json(plan), indent=2, ensure_ascii=False) + "\n")
    else:
        lines = _plan_lines(plan, messages) if plan.feasible else _refusal_lines(plan, wanted, messages)
        sys.stdout.write(printable("\n".join(lines)) + "\n")
    return FINE if plan.feasible else BAD_NEWS


def mig_parted_text(plan: Plan) -> str:
    """The plan as a config of mig-parted: cards that are cut alike share an entry, cards not needed stay whole."""
    alike: dict[tuple[tuple[str, int], ...], list[int]] = {}
    for index, card in enumerate(plan.cards):
        counts = Counter(device.instance.profile.name for device in card.devices)
        alike.setdefault(tuple(sorted(counts.items())), []).append(index)
    return config_text(CONFIG_NAME, [(indexes, dict(counted)) for counted, indexes in alike.items()])


def _wish(wish: str, messages: Messages) -> Wish:
    parts = _WISH.fullmatch(wish)
    need = quantity_bytes(parts[2]) if parts else None
    if parts is None or need == 0 or (need is None and not _PROFILE.fullmatch(parts[2])):
        raise InputError(messages.text("cli.mig.plan.wish-form", value=visible(wish)))
    return Wish(wish, int(parts[1]), parts[2] if need is None else need)


def _resources(plan: Plan) -> list[tuple[Wish, str, int]]:
    """Each wish with a profile that serves it and for how many of its Pods, in the order of the wishes."""
    counts = Counter(
        (device.wish, device.instance.profile.name) for card in plan.cards for device in card.devices
    )
    names = [profile.name for profile in plan.model.mig_profiles]
    wishes = dict.fromkeys(plan.wishes)  # the same wish put twice is one
    return [(wish, name, counts[wish, name]) for wish in wishes for name in names if counts[wish, name]]


def _plan_json(plan: Plan) -> dict[str, object]:
    shortage = plan.shortage
    return {
        "gpu": plan.model.id,
        "cards": [_card_json(card) for card in plan.cards],
        "feasible": plan.feasible,
        "reason": shortage
        and {
            "bound": shortage.bound,
            "wish": shortage.wish and shortage.wish.text,
            "needed": shortage.needed,
            "most": shortage.most,
        },
        "migParted": mig_parted_text(plan) if plan.feasible else None,
        "resources": [
            {"wish": wish.text, "pods": count, "resources": {"limits": {mig_resource_name(name): 1}}}
            for wish, name, count in _resources(plan)
        ],
        "exact": plan.exact,
    }


def _card_json(card: CardPlan) -> dict[str, object]:
    return {
        "placements": [
            {
                "profile": device.instance.profile.name,
                "start": device.instance.start,
                "size": device.instance.size,
                "wish": device.wish.text,
            }
            for device in card.devices
        ],
        "wastedMemorySlices": card.wasted_memory_slices,
        "wastedComputeSlices": card.wasted_compute_slices,
        "needsStarts": card.needs_starts,
    }


def _plan_lines(plan: Plan, messages: Messages) -> Iterator[str]:
    text = messages.text
    used = sum(1 for card in plan.cards if card.devices)
    yield text("cli.mig.plan.served", gpu=plan.model.name, used=used, cards=len(plan.cards))
    for index, card in enumerate(plan.cards[:used]):
        yield ""
        yield text("cli.mig.plan.card", index=str(index))
        yield from _card_lines(card, messages)
    yield ""
    unused = ", ".join(text("cli.mig.plan.card", index=str(index)) for index in range(used, len(plan.cards)))
    if unused:
        yield from paragraph(text("cli.mig.plan.unused", cards=unused))
    yield from _short_lines(plan, messages)
    yield from paragraph(text("cli.mig.plan.exact" if plan.exact else "cli.mig.plan.approximate"))
    yield ""
    yield text("cli.mig.plan.config")
    yield mig_parted_text(plan)
    yield text("cli.mig.plan.pods")
    for wish, name, count in _resources(plan):
        yield f"# {text('cli.mig.plan.pod', wish=wish.text, n=count)}"
        yield f"resources:\n  limits:\n    {mig_resource_name(name)}: 1"


def _card_lines(card: CardPlan, messages: Messages) -> Iterator[str]:
    text = messages.text
    yield from (f"  {line}" for line in picture(card.layout))
    for device in card.devices:
        placed = device.instance
        sentence = text(
            "cli.mig.plan.device",
            profile=placed.profile.name,
            start=placed.start,
            size=placed.size,
            wish=device.wish.text,
        )
        yield f"  {sentence}"
    if card.wasted_memory_slices or card.wasted_compute_slices:
        wasted = text(
            "cli.mig.plan.wasted", memory=card.wasted_memory_slices, compute=card.wasted_compute_slices
        )
        yield from paragraph(wasted)
    if card.needs_starts:
        placed_at = ((device.instance.profile, device.instance.start) for device in card.devices)
        starts = ",".join(f"{profile.name}:{start}" for profile, start in placed_at)
        yield from paragraph(text("cli.mig.plan.starts", command=f"nvidia-smi mig -cgi {starts} -C"))


def _short_lines(plan: Plan, messages: Messages) -> Iterator[str]:
    """Wishes that a profile of nearly that size does not serve."""
    for wish in dict.fromkeys(plan.wishes):
        near = nearly_enough(plan.model, wish)
        if near is not None and near.memory_mib.value is not None:
            memory = _memory(near.memory_mib.value, messages)
            sentence = messages.text("cli.mig.plan.short", wish=wish.text, profile=near.name, memory=memory)
            yield from paragraph(sentence)


def _refusal_lines(plan: Plan, cards: int, messages: Messages) -> Iterator[str]:
    yield messages.text("cli.mig.plan.refused", gpu=plan.model.name, cards=cards)
    if plan.shortage is not None:
        yield from paragraph(_why(plan.shortage, plan.model, messages))
    if plan.shortage is not None and plan.shortage.bound is not Bound.NO_MIG:
        yield from _short_lines(plan, messages)


def _why(shortage: Shortage, model: GpuModel, messages: Messages) -> str:
    wish = shortage.wish
    if shortage.bound is Bound.NO_MIG:
        return messages.text("cli.mig.no-mig", gpu=model.name)
    if shortage.bound is Bound.UNKNOWN_PROFILE and wish is not None:
        name = str(wish.wanted)
        device = find_device(name, model)
        if device is not None:
            profile = device.profile.name
            return messages.text("cli.mig.plan.why.compute-instance", wish=wish.text, profile=profile)
        empty = Layout.empty(model)
        reason = why_refused(empty, place_in_any_order(empty, [name]))
        assert reason is not None  # the card has no such profile
        return reason_text(reason, model, messages)
    values: dict[str, str | float] = {"wish": "" if wish is None else wish.text}
    if shortage.needed is not None and shortage.most is not None:
        values |= {"needed": shortage.needed, "most": shortage.most}
        values["memory"] = _memory(shortage.most, messages)
    return messages.pick(f"cli.mig.plan.why.{shortage.bound}", values)


def _memory(mib: int, messages: Messages) -> str:
    """To the hundredth, since 9.75 GiB is not 9.8."""
    return messages.text("unit.gib", n=messages.number(mib / 1024, 2))
