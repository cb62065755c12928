"""What a command's exit code says, in the words with which its --help ends."""

from __future__ import annotations

from labs.report.writing import Messages


def exit_codes(command: str, messages: Messages) -> str:
    """The codes of a command, or of one of its actions such as `mig-plan`; one without bad news of its own has two."""
    whole, bad, fine = (f"cli.exit.{kind}.{command}" for kind in ("whole", "where-bad", "where-fine"))
    if messages.has(whole):
        return messages.text(whole)
    if not messages.has(bad):
        return messages.text("cli.exit.codes-without")
    sentence = messages.text(fine if messages.has(fine) else "cli.exit.fine")
    return messages.text("cli.exit.codes", fine=sentence, bad=messages.text(bad))
