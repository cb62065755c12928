"""What a page's Markdown must know about its page: its language, its file, the words that extensions say."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import cast

import jinja2
from jinja2.bccache import Bucket
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

sys.path[:0] = [str(Path(__file__).parent.parent)]

from hooks.typography import TypographyExtension  # noqa: E402 (MkDocs loads hooks by path, not as a package)
from labs.markdown import LabExtension, LabMarkdownError  # noqa: E402
from labs.site_server import POLICY  # noqa: E402

_PERMALINK_TITLES = {"ja": "この見出しへのリンク", "ko": "이 제목의 링크", "en": "Link to this heading"}
_BACKLINK_TITLES = {
    "ja": "本文の注{}に戻る",
    "ko": "본문의 각주 {}로 돌아가기",
    "en": "Back to note {} in the text",
}

_ENGLISH = re.compile(r'href="english:(?P<name>[a-z-]+)(?P<anchor>#[a-z0-9-]+)?"')


class _Compiled(jinja2.BytecodeCache):
    """Templates that are compiled already: each language is built with an environment of its own, all of one kind."""

    def __init__(self) -> None:
        self._code: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Finds what another language's environment has compiled."""
        if bucket.key in self._code:
            bucket.bytecode_from_string(self._code[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keeps it for the next."""
        self._code[bucket.key] = bucket.bytecode_to_string()


_compiled = _Compiled()
_typography = TypographyExtension()
_labs = LabExtension()  # one for all pages: what a lab's scenario comes to is computed once


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Registers the site's own Markdown extensions once: all languages are built with one configuration."""
    extensions = cast("list[object]", config.markdown_extensions)  # MkDocs passes objects on as it does names
    if _typography not in extensions:
        extensions += [_typography, _labs]
    return config


def on_env(env: jinja2.Environment, config: MkDocsConfig, files: Files) -> jinja2.Environment:
    """Keeps the blank lines of template logic out of the pages, and compiles them once.

    They are told the site's policy and the kinds of labs.
    """
    env.trim_blocks = env.lstrip_blocks = True
    env.globals["policy"] = POLICY
    env.globals["lab_kinds"] = _labs.library.kinds
    env.bytecode_cache = _compiled
    return env


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Tells the extensions about the page that they are about to render."""
    language = config.theme["language"]
    _typography.setConfig("language", language)
    _labs.setConfig("language", language)
    _labs.setConfig("stops", config.use_directory_urls)  # a page from a folder can't fetch them
    _labs.setConfig("rules", _from(page, "rules/{code}", language, config))
    _labs.setConfig("pages", _from(page, "{page}", language, config))
    _labs.setConfig("source", f"docs/{page.file.src_uri}")
    _labs.setConfig("first_line", _lines(page.file.content_string) - _lines(markdown) + 1)
    config.mdx_configs.setdefault("toc", {})["permalink_title"] = _PERMALINK_TITLES[language]
    config.mdx_configs.setdefault("footnotes", {})["BACKLINK_TITLE"] = _BACKLINK_TITLES[language]
    return markdown


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Makes addresses of `english:NAME`: the pages for contributors, which are in English in every language."""

    def address(link: re.Match[str]) -> str:
        place = _from(page, f"contributing/{link['name']}", "en", config)
        anchor = link["anchor"] or ""
        return f'href="{place}{anchor}"'

    return _ENGLISH.sub(address, html)


def on_page_context(
    context: dict[str, object], page: Page, config: MkDocsConfig, nav: Navigation
) -> dict[str, object]:
    """Where the language links lead: to the same page, or from one that is in English only to the index above it."""
    index = next(other.file for other in nav.pages if other.file.src_uri.endswith("contributing/index.md"))
    context["siblings"] = {**vars(index)["alternates"], **vars(page.file)["alternates"]}  # by static-i18n
    return context


def _from(page: Page, other: str, language: str, config: MkDocsConfig) -> str:
    """From this page, the address of another of the same language, such as `rules/{code}`."""
    root = "" if language == "ja" else f"{language}/"
    end = "/" if config.use_directory_urls else ".html"
    return get_relative_url(f"{root}{other}{end}", page.url)


def on_build_error(error: Exception) -> None:
    """Where a page refers to labs wrongly, ends the build with the place and the reason, not a traceback."""
    if isinstance(error, LabMarkdownError):
        raise PluginError(str(error)) from None


def _lines(text: str) -> int:
    """Lines of a text, the empty ones at its end not counted: MkDocs takes front matter off the beginning."""
    return text.rstrip("\n").count("\n") + 1
