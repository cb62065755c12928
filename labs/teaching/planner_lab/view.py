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
from labs.report.writing import EMPTY, Html, Messages, attributes, escape, html, join
from labs.teaching.lab import SHARED_WORDS, script_words
from labs.teaching.planner_lab.cut import PRESETS, Cut, missing_figure, plannable, preset

LAB_ID = "mig-planner"
OWN_WORDS = ("crashed", "stopped")  # messages `planner-script.<word>`


def planner_html(
    cut: Cut, trial: Trial, offers: Mapping[str, Advertisement], catalog: Catalog, messages: Messages
) -> Html:
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

    def section(name: str, heading: str = "") -> Html:
        head = html('<p class="gl-head">{}</p>', words.html(heading)) if heading else EMPTY
        return html("<div>{}<div{}>{}</div></div>", head, attributes(data_region=name), regions[name])

    parts = [
        html(
            '<gpu-planner{}><figure class="gl-lab gl-planner"{}>', head, attributes(aria_labelledby=name_id)
        ),
        html('<figcaption class="gl-title"{}>{}</figcaption>', attributes(id=name_id), words.html("title")),
        html('<p class="gl-try">{}</p>', words.html("try")),
        html('<p class="gl-status" data-region="opened" role="status"></p>'),
        _form(cut, catalog, words),
        html('<p class="gl-status" data-region="status"></p>'),
        html('<div class="gl-sentence" data-region="summary" role="status">{}</div>', regions["summary"]),
        html('<div class="gl-plan">'),
        html('<div class="gl-plan-picture">{}</div>', section("picture")),
        html(
            '<div class="gl-plan-list">{}{}</div>', section("steps", "steps"), section("palette", "palette")
        ),
        html('<div class="gl-plan-more">{}{}</div>', section("slices"), section("order")),
        html("</div>"),
        html('<p class="gl-head">{}</p>', words.html("output.head")),
        html('<div class="gl-outputs" data-region="outputs">{}</div>', regions["outputs"]),
        html('<div class="gl-taking" role="group" aria-label="{}">', escape(text("lab.actions"))),
        html('<button type="button" data-action="share">{}</button>', escape(text("lab.share"))),
        html(
            '<span class="gl-command">{} <code lang="en" data-region="command">'
            "{}</code> "
            '<button type="button" data-action="copy">{}</button></span>',
            escape(text("lab.command")),
            regions["command"],
            escape(text("lab.copy")),
        ),
        html("</div>"),
        html('<p class="gl-status" data-region="taken" role="status"></p>'),
        html("</figure></gpu-planner>"),
    ]
    return join(parts, "\n")


def presets_html(model: GpuModel, words: PlanWords) -> Html:
    """Lists to try, as far as the card has their profiles, and an empty one."""
    names = [name for name in PRESETS if preset(model, name) is not None]
    buttons = [
        button(words, f"preset-{name}", {"preset": name}, words.html(f"preset.{name}"), data_replaces=True)
        for name in names
    ]
    clear = button(words, "clear", {"clear": True}, words.html("clear"), data_replaces=True)
    return join([*buttons, clear])


def _form(cut: Cut, catalog: Catalog, words: PlanWords) -> Html:
    messages = words.messages
    field_id = f"{LAB_ID}-card"
    options = join(
        html(
            "<option{}>{}</option>",
            attributes(value=model.id, selected=model.id == cut.model.id),
            escape(_name(model)),
        )
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
    return join(
        [
            html('<form class="gl-form">'),
            html(
                '<div class="gl-presets" role="group" aria-label="{}">', escape(messages.text("lab.presets"))
            ),
            html(
                '<span class="gl-preset-list" data-region="presets">{}</span>', presets_html(cut.model, words)
            ),
            html("<button{}>{}</button></div>", reset, escape(messages.text("lab.reset"))),
            html(
                '<div class="gl-controls"><div class="gl-field gl-choice"><label{}>{}'
                '</label><span class="gl-input"><select{}>{}</select>'
                "<output{}>{}</output></span></div></div>",
                attributes(for_=field_id),
                words.html("card"),
                select,
                options,
                attributes(for_=field_id),
                escape(_name(cut.model)),
            ),
            html('<p class="gl-note">{}</p>', _left_out(catalog, words)),
            html("</form>"),
        ],
        "\n",
    )


def _left_out(catalog: Catalog, words: PlanWords) -> Html:
    """Which cards with MIG can't be chosen, and for want of which figure."""
    messages = words.messages
    missing = [
        (model, figure)
        for model in catalog.models
        if model.supports_mig and (figure := missing_figure(model)) is not None
    ]
    if not missing:
        return EMPTY
    cards = [
        messages.text(
            "planner.left-out-card", gpu=_name(model), figure=messages.text(f"cli.mig.figure.{figure}")
        )
        for model, figure in missing
    ]
    return words.html("left-out", cards=messages.text("list.comma").join(cards))


def _name(model: GpuModel) -> str:
    return model.name.removeprefix("NVIDIA ")
