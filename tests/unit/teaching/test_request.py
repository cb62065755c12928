"""What a script asks is bounded, in every kind of lab."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from labs.browser import respond
from labs.teaching.kinds import KINDS, KindEntry
from labs.teaching.lab import MOST_CHANGES

ENGINE = Path(__file__).parents[3] / "labs" / "web" / "engine" / "lab-element.js"


@pytest.mark.parametrize("entry", KINDS, ids=lambda entry: entry.name)
def test_too_many_changes_at_once_are_refused(entry: KindEntry) -> None:
    request = {"kind": entry.request, "lab": "any", "changes": [{"show": True}] * (MOST_CHANGES + 1)}
    words = f"{MOST_CHANGES + 1} changes at once; at most {MOST_CHANGES}"
    assert words in json.loads(respond(json.dumps(request)))["error"]


def test_the_script_leaves_room_for_what_is_done_while_it_is_full() -> None:
    [most] = re.findall(r"^const MOST_CHANGES = (\d+);", ENGINE.read_text("utf-8"), re.MULTILINE)
    assert MOST_CHANGES - int(most) == 10  # as its comment says
