"""Languages built one by one, as `dev.py serve` does, are what the whole build makes of them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tools.language_builder import LanguageBuilder
from tools.paths import ROOT
from tools.site import LANGUAGES


def contents(folder: Path) -> dict[str, bytes]:
    """The pages of a folder by name."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.html")}


@pytest.mark.slow
def test_each_page_is_the_same_as_in_the_whole_site(site: Path, tmp_path: Path) -> None:
    whole = contents(site)
    languages: dict[str, bytes] = {}
    with LanguageBuilder(tmp_path, LANGUAGES[0]) as builder:
        for language in LANGUAGES:
            assert builder.build(language)
            first = contents(tmp_path / language)
            assert builder.build(language)
            assert contents(tmp_path / language) == first
            languages |= first
    assert languages == whole


class TestSmallSite:
    """Two pages, of which the first leads to a heading of the second."""

    SETTINGS = """
site_name: Site
theme: {name: null, custom_dir: theme}
plugins:
  - i18n: {docs_structure: folder, languages: [{locale: ja, name: ja, default: true}, {locale: ko, name: ko}]}
markdown_extensions: [toc, attr_list]
validation: {links: {anchors: warn}}
"""

    @pytest.fixture
    def docs(self, tmp_path: Path) -> Path:
        for name, text in {
            "mkdocs.yml": self.SETTINGS,
            "theme/main.html": "<title>{{ page.title }}</title>{{ page.content }}",
            "docs/ja/index.md": "# One\n\n[there](second.md#there)",
            "docs/ja/second.md": "# Two\n\n## There",
            "docs/ko/index.md": "# Ko",
        }.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        return tmp_path / "docs"

    @pytest.fixture
    def build(self, docs: Path) -> Iterator[Callable[[], str]]:
        """Builds Japanese into `built/` and says what came of it."""
        script = (
            "import sys, pathlib; from tools import language_pages, paths\n"
            "paths.ROOT = pathlib.Path(sys.argv[1]); language_pages.main('ja')"
        )
        process = subprocess.Popen(
            [sys.executable, "-c", script, str(docs.parent)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

        def ask() -> str:
            assert process.stdin is not None
            assert process.stdout is not None
            print("ja", docs.parent / "built", file=process.stdin, flush=True)
            return process.stdout.readline().strip()

        yield ask
        process.kill()
        process.communicate()

    def test_a_saved_page_is_rendered_anew(self, docs: Path, build: Callable[[], str]) -> None:
        assert build() == "built"
        (docs / "ja" / "second.md").write_text("# Three\n\n## There", "utf-8")
        assert build() == "built"
        assert "<title>Three</title>" in (docs.parent / "built/second/index.html").read_text("utf-8")

    def test_what_is_wrong_is_said_until_it_is_mended(self, docs: Path, build: Callable[[], str]) -> None:
        good = (docs / "ja" / "index.md").read_text("utf-8")
        (docs / "ja" / "index.md").write_text(good + "\n\n[nowhere](no.md)", "utf-8")
        assert [build(), build()] == ["failed", "failed"]
        (docs / "ja" / "index.md").write_text(good, "utf-8")
        assert build() == "built"

    def test_a_heading_that_goes_is_missed_by_a_page_that_stays(
        self, docs: Path, build: Callable[[], str]
    ) -> None:
        assert build() == "built"
        (docs / "ja" / "second.md").write_text("# Two\n\n## Elsewhere", "utf-8")
        assert build() == "failed"

    def test_a_page_that_comes_mends_a_link_of_a_page_that_stays(
        self, docs: Path, build: Callable[[], str]
    ) -> None:
        (docs / "ja" / "second.md").rename(docs.parent / "second.md")
        assert build() == "failed"
        (docs.parent / "second.md").rename(docs / "ja" / "second.md")
        assert build() == "built"
