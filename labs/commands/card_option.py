"""`--gpu ID`: a card of the catalog."""

from __future__ import annotations

from labs.commands.terminal import InputError, Terminal
from labs.hardware.catalog import GpuModel, UnknownGpuError
from labs.report.writing import visible


def card(gpu_id: str, terminal: Terminal) -> GpuModel:
    """The card with this id. Raises InputError, with the nearest ids or all."""
    try:
        return terminal.library.catalog.get(gpu_id)
    except UnknownGpuError as error:
        text = terminal.messages.text
        if not error.suggestions:
            known = ", ".join(terminal.library.catalog.ids)
            raise InputError(text("cli.mig.unknown-gpu", gpu=visible(gpu_id), known=known)) from None
        near = ", ".join(error.suggestions)
        raise InputError(text("cli.mig.unknown-gpu-near", gpu=visible(gpu_id), near=near)) from None
