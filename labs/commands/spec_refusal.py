"""The answer of `gpulab run` and `gpulab rollout` where the API server refuses the DaemonSet: nothing is simulated."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping

from labs.commands.terminal import BAD_NEWS, Terminal, printable


def show_refusal(words: str, rest: Mapping[str, object], form: str, terminal: Terminal) -> int:
    """Prints the API server's words.

    In JSON they are `error` beside the `rest` of the answer; where a picture was asked for they go to standard error.
    """
    if form == "json":
        sys.stdout.write(json.dumps({**rest, "error": words}, indent=2, ensure_ascii=False) + "\n")
    else:
        out = sys.stdout if form == "text" else sys.stderr
        out.write(printable(f"{words}\n\n{terminal.messages.text('cli.rollout.refused')}") + "\n")
    return BAD_NEWS
