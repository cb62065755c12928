"""The site's licences: a table on their page, and their texts in one file.

No file is in the site of which nobody knows whose it is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

_ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(_ROOT)]

from hooks.notices import (  # noqa: E402 (MkDocs loads hooks by path, not as a package)
    Notice,
    UnknownLicenceError,
    kept_notice,
    material_notices,
    notices_text,
    python_notices,
    script_notices,
)

TEXTS = "assets/licences.txt"
TABLE = "<!-- the table of licences: hooks/licences.py -->"
_CACHE = _ROOT / ".cache"
# Made of our own files; the notices of packages that scripts import are with the bundle "scripts".
_MADE = (".cache/stops", ".cache/scripts", ".cache/scripts-folder", ".cache/licences.txt")
_PACKAGES = _CACHE / "editor" / "packages.json"
_OWN = tuple(_ROOT / name for name in ("docs", "theme", "labs", *_MADE))
_MADE_BY_MKDOCS = (".html", "sitemap.xml", "sitemap.xml.gz")


class Bundle(NamedTuple):
    """Files of others in the site: where they lie (beginnings of addresses), and their notices."""

    part: str
    places: tuple[str, ...]
    notices: Callable[[], Sequence[Notice]]


BUNDLES = (
    Bundle("python", ("assets/labs/runtime/",), lambda: python_notices(_CACHE / "runtime")),
    Bundle("scripts", (), lambda: script_notices(_PACKAGES, "scripts")),
    Bundle("editor", ("assets/labs/editor.js",), lambda: script_notices(_PACKAGES, "editor")),
    Bundle("search", ("assets/search/",), lambda: [kept_notice("pagefind")]),
    Bundle("styles", ("assets/site/material.css",), material_notices),
)
_WORDS = {
    "ja": {
        "heads": ("使う箇所", "名前とバージョン", "ライセンス"),
        "texts": "この表にあるすべてのライセンスの本文",
        "python": "ブラウザーで動くPython",
        "scripts": "ラボのスクリプト",
        "editor": "エディター",
        "search": "検索",
        "styles": "スタイルシート",
    },
    "ko": {
        "heads": ("쓰는 곳", "이름과 버전", "라이선스"),
        "texts": "이 표에 있는 모든 라이선스의 본문",
        "python": "브라우저에서 도는 Python",
        "scripts": "실습의 스크립트",
        "editor": "편집기",
        "search": "검색",
        "styles": "스타일시트",
    },
    "en": {
        "heads": ("Where", "Name and version", "Licence"),
        "texts": "The texts of all these licences",
        "python": "Python in the browser",
        "scripts": "Scripts of the labs",
        "editor": "Editor",
        "search": "Search",
        "styles": "Style sheet",
    },
}
_own_files: set[str] = set()


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the licences' texts, with the default language, and keeps in mind which files are the project's own."""
    if config.theme["language"] == config.extra.get("shared_with", "ja"):  # as hooks/browser.py does
        path = _CACHE / "licences.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(notices_text(notice for _, notice in _notices(config)), encoding="utf-8")
        files.append(File(path.name, str(_CACHE), config.site_dir, use_directory_urls=False, dest_uri=TEXTS))
    sources = [(file.dest_uri, Path(file.abs_src_path or "")) for file in files]
    _own_files.update(address for address, source in sources if any(map(source.is_relative_to, _OWN)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Puts the table where the page of licences asks for it."""
    if TABLE not in markdown:
        return markdown
    words = _WORDS[config.theme["language"]]
    rows = [words["heads"], ("---",) * 3]
    for part, notice in _notices(config):
        rows.append((str(words[part]), f"{notice.name} {notice.version}".strip(), notice.licence))
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    link = f'<a href="{get_relative_url(TEXTS, page.url)}">{words["texts"]}</a>'  # no Markdown link: no page is behind it
    return markdown.replace(TABLE, f"{table}\n\n{link}")


@event_priority(-300)  # after the search index is made
def on_post_build(config: MkDocsConfig) -> None:
    """Ends the build where the site holds a file that is neither the project's own nor in a bundle with its notices."""
    if getattr(config.plugins["i18n"], "building"):  # noqa: B009 (a plugin without types)
        return
    strangers = sorted(unclaimed(Path(config.site_dir), _own_files))
    if strangers:
        raise PluginError(
            f"The site holds {', '.join(strangers[:5])}: nothing says whose work that is. "
            "Name its bundle and its notices in hooks/licences.py."
        )


def unclaimed(site: Path, own: set[str]) -> Iterator[str]:
    """The addresses of a built site's files that are in no bundle, not among the project's own and not made by MkDocs."""
    claimed = tuple(place for bundle in BUNDLES for place in bundle.places)
    for path in site.rglob("*"):
        address = path.relative_to(site).as_posix()
        known = address in own or address.startswith(claimed) or address.endswith(_MADE_BY_MKDOCS)
        if path.is_file() and not known:
            yield address


def _notices(config: MkDocsConfig) -> list[tuple[str, Notice]]:
    """All notices with the part that each belongs to. From a folder nothing can be searched."""
    bundles = [bundle for bundle in BUNDLES if bundle.part != "search" or config.use_directory_urls]
    try:
        return [(bundle.part, notice) for bundle in bundles for notice in bundle.notices()]
    except UnknownLicenceError as error:
        raise PluginError(str(error)) from None
