"""A check lab as HTML: complete before any script runs, and the frame into which the browser's part puts new answers.

The data attributes are the contract with `labs/web/elements/gpu-check.js`: regions to swap, fields, actions, places, fixes,
and the few words that the script itself must say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from labs.cluster.sample_nodes import SAMPLE_NODES
from labs.config.plugin import Deployer
from labs.report.cards import node_words
from labs.report.findings import html as findings_page
from labs.report.writing import EMPTY, Html, Messages, attributes, escape, html, join
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
) -> Html:
    """The whole lab: the sample, checked, and the choice of others where there are `choices`."""
    lab_id = f"{PREFIX}{sample.id}"
    words = findings_page.CheckWords(messages, rules, f"{lab_id}-text", rule_page, lab_fragment)
    node = node_words(SAMPLE_NODES[sample.node], messages)
    regions = findings_page.check_regions(
        findings_page.CheckedText(checkup.source, checkup.findings, checkup.offers, node), words
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
    lead = html('<p class="gl-try">{}</p>', escape(messages.text("check-lab.try"))) if choices else EMPTY
    parts = [
        html('<gpu-check{}><figure class="gl-lab gl-check"{}>', head, attributes(aria_labelledby=name_id)),
        html('<figcaption class="gl-title"{}>{}</figcaption>', attributes(id=name_id), escape(title)),
        lead,
        html('<p class="gl-status" data-region="opened" role="status"></p>'),
        _form(sample, choices, messages, lab_id),
        html('<p class="gl-story" data-region="story">{}</p>', story(sample, messages)),
        html('<div class="gl-check-main">'),
        _text(sample, messages, lab_id),
        html('<div class="gl-check-answer">'),
        html('<p class="gl-status" data-region="status"></p>'),
        html('<div class="gl-sentence" data-region="summary" role="status">{}</div>', regions["summary"]),
        html('<div data-region="findings">{}</div>', regions["findings"]),
        html("</div></div>"),
        html('<div class="gl-check-rest">'),
        html('<div data-region="verdict">{}</div>', regions["verdict"]),
        html('<div data-region="offer">{}</div>', regions["offer"]),
        html("</div>"),
        _taking(sample, messages),
        html("</figure></gpu-check>"),
    ]
    return join((part for part in parts if part), "\n")


def story(sample: CheckSample, messages: Messages) -> Html:
    """What somebody sees in life who applies the sample."""
    return escape(messages.text(f"check-sample.{sample.id}.story"))


def check_command(situation: Situation) -> Html:
    """The command that says the same in a terminal, of the file that the page saves."""
    deployer = "" if situation.deployer is None else f" --deployer {situation.deployer}"
    return escape(f"gpulab check {PATH} --node {situation.node}{deployer}")


def _form(sample: CheckSample, choices: Sequence[CheckSample], messages: Messages, lab_id: str) -> Html:
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
    reset = html(
        '<button type="button" data-action="reset" class="gl-reset">{}</button>', escape(text("lab.reset"))
    )
    return join(
        [
            html('<form class="gl-form" data-region="form">'),
            html(
                '<fieldset class="gl-controls"><legend class="gl-unseen">{}</legend>',
                escape(text("lab.controls")),
            ),
            *fields,
            html('<div class="gl-field gl-resetting">{}</div>', reset),
            html("</fieldset></form>"),
        ],
        "\n",
    )


def _field(
    name: str, options: Iterable[tuple[str, str]], chosen: str, messages: Messages, lab_id: str
) -> Html:
    field_id = f"{lab_id}-{name}"
    choices = list(options)
    label = escape(messages.text(f"check-lab.{name}"))
    output = escape(dict(choices)[chosen])
    return html(
        '<div class="gl-field gl-choice"><label{}>{}</label><span class="gl-input">'
        "<select{}>{}</select>"
        "<output{}>{}</output></span></div>",
        attributes(for_=field_id),
        label,
        attributes(id=field_id, data_field=name, autocomplete="off"),
        options_html(choices, chosen),
        attributes(for_=field_id),
        output,
    )


def _text(sample: CheckSample, messages: Messages, lab_id: str) -> Html:
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
    return html(
        '<div class="gl-yaml"><label{}>{}</label>'
        '<div class="gl-editor" data-editor hidden></div>'
        "<textarea data-yaml{}>\n{}</textarea></div>",
        attributes(for_=text_id, id=f"{text_id}-label"),
        label,
        area,
        escape(sample.text),
    )


def _taking(sample: CheckSample, messages: Messages) -> Html:
    """What a reader takes along: a link, the text as a file, and the command that checks it."""
    text = messages.text
    command = check_command(Situation(sample.text, sample.node, sample.deployer))
    head = text("check-lab.file-head", command="{command}")
    saving = attributes(data_action="download", data_file=PATH, data_head=f"# {head}")
    return join(
        [
            html('<div class="gl-taking" role="group" aria-label="{}">', escape(text("lab.actions"))),
            html('<button type="button" data-action="share">{}</button>', escape(text("lab.share"))),
            html('<button type="button"{}>{}</button>', saving, escape(text("lab.download"))),
            html(
                '<span class="gl-command">{} <code lang="en" data-region="command">{}</code> '
                '<button type="button" data-action="copy">{}</button></span>',
                escape(text("lab.command")),
                command,
                escape(text("lab.copy")),
            ),
            html("</div>"),
            html('<p class="gl-status" data-region="taken" role="status"></p>'),
        ],
        "\n",
    )
