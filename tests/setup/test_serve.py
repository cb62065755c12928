"""The loop of `dev.py serve`: what is built after which change, and the search index after what was built."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import cast

import pytest

from tools import serve
from tools.changes import Change, Watch
from tools.language_builder import LanguageBuilder
from tools.live_server import LiveSite
from tools.shared_parts import SharedParts

IDLE = 2
"""The rounds that a loop is left alone after the last change."""


class Story:
    """A builder, the shared parts and a watch in one, which note what the loop asks of them in `told`."""

    def __init__(self, changes: list[Change | None]) -> None:
        self.told: list[str] = []
        self.fresh = threading.Event()
        self._changes = iter(changes)

    def build(self, language: str) -> bool:
        self.told.append(language)
        return True

    def forget(self) -> None:
        self.told.append("forget")

    def make_parts(self) -> None:
        self.told.append("parts")

    def make_index(self) -> None:
        self.told.append("index")

    def change(self, *_: object) -> Change | None:
        try:
            return next(self._changes)
        except StopIteration:
            raise KeyboardInterrupt from None


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is waited for."""
    monkeypatch.setattr(serve, "INTERVAL_S", 0)


def told(folder: Path, story: Story, *languages: str) -> list[str]:
    """What the loop asks for until the changes end."""
    with pytest.raises(KeyboardInterrupt):
        serve._follow(
            cast(Watch, story),
            cast(LanguageBuilder, story),
            LiveSite(folder, languages[0]),
            cast(SharedParts, story),
            languages,
        )
    return story.told


def test_the_index_is_made_once_after_all_languages_are_built(tmp_path: Path) -> None:
    story = Story([None] * (3 + IDLE))
    assert told(tmp_path, story, "ja", "ko", "en") == ["parts", "ko", "en", "index"]


def test_the_index_holds_a_saved_page(tmp_path: Path) -> None:
    story = Story([None, Change(("ja",), code=False), *[None] * IDLE])
    assert told(tmp_path, story, "ja") == ["parts", "index", "ja", "index"]


def test_a_change_of_code_makes_parts_beside_the_build_and_the_index_after_it(tmp_path: Path) -> None:
    story = Story([None, Change(("ja",), code=True), *[None] * IDLE])
    assert told(tmp_path, story, "ja") == ["parts", "index", "forget", "parts", "ja", "index"]


def test_a_change_that_concerns_no_chosen_language_makes_nothing(tmp_path: Path) -> None:
    story = Story([None, Change((), code=False), *[None] * IDLE])
    assert told(tmp_path, story, "ja") == ["parts", "index"]


def test_fresh_parts_have_the_lead_built_again_and_its_pages_indexed(tmp_path: Path) -> None:
    story = Story([None] * (1 + IDLE))
    story.fresh.set()
    assert told(tmp_path, story, "ko") == ["parts", "ko", "index"]
