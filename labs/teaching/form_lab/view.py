"""A form lab as HTML: complete before any script runs, and the frame into which the browser's part puts new answers.

The data attributes are the contract with `labs/web/elements/gpu-form.js`: fields, regions to swap, changes, actions, and
the few words that the script itself must say.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from labs.report.writing import Messages, attributes, escape
from labs.teaching.form_lab.field_html import FormWords, fields_html
from labs.teaching.form_lab.lab import FormAnswer, FormLab, Taken
from labs.teaching.form_lab.values import Values
from labs.teaching.lab import SHARED_WORDS, script_words

OWN_WORDS = ("crashed", "stopped")  # messages `form-script.<word>`


PAGES = "../../{page}/"
_PAGE_LINK = re.compile(r'href="page:([a-z0-9/-]+)')
_HERE = "\0"  # where a link stands in a sentence
_PATTERN = re.compile(r"[./a-z-]{0,40}\{page\}(/|\.html)")


def linked(html: str, pages: str) -> str:
    """The HTML with addresses for `href="page:labs/check#anchor"`; `pages` is that of a page, with `{page}` in it."""
    pattern = pages if _PATTERN.fullmatch(pages) else PAGES
    return _PAGE_LINK.sub(lambda link: 'href="' + pattern.replace("{page}", link[1]), html)


def form_lab_html(
    lab: FormLab, values: Values, answer: FormAnswer, messages: Messages, pages: str = PAGES
) -> str:
    """The whole lab as a reader first sees it; `pages`: see `linked`."""
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
    unfolded = [name for name in lab.regions if name not in lab.folded]
    return "\n".join(
        [
            f'<gpu-form{head}><figure class="gl-lab gl-form-lab"{attributes(aria_labelledby=f"{element}-name")}>',
            f'<figcaption class="gl-title"{attributes(id=f"{element}-name")}>{escape(words.own("title"))}</figcaption>',
            f'<p class="gl-try">{escape(words.own("try"))}</p>',
            '<p class="gl-status" data-region="opened" role="status"></p>',
            '<form class="gl-form">',
            _presets(lab, values, words),
            f'<div data-region="form">{fields_html(lab, values, (), words)}</div>',
            "</form>",
            '<p class="gl-status" data-region="status"></p>',
            '<p class="gl-stale" data-region="stale" role="status"></p>',
            f'<div class="gl-sentence" data-region="summary" role="status">{linked(answer.summary, pages)}</div>',
            *(_region(name, answer, pages) for name in unfolded),
            f'<div class="gl-taking" role="group" aria-label="{escape(text("lab.actions"))}">',
            f'<button type="button" data-action="share">{escape(text("lab.share"))}</button>',
            f'<span class="gl-command">{escape(text("lab.command"))} <code lang="en" data-region="command">'
            f"{escape(answer.command)}</code> "
            f'<button type="button" data-action="copy">{escape(text("lab.copy"))}</button></span>',
            "</div>",
            '<p class="gl-status" data-region="taken" role="status"></p>',
            *_fold(lab, answer, pages, words),
            _section(lab, pages, words),
            "</figure></gpu-form>",
        ]
    )


def _json(values: Mapping[str, str]) -> str:
    return json.dumps(dict(values), ensure_ascii=False)


def _region(name: str, answer: FormAnswer, pages: str) -> str:
    html = linked(answer.regions[name], pages)
    return f'<div class="gl-region-{name}" data-region="{name}">{html}</div>'


def _section(lab: FormLab, pages: str, words: FormWords) -> str:
    """Where the article says why."""
    link = f'<a href="page:{escape(lab.section)}">{escape(words.own("section"))}</a>'
    before, _, after = words.messages.text("form.section", section=_HERE).partition(_HERE)
    return f'<p class="gl-caption">{escape(before)}{linked(link, pages)}{escape(after)}</p>'


def _fold(lab: FormLab, answer: FormAnswer, pages: str, words: FormWords) -> Iterator[str]:
    """What is folded away: the lab's own regions, and the texts to take along."""
    if not lab.folded and not answer.files:
        return
    yield f'<details class="gl-more"><summary>{escape(words.own("more") or words.messages.text("form.more"))}</summary>'
    for name in lab.folded:
        yield _region(name, answer, pages)
    yield f'<div class="gl-outputs" data-region="files">{files_html(answer.files, words)}</div></details>'


def files_html(files: Sequence[Taken], words: FormWords) -> str:
    """Each text with its heading, to copy and, where it is a file, to save."""
    return "".join(_taken(file, words) for file in files)


def _taken(file: Taken, words: FormWords) -> str:
    text = words.messages.text
    code_id = f"{words.element}-file-{file.id}"
    about = f'<span class="gl-unseen">{escape(text("form.of", what=file.heading))}</span>'
    copies = attributes(type="button", data_action="copy", data_from=code_id)
    buttons = f"<button{copies}>{escape(text('lab.copy'))}{about}</button>"
    if file.file:
        saves = attributes(
            type="button", data_action="download", data_from=code_id, data_file=file.file, data_head=file.head
        )
        buttons += f"<button{saves}>{escape(text('form.download', file=file.file))}</button>"
    return (
        f'<div class="gl-output"><p class="gl-head">{escape(file.heading)}</p>'
        f'<pre class="gl-text gl-scroll" role="group" tabindex="0"{attributes(aria_label=file.heading)}>'
        f"<code{attributes(id=code_id, lang=file.lang)}>{escape(file.text)}</code></pre>{buttons}</div>"
    )


def _presets(lab: FormLab, values: Values, words: FormWords) -> str:
    text = words.messages.text
    buttons = [
        f"<button{_presses(f'{words.element}-preset-{preset}', {'preset': preset})}>"
        f"{escape(words.own(f'preset.{preset}'))}</button>"
        for preset in lab.presets
    ]
    reset = attributes(
        type="button", class_="gl-reset", data_change=f'{{"values": {_json(values)}}}', data_replaces=True
    )
    return (
        f'<div class="gl-presets" role="group" aria-label="{escape(text("lab.presets"))}">'
        f"{''.join(buttons)}<button{reset}>{escape(text('lab.reset'))}</button></div>"
    )


def _presses(button_id: str, change: Mapping[str, str]) -> str:
    """The attributes of a button that puts other values in the place of these."""
    return attributes(type="button", id=button_id, data_change=json.dumps(change), data_replaces=True)
