"""A rollout lab as HTML: complete before any script runs, and the frame into which the browser's part puts new answers.

The data attributes are the contract with `labs/web/elements/gpu-rollout.js`: regions to swap, changes, actions, and the few
words that the script itself must say.
"""

from __future__ import annotations

import json
import re

from labs.report.fleet import RolloutWords
from labs.report.writing import Messages, attributes, escape
from labs.teaching.lab import SHARED_WORDS, script_words
from labs.teaching.rollout_lab.lab import RolloutLab
from labs.teaching.rollout_lab.regions import Shown, rollout_regions
from labs.teaching.rollout_lab.results import RolloutRun

OWN_WORDS = ("crashed", "stopped")  # messages `rollout-lab.script.<word>`
PLAYER_WORDS = ("play", "pause")
_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
ROWS_MOST = 40


def rollout_html(lab: RolloutLab, run: RolloutRun, messages: Messages, *, has_stops: bool = False) -> str:
    """The whole lab as a reader first sees it: the end of its rollout.

    `has_stops`: the site publishes the answers to what a reader may do first (`labs.teaching.rollout_lab.stops`).
    """
    element = f"lab-{lab.id}"
    words = RolloutWords(messages, element)
    course = run.course
    shown = None if course is None else Shown(run, course, course.moments[-1])
    regions = rollout_regions(lab, lab.scenario, run, shown, words)
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
        f'<gpu-rollout{head}><figure class="gl-lab gl-rollout"{named}>',
        _own("figcaption", f"{own}.title", "gl-title", messages, id=name_id),
        _own("p", f"{own}.try", "gl-try", messages),
        '<p class="gl-status" data-region="opened" role="status"></p>',
        '<form class="gl-form">',
        _presets(lab, words),
        f'<div data-region="form">{regions["form"]}</div>',
        "</form>",
        '<p class="gl-status" data-region="status"></p>',
        '<p class="gl-stale" data-region="stale"></p>',
        f'<div class="gl-picture" data-region="picture">{regions["picture"]}</div>',
        _player(run, words),
        f'<div class="gl-sentence" data-region="sentence" role="status">{regions["sentence"]}</div>',
        f'<div class="gl-course gl-picture" data-region="course">{regions["course"]}</div>',
        '<div class="gl-rollout-sides">',
        _section("acts", "acts", regions, words),
        _section("deeds", "done", regions, words),
        "</div>",
        f'<details class="gl-more" open><summary>{words.html("fleet.kubectl")}</summary>'
        f'<div data-region="kubectl">{regions["kubectl"]}</div></details>',
        _own("p", f"{own}.caption", "gl-caption", messages),
        f'<p class="gl-caption">{words.html("rollout-lab.order")}</p>',
        _taking(lab, messages),
        _yaml(lab, regions, words),
        "</figure></gpu-rollout>",
    ]
    return "\n".join(part for part in parts if part)


def _own(tag: str, key: str, css: str, messages: Messages, **more: str) -> str:
    if not messages.has(key):
        return ""
    return f"<{tag}{attributes(class_=css, **more)}>{escape(messages.text(key))}</{tag}>"


def _section(region: str, heading: str, regions: dict[str, str], words: RolloutWords) -> str:
    head = f'<p class="gl-part">{words.html(f"rollout-lab.{heading}")}</p>'
    return f'<div class="gl-rollout-{region}">{head}<div data-region="{region}">{regions[region]}</div></div>'


def _presets(lab: RolloutLab, words: RolloutWords) -> str:
    buttons = [
        f"<button{_presses(f'{words.element}-preset-{preset.id}', {'preset': preset.id})}>"
        f"{words.html(f'rollout-lab.{lab.id}.preset.{preset.id}')}</button>"
        for preset in lab.presets
    ]
    reset = _presses(f"{words.element}-reset", {"reset": True}, class_="gl-reset")
    return (
        f'<div class="gl-presets" role="group" aria-label="{words.html("lab.presets")}">{"".join(buttons)}'
        f"<button{reset}>{words.html('lab.reset')}</button></div>"
    )


def _presses(button_id: str, change: dict[str, object], **more: str) -> str:
    change_text = json.dumps(change, separators=(",", ":"))
    return attributes(type="button", id=button_id, data_change=change_text, data_replaces=True, **more)


def _player(run: RolloutRun, words: RolloutWords) -> str:
    """Play, step, scrub: seconds of the rollout, up to its last change."""
    last = run.last_s
    moment = words.messages.duration(run.moments[-1]) if run.moments else ""
    field_id = f"{words.element}-time"
    slider = attributes(id=field_id, min="0", max=str(last), step="1", value=str(last), aria_valuetext=moment)
    back = attributes(type="button", id=f"{words.element}-back", data_change='{"step":-1}')
    on = attributes(type="button", id=f"{words.element}-on", data_change='{"step":1}')
    play = attributes(type="button", id=f"{words.element}-play", data_action="play")
    return (
        f'<div class="gl-player" role="group" aria-label="{words.html("rollout-lab.course")}">'
        f"<button{play}>{words.html('rollout-lab.play')}</button>"
        f"<button{back}>{words.html('rollout-lab.back')}</button>"
        f"<button{on}>{words.html('rollout-lab.on')}</button>"
        f'<span class="gl-time" data-region="time"><label{attributes(for_=field_id)}>{words.html("rollout-lab.time")}</label>'
        f'<input type="range" data-time{slider}>'
        f'<output{attributes(for_=field_id)} data-output="time">{escape(moment)}</output></span></div>'
    )


def _taking(lab: RolloutLab, messages: Messages) -> str:
    """What a reader takes along: a link, the scenario as a file, and the command that runs it."""
    file = f"{lab.id}.yaml" if _FILE_NAME.fullmatch(lab.id) else "rollout.yaml"
    command = f"gpulab rollout {file}"
    saving = attributes(
        type="button",
        data_action="download",
        data_file=file,
        data_head=f"# {messages.text('lab.file-head', command=command)}",
    )
    return "\n".join(
        [
            f'<div class="gl-taking" role="group" aria-label="{escape(messages.text("lab.actions"))}">',
            f'<button type="button" data-action="share">{escape(messages.text("lab.share"))}</button>',
            f"<button{saving}>{escape(messages.text('lab.download'))}</button>",
            f'<span class="gl-command">{escape(messages.text("lab.command"))} <code lang="en">{escape(command)}</code> '
            f'<button type="button" data-action="copy">{escape(messages.text("lab.copy"))}</button></span>',
            "</div>",
            '<p class="gl-status" data-region="taken" role="status"></p>',
        ]
    )


def _yaml(lab: RolloutLab, regions: dict[str, str], words: RolloutWords) -> str:
    text_id = f"{words.element}-yaml"
    area = attributes(
        id=text_id,
        rows=str(min(ROWS_MOST, lab.scenario.count("\n") + 3)),
        spellcheck="false",
        autocapitalize="off",
        autocomplete="off",
    )
    return "\n".join(
        [
            f'<details class="gl-more"><summary>{words.html("rollout-lab.more")}</summary>',
            f'<div class="gl-yaml"><label{attributes(for_=text_id)}>{words.html("lab.yaml")}</label>',
            f"<textarea data-yaml{area}>\n{escape(lab.scenario)}</textarea></div>",
            f'<p class="gl-hash" data-region="hash">{regions["hash"]}</p>',
            "</details>",
        ]
    )
