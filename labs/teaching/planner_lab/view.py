"""A planner lab as HTML: complete before any script runs, and the frame into which the browser's part puts new answers.

The data attributes are the contract with `labs/web/elements/gpu-planner.js`: regions to swap, changes, actions, and the few
words that the script itself must say.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from labs.cluster.advertise import Advertisement
from labs.hardware.catalog import Catalog, GpuModel
from labs.hardware.planning import Trial
from labs.report.plan import PlanWords, button, plan_regions
from labs.report.writing import Messages, attributes, escape
from labs.teaching.lab import SHARED_WORDS, script_words
from labs.teaching.planner_lab.cut import PRESETS, Cut, missing_figure, plannable, preset

LAB_ID = "mig-planner"
OWN_WORDS = ("crashed", "stopped")  # messages `planner-script.<word>`


def planner_html(
    cut: Cut, trial: Trial, offers: Mapping[str, Advertisement], catalog: Catalog, messages: Messages
) -> str:
    """The whole lab as a reader first sees it."""
    text = messages.text
    words = PlanWords(messages, LAB_ID)
    regions = plan_regions(trial, offers, words)
    said = script_words(
        {
            **{word: f"script.{word}" for word in SHARED_WORDS},
            **{word: f"planner-script.{word}" for word in OWN_WORDS},
        },
        messages,
    )
    head = attributes(id=LAB_ID, lab=LAB_ID, lang=messages.language, data_cut=cut.text, **said)
    name_id = f"{LAB_ID}-name"

    def section(name: str, heading: str = "") -> str:
        head = f'<p class="gl-head">{words.html(heading)}</p>' if heading else ""
        return f'<div>{head}<div data-region="{name}">{regions[name]}</div></div>'

    parts = [
        f'<gpu-planner{head}><figure class="gl-lab gl-planner"{attributes(aria_labelledby=name_id)}>',
        f'<figcaption class="gl-title"{attributes(id=name_id)}>{words.html("title")}</figcaption>',
        f'<p class="gl-try">{words.html("try")}</p>',
        '<p class="gl-status" data-region="opened" role="status"></p>',
        _form(cut, catalog, words),
        '<p class="gl-status" data-region="status"></p>',
        f'<div class="gl-sentence" data-region="summary" role="status">{regions["summary"]}</div>',
        '<div class="gl-plan">',
        f'<div class="gl-plan-picture">{section("picture")}</div>',
        f'<div class="gl-plan-list">{section("steps", "steps")}{section("palette", "palette")}</div>',
        f'<div class="gl-plan-more">{section("slices")}{section("order")}</div>',
        "</div>",
        f'<p class="gl-head">{words.html("output.head")}</p>',
        f'<div class="gl-outputs" data-region="outputs">{regions["outputs"]}</div>',
        f'<div class="gl-taking" role="group" aria-label="{escape(text("lab.actions"))}">',
        f'<button type="button" data-action="share">{escape(text("lab.share"))}</button>',
        f'<span class="gl-command">{escape(text("lab.command"))} <code lang="en" data-region="command">'
        f"{regions['command']}</code> "
        f'<button type="button" data-action="copy">{escape(text("lab.copy"))}</button></span>',
        "</div>",
        '<p class="gl-status" data-region="taken" role="status"></p>',
        "</figure></gpu-planner>",
    ]
    return "\n".join(parts)


def presets_html(model: GpuModel, words: PlanWords) -> str:
    """Lists to try, as far as the card has their profiles, and an empty one."""
    names = [name for name in PRESETS if preset(model, name) is not None]
    buttons = [
        button(words, f"preset-{name}", {"preset": name}, words.html(f"preset.{name}"), data_replaces=True)
        for name in names
    ]
    clear = button(words, "clear", {"clear": True}, words.html("clear"), data_replaces=True)
    return "".join([*buttons, clear])


def _form(cut: Cut, catalog: Catalog, words: PlanWords) -> str:
    messages = words.messages
    field_id = f"{LAB_ID}-card"
    options = "".join(
        f"<option{attributes(value=model.id, selected=model.id == cut.model.id)}>{escape(_name(model))}</option>"
        for model in catalog.models
        if plannable(model)
    )
    select = attributes(id=field_id, data_field="card", data_change='{"card":true}', autocomplete="off")
    reset = attributes(
        type="button",
        class_="gl-reset",
        data_change=json.dumps({"cut": cut.text}),
        data_replaces=True,
        data_resets=True,
    )
    return "\n".join(
        [
            '<form class="gl-form">',
            f'<div class="gl-presets" role="group" aria-label="{escape(messages.text("lab.presets"))}">',
            f'<span class="gl-preset-list" data-region="presets">{presets_html(cut.model, words)}</span>',
            f"<button{reset}>{escape(messages.text('lab.reset'))}</button></div>",
            f'<div class="gl-controls"><div class="gl-field gl-choice"><label{attributes(for_=field_id)}>{words.html("card")}'
            f'</label><span class="gl-input"><select{select}>{options}</select>'
            f"<output{attributes(for_=field_id)}>{escape(_name(cut.model))}</output></span></div></div>",
            f'<p class="gl-note">{_left_out(catalog, words)}</p>',
            "</form>",
        ]
    )


def _left_out(catalog: Catalog, words: PlanWords) -> str:
    """Which cards with MIG can't be chosen, and for want of which figure."""
    messages = words.messages
    missing = [
        (model, figure)
        for model in catalog.models
        if model.supports_mig and (figure := missing_figure(model)) is not None
    ]
    if not missing:
        return ""
    cards = [
        messages.text(
            "planner.left-out-card", gpu=_name(model), figure=messages.text(f"cli.mig.figure.{figure}")
        )
        for model, figure in missing
    ]
    return words.html("left-out", cards=messages.text("list.comma").join(cards))


def _name(model: GpuModel) -> str:
    return model.name.removeprefix("NVIDIA ")
