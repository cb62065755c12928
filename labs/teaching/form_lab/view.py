"""A form lab as HTML: complete before any script runs, and the frame into which the browser's part puts new answers.

The data attributes are the contract with `labs/web/elements/gpu-form.js`: fields, regions to swap, changes, actions, and
the few words that the script itself must say.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from labs.report.writing import Html, Messages, attributes, escape, html, join, linked
from labs.teaching.form_lab.field_html import FormWords, fields_html
from labs.teaching.form_lab.lab import FormAnswer, FormLab, Taken
from labs.teaching.form_lab.values import Values
from labs.teaching.lab import SHARED_WORDS, script_words

OWN_WORDS = ("crashed", "stopped")  # messages `form-script.<word>`


PAGES = "../../{page}/"
_HERE = "\0"  # where a link stands in a sentence
_ADDRESS = re.compile(r"[./a-z-]{0,40}\{page\}(/|\.html)")


def page_address(pages: str) -> str:
    """The address of a page, with `{page}` in it, that somebody says; the usual one where it is none."""
    return pages if _ADDRESS.fullmatch(pages) else PAGES


def form_lab_html(
    lab: FormLab, values: Values, answer: FormAnswer, messages: Messages, pages: str = PAGES
) -> Html:
    """The whole lab as a reader first sees it; `pages`: see `page_address`."""
    text = messages.text
    element = f"lab-{lab.id}"
    words = FormWords(lab, messages, element)
    said = script_words(
        {
            **{word: f"script.{word}" for word in SHARED_WORDS},
            **{word: f"form-script.{word}" for word in OWN_WORDS},
        },
        messages,
    )
    head = attributes(
        id=element, lab=lab.id, lang=messages.language, data_values=_json(values), data_pages=pages, **said
    )
    pages = page_address(pages)
    unfolded = [name for name in lab.regions if name not in lab.folded]
    return join(
        [
            html(
                '<gpu-form{}><figure class="gl-lab gl-form-lab"{}>',
                head,
                attributes(aria_labelledby=f"{element}-name"),
            ),
            html(
                '<figcaption class="gl-title"{}>{}</figcaption>',
                attributes(id=f"{element}-name"),
                escape(words.own("title")),
            ),
            html('<p class="gl-try">{}</p>', escape(words.own("try"))),
            html('<p class="gl-status" data-region="opened" role="status"></p>'),
            html('<form class="gl-form">'),
            _presets(lab, values, words),
            html('<div data-region="form">{}</div>', fields_html(lab, values, (), words)),
            html("</form>"),
            html('<p class="gl-status" data-region="status"></p>'),
            html('<p class="gl-stale" data-region="stale" role="status"></p>'),
            html(
                '<div class="gl-sentence" data-region="summary" role="status">{}</div>',
                linked(answer.summary, pages),
            ),
            *(_region(name, answer, pages) for name in unfolded),
            html('<div class="gl-taking" role="group" aria-label="{}">', escape(text("lab.actions"))),
            html('<button type="button" data-action="share">{}</button>', escape(text("lab.share"))),
            html(
                '<span class="gl-command">{} <code lang="en" data-region="command">'
                "{}</code> "
                '<button type="button" data-action="copy">{}</button></span>',
                escape(text("lab.command")),
                escape(answer.command),
                escape(text("lab.copy")),
            ),
            html("</div>"),
            html('<p class="gl-status" data-region="taken" role="status"></p>'),
            *_fold(lab, answer, pages, words),
            _section(lab, pages, words),
            html("</figure></gpu-form>"),
        ],
        "\n",
    )


def _json(values: Mapping[str, str]) -> str:
    return json.dumps(dict(values), ensure_ascii=False)


def _region(name: str, answer: FormAnswer, pages: str) -> Html:
    about = attributes(class_=f"gl-region-{name}", data_region=name)
    return html("<div{}>{}</div>", about, linked(answer.regions[name], pages))


def _section(lab: FormLab, pages: str, words: FormWords) -> Html:
    """Where the article says why."""
    link = html('<a href="page:{}">{}</a>', escape(lab.section), escape(words.own("section")))
    before, _, after = words.messages.text("form.section", section=_HERE).partition(_HERE)
    return html('<p class="gl-caption">{}{}{}</p>', escape(before), linked(link, pages), escape(after))


def _fold(lab: FormLab, answer: FormAnswer, pages: str, words: FormWords) -> Iterator[Html]:
    """What is folded away: the lab's own regions, and the texts to take along."""
    if not lab.folded and not answer.files:
        return
    yield html(
        '<details class="gl-more"><summary>{}</summary>',
        escape(words.own("more") or words.messages.text("form.more")),
    )
    for name in lab.folded:
        yield _region(name, answer, pages)
    yield html(
        '<div class="gl-outputs" data-region="files">{}</div></details>', files_html(answer.files, words)
    )


def files_html(files: Sequence[Taken], words: FormWords) -> Html:
    """Each text with its heading, to copy and, where it is a file, to save."""
    return join(_taken(file, words) for file in files)


def _taken(file: Taken, words: FormWords) -> Html:
    text = words.messages.text
    code_id = f"{words.element}-file-{file.id}"
    about = html('<span class="gl-unseen">{}</span>', escape(text("form.of", what=file.heading)))
    copies = attributes(type="button", data_action="copy", data_from=code_id)
    buttons = html("<button{}>{}{}</button>", copies, escape(text("lab.copy")), about)
    if file.file:
        saves = attributes(
            type="button", data_action="download", data_from=code_id, data_file=file.file, data_head=file.head
        )
        saving = escape(text("form.download", file=file.file))
        buttons = html("{}<button{}>{}</button>", buttons, saves, saving)
    return html(
        '<div class="gl-output"><p class="gl-head">{}</p>'
        '<pre class="gl-text gl-scroll" role="group" tabindex="0"{}>'
        "<code{}>{}</code></pre>{}</div>",
        escape(file.heading),
        attributes(aria_label=file.heading),
        attributes(id=code_id, lang=file.lang),
        escape(file.text),
        buttons,
    )


def _presets(lab: FormLab, values: Values, words: FormWords) -> Html:
    text = words.messages.text
    buttons = [
        html(
            "<button{}>{}</button>",
            _presses(f"{words.element}-preset-{preset}", {"preset": preset}),
            escape(words.own(f"preset.{preset}")),
        )
        for preset in lab.presets
    ]
    reset = attributes(
        type="button", class_="gl-reset", data_change=f'{{"values": {_json(values)}}}', data_replaces=True
    )
    return html(
        '<div class="gl-presets" role="group" aria-label="{}">{}<button{}>{}</button></div>',
        escape(text("lab.presets")),
        join(buttons),
        reset,
        escape(text("lab.reset")),
    )


def _presses(button_id: str, change: Mapping[str, str]) -> Html:
    """The attributes of a button that puts other values in the place of these."""
    return attributes(type="button", id=button_id, data_change=json.dumps(change), data_replaces=True)
