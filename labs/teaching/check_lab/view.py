"""A check lab as HTML: complete before any script runs, and the frame into which the browser's part puts new answers.

The data attributes are the contract with `labs/web/elements/gpu-check.js`: regions to swap, fields, actions, places, fixes,
and the few words that the script itself must say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from labs.cluster.sample_nodes import SAMPLE_NODES
from labs.config.plugin import Deployer
from labs.report.cards import node_words
from labs.report.findings import html
from labs.report.writing import Messages, attributes, escape
from labs.teaching.check_lab.checking import PATH, TEXT_LIMIT, Checkup, Situation
from labs.teaching.check_lab.finding_link import lab_fragment
from labs.teaching.check_lab.link import PREFIX
from labs.teaching.check_lab.sample import CheckSample
from labs.teaching.lab import SHARED_WORDS, options_html, script_words

OWN_WORDS = ("crashed", "stopped")  # messages `check-script.<word>`


def check_html(
    sample: CheckSample,
    checkup: Checkup,
    messages: Messages,
    rules: Messages,
    *,
    rule_page: str,
    choices: Sequence[CheckSample] = (),
) -> str:
    """The whole lab: the sample, checked, and the choice of others where there are `choices`."""
    lab_id = f"{PREFIX}{sample.id}"
    words = html.CheckWords(messages, rules, f"{lab_id}-text", rule_page, lab_fragment)
    node = node_words(SAMPLE_NODES[sample.node], messages)
    regions = html.check_regions(
        html.CheckedText(checkup.source, checkup.findings, checkup.offers, node), words
    )
    said = script_words(
        {
            **{word: f"script.{word}" for word in SHARED_WORDS},
            **{word: f"check-script.{word}" for word in OWN_WORDS},
        },
        messages,
    )
    head = attributes(
        id=lab_id,
        lab=lab_id,
        lang=messages.language,
        data_rules=rule_page,
        data_longest=str(TEXT_LIMIT),
        **said,
    )
    name_id = f"{lab_id}-name"
    title = messages.text("check-lab.title") if choices else messages.text(f"check-sample.{sample.id}.name")
    lead = f'<p class="gl-try">{escape(messages.text("check-lab.try"))}</p>' if choices else ""
    parts = [
        f'<gpu-check{head}><figure class="gl-lab gl-check"{attributes(aria_labelledby=name_id)}>',
        f'<figcaption class="gl-title"{attributes(id=name_id)}>{escape(title)}</figcaption>',
        lead,
        '<p class="gl-status" data-region="opened" role="status"></p>',
        _form(sample, choices, messages, lab_id),
        f'<p class="gl-story" data-region="story">{story(sample, messages)}</p>',
        '<div class="gl-check-main">',
        _text(sample, messages, lab_id),
        '<div class="gl-check-answer">',
        '<p class="gl-status" data-region="status"></p>',
        f'<div class="gl-sentence" data-region="summary" role="status">{regions["summary"]}</div>',
        f'<div data-region="findings">{regions["findings"]}</div>',
        "</div></div>",
        '<div class="gl-check-rest">',
        f'<div data-region="verdict">{regions["verdict"]}</div>',
        f'<div data-region="offer">{regions["offer"]}</div>',
        "</div>",
        _taking(sample, messages),
        "</figure></gpu-check>",
    ]
    return "\n".join(part for part in parts if part)


def story(sample: CheckSample, messages: Messages) -> str:
    """What somebody sees in life who applies the sample."""
    return escape(messages.text(f"check-sample.{sample.id}.story"))


def check_command(situation: Situation) -> str:
    """The command that says the same in a terminal, of the file that the page saves."""
    deployer = "" if situation.deployer is None else f" --deployer {situation.deployer}"
    return escape(f"gpulab check {PATH} --node {situation.node}{deployer}")


def _form(sample: CheckSample, choices: Sequence[CheckSample], messages: Messages, lab_id: str) -> str:
    text = messages.text
    nodes = [(name, node_words(gpus, messages)) for name, gpus in SAMPLE_NODES.items()]
    deployers = [
        (name, text(f"check-lab.deployers.{name or 'unsaid'}")) for name in ("", *map(str, Deployer))
    ]
    fields = [
        _field("node", nodes, sample.node, messages, lab_id),
        _field("deployer", deployers, str(sample.deployer or ""), messages, lab_id),
    ]
    if choices:
        names = [(choice.id, text(f"check-sample.{choice.id}.name")) for choice in choices]
        fields.insert(0, _field("sample", names, sample.id, messages, lab_id))
    reset = f'<button type="button" data-action="reset" class="gl-reset">{escape(text("lab.reset"))}</button>'
    return "\n".join(
        [
            '<form class="gl-form" data-region="form">',
            f'<fieldset class="gl-controls"><legend class="gl-unseen">{escape(text("lab.controls"))}</legend>',
            *fields,
            f'<div class="gl-field gl-resetting">{reset}</div>',
            "</fieldset></form>",
        ]
    )


def _field(
    name: str, options: Iterable[tuple[str, str]], chosen: str, messages: Messages, lab_id: str
) -> str:
    field_id = f"{lab_id}-{name}"
    choices = list(options)
    label = escape(messages.text(f"check-lab.{name}"))
    output = escape(dict(choices)[chosen])
    return (
        f'<div class="gl-field gl-choice"><label{attributes(for_=field_id)}>{label}</label><span class="gl-input">'
        f"<select{attributes(id=field_id, data_field=name, autocomplete='off')}>{options_html(choices, chosen)}</select>"
        f"<output{attributes(for_=field_id)}>{output}</output></span></div>"
    )


def _text(sample: CheckSample, messages: Messages, lab_id: str) -> str:
    text_id = f"{lab_id}-text"
    rows = min(30, max(8, sample.text.count("\n") + 1))
    area = attributes(
        id=text_id,
        rows=str(rows),
        readonly=True,  # until there is a script that reads it
        spellcheck="false",
        autocapitalize="off",
        autocomplete="off",
    )
    label = escape(messages.text("check-lab.text"))
    return (
        f'<div class="gl-yaml"><label{attributes(for_=text_id, id=f"{text_id}-label")}>{label}</label>'
        f'<div class="gl-editor" data-editor hidden></div>'
        f"<textarea data-yaml{area}>\n{escape(sample.text)}</textarea></div>"
    )


def _taking(sample: CheckSample, messages: Messages) -> str:
    """What a reader takes along: a link, the text as a file, and the command that checks it."""
    text = messages.text
    command = check_command(Situation(sample.text, sample.node, sample.deployer))
    head = text("check-lab.file-head", command="{command}")
    saving = attributes(data_action="download", data_file=PATH, data_head=f"# {head}")
    return "\n".join(
        [
            f'<div class="gl-taking" role="group" aria-label="{escape(text("lab.actions"))}">',
            f'<button type="button" data-action="share">{escape(text("lab.share"))}</button>',
            f'<button type="button"{saving}>{escape(text("lab.download"))}</button>',
            f'<span class="gl-command">{escape(text("lab.command"))} <code lang="en" data-region="command">{command}</code> '
            f'<button type="button" data-action="copy">{escape(text("lab.copy"))}</button></span>',
            "</div>",
            '<p class="gl-status" data-region="taken" role="status"></p>',
        ]
    )
