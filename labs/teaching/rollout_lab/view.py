"""A rollout lab as HTML: complete before any script runs, and the frame into which the browser's part puts new answers.

The data attributes are the contract with `labs/web/elements/gpu-rollout.js`: regions to swap, changes, actions, and the few
words that the script itself must say.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from labs.report.fleet import RolloutWords
from labs.report.writing import EMPTY, Html, Messages, attributes, escape, html, join
from labs.teaching.lab import SHARED_WORDS, script_words, taking
from labs.teaching.rollout_lab.lab import RolloutLab
from labs.teaching.rollout_lab.regions import MomentView, rollout_regions
from labs.teaching.rollout_lab.results import RolloutRun

OWN_WORDS = ("crashed", "stopped")  # messages `rollout-lab.script.<word>`
PLAYER_WORDS = ("play", "pause")
_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
ROWS_MOST = 40


def rollout_html(lab: RolloutLab, run: RolloutRun, messages: Messages, *, has_stops: bool = False) -> Html:
    """The whole lab as a reader first sees it: the end of its rollout.

    `has_stops`: the site publishes the answers to what a reader may do first (`labs.teaching.rollout_lab.stops`).
    """
    element = f"lab-{lab.id}"
    words = RolloutWords(messages, element)
    course = run.course
    view = None if course is None else MomentView(run, course, course.moments[-1])
    regions = rollout_regions(lab, lab.scenario, run, view, words)
    said = script_words(
        {
            **{word: f"script.{word}" for word in SHARED_WORDS},
            **{word: f"rollout-lab.script.{word}" for word in OWN_WORDS},
            **{word: f"rollout-lab.{word}" for word in PLAYER_WORDS},
        },
        messages,
    )
    stops = f"{lab.id}.{messages.language}.bin" if has_stops else None
    head = attributes(id=element, lab=lab.id, lang=messages.language, data_stops=stops, **said)
    name_id = f"{element}-name"
    own = f"rollout-lab.{lab.id}"
    named = attributes(aria_labelledby=name_id if messages.has(f"{own}.title") else None)
    parts = [
        html('<gpu-rollout{}><figure class="gl-lab gl-rollout"{}>', head, named),
        _own("figcaption", f"{own}.title", "gl-title", messages, id=name_id),
        _own("p", f"{own}.try", "gl-try", messages),
        html('<p class="gl-status" data-region="opened" role="status"></p>'),
        html('<form class="gl-form">'),
        _presets(lab, words),
        html('<div data-region="form">{}</div>', regions["form"]),
        html("</form>"),
        html('<p class="gl-status" data-region="status"></p>'),
        html('<p class="gl-stale" data-region="stale"></p>'),
        html('<div class="gl-picture" data-region="picture">{}</div>', regions["picture"]),
        _player(run, words),
        html('<div class="gl-sentence" data-region="sentence" role="status">{}</div>', regions["sentence"]),
        html('<div class="gl-course gl-picture" data-region="course">{}</div>', regions["course"]),
        html('<div class="gl-rollout-sides">'),
        _section("acts", "acts", regions, words),
        _section("deeds", "done", regions, words),
        html("</div>"),
        html(
            '<details class="gl-more" open><summary>{}</summary>'
            '<div data-region="kubectl">{}</div></details>',
            words.html("fleet.kubectl"),
            regions["kubectl"],
        ),
        _own("p", f"{own}.caption", "gl-caption", messages),
        html('<p class="gl-caption">{}</p>', words.html("rollout-lab.order")),
        _taking(lab, messages),
        _yaml(lab, regions, words),
        html("</figure></gpu-rollout>"),
    ]
    return join((part for part in parts if part), "\n")


def _own(tag: str, key: str, css: str, messages: Messages, **more: str) -> Html:
    if not messages.has(key):
        return EMPTY
    name, about = escape(tag), attributes(class_=css, **more)
    return html("<{}{}>{}</{}>", name, about, escape(messages.text(key)), name)


def _section(region: str, heading: str, regions: Mapping[str, Html], words: RolloutWords) -> Html:
    head = html('<p class="gl-part">{}</p>', words.html(f"rollout-lab.{heading}"))
    return html(
        "<div{}>{}<div{}>{}</div></div>",
        attributes(class_=f"gl-rollout-{region}"),
        head,
        attributes(data_region=region),
        regions[region],
    )


def _presets(lab: RolloutLab, words: RolloutWords) -> Html:
    buttons = [
        html(
            "<button{}>{}</button>",
            _presses(f"{words.element}-preset-{preset.id}", {"preset": preset.id}),
            words.html(f"rollout-lab.{lab.id}.preset.{preset.id}"),
        )
        for preset in lab.presets
    ]
    reset = _presses(f"{words.element}-reset", {"reset": True}, class_="gl-reset")
    return html(
        '<div class="gl-presets" role="group" aria-label="{}">{}<button{}>{}</button></div>',
        words.html("lab.presets"),
        join(buttons),
        reset,
        words.html("lab.reset"),
    )


def _presses(button_id: str, change: dict[str, object], **more: str) -> Html:
    change_text = json.dumps(change, separators=(",", ":"))
    return attributes(type="button", id=button_id, data_change=change_text, data_replaces=True, **more)


def _player(run: RolloutRun, words: RolloutWords) -> Html:
    """Play, step, scrub: seconds of the rollout, up to its last change."""
    last = run.last_s
    moment = words.messages.duration(run.moments[-1]) if run.moments else ""
    field_id = f"{words.element}-time"
    slider = attributes(id=field_id, min="0", max=str(last), step="1", value=str(last), aria_valuetext=moment)
    back = attributes(type="button", id=f"{words.element}-back", data_change='{"step":-1}')
    on = attributes(type="button", id=f"{words.element}-on", data_change='{"step":1}')
    play = attributes(type="button", id=f"{words.element}-play", data_action="play")
    return html(
        '<div class="gl-player" role="group" aria-label="{}">'
        "<button{}>{}</button>"
        "<button{}>{}</button>"
        "<button{}>{}</button>"
        '<span class="gl-time" data-region="time"><label{}>{}</label>'
        '<input type="range" data-time{}>'
        '<output{} data-output="time">{}</output></span></div>',
        words.html("rollout-lab.course"),
        play,
        words.html("rollout-lab.play"),
        back,
        words.html("rollout-lab.back"),
        on,
        words.html("rollout-lab.on"),
        attributes(for_=field_id),
        words.html("rollout-lab.time"),
        slider,
        attributes(for_=field_id),
        escape(moment),
    )


def _taking(lab: RolloutLab, messages: Messages) -> Html:
    """What a reader takes along: a link, the scenario as a file, and the command that runs it."""
    file = f"{lab.id}.yaml" if _FILE_NAME.fullmatch(lab.id) else "rollout.yaml"
    command = f"gpulab rollout {file}"
    return taking(file, command, messages)


def _yaml(lab: RolloutLab, regions: Mapping[str, Html], words: RolloutWords) -> Html:
    text_id = f"{words.element}-yaml"
    area = attributes(
        id=text_id,
        rows=str(min(ROWS_MOST, lab.scenario.count("\n") + 3)),
        spellcheck="false",
        autocapitalize="off",
        autocomplete="off",
    )
    return join(
        [
            html('<details class="gl-more"><summary>{}</summary>', words.html("rollout-lab.more")),
            html(
                '<div class="gl-yaml"><label{}>{}</label>', attributes(for_=text_id), words.html("lab.yaml")
            ),
            html("<textarea data-yaml{}>\n{}</textarea></div>", area, escape(lab.scenario)),
            html('<p class="gl-hash" data-region="hash">{}</p>', regions["hash"]),
            html("</details>"),
        ],
        "\n",
    )
