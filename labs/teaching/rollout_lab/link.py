"""A rollout lab as a reader left it, as a link's fragment and back: `lab=ways-out&v=1&preset=undo&at=64`.

    lab=ways-out&v=1                       the lab's own text at its end
    lab=ways-out&v=1&preset=undo           a preset's text
    lab=ways-out&v=1&text=q1YqLU4t…&at=64  the text itself, packed; `at` is the moment that is shown, in seconds

A link comes from anybody: it is bounded, and what comes out is the text of a scenario, which is read like any other.
"""

from __future__ import annotations

import re

from labs.teaching.lab import LinkError, LinkProblem, fragment_of, link_parts, packed_text, unpacked
from labs.teaching.rollout_lab.lab import RolloutLab, rollout_text
from labs.teaching.scenario_lab import UnknownControlError

_SECONDS = re.compile(r"[0-9]{1,7}")


def rollout_link(lab: RolloutLab, text: str, at_s: int | None) -> str:
    """The fragment (without #) that shows this text at that moment (None: at the end). Raises LinkError (TOO_MUCH)."""
    parts: dict[str, str] = {}
    if text != lab.scenario:
        preset = next((preset.id for preset in lab.presets if rollout_text(lab, preset.id) == text), None)
        parts = {"text": packed_text(text)} if preset is None else {"preset": preset}
    if at_s is not None:
        parts["at"] = str(at_s)
    return fragment_of(lab.id, parts)


def state_of_link(lab: RolloutLab, fragment: str) -> tuple[str, int | None]:
    """The text and the moment (seconds) that a fragment (without #) shows. Raises LinkError for what is no such fragment."""
    parts = link_parts(lab.id, fragment)
    at = parts.pop("at", None)
    if at is not None and not _SECONDS.fullmatch(at):
        raise LinkError(LinkProblem.BROKEN)
    text, preset = parts.pop("text", None), parts.pop("preset", None)
    if parts or (text is not None and preset is not None):
        raise LinkError(LinkProblem.BROKEN)
    try:
        scenario = unpacked(text) if text is not None else rollout_text(lab, preset)
    except UnknownControlError:
        raise LinkError(LinkProblem.BROKEN) from None
    return scenario, None if at is None else int(at)
