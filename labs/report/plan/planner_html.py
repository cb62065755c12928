"""A list of MIG profiles tried on a card, as the regions of a page: what came of it, list, profiles, picture, texts.

The data attributes are the contract with `labs/web/elements/gpu-planner.js`: `data-change` is what a button tells Python,
`data-replaces` marks those that put another list in the place of the reader's; by `data-drag` a pointer takes hold of a
step or of a profile.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from labs.cluster.advertise import Advertisement
from labs.hardware.catalog import MigProfile
from labs.hardware.mig import CreationRefusal, GpuInstance, Layout, Limit, place_in_order
from labs.hardware.planning import IllegalStart, InTheWay, OtherWay, TooMuch, Trial, why_refused
from labs.report.cards import (
    Steps,
    grouped_holders,
    held_text,
    layout_scene,
    layout_slices,
    listed,
    reason_text,
    start_notes,
    wasted_text,
)
from labs.report.drawing import svg
from labs.report.plan.cut_texts import mig_parted_text, mixed_pods_text, nvidia_smi_text, single_pods_text
from labs.report.writing import (
    EMPTY,
    Column,
    Html,
    Messages,
    Table,
    attributes,
    escape,
    html,
    join,
    table_html,
)

FILE = "mig-config.yaml"


@dataclass(frozen=True, slots=True)
class PlanWords:
    """In which language a plan is shown, and what its ids in the page begin with."""

    messages: Messages
    element: str

    def html(self, key: str, **values: str | int) -> Html:
        """A sentence as HTML."""
        return escape(self.messages.text(f"planner.{key}", **values))


def plan_regions(trial: Trial, offers: Mapping[str, Advertisement], words: PlanWords) -> dict[str, Html]:
    """HTML by region; `offers` is by strategy what a node with this card offers, once all of the list is created."""
    return {
        "summary": _summary(trial, words),
        "steps": _steps(trial, words),
        "palette": _palette(trial, words),
        "picture": _picture(trial, words),
        "slices": _slices(trial, words),
        "order": _order(trial, words),
        "outputs": _outputs(trial, offers, words),
        "command": escape(plan_command(trial)),
    }


def plan_command(trial: Trial) -> str:
    """The command that says the same in a terminal."""
    if not trial.names:
        return f"gpulab mig profiles --gpu {trial.model.id}"
    starts = [
        asked if instance is None else instance.start
        for asked, instance in zip(trial.starts, trial.in_order.placements, strict=True)
    ]
    at = ""
    if trial.asks_for_starts and None not in starts:
        at = "".join(f" --at {start}" for start in starts)
    return f"gpulab mig place --gpu {trial.model.id} {' '.join(trial.names)}{at}"


def button(
    words: PlanWords, name: str, change: Mapping[str, object], label: Html, **more: str | bool | None
) -> Html:
    """A button that tells Python a change; `name` makes its id, `label` is HTML."""
    button_attributes = attributes(
        id=f"{words.element}-{name}", data_change=json.dumps(change, separators=(",", ":")), **more
    )
    return html('<button type="button"{}>{}</button>', button_attributes, label)


# What came of it


def _summary(trial: Trial, words: PlanWords) -> Html:
    first, *rest = _trial_sentences(trial, words.messages)
    gap = escape(words.messages.text("list.sentences"))
    return html(
        "<strong>{}</strong>{}", escape(first), join(html("{}{}", gap, escape(sentence)) for sentence in rest)
    )


def _trial_sentences(trial: Trial, messages: Messages) -> Iterator[str]:
    text = messages.text
    refused = trial.in_order.refused
    if not trial.names:
        yield text("planner.empty")
        return
    if refused is None:
        yield messages.count("planner.works", len(trial.names))
        slices = layout_slices(trial.in_order.layout)
        if slices.wasted_memory or slices.wasted_compute:
            yield wasted_text(slices, messages)
        if not any(trial.in_order.layout.free().values()):
            yield text("cli.mig.full")
        return
    error = str(trial.in_order.refusal)
    yield text("planner.refused", n=refused + 1, profile=trial.names[refused], error=error)
    if isinstance(trial.reason, OtherWay) and not trial.reason.needs_starts:
        yield text("planner.tools-differ")
    if trial.reason is not None:
        yield reason_text(trial.reason, trial.model, messages)
    if isinstance(trial.reason, TooMuch) and trial.reason.limit is Limit.MEMORY_SLICES:
        profiles = [_profile(trial, name) for name in trial.names[: refused + 1]]
        needed = sum(profile.compute_slices for profile in profiles)
        most = trial.model.compute_slices or 0
        if needed <= most:
            yield text("planner.compute-would-do", needed=needed, most=most)


# The list


def _steps(trial: Trial, words: PlanWords) -> Html:
    if not trial.names:
        return html('<p class="gl-note">{}</p>', words.html("none"))
    items = join((_step(trial, index, words) for index in range(len(trial.names))), "\n")
    return html('<ol class="gl-step-list">{}</ol>', items)


def _step(trial: Trial, index: int, words: PlanWords) -> Html:
    name, instance = trial.names[index], trial.in_order.placements[index]
    refused = trial.in_order.refused
    why = EMPTY
    if instance is not None:
        state, css = words.html("created", start=instance.start, size=instance.size), html("created")
    elif index == refused:
        state, css = words.html("step-refused", error=str(trial.in_order.refusal)), html("refused")
        why = _why(trial, name, words)
    else:
        state, css = words.html("untried"), html("untried")
    held = attributes(data_drag=json.dumps({"step": index}))
    return html(
        '<li class="gl-step gl-step-{}"><span class="gl-step-number gl-grip"{}>{}</span>'
        '<div class="gl-step-what"><p><strong>{}</strong> <span class="gl-step-state">{}</span></p>'
        '<p class="gl-note">{}</p>{}</div>'
        '<div class="gl-step-buttons">{}</div></li>',
        css,
        held,
        index + 1,
        escape(name),
        state,
        _takes(_profile(trial, name), words),
        why,
        _buttons(trial, index, words),
    )


def _why(trial: Trial, name: str, words: PlanWords) -> Html:
    """What is in the way at each place that the refused profile has."""
    if trial.in_order.refusal is not CreationRefusal.INSUFFICIENT_RESOURCES:
        reason = trial.reason
        assert isinstance(reason, IllegalStart)  # of a profile that the card has
        return html('<p class="gl-note">{}</p>', escape(reason_text(reason, trial.model, words.messages)))
    groups = grouped_holders(trial.in_order.layout, _profile(trial, name))
    reasons = (escape(held_text(starts, held, words.messages)) for starts, held in groups.items())
    return html(
        "{}{}",
        html("{}{}", html('<ul class="gl-holders">'), join(html("<li>{}</li>", line) for line in reasons)),
        html("</ul>"),
    )


def _buttons(trial: Trial, index: int, words: PlanWords) -> Html:
    name, last = trial.names[index], len(trial.names) - 1
    whose = html('<span class="gl-unseen">{}</span>', words.html("of-step", n=index + 1, profile=name))
    moves = (("up", index == 0), ("down", index == last), ("remove", False))
    row = [
        button(
            words,
            f"{kind}-{index}",
            {kind: index},
            html("{}{}", words.html(kind), whose),
            aria_disabled="true" if is_idle else None,
        )
        for kind, is_idle in moves
    ]
    return join([*row, _start_field(trial, index, whose, words)])


def _start_field(trial: Trial, index: int, whose: Html, words: PlanWords) -> Html:
    field_id = f"{words.element}-start-{index}"
    chosen = trial.starts[index]
    starts = _profile(trial, trial.names[index]).placements.value
    legal = () if starts is None else starts.starts
    known = legal if chosen is None or chosen in legal else (*legal, chosen)
    options = join(
        html("<option{}>{}</option>", attributes(value=str(start), selected=start == chosen), start)
        for start in known
    )
    driver = html(
        "<option{}>{}</option>", attributes(value="", selected=chosen is None), words.html("driver")
    )
    select = attributes(id=field_id, data_change=json.dumps({"start": index}), autocomplete="off")
    return html(
        '<span class="gl-start"><label{}>{}{}</label><select{}>{}{}</select></span>',
        attributes(for_=field_id),
        words.html("start"),
        whose,
        select,
        driver,
        options,
    )


# The profiles


def _palette(trial: Trial, words: PlanWords) -> Html:
    items = join(
        (_offered(index, profile, trial, words) for index, profile in enumerate(trial.model.mig_profiles)),
        "\n",
    )
    return html('<ul class="gl-palette">{}</ul>', items)


def _offered(index: int, profile: MigProfile, trial: Trial, words: PlanWords) -> Html:
    layout = trial.in_order.layout
    free = layout.free_count(profile)
    fits = escape(words.messages.count("planner.fits", free)) if free else _none_fits(layout, profile, words)
    whose = words.html("of-profile", profile=profile.name)
    label = html('{}<span class="gl-unseen">{}</span>', words.html("add"), whose)
    add = button(words, f"add-{index}", {"add": profile.name}, label)
    held = attributes(data_drag=json.dumps({"add": profile.name}))
    mib = profile.memory_mib.value
    memory = (
        words.html("memory-unknown")
        if mib is None
        else escape(words.messages.text("unit.gib", n=words.messages.number(mib / 1024, 2)))
    )
    return html(
        '<li class="gl-profile"><span class="gl-grip"{}></span>{}<div><p><strong>{}</strong> '
        '<span class="gl-fits">{}</span></p><p class="gl-note">{}{}{}</p>'
        "</div></li>",
        held,
        add,
        escape(profile.name),
        fits,
        memory,
        words.html("comma"),
        _takes(profile, words),
    )


def _none_fits(layout: Layout, profile: MigProfile, words: PlanWords) -> Html:
    reason = why_refused(layout, place_in_order(layout, [profile.name]))
    assert isinstance(reason, InTheWay)  # an empty card has room for any one profile
    key = "fits-none-fragmented" if reason.fragmented else "fits-none"
    return words.html(key, instances=listed(reason.instances))


def _takes(profile: MigProfile, words: PlanWords) -> Html:
    memory = profile.placements.value.size if profile.placements.value else 0
    return words.html("takes", compute=profile.compute_slices, memory=memory)


# The picture and the numbers


def _picture(trial: Trial, words: PlanWords) -> Html:
    refused = trial.in_order.refused
    profile = None
    if refused is not None and trial.in_order.refusal is CreationRefusal.INSUFFICIENT_RESOURCES:
        profile = _profile(trial, trial.names[refused])
    scene = layout_scene(trial.in_order.layout, _numbers(trial.in_order.placements), words.messages, profile)
    return svg(scene, f"{words.element}-now", "gl-layout")


def _numbers(placements: Sequence[GpuInstance | None]) -> Steps:
    numbers: dict[GpuInstance, list[int]] = {}
    for number, instance in enumerate(placements, 1):
        if instance is not None:
            numbers.setdefault(instance, []).append(number)
    return numbers


def _slices(trial: Trial, words: PlanWords) -> Html:
    text = words.messages.text
    layout = trial.in_order.layout
    slices = layout_slices(layout)
    wanted = [_profile(trial, name) for name in trial.names]
    computes = sum(profile.compute_slices for profile in wanted)
    memories = sum(layout.placements(profile).size for profile in wanted)
    used_compute = sum(held.profile.compute_slices for held in layout.instances)
    used_memory = sum(held.size for held in layout.instances)
    rows = (
        ("compute", computes, slices.compute, used_compute, len(slices.wasted_compute)),
        ("memory", memories, slices.memory, used_memory, len(slices.wasted_memory)),
    )
    heads = ("kind", "wanted", "there", "used", "wasted")
    columns = tuple(Column(text(f"planner.slices.{head}"), head != "kind") for head in heads)
    cells = tuple(
        (
            text(f"planner.slices.{kind}"),
            text("planner.slices.too-many", n=asked) if asked > there else str(asked),
            *map(str, (there, used, wasted)),
        )
        for kind, asked, there, used, wasted in rows
    )
    table = table_html(Table(text("planner.slices.caption"), columns, cells))
    modelled = isinstance(trial.reason, OtherWay) or any(
        instance is not None and start is None
        for instance, start in zip(trial.in_order.placements, trial.starts, strict=True)
    )
    notes = start_notes(trial.model, layout.instances, modelled=modelled, messages=words.messages)
    return html("{}{}", table, join(html('<p class="gl-note">{}</p>', escape(note)) for note in notes))


# Both tools


def _order(trial: Trial, words: PlanWords) -> Html:
    if not trial.names:
        return EMPTY
    created = sum(instance is not None for instance in trial.in_order.placements)
    smi = words.html("tool.smi", created=created, wanted=len(trial.names))
    parts = [
        html('<p class="gl-head">{}</p>', words.html("tool.head")),
        html('<dl class="gl-tools"><dt lang="en">nvidia-smi</dt><dd>{}</dd>', smi),
        html('<dt lang="en">mig-parted</dt><dd>{}</dd></dl>', _parted(trial, words)),
    ]
    if trial.orders is not None and trial.orders.tried > 1 and not trial.asks_for_starts:
        working, tried = trial.orders.working, trial.orders.tried
        key = "orders.none" if not working else "orders.all" if working == tried else "orders.some"
        sentence = words.messages.pick(f"planner.{key}", {"working": working, "tried": tried})
        parts.append(html('<p class="gl-note">{}</p>', escape(sentence)))
    if trial.other_way:
        layout = trial.any_order.layout
        numbers = {instance: [number] for number, instance in enumerate(layout.instances, 1)}
        scene = layout_scene(layout, numbers, words.messages)
        needs_starts = trial.any_order.needs_starts
        parts += [
            svg(scene, f"{words.element}-other", "gl-layout"),
            button(
                words,
                "take",
                {"take": True},
                words.html("tool.take-starts" if needs_starts else "tool.take"),
                data_replaces=True,
            ),
        ]
    return join(parts, "\n")


def _parted(trial: Trial, words: PlanWords) -> Html:
    if not trial.any_order.placeable:
        why = "" if trial.never is None else reason_text(trial.never, trial.model, words.messages)
        gap = escape(words.messages.text("list.sentences"))
        return html("{}{}{}", words.html("tool.parted-fails"), gap, escape(why))
    if trial.any_order.needs_starts:
        return words.html("tool.parted-starts")
    return words.html("tool.parted", instances=listed(trial.any_order.layout.instances))


# Texts to take along


def _outputs(trial: Trial, offers: Mapping[str, Advertisement], words: PlanWords) -> Html:
    if not trial.names or not (trial.works or trial.other_way):
        key = "output.none" if trial.names else "output.empty"
        return html('<p class="gl-note">{}</p>', words.html(key))
    instances = trial.other_way or trial.in_order.layout.instances
    starts: Sequence[int | None] = trial.starts
    if trial.other_way:
        starts = [instance.start if trial.any_order.needs_starts else None for instance in instances]
    config = mig_parted_text(instances)
    names = [instance.profile.name for instance in instances]
    ids = {kind: f"{words.element}-{kind}" for kind in ("config", "smi", "mixed", "single")}
    parts = []
    if trial.other_way:
        parts.append(html('<p class="gl-note">{}</p>', words.html("output.working")))
    saving = attributes(
        data_action="download",
        data_file=FILE,
        data_from=ids["config"],
        data_head="# " + words.messages.text("check-lab.file-head", command=f"gpulab check {FILE}"),
    )
    download = html('<button type="button"{}>{}</button>', saving, words.html("output.download"))
    parts.append(_output("config", config, ids["config"], words, download, _parted_note(trial, words)))
    profiles = [instance.profile for instance in instances]
    smi = nvidia_smi_text(zip(profiles, starts, strict=True))
    parts.append(_output("smi", smi, ids["smi"], words))
    parts.append(
        _output("mixed", mixed_pods_text(names), ids["mixed"], words, note=_offer(offers["mixed"], words))
    )
    single = offers["single"]
    if single.error is None:
        parts.append(_output("single", single_pods_text(), ids["single"], words, note=_offer(single, words)))
    else:
        parts.append(
            html(
                '<div class="gl-output"><p class="gl-head">{}</p>'
                '<p class="gl-note">{}</p>'
                '<pre class="gl-said" lang="en">{}</pre></div>',
                words.html("output.single"),
                words.html("output.single-fails"),
                escape(single.error),
            )
        )
    return join(parts, "\n")


def _output(
    kind: str, text: str, code_id: str, words: PlanWords, more: Html = EMPTY, note: Html = EMPTY
) -> Html:
    label = words.html(f"output.{kind}")
    copy = html(
        '<button type="button"{}>{}<span class="gl-unseen"> {}</span></button>',
        attributes(data_action="copy", data_from=code_id),
        escape(words.messages.text("lab.copy")),
        label,
    )
    return html(
        '<div class="gl-output"><p class="gl-head">{}</p>{}'
        '<pre class="gl-text" lang="en"><code{}>{}</code></pre>{}{}</div>',
        label,
        note,
        attributes(id=code_id),
        escape(text),
        copy,
        more,
    )


def _parted_note(trial: Trial, words: PlanWords) -> Html:
    """What mig-parted does otherwise than the commands of nvidia-smi."""
    if trial.any_order.needs_starts:
        return html('<p class="gl-note">{}</p>', words.html("tool.parted-starts"))
    if trial.asks_for_starts:
        return html('<p class="gl-note">{}</p>', words.html("output.no-starts"))
    return EMPTY


def _offer(offer: Advertisement, words: PlanWords) -> Html:
    resources = words.messages.text("list.comma").join(
        f"{name}: {count}" for name, count in offer.resources.items()
    )
    return html('<p class="gl-note">{}</p>', words.html("output.offers", resources=resources))


def _profile(trial: Trial, name: str) -> MigProfile:
    profile = trial.model.mig_profile(name)
    assert profile is not None  # steps are profiles of their card
    return profile
