"""`dev.py serve`: the site on 127.0.0.1 while it is being written; a saved page is there within seconds.

Languages are built one by one, that of the saved or open page first; what takes longer is made beside them.
"""

from __future__ import annotations

import argparse
import contextlib
import time

from tools import live_server, paths, site
from tools.changes import Watch
from tools.command import Command
from tools.language_builder import LanguageBuilder
from tools.live_server import LiveSite
from tools.process import say
from tools.shared_parts import SharedParts
from tools.site import LANGUAGES

FOLDER = paths.CACHE / "serve"
INTERVAL_S = 0.2


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--port", type=int, default=8000, help="first port to try, then the next free one (8000)"
    )
    parser.add_argument(
        "--lang", choices=LANGUAGES, help="build that language only; the others stay as they were built last"
    )


def _perform(arguments: argparse.Namespace) -> int:
    languages = (arguments.lang,) if arguments.lang else LANGUAGES
    live = LiveSite(FOLDER, lead=languages[0])
    shared = SharedParts(FOLDER)
    with contextlib.suppress(KeyboardInterrupt), LanguageBuilder(FOLDER, live.lead) as builder:
        try:
            watch = Watch()
            site.pack_scripts()  # without which no page is built; the browser's Python comes after the first ones
            _build(builder, live, languages[0])
            port = live_server.start(live, arguments.port).server_port
            say(f"The site is at http://127.0.0.1:{port}/ and follows your changes; Ctrl-C ends it.")
            say("Now what all languages share: labs answer once that is made.")
            _follow(watch, builder, live, shared, languages)
        finally:
            shared.stop()
    return 0


def _follow(
    watch: Watch, builder: LanguageBuilder, live: LiveSite, shared: SharedParts, languages: tuple[str, ...]
) -> None:
    """Builds what is still to be built, and after each change what it concerns; the index after what was built."""
    waiting = list(languages[1:])
    is_indexed = False
    shared.make_parts()
    while True:
        change = watch.change(languages, live.opened)
        if change is not None:
            waiting = list(dict.fromkeys([*change.languages, *waiting]))
            if change.code:
                builder.forget()
                shared.make_parts()
        if waiting:
            _build(builder, live, waiting.pop(0))
            is_indexed = False
        elif shared.fresh.is_set():
            shared.fresh.clear()
            if _build(builder, live, live.lead):
                live.built(*LANGUAGES)
            is_indexed = False
        elif not is_indexed:
            shared.make_index()
            is_indexed = True
        else:
            time.sleep(INTERVAL_S)


def _build(builder: LanguageBuilder, live: LiveSite, language: str) -> bool:
    """Builds a language and says so, or that its last good pages stay."""
    started = time.monotonic()
    if not builder.build(language):
        say(f"dev.py: {language} was not built, for the reason above: its last good pages stay.")
        return False
    live.built(language)
    say(f"{language} is built ({time.monotonic() - started:.1f} s).")
    return True


COMMAND = Command(
    "serve",
    "serve the site on 127.0.0.1 while you write it: what you save is built, and the page reloads itself",
    _add_arguments,
    _perform,
)
