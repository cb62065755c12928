"""What a reader takes along of a lab whose state is a text: a link, the text as a file, and the command that runs it."""

from __future__ import annotations

from labs.report.writing import Html, Messages, attributes, escape, html, join


def taking(file: str, command: str, messages: Messages) -> Html:
    """The buttons for a link and for the file, the command with a button to copy it, and the place where it is answered."""
    saving = attributes(
        data_action="download",
        data_file=file,
        data_head=f"# {messages.text('lab.file-head', command=command)}",
    )
    return join(
        [
            html(
                '<div class="gl-taking" role="group" aria-label="{}">', escape(messages.text("lab.actions"))
            ),
            html('<button type="button" data-action="share">{}</button>', escape(messages.text("lab.share"))),
            html('<button type="button"{}>{}</button>', saving, escape(messages.text("lab.download"))),
            html(
                '<span class="gl-command">{} <code lang="en">{}</code> '
                '<button type="button" data-action="copy">{}</button></span>',
                escape(messages.text("lab.command")),
                escape(command),
                escape(messages.text("lab.copy")),
            ),
            html("</div>"),
            html('<p class="gl-status" data-region="taken" role="status"></p>'),
        ],
        "\n",
    )
