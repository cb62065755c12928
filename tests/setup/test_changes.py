"""What a saved file has `dev.py serve` build, and in which order."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import paths, site
from tools.changes import Change, Watch, concerned

ALL = site.LANGUAGES


@pytest.mark.parametrize(
    ("saved", "change"),
    [
        (["docs/ko/index.md"], Change(("ko",), code=False)),
        (["docs/en/index.md", "docs/ja/index.md"], Change(("en", "ja"), code=False)),
        (["docs/assets/picture.png"], Change(("en", "ja", "ko"), code=False)),
        (["theme/base.html"], Change(("en", "ja", "ko"), code=False)),
        (["labs/cli.py"], Change(("en", "ja", "ko"), code=True)),
        (["labs/messages/ko/cli.toml"], Change(("ko", "en", "ja"), code=True)),
        (["docs/ko/index.md", "mkdocs.yml"], Change(("ko", "en", "ja"), code=True)),
    ],
)
def test_the_saved_language_comes_first_then_the_open_one(saved: list[str], change: Change) -> None:
    assert concerned([paths.ROOT / name for name in saved], [], ALL, opened="en") == change


def test_a_page_that_comes_or_goes_concerns_the_languages_that_link_to_it() -> None:
    page = paths.ROOT / "docs" / "ko" / "new.md"
    assert concerned([page], [page], ALL, opened="ja").languages == ("ko", "ja", "en")


def test_only_chosen_languages_are_built() -> None:
    assert concerned([paths.ROOT / "docs" / "ko" / "index.md"], [], ["en"], opened="en").languages == ()
    assert concerned([paths.ROOT / "theme" / "base.html"], [], ["en"], opened="en").languages == ("en",)


def test_a_change_is_seen_once(project: Path) -> None:
    page = project / "docs" / "ko" / "index.md"
    page.parent.mkdir(parents=True)
    page.write_text("# One", "utf-8")
    watch = Watch()
    assert watch.change(ALL, "ja") is None
    page.write_text("# Two, and longer", "utf-8")
    (project / "tests").mkdir()
    (project / "tests" / "test_it.py").touch()
    assert watch.change(ALL, "ja") == Change(("ko",), code=False)
    assert watch.change(ALL, "ja") is None
