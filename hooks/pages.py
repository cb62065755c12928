"""What a page's Markdown must know about its page: its language, and the words Markdown extensions say in it."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import jinja2
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

sys.path[:0] = [path for path in (str(Path(__file__).parent),) if path not in sys.path]

from typography import TypographyExtension  # noqa: E402 (the folder of hooks is no package)

_PERMALINK_TITLES = {"ja": "この見出しへのリンク", "ko": "이 제목의 링크", "en": "Link to this heading"}
_BACKLINK_TITLES = {"ja": "本文の注{}に戻る", "ko": "본문의 각주 {}로 돌아가기", "en": "Back to note {} in the text"}
_typography = TypographyExtension()


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Registers the site's own Markdown extensions once; MkDocs builds each language with one configuration."""
    if _typography not in config.markdown_extensions:
        config.markdown_extensions.append(_typography)
        if find_spec("labs.markdown"):
            config.markdown_extensions.append("labs.markdown")
    return config


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Gives the extensions that are about to render `page` its language."""
    language = config.theme["language"]
    _typography.setConfig("language", language)
    config.mdx_configs.setdefault("toc", {})["permalink_title"] = _PERMALINK_TITLES[language]
    config.mdx_configs.setdefault("footnotes", {})["BACKLINK_TITLE"] = _BACKLINK_TITLES[language]
    return markdown


def on_env(env: jinja2.Environment, config: MkDocsConfig, files: Files) -> jinja2.Environment:
    """Keeps the blank lines of template logic out of the pages."""
    env.trim_blocks = env.lstrip_blocks = True
    return env
